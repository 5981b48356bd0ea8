"""What every learner is given beside what it learns and its settings."""

from __future__ import annotations

from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple

from crossboard.learn.pupil import Ask, ask_alone
from crossboard.learn.snapshot import Snapshot


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

    @property
    def learners(self) -> Executor:
        """Where whole trainings fan out to."""
        return self.processes or self.executor
