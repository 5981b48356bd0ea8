"""`crossboard train mp-draughts`: end to end at a small size, and boards that are not fit."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from crossboard import load_player
from crossboard.draughts import Position
from crossboard.learn import schooling
from crossboard.systems import exams

from .conftest import Run

KEPT = Path(__file__).parents[1] / "data" / "endgame_boards.fen"
SMALL = [
    *("units=3", "held_out=2", "board_depth=1", "map_decay=0.6", "games=12"),
    *("block_games=4", "look_ahead=1", "judge_pairs=1", "validation_pairs=1", "match_depth=1"),
]
TRAIN = ("train", "mp-draughts", *(word for one in SMALL for word in ("--set", one)))
ONE = "B:W21,22,23,24,25,26:B1,2,3,4,5,6"
OTHERS = [ONE.replace("26:", f"{square}:") for square in (27, 28, 29)]


@pytest.fixture(autouse=True)
def short_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exams, "FINAL_GAMES", 2)


def test_it_trains_a_player_and_its_boards_are_openings(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schooling, "TOLD_SECONDS", 0.0)
    folder = tmp_path / "run"
    done = run(*TRAIN, "--set", "boards=12", "--run", folder, "--json")
    assert done.code == 0, done.err
    stages = ("boards: 12 of 12", "held-out boards: 2 of 2", "map: 3 units learn from 12 boards")
    told = [line for line in done.err.splitlines() if line.startswith(("agent", "match"))]
    assert [line for line in done.err.splitlines() if line in stages] == list(stages)
    before, *agents, match = told
    assert before == "agents: 0 of 3 trained"
    assert sorted(agents) == [f"agent {number} of 3: trained" for number in (1, 2, 3)]
    assert match == "match: 4 games from held-out boards"
    player = load_player(json.loads(done.out)["player"])
    board = Position.from_fen((folder / "boards.fen").read_text().split()[0])
    assert player.choose(board, depth=2) in board.legal_moves
    options = ("--openings", folder / "boards.fen", "--games", 2, "--depth", 1)
    played = run("match", folder / "player", "visiondraughts", *options, "--json")
    assert played.code == 0, played.err
    assert json.loads(played.out)["games"] == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ([ONE.replace("26:", "26,27:")], "line 1: boards of 12 pieces are needed, not of 13"),
        ([ONE, ONE.replace(",26:", ":")], "line 2: boards of 12 pieces are needed, not of 11"),
        (["B:W9,14,16,19,22,23,24,30,31,32:B5,12"], "line 1: the game is over"),
        ([ONE, *OTHERS, ONE], "line 5: the board of line 1 again"),
        ([ONE, OTHERS[0]], "3 boards or more are needed, not 2"),
    ],
)
def test_boards_that_are_not_fit_leave_no_folder(
    run: Run, tmp_path: Path, text: list[str], message: str
) -> None:
    path, folder = tmp_path / "boards.fen", tmp_path / "run"
    path.write_text("".join(f"{line}\n" for line in text))
    done = run(*TRAIN, "--set", f"boards_file={path}", "--run", folder)
    assert (done.code, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.startswith(f"crossboard: {path}")
    assert message in line
    assert not folder.exists()


def test_a_file_in_utf_16_leaves_no_folder(run: Run, tmp_path: Path) -> None:
    path, folder = tmp_path / "boards.fen", tmp_path / "run"
    path.write_bytes("\n".join([ONE, *OTHERS]).encode("utf-16"))
    done = run(*TRAIN, "--set", f"boards_file={path}", "--run", folder)
    assert (done.code, done.err) == (2, f"crossboard: {path} is not text in UTF-8\n")
    assert not folder.exists()


def test_without_minisom_one_sentence_says_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "minisom", None)
    done = run(*TRAIN, "--set", "map_by=minisom", "--run", tmp_path / "run")
    assert done.code == 2
    assert done.err.startswith("crossboard: a map by MiniSom needs the package minisom")
    assert len(done.err.splitlines()) == 1
    assert not (tmp_path / "run").exists()


def test_a_run_is_resumed_as_it_began(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    given = ("--set", f"boards_file={KEPT}", "--run", folder)
    assert run(*TRAIN, *given).code == 0
    done = run(*TRAIN, *given, "--set", "units=4", "--resume")
    assert done.code == 2
    assert "the run has units = 3, not 4" in done.err
