"""What every learner is given beside what it learns and its settings."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple

from crossboard.learn.pupil import Ask, ask_alone
from crossboard.learn.snapshot import Snapshot

# Takes a line of text about what is going on.
Tell = Callable[[str], None]
# Chosen: the shortest time between two lines that only differ in how much is done.
TOLD_SECONDS = 5.0


def keep_silent(_: str) -> None:
    """Print nothing."""


def paced(tell: Tell) -> Tell:
    """Return what passes the first line on, and then none for some seconds after each."""
    due = 0.0

    def tell_if_due(text: str) -> None:
        nonlocal due
        if time.monotonic() >= due:
            due = time.monotonic() + TOLD_SECONDS
            tell(text)

    return tell_if_due


class Schooling(NamedTuple):
    """The seed of a training, where it runs, and where it resumes.

    The result does not depend on the executor or the number of workers.
    """

    seed: int
    executor: Executor
    workers: int = 1  # how many pieces of work the executor does at a time
    start: Snapshot | None = None  # the last snapshot of a training that was stopped
    ask: Ask = ask_alone  # searches a position, alone or together with other processes
    processes: Executor | None = None  # where Python itself has much to do; None: the executor
    folder: Path | None = None  # of the run, below which trainings inside it have theirs
    tell: Tell = keep_silent  # prints a line where snapshots are minutes apart

    @property
    def learners(self) -> Executor:
        """Where whole trainings fan out to."""
        return self.processes or self.executor
