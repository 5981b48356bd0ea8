"""Ctrl-C as the end of a search rather than of the program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import TracebackType

PAUSE_SECONDS = 0.01


class Interruption:
    """Remembers Ctrl-C, while it is used in a `with`, and calls `stop`, once that is set."""

    def __init__(self) -> None:
        self.happened = False
        self.stop: Callable[[], None] | None = None
        self._is_over = threading.Event()
        self._stopper = threading.Thread(target=self._keep_stopping)

    def _interrupt(self, *_: object) -> None:
        if not self.happened:
            self.happened = True
            self._stopper.start()

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
