"""What runs there are, and how far each is."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any

from crossboard.runs.checkpoints import list_checkpoints
from crossboard.runs.errors import NotARun, RunError
from crossboard.runs.lock import holder
from crossboard.runs.metrics import SECONDS, STEP
from crossboard.runs.run import CHECKPOINTS, CONFIG, Run, read_finish


class Status(StrEnum):
    """How a run is."""

    FINISHED = "finished"
    RUNNING = "running"
    STOPPED = "stopped"  # to be resumed
    DAMAGED = "damaged"


@dataclass(frozen=True)
class RunSummary:
    """A run at a glance."""

    name: str
    folder: str
    status: Status
    step: int | None = None  # of the last checkpoint
    seconds: float | None = None  # of work
    lines: int = 0  # of metrics
    last: dict[str, float] | None = None  # each metric's last value
    holder: str | None = None  # who is writing it
    problem: str | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def summarise(folder: Path) -> RunSummary:
    """Sum up one run; what is wrong with it is part of the summary."""
    name = folder.name or str(folder)
    try:
        run = Run.open(folder)
        lines = run.metrics()
        seconds = read_finish(folder)
    except (RunError, OSError) as error:
        return RunSummary(name, str(folder), Status.DAMAGED, problem=str(error))
    writer = holder(folder)
    status = Status.RUNNING if writer else Status.STOPPED
    saved = list_checkpoints(folder / CHECKPOINTS)
    last: dict[str, float] = {}
    for line in lines:
        last |= line
    last.pop(STEP, None)
    logged = last.pop(SECONDS, None)
    return RunSummary(
        name,
        str(folder),
        status if seconds is None else Status.FINISHED,
        step=saved[0][0] if saved else None,
        seconds=logged if seconds is None else seconds,
        lines=len(lines),
        last=last,
        holder=writer,
    )


def list_runs(folder: Path) -> list[RunSummary]:
    """Sum up the runs in a folder, by name; none if the folder is not there."""
    if not folder.is_dir():
        return []
    return [summarise(path.parent) for path in sorted(folder.glob(f"*/{CONFIG}"))]


def find_run(name: str, folder: Path) -> Path:
    """Return the folder of a run named by its path, or by its name in a folder of runs."""
    for path in (Path(name), folder / name):
        if (path / CONFIG).exists():
            return path
    known = [path.parent.name for path in folder.glob(f"*/{CONFIG}")]
    near = get_close_matches(name, known, n=1)
    raise NotARun(
        f"there is no run {name!r}, neither as a folder nor in {folder}"
        + (f": did you mean {near[0]}?" if near else "")
    )
