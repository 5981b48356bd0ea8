"""Ctrl-C ends what goes on, and once more ends whoever waits for that."""

from __future__ import annotations

import signal
import time

import pytest

from crossboard.arena.halt import Halt
from crossboard.cli import interruption
from crossboard.cli.interruption import Interruption
from crossboard.cli.sitting import stopping
from crossboard.farm.executors import farm


def test_the_first_one_is_only_remembered():
    told = []
    with Interruption() as found:
        found.stop = lambda: told.append(1)
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)  # as mpiexec passes it on
        deadline = time.monotonic() + 60
        while not told and time.monotonic() < deadline:
            time.sleep(0.01)
    assert found.happened
    assert told


def test_the_second_one_raises(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(interruption, "SAME_SECONDS", 0.0)
    with Interruption() as found:
        signal.raise_signal(signal.SIGINT)
        assert found.happened
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_games_that_do_not_end_are_left_at_the_second_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(interruption, "SAME_SECONDS", 0.0)
    reached = []
    with farm(1) as found:
        assert found is not None
        with stopping(found) as (stopped, halt):
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            reached.append("after the second one")
    assert not reached
    assert stopped.happened
    assert isinstance(halt, Halt)
