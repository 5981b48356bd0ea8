"""One run, one writer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from crossboard.runs import Run, RunError, RunIsHeld, Status, lock, summarise

HOLD = """
import sys
from crossboard.runs import Run
run = Run.create(sys.argv[1], {"seed": 1})
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "PAUSE_SECONDS", 0.001)


def test_a_second_writer_is_told_who_the_first_is_and_follows_when_that_is_killed(tmp_path: Path):
    folder = tmp_path / "run"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        for begin in (Run.create, Run.resume):
            with pytest.raises(RunIsHeld, match=rf"process {process.pid} on .* is writing"):
                begin(folder, {"seed": 1})
        assert summarise(folder).status is Status.RUNNING
        assert f"process {process.pid}" in str(summarise(folder).holder)
        assert Run.open(folder).metrics() == []  # reading is free
        process.kill()
    assert summarise(folder).status is Status.STOPPED
    Run.resume(folder).close()


def test_a_run_cannot_be_written_twice_by_one_process(tmp_path: Path):
    with Run.create(tmp_path / "run", {}) as run:
        with pytest.raises(RunIsHeld):
            Run.resume(tmp_path / "run")
        run.log(1, loss=1)
    Run.resume(tmp_path / "run").close()


def test_a_run_that_was_dropped_is_let_go(tmp_path: Path):
    run = Run.create(tmp_path / "run", {})
    del run
    with Run.resume(tmp_path / "run") as again:
        assert again.latest() is None


def test_a_refused_run_is_let_go(tmp_path: Path):
    Run.create(tmp_path, {"seed": 1}).close()
    for _ in range(2):
        with pytest.raises(RunError, match="already"):
            Run.create(tmp_path, {"seed": 1})
    with pytest.raises(ValueError, match="keep"):
        Run.resume(tmp_path, keep=0)
    Run.resume(tmp_path).close()


FORK = """
import os, sys, time
from crossboard.runs import Run, RunError
run = Run.create(sys.argv[1], {"seed": 1})
if not os.fork():
    try:
        run.log(1, loss=1)
    except RunError as error:
        print(error, flush=True)
    os.close(1)
    sys.stdin.read()
    os._exit(0)
os._exit(9)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_neither_writes_nor_holds_the_run_of_its_dead_parent(tmp_path: Path):
    folder = tmp_path / "run"
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", FORK, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert "opened to be read, or is closed" in process.stdout.readline()
        assert process.wait() == 9
        Run.resume(folder).close()
