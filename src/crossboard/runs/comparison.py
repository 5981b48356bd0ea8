"""Whether two runs ended the same, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from crossboard.runs.checkpoints import Checkpoint, differ
from crossboard.runs.metrics import without_time
from crossboard.runs.run import GAMES, Run


def differences(one: Run, other: Run) -> list[str]:
    """List what differs: settings, the last checkpoint, metrics but for the clock, games."""
    return list(_differences(one, other))


def _differences(one: Run, other: Run) -> Iterator[str]:
    if one.config != other.config:
        yield "config.toml"
    yield from _checkpoints(one.latest(), other.latest())
    if without_time(one.metrics()) != without_time(other.metrics()):
        yield "metrics.jsonl"
    if _bytes(one.folder / GAMES) != _bytes(other.folder / GAMES):
        yield GAMES
    if one.is_finished != other.is_finished:
        yield "only one is finished"


def _checkpoints(one: Checkpoint | None, other: Checkpoint | None) -> Iterator[str]:
    if one is None or other is None:
        if one is not other:
            yield "only one has a checkpoint"
        return
    if one.step != other.step:
        yield "step"
    for name in sorted(one.tensors.keys() | other.tensors.keys()):
        both = name in one.tensors and name in other.tensors
        if not both or differ(one.tensors[name], other.tensors[name]):
            yield f"tensor {name}"
    for key in sorted(one.state.keys() | other.state.keys()):
        missing = object()
        if one.state.get(key, missing) != other.state.get(key, missing):
            yield f"state {key}"


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""
