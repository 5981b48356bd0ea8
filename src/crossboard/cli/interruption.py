"""Ctrl-C as the end of a search rather than of the program."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from types import TracebackType

PAUSE_SECONDS = 0.01
# Chosen: what comes so soon is the same Ctrl-C, from the terminal and passed on by mpiexec.
SAME_SECONDS = 0.5


class Interruption:
    """Remembers Ctrl-C, while it is used in a `with`, and calls `stop`, once that is set.

    Whoever presses it once more has no more patience: that is a KeyboardInterrupt.
    """

    def __init__(self) -> None:
        self.happened = False
        self.stop: Callable[[], None] | None = None
        self._is_over = threading.Event()
        self._stopper = threading.Thread(target=self._keep_stopping)

    def _interrupt(self, *_: object) -> None:
        if not self.happened:
            self.happened, self._since = True, time.monotonic()
            self._stopper.start()
        elif time.monotonic() - self._since >= SAME_SECONDS:
            raise KeyboardInterrupt

    def _keep_stopping(self) -> None:
        # Once would not do: a search that begins just now forgets what came before.
        while not self._is_over.is_set():
            if self.stop:
                self.stop()
            self._is_over.wait(PAUSE_SECONDS)

    def __enter__(self) -> Interruption:
        self._before = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        signal.signal(signal.SIGINT, self._before)
        self._is_over.set()
        if self.happened:
            self._stopper.join()
