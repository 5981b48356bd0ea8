"""Metrics for TensorBoard, for those who watch their runs there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from crossboard.runs.metrics import Line, series

if TYPE_CHECKING:
    from tensorboardX import SummaryWriter


class TensorBoardSink:
    """Tells TensorBoard of metrics as they come, while it is used in a `with`.

    Where a run goes on that was told of before, TensorBoard forgets what it was told of the first
    step and later ones. Raise ValueError without tensorboardX, which `crossboard[tensorboard]`
    brings.
    """

    def __init__(self, folder: str | Path) -> None:
        try:
            import tensorboardX  # noqa: F401 - before the first metrics, which may take hours
        except ImportError as error:
            raise ValueError(
                "TensorBoard needs tensorboardX: pip install 'crossboard[tensorboard]'"
            ) from error
        self._folder = folder
        self._writer: SummaryWriter | None = None

    def __call__(self, step: int, metrics: Mapping[str, float]) -> None:
        if self._writer is None:
            from tensorboardX import SummaryWriter

            self._writer = SummaryWriter(str(self._folder), purge_step=step)
        for name, value in metrics.items():
            self._writer.add_scalar(name, value, step)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._writer is not None:
            self._writer.close()


def export(lines: list[Line], folder: str | Path) -> None:
    """Tell TensorBoard all that a run has logged."""
    with TensorBoardSink(folder) as sink:
        for name, (steps, values) in series(lines).items():
            for step, value in zip(steps, values, strict=True):
                sink(step, {name: value})
