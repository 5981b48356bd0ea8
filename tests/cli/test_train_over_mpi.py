"""Evolutions and MP-Draughts on processes of an MPI job: the same run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crossboard.runs import Run as LearningRun
from crossboard.runs import differences

# Checkpoints after every snapshot, a short match at the end, and a report without figures.
HASTY = """
import sys
from crossboard.cli import main
from crossboard.systems import exams, recipes, training

exams.FINAL_GAMES = 2
training.CHECKPOINT_SECONDS = 0.0
object.__setattr__(recipes.find_recipe(sys.argv[2]), "draw", recipes.draw_nothing)
main()
"""
SMALL = {
    "draft5-ga": ("pool=6", "generations=3", "exam_every=0", "hall=2"),
    "ls-draughts": (
        *("pool=4", "generations=2", "openings=1", "exam_every=0", "training_seeds=2"),
        *("individual_games=20", "winner_games=20"),
    ),
    "mp-draughts": (
        *("units=3", "boards=40", "held_out=10", "board_depth=2", "map_decay=0.9", "games=60"),
        *("block_games=4", "look_ahead=2", "judge_pairs=2", "validation_pairs=2", "match_depth=2"),
    ),
}
pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs mpiexec")


def program(system: str, folder: Path, *options: object) -> list[str]:
    changes = [word for one in SMALL[system] for word in ("--set", one)]
    words = ("train", system, "--resume", *changes, "--run", folder, *options)
    return [sys.executable, "-c", HASTY, *map(str, words)]


@pytest.mark.parametrize("system", SMALL)
def test_over_mpi_it_trains_the_same(system: str, tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    beside = shutil.which("mpiexec", path=str(Path(sys.executable).parent))
    mpiexec = beside or shutil.which("mpiexec")
    if mpiexec is None:
        pytest.skip("needs mpiexec")
    spread = [mpiexec, "-n", "3", *program(system, tmp_path / "mpi", "--mpi")]
    for command in (program(system, tmp_path / "alone", "--workers", 1), spread):
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
    one, other = (LearningRun.open(tmp_path / name) for name in ("alone", "mpi"))
    assert differences(one, other) == []
