"""A terminal with nobody before it: runs a program as if a person sat there."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import termios
import time
from contextlib import suppress
from types import TracebackType

PATIENCE_SECONDS = 300
ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])")


class PseudoTerminal:
    """A running program and what it wrote to its terminal; use it in a `with`."""

    def __init__(self, *command: str, columns: int = 100, **environment: str) -> None:
        self._ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (40, columns))
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")}
        self._process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env=kept | {"TERM": "xterm-256color"} | environment,
        )
        os.close(theirs)
        self.raw = ""

    @property
    def text(self) -> str:
        """All that was written since the last line was typed, without colours."""
        return ESCAPES.sub("", self.raw).replace("\r", "")

    def enter(self, text: str) -> None:
        """Type; forget what was written before."""
        self.raw = ""
        os.write(self._ours, text.encode())

    def interrupt(self) -> None:
        """Do what Ctrl-C does."""
        self.raw = ""
        self._process.send_signal(signal.SIGINT)
        # Python sees a signal that comes just before it waits for a key only with that key.
        with suppress(OSError):
            os.write(self._ours, b"\n")

    def wait_for(self, text: str) -> None:
        """Wait until a text is written; fail if it never is."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in self.text and text not in self.raw:
            assert self._read(deadline), f"{text!r} does not appear in:\n{self.text}"

    def wait(self) -> int:
        """Wait for the end; return the exit code."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self._read(deadline):
            pass
        return self._process.wait(PATIENCE_SECONDS)

    def _read(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._ours], [], [], max(0, deadline - time.monotonic()))
        try:
            piece = os.read(self._ours, 65536) if ready else b""
        except OSError:  # Linux's way to say that the other end is closed
            piece = b""
        self.raw += piece.decode("utf-8", "replace")
        return bool(piece)

    def __enter__(self) -> PseudoTerminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)
