"""Ways to run the command line: in this process, and as a user would."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from crossboard.cli import commands

CROSSBOARD = (sys.executable, "-c", "from crossboard.cli import main; main()")


class Finished(NamedTuple):
    """What a command line left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Finished]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in this process, with the errors that the program turns into lines."""

    def run_here(*arguments: object, stdin: str | bytes = b"") -> Finished:
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        code = commands.run([str(argument) for argument in arguments])
        return Finished(code, *capsys.readouterr())

    return run_here


@pytest.fixture
def start() -> Run:
    """Run a command line as a process of its own, which buffers its output as usual."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}

    def start_process(*arguments: object, stdin: str = "", **options: object) -> Finished:
        done = subprocess.run(  # type: ignore[call-overload]
            [*CROSSBOARD, *map(str, arguments)],
            input=stdin,
            env=environment,
            **{"capture_output": True, "text": True, "timeout": 60} | options,
        )
        return Finished(done.returncode, done.stdout, done.stderr)

    return start_process
