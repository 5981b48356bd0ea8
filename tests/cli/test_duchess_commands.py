"""Duchess on the command line: search, match, play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crossboard.duchess import Position, parse_records
from crossboard.players import RandomPlayer

from .conftest import Run

MATE_IN_ONE = "4; 1:K1e1; 2:R1b2 Q1d4 K2a1; 3:K4e1; 4:R4b2 Q4d2 K5a1; turn 2"


def test_search_finds_the_mate(run: Run) -> None:
    done = run("search", "--position", MATE_IN_ONE, "--depth", 3, "--json")
    told = json.loads(done.out)
    assert (told["position"], told["players"], told["win_in"]) == (MATE_IN_ONE, 4, 1)
    position = Position.from_text(MATE_IN_ONE).after(told["move"])
    assert position.winner == "even"


@pytest.mark.parametrize("players", [4, 6])
def test_search_for_people(run: Run, players: int) -> None:
    done = run("search", "--game", "duchess", "--players", players, "--depth", 2)
    assert done.code == 0
    assert Position(players).text in done.out
    assert "best" in done.out


def test_search_after_moves(run: Run) -> None:
    options = ["--game", "duchess", "--moves", "N1b2-1c4 P2a3-2a4", "--depth", 1, "--json"]
    position = Position.from_text(json.loads(run("search", *options).out)["position"])
    assert position == Position().after("N1b2-1c4").after("P2a3-2a4")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--position", "4; 1:K1a1 K1a2; 2:K2a1; 3:K4a1; 4:K5a1; turn 1"], "1"),
        (["--position", "4; 1:K3a1; 2:K2a1; 3:K4a1; 4:K5a1; turn 1"], "3a1"),
        (["--game", "duchess", "--moves", "P1a3-1a5"], "P1a3-1a5"),
        (["--game", "duchess", "--fen", "B:W21:B1"], "--fen is for draughts"),
        (["--position", MATE_IN_ONE, "--game", "draughts"], "--position is for Duchess"),
        (["--game", "duchess", "--players", 5], "duchess is for 4 or 6 players, not 5"),
        (["--game", "duchess", "--player", "material"], "material plays draughts"),
        (["--game", "chess"], "there is no game 'chess'"),
    ],
)
def test_bad_searches_are_one_sentence(run: Run, options: list[object], complaint: str) -> None:
    done = run("search", *options, "--depth", 1)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
    assert len(done.err.splitlines()) == 1


def test_match_of_two_players(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    options = ["--games", 2, "--depth", 1, "--seed", 3, "--workers", 1, "--pdn", path]
    done = run("match", "duchess-0", "duchess-0", *options, "--json")
    told = json.loads(done.out)
    assert (told["games"], told["score"], told["openings"]) == (2, 0.5, "random:4")
    assert set(told) >= {"as_odd", "as_even", "elo_low", "elo_high", "loops"}
    one, other = parse_records(path.read_text())
    assert one.moves[:4] == other.moves[:4]
    assert one.outcome() is not None
    assert one.result in ("1-0", "0-1", "1/2-1/2")


def test_match_for_people(run: Run) -> None:
    done = run("match", "duchess-0", "duchess-0", "--games", 2, "--depth", 1, "--workers", 1)
    assert done.code == 0
    assert "as Odd" in done.out


def test_match_of_two_games(run: Run) -> None:
    done = run("match", "duchess-0", "material")
    assert done.code == 2
    assert "duchess-0 and material do not play the same game" in done.err
    done = run("match", "duchess-0", "duchess-six-0")
    assert done.code == 2


def test_play_with_automatic_players(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    typed = f"moves 1b2\nN1b2-1a4\nundo\nN1b2-1c4\nhint\nsave {path}\nP9\nquit\n"
    done = run("play", "--terminal", "--game", "duchess", "--depth", 1, stdin=typed)
    assert done.code == 0
    assert "N1b2-1a4, N1b2-1c4" in done.out
    assert "Player 1 (you): N1b2-1c4" in done.out
    assert "Player 4 (duchess-0): " in done.out
    assert "4 moves taken back." in done.out
    assert "Hint: " in done.out
    assert "'P9'" in done.out
    assert "--seats 1 --opponent duchess-0 --position" in done.out
    (record,) = parse_records(path.read_text())
    assert [str(move) for move in record.moves[:1]] == ["N1b2-1c4"]
    assert len(record.moves) == 4


def test_play_random_players_in_all_other_seats_of_six(run: Run) -> None:
    options = ["--game", "duchess", "--players", 6, "--seats", "1,3", "--opponent", "random"]
    done = run("play", "--terminal", *options, "--seed", 1, stdin="P1a3-1a4\n")
    assert done.code == 0
    assert "Player 2 (random): " in done.out
    assert "Player 3 (you)" not in done.out


def test_play_goes_on_to_the_end(run: Run) -> None:
    options = ["--position", MATE_IN_ONE, "--seats", "1", "--depth", 3]
    done = run("play", "--terminal", *options)
    assert "The even team wins: all its enemies are mated." in done.out


@pytest.mark.parametrize("seats", ["0", "5", "1,x", ""])
def test_seats_that_are_not_there(run: Run, seats: str) -> None:
    done = run("play", "--terminal", "--game", "duchess", "--seats", seats or ",")
    assert done.code == 2
    assert "name players from 1 to 4" in done.err


def test_tournaments_rate_teams_by_openskill(run: Run, tmp_path: Path) -> None:
    RandomPlayer("any", game="duchess").save(tmp_path / "any")
    asked = ("tournament", "duchess-0", tmp_path / "any", "--games", 2, "--depth", 1)
    figure = tmp_path / "skills.svg"
    told = json.loads(run(*asked, "--max-plies", 400, "--json", "--figure", figure).out)
    assert told["model"] == "openskill"
    assert {one["name"] for one in told["players"]} == {"duchess-0", "any"}
    for one in told["players"]:
        assert one["skill_low"] < one["skill"] < one["skill_high"]
        assert one["games"] == 2
        assert "elo" not in one
    assert "OpenSkill" in figure.read_text()
    done = run(*asked, "--max-plies", 400)
    assert "OpenSkill (a beginner has 25), with 95 % intervals\n  " in done.out
