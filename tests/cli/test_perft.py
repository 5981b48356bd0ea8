"""`crossboard perft`, good calls and bad ones."""

from __future__ import annotations

import json
import os

import pytest

from crossboard import duchess
from crossboard.cli.perft import count_leaves
from crossboard.draughts import Position
from crossboard.players.games import GAMES

from .conftest import CROSSBOARD, Run

if os.name != "nt":
    from .pseudo_terminal import PseudoTerminal

DEEP, DEEP_DUCHESS = (GAMES[name].deep_perft for name in ("draughts", "duchess"))

START = Position().fen
SIX = duchess.Position(6).text
MATED = "4; 1:K1e1; 2:K2a1 Q1d2 R1b2; 3:K4a1; 4:K5a1; turn 1"
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


@pytest.mark.parametrize(("players", "leaves"), [(4, 102120), (6, 65360)])
def test_duchess(run: Run, players: int, leaves: int) -> None:
    options = ["--game", "duchess", "--players", players, "--depth", 5]
    result = json.loads(run("perft", *options, "--json").out)
    assert result.pop("seconds") >= 0
    text = duchess.Position(players).text
    told = {"game": "duchess", "players": players, "position": text, "depth": 5, "leaves": leaves}
    assert result == told
    assert f"leaves    {leaves:,}" in run("perft", *options).out


@pytest.mark.parametrize("options", [["--players", "6"], ["--position", SIX]])
def test_what_only_duchess_has_means_duchess(run: Run, options: list[str]) -> None:
    result = json.loads(run("perft", *options, "--depth", 1, "--json").out)
    assert (result["game"], result["players"]) == ("duchess", 6)


def test_duchess_has_four_players_and_six_plies_by_default(run: Run) -> None:
    result = json.loads(run("perft", "--game", "duchess", "--json").out)
    assert (result["players"], result["depth"], result["leaves"]) == (4, 6, 1745752)


def test_forced_pass_is_a_move_of_the_tree(run: Run) -> None:
    options = ["--game", "duchess", "--position", MATED, "--depth", 2]
    divide = json.loads(run("perft", *options, "--divide", "--json").out)["divide"]
    assert divide == {"pass": duchess.Position.from_text(MATED).perft(2)}


def test_counting_duchess_in_pieces_changes_nothing() -> None:
    kings = duchess.Position.from_text("4; 1:K1e1; 2:K2a1 Q1c2; 3:K4e1; 4:K5e1; turn 1")
    assert count_leaves(kings, DEEP_DUCHESS).leaves == kings.perft(DEEP_DUCHESS)


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
        (["--game", "draughts", "--players", "4"], "draughts is for 2 players, not 4"),
        (["--game", "draughts", "--position", "4; turn 1"], "--position is for Duchess"),
        (["--game", "duchess", "--players", "5"], "duchess is for 4 or 6 players, not 5"),
        (["--game", "duchess", "--fen", START], "it begins with the number of players"),
        (
            ["--game", "duchess", "--fen", SIX, "--position", SIX],
            "--fen and --position are the same",
        ),
        (["--game", "duchess", "--position", "4; turn 1"], "player 1 has no king"),
        (["--game", "duchess", "--position", SIX, "--players", "4"], "the position has 6"),
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
