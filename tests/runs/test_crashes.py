"""Runs that are killed, at every step of writing and at random moments, and disks that are full."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from disturbance import CALLS, disturbing, fill_disk

from crossboard.runs import Run, differences

from .toy_learner import learn

TOY = Path(__file__).with_name("toy_learner.py")
STEPS = 8

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs fork and kill -9")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run without a kill."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    learn(folder, STEPS)
    return folder


def count_calls(folder: Path) -> list[str]:
    with disturbing(0, lambda: None) as calls:
        learn(folder, STEPS)
    return calls


def check_goes_on(folder: Path, whole: Path) -> None:
    learn(folder, STEPS)
    assert differences(Run.open(folder), Run.open(whole)) == []
    assert (folder / "report.md").read_bytes() == (whole / "report.md").read_bytes()
    assert not list(folder.rglob("*.tmp"))


def test_every_kind_of_call_is_disturbed(tmp_path: Path):
    calls = count_calls(tmp_path / "run")
    assert set(calls) | {"ftruncate"} >= set(CALLS)


def test_a_full_disk_at_any_call_loses_nothing_but_time(tmp_path: Path, whole: Path):
    total = len(count_calls(tmp_path / "counted"))
    for number in range(1, total + 1):
        folder = tmp_path / str(number)
        with (
            disturbing(number, fill_disk),
            pytest.raises(OSError, match="No space left on device") as caught,
        ):
            learn(folder, STEPS)
        assert caught.value.filename is not None
        assert not str(caught.value.filename).endswith(".tmp")
        check_goes_on(folder, whole)


# A process of its own, without threads, that can fork.
KILL_AT_EVERY_CALL = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from runs.test_crashes import *

folder, whole = Path(sys.argv[1]), Path(sys.argv[3])
total = len(count_calls(folder / "counted"))
for number in range(1, total + 1):
    run = folder / str(number)
    child = os.fork()
    if not child:
        with disturbing(number, lambda: os._exit(9)):
            learn(run, STEPS)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9, number
    if run.exists() and (run / "config.toml").exists():
        Run.open(run).latest(), Run.open(run).metrics()
    check_goes_on(run, whole)
print(total)
"""


def test_a_run_killed_at_any_call_goes_on_to_the_same_end(tmp_path: Path, whole: Path):
    tests = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", KILL_AT_EVERY_CALL, tmp_path, tests, whole],
        capture_output=True,
        text=True,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        timeout=300,
    )
    assert done.stderr == ""
    assert int(done.stdout) > 50


def kill_until_done(folder: Path, steps: int, rng: random.Random) -> int:
    """Start the program again and again, and kill it, until it ends by itself."""
    kills = 0
    while True:
        games = folder / "games.pdn"
        enough = rng.randrange(5 * steps) + (games.stat().st_size if games.exists() else 0)
        program = subprocess.Popen([sys.executable, TOY, folder, str(steps)])
        while program.poll() is None and not (games.exists() and games.stat().st_size > enough):
            time.sleep(0.001)
        program.kill()
        if program.wait() == 0:
            return kills
        assert program.returncode == -signal.SIGKILL
        kills += 1
        if (folder / "config.toml").exists():
            Run.open(folder).latest()


def test_a_run_killed_at_random_goes_on_to_the_same_end(tmp_path: Path):
    steps = 1000
    learn(tmp_path / "whole", steps)
    kills = kill_until_done(tmp_path / "killed", steps, random.Random(2))
    assert kills > 0
    assert differences(Run.open(tmp_path / "killed"), Run.open(tmp_path / "whole")) == []


@pytest.mark.slow
def test_a_run_killed_very_often_goes_on_to_the_same_end(tmp_path: Path):
    steps = 3000
    learn(tmp_path / "whole", steps)
    kills = 0
    for seed in range(10):
        folder = tmp_path / str(seed)
        kills += kill_until_done(folder, steps, random.Random(seed))
        assert differences(Run.open(folder), Run.open(tmp_path / "whole")) == []
    assert kills > 10


LIMITED = """
import resource, sys
import numpy as np
from crossboard.runs import Run

with Run.create(sys.argv[1], {"seed": 1}) as run:
    run.save(1, {"w": np.zeros(100)}, {})
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
    run.save(2, {"w": np.zeros(10_000)}, {})
"""


def test_a_file_that_may_not_grow_keeps_the_old_checkpoint(tmp_path: Path):
    folder = tmp_path / "run"
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, folder], capture_output=True, text=True, timeout=300
    )
    assert "File too large (the checkpoint of step 1 is kept)" in done.stderr.splitlines()[-1]
    checkpoint = Run.open(folder).latest()
    assert checkpoint is not None
    assert checkpoint.step == 1
    assert len(list((folder / "checkpoints").iterdir())) == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    mount = shutil.which("mount")
    disk = tmp_path / "disk"
    disk.mkdir()
    command = [mount, "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk]
    if mount is None or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("only root may make a small disk")
    yield disk
    subprocess.run(["umount", disk], check=True)


def write_on(path: Path) -> None:
    with open(path, "wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)


def log_on(run: Run) -> None:
    for step in range(2, 1000):
        run.log(step, loss=1)


def test_a_full_disk_keeps_the_old_checkpoint_and_goes_on_when_there_is_room(small_disk: Path):
    folder, ballast = small_disk / "run", small_disk / "ballast"
    with Run.create(folder, {"seed": 1}) as run:
        run.log(1, loss=1)
        run.save(1, {"w": np.zeros(1000)}, {})
        with pytest.raises(OSError, match="No space left on device") as caught:
            run.save(2, {"w": np.zeros(100_000)}, {})
        assert str(caught.value.filename).startswith(str(folder / "checkpoints" / "step-"))
        with pytest.raises(OSError, match="No space"):
            write_on(ballast)
        with pytest.raises(OSError, match=r"No space .*1 is kept\): .*metrics\.jsonl"):
            log_on(run)
        ballast.unlink()
        run.log(1000, loss=1)
        run.save(1000, {"w": np.ones(1000)}, {})
    checkpoint = Run.open(folder).latest()
    assert checkpoint is not None
    assert checkpoint.step == 1000
    assert Run.open(folder).metrics()[-1]["step"] == 1000
