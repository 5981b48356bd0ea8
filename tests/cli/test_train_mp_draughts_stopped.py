"""`crossboard train mp-draughts` on processes of an MPI job, and killed at random moments."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from crossboard.runs import Run as LearningRun
from crossboard.runs import differences

# Checkpoints after every snapshot, a short match at the end, and a report without figures.
HASTY = """
from crossboard.cli import main
from crossboard.systems import exams, recipes, training

exams.FINAL_GAMES = 2
training.CHECKPOINT_SECONDS = 0.0
object.__setattr__(recipes.find_recipe("mp-draughts"), "draw", recipes.draw_nothing)
main()
"""
SMALL = [
    *("units=3", "boards=40", "held_out=10", "board_depth=2", "map_decay=0.9", "games=60"),
    *("block_games=4", "look_ahead=2", "judge_pairs=2", "validation_pairs=2", "match_depth=2"),
]
TRAIN = ("train", "mp-draughts", "--resume", *(word for one in SMALL for word in ("--set", one)))
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs kill -9 and mpiexec")


def program(folder: Path, *options: object) -> list[str]:
    return [sys.executable, "-c", HASTY, *map(str, (*TRAIN, "--run", folder, *options))]


def test_over_mpi_it_trains_the_same(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    beside = shutil.which("mpiexec", path=str(Path(sys.executable).parent))
    mpiexec = beside or shutil.which("mpiexec")
    if mpiexec is None:
        pytest.skip("needs mpiexec")
    spread = [mpiexec, "-n", "3", *program(tmp_path / "mpi", "--mpi")]
    for command in (program(tmp_path / "alone", "--workers", 1), spread):
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
    one, other = (LearningRun.open(tmp_path / name) for name in ("alone", "mpi"))
    assert differences(one, other) == []


@pytest.mark.slow
@pytest.mark.sized
def test_killed_at_random_moments_it_ends_the_same(tmp_path: Path, is_reduced: bool) -> None:
    began = time.monotonic()
    subprocess.run(program(tmp_path / "whole"), check=True, timeout=600, **QUIET)
    seconds, rng = time.monotonic() - began, random.Random(5)
    whole, kills, number = LearningRun.open(tmp_path / "whole"), 0, 0
    while kills < (3 if is_reduced else 20):
        folder = tmp_path / str(number)
        process = subprocess.Popen(program(folder), **QUIET)
        try:
            process.wait(rng.uniform(0, seconds))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        if process.wait() == -signal.SIGKILL:
            kills += 1
            continue
        assert process.returncode == 0
        assert differences(LearningRun.open(folder), whole) == []
        number += 1
    subprocess.run(program(tmp_path / str(number)), check=True, timeout=600, **QUIET)
    assert differences(LearningRun.open(tmp_path / str(number)), whole) == []
