"""Runs: one folder for each learning experiment, which survives whatever happens to it."""

from __future__ import annotations

from crossboard.runs.checkpoints import (
    Checkpoint,
    generator_from_state,
    generator_state,
    same_tensors,
)
from crossboard.runs.comparison import differences
from crossboard.runs.errors import (
    ConfigDiffers,
    DamagedCheckpoint,
    DamagedRun,
    NotARun,
    RunError,
    RunExists,
    RunIsFinished,
    RunIsHeld,
    UnfitValue,
)
from crossboard.runs.run import Run
from crossboard.runs.summary import RunSummary, Status, find_run, list_runs, summarise

__all__ = [
    "Checkpoint",
    "ConfigDiffers",
    "DamagedCheckpoint",
    "DamagedRun",
    "NotARun",
    "Run",
    "RunError",
    "RunExists",
    "RunIsFinished",
    "RunIsHeld",
    "RunSummary",
    "Status",
    "UnfitValue",
    "differences",
    "find_run",
    "generator_from_state",
    "generator_state",
    "list_runs",
    "same_tensors",
    "summarise",
]
