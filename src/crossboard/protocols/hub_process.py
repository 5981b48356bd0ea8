"""A Hub engine in a process of its own: started, asked, and ended whatever it does."""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import subprocess
import time
import weakref
from contextlib import suppress
from typing import NoReturn

from crossboard.protocols.hub_text import VARIANT, HubLine, HubSyntax, shown

# Chosen: patience with engines that load large tables before they answer.
START_SECONDS = 60.0
# How long an engine that was told to quit may take.
QUIT_SECONDS = 1.0
# What no engine that speaks the protocol comes near to.
MAX_LINE_BYTES = 1_000_000
MAX_RUBBISH_LINES = 10_000
PIECE_BYTES = 65_536
ERRORS_KEPT_BYTES = 4_000
# The system waits for less than 2^31 milliseconds; who has more patience waits again.
LONGEST_WAIT_SECONDS = 3600.0


class HubFault(ValueError):
    """What an outside engine did that ends its game: died, hung, talked rubbish."""


class HubProcess:
    """One engine that runs. Any HubFault ends it; so does forgetting it, or the end of Python."""

    def __init__(self, command: str) -> None:
        """Start the command; raise HubFault if there is no such program."""
        self.command = command
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise HubFault(f"the command {shown(command)} makes no sense: {error}") from None
        if not words:
            raise HubFault("no command was given: hub:COMMAND")
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # Ctrl-C is for us to see, and what the engine has started ends with it.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise HubFault(f"cannot start {shown(words[0])}: {why}") from None
        self._end = weakref.finalize(self, _end, self._process)
        self._lines: list[bytes] = []
        self._rest = b""
        self._errors = b""
        self._rubbish: str | None = None
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._input = self._process.stdin
        self._selector = selectors.DefaultSelector()
        for stream in (self._process.stdout, self._process.stderr):
            os.set_blocking(stream.fileno(), False)
            self._selector.register(stream, selectors.EVENT_READ)

    def introduce(self, seconds: float | None = None) -> None:
        """Say hello and choose English draughts; raise HubFault if the engine cannot do that."""
        seconds = START_SECONDS if seconds is None else seconds
        deadline = time.monotonic() + seconds
        self.send(HubLine("hub"))
        variants: HubLine | None = None
        while (line := self.receive(deadline, {"id", "param", "wait"})).command != "wait":
            if line.command == "param" and line.arguments.get("name") == "variant":
                variants = line
        if variants is not None:
            offered = (variants.arguments.get("values") or VARIANT).split()
            if VARIANT not in offered:
                self.fail(f"does not play {VARIANT} draughts, only {shown(' '.join(offered))}")
            self.send(HubLine("set-param", {"name": "variant", "value": VARIANT}))
        self.send(HubLine("init"))
        self.receive(time.monotonic() + seconds, {"ready"})

    def send(self, line: HubLine) -> None:
        """Say something; raise HubFault if nobody listens."""
        try:
            self._input.write(f"{line}\n".encode())
        except (OSError, ValueError):
            self._died()

    def receive(self, deadline: float, expected: set[str]) -> HubLine:
        """Wait for one of the commands and pass over others, as the protocol wants it.

        Raises HubFault at the deadline, and for what an engine that works does not do.
        """
        for _ in range(MAX_RUBBISH_LINES):
            text = self._next_line(deadline).decode("utf-8", "replace")
            try:
                line = HubLine.parse(text)
            except HubSyntax:
                line = HubLine("")
            if line.command in expected:
                self._rubbish = None
                return line
            if line.command == "error":
                self.fail(f"complained: {shown(line.arguments.get('message') or '')}")
            if line.command != "info" and text.strip():
                self._rubbish = text.strip()
        return self.fail("printed nothing but rubbish")

    def _next_line(self, deadline: float) -> bytes:
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                self.fail("did not answer in time")
            if self._lines:
                return self._lines.pop(0)
            if len(self._rest) > MAX_LINE_BYTES:
                self._rubbish = self._rest.decode("utf-8", "replace")
                self.fail("printed a line without end")
            self._read(min(left, LONGEST_WAIT_SECONDS))

    def _read(self, seconds: float) -> bool:
        """Take what has come, after waiting for it; False if nothing came."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            try:
                piece = os.read(key.fd, PIECE_BYTES)
            except BlockingIOError:
                continue
            if key.fileobj is self._process.stderr:
                self._errors = (self._errors + piece)[-ERRORS_KEPT_BYTES:]
                if not piece:
                    self._selector.unregister(key.fileobj)
            elif piece:
                *whole, self._rest = (self._rest + piece).split(b"\n")
                self._lines += whole
            elif not self._lines:
                self._died()
        return bool(ready)

    def forget_answers(self) -> None:
        """Pass over what has been said without being asked."""
        for _ in range(MAX_RUBBISH_LINES):  # it may never stop
            self._lines.clear()
            self._rest = b""
            if not self._read(0):
                break

    def fail(self, reason: str) -> NoReturn:
        """End the engine and raise HubFault."""
        self.end()
        if self._rubbish is not None:
            reason += f"; its last words were {shown(self._rubbish)}"
        raise HubFault(reason)

    def _died(self) -> NoReturn:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_SECONDS)
        code = self._process.poll()
        how = "closed its output" if code is None else f"ended with exit code {code}"
        if code is not None and code < 0:
            how = f"was killed by signal {-code}"
        while self._read_errors():
            pass
        complaint = self._errors.decode("utf-8", "replace").strip().splitlines()
        self.fail(how + (f": {shown(complaint[-1])}" if complaint else ""))

    def _read_errors(self) -> bool:
        assert self._process.stderr
        with suppress(OSError, ValueError):
            piece = os.read(self._process.stderr.fileno(), PIECE_BYTES)
            self._errors = (self._errors + piece)[-ERRORS_KEPT_BYTES:]
            return bool(piece)
        return False

    def end(self) -> None:
        """End the engine, politely at first. May be called again, and from any thread."""
        self._end()

    def kill(self) -> None:
        """End the engine at once; whoever waits for it in another thread sees that it died."""
        if self.is_running:
            _kill(self._process)

    @property
    def is_running(self) -> bool:
        return self._end.alive and self._process.poll() is None


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.stdin and process.poll() is None:
        with suppress(OSError, ValueError):
            process.stdin.write(b"stop\nquit\n")
        with suppress(OSError, ValueError):
            process.stdin.close()
        try:
            process.wait(QUIT_SECONDS)
        except subprocess.TimeoutExpired:
            _kill(process)
            process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            with suppress(OSError):
                stream.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    # Its group, so that what a script has started ends with it.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
