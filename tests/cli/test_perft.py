"""`crossboard perft`, good calls and bad ones."""

from __future__ import annotations

import json
import os

import pytest

from crossboard.cli.perft import DEEP, count_leaves
from crossboard.draughts import Position

from .conftest import CROSSBOARD, Run

if os.name != "nt":
    from .pseudo_terminal import PseudoTerminal

START = Position().fen
FORCED = "W:W18:B14"  # one move each, then nothing


def test_counts_from_the_start_by_default(run: Run) -> None:
    done = run("perft")
    assert done.code == 0
    assert done.err == ""
    lines = dict(line.split(maxsplit=1) for line in done.out.splitlines())
    assert lines["position"] == START
    assert lines["depth"] == "8"
    assert lines["leaves"] == "845,931"
    assert lines["speed"].endswith(" million leaves/s")
    assert float(lines["seconds"]) >= 0


def test_json_is_one_document(run: Run) -> None:
    done = run("perft", "--depth", 5, "--json")
    assert (done.code, done.err) == (0, "")
    result = json.loads(done.out)
    assert result.pop("seconds") >= 0
    assert result == {"game": "draughts", "fen": START, "depth": 5, "leaves": 7361}


def test_all_options_at_once(run: Run) -> None:
    options = ["--game", "draughts", "--players", 2, "--fen", "W:W21-32:B1-12.", "--depth", 3]
    result = json.loads(run("perft", *options, "--json", "--divide").out)
    assert result["fen"] == "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    assert result["leaves"] == 302 == sum(result["divide"].values())


def test_divide_counts_each_first_move(run: Run) -> None:
    told = run("perft", "--depth", 3, "--divide").out
    lines = dict(line.split(maxsplit=1) for line in told.splitlines())
    for move in Position().legal_moves:
        assert lines[str(move)] == str(Position().after(move).perft(2))


@pytest.mark.parametrize("depth", [0, 1, 2, 3, DEEP - 1, DEEP])
def test_counting_in_pieces_changes_nothing(depth: int) -> None:
    kings = Position.from_fen("B:WK30,K32:BK1,3")
    assert count_leaves(kings, depth).leaves == kings.perft(depth)


@pytest.mark.parametrize(("depth", "leaves"), [(0, 1), (1, 1), (2, 0), (100, 0)])
def test_a_tree_that_ends(run: Run, depth: int, leaves: int) -> None:
    done = run("perft", "--fen", FORCED, "--depth", depth, "--json", "--divide")
    assert json.loads(done.out)["leaves"] == leaves


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--depth", "-1"], "--depth -1: a tree has 0 to 100 plies"),
        (["--depth", "101"], "--depth 101: a tree has 0 to 100 plies"),
        (["--depth", "9" * 40], "a tree has 0 to 100 plies"),
        (["--game", "go"], "there is no game 'go': there is draughts"),
        (["--players", "4"], "draughts is for 2 players, not 4"),
        (["--fen", ""], "FEN '': it is empty"),
        (["--fen", "B:W33:B1"], "there is no square 33"),
        (["--fen", "\udcff\udcfe"], "FEN '\ufffd\ufffd'"),
        (["--fen", "B:\x1b[31m"], "FEN 'B:"),
    ],
)
def test_bad_input_is_one_line(run: Run, options: list[str], told: str) -> None:
    for json_too in ([], ["--json"]):
        refused = run("perft", *options, *json_too)
        assert refused.code == 2
        assert refused.out == ""
        assert told in refused.err
        assert refused.err.count("\n") == 1
        assert "\x1b" not in refused.err


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_a_long_count_shows_how_fast_it_goes() -> None:
    with PseudoTerminal(*CROSSBOARD, "perft", "--depth", "14") as terminal:
        terminal.wait_for("million leaves/s")
        assert "perft 14" in terminal.text


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_a_count_without_end_can_be_stopped() -> None:
    with PseudoTerminal(*CROSSBOARD, "perft", "--depth", "60") as terminal:
        terminal.wait_for("perft 60")
        terminal.interrupt()
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.text


def test_there_is_no_bar_where_there_is_no_terminal(start: Run) -> None:
    done = start("perft", "--depth", DEEP, "--json")
    assert done.err == ""
    assert json.loads(done.out)["leaves"] == 85242128
