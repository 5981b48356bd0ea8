"""`crossboard train` where a process that learns is killed: one line says so."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from crossboard.runs import Run as LearningRun
from crossboard.systems import cohort
from crossboard.systems.training import Training

from .conftest import Run

KEPT = Path(__file__).parents[1] / "data" / "endgame_boards.fen"
TINY = {
    "mp-draughts": (
        *(f"boards_file={KEPT}", "units=2", "held_out=0", "map_decay=0.6", "games=4"),
        *("block_games=2", "look_ahead=1", "judge_pairs=1", "validation_pairs=1"),
        "match_depth=1",
    ),
    "ls-draughts": (
        *("pool=2", "generations=1", "training_seeds=1", "individual_games=2", "round_size=2"),
        *("winner_games=2", "openings=1", "meeting_depth=1", "look_ahead=1", "max_moves=20"),
        *("test_after=2", "exam_every=0"),
    ),
}


def die(_: Training) -> dict[str, bytes]:
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


@pytest.mark.skipif(os.name == "nt", reason="needs kill -9")
@pytest.mark.parametrize("system", TINY)
def test_a_killed_learner_is_one_line_that_says_how_to_go_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    folder = tmp_path / "run"
    options = [word for change in TINY[system] for word in ("--set", change)]
    monkeypatch.setattr(cohort, "train_part", die)  # in a process of its own
    done = run("train", system, *options, "--run", folder, "--workers", 1)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[-1] == (
        "crossboard: a learning process was killed, perhaps for lack of memory; "
        f"continue with: crossboard train --run {folder} --resume"
    )
    assert "Traceback" not in done.err
    assert not LearningRun.open(folder).is_finished
