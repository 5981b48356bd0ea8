"""When the next checkpoint is due: soon after the start, then at growing intervals."""

from __future__ import annotations

import time
from collections.abc import Callable

# Chosen: a process killed some time after its start loses two thirds of it at most, or one block.
FIRST_SECONDS, GROWTH = 1.0, 2.0


class Intervals:
    """The waits between checkpoints: a second, then twice as long each time, up to a limit."""

    def __init__(self, most_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most_seconds
        self._clock = clock
        self._wait = min(FIRST_SECONDS, most_seconds)
        self._began = clock()

    @property
    def is_over(self) -> bool:
        """Whether the present interval has passed."""
        return self._clock() - self._began >= self._wait

    def begin_next(self) -> None:
        """Begin the next interval now, after a checkpoint was written."""
        self._wait = min(GROWTH * self._wait, self._most)
        self._began = self._clock()
