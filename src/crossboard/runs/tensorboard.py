"""Metrics for TensorBoard, for those who watch their runs there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from crossboard.runs.metrics import Line, series


class TensorBoardSink:
    """Takes what a run logs: `run.sinks.append(TensorBoardSink(folder))`.

    `first_step` is the step a resumed run goes on from: TensorBoard then forgets what it was told
    of later ones. Raise ValueError without tensorboardX, which `crossboard[tensorboard]` brings.
    """

    def __init__(self, folder: str | Path, *, first_step: int | None = None) -> None:
        try:
            from tensorboardX import SummaryWriter
        except ImportError as error:
            raise ValueError(
                "TensorBoard needs tensorboardX: pip install 'crossboard[tensorboard]'"
            ) from error
        self._writer = SummaryWriter(str(folder), purge_step=first_step)

    def __call__(self, step: int, metrics: Mapping[str, float]) -> None:
        for name, value in metrics.items():
            self._writer.add_scalar(name, value, step)

    def close(self) -> None:
        self._writer.close()


def export(lines: list[Line], folder: str | Path) -> None:
    """Tell TensorBoard all that a run has logged."""
    sink = TensorBoardSink(folder)
    for name, (steps, values) in series(lines).items():
        for step, value in zip(steps, values, strict=True):
            sink(step, {name: value})
    sink.close()
