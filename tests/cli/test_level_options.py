"""Levels of players on the command line: `play --level`, and NAME@N wherever a player is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

PLAY = ("play", "--terminal")


def test_play_meets_a_level_of_the_usual_opponent(run: Run) -> None:
    done = run(*PLAY, "--level", 3, "--seed", 1, stdin="11-15\n")
    assert (done.code, done.err) == (0, "")
    assert "White (champion@3), 2 plies deep" in done.out
    assert "--opponent champion@3 --fen" in done.out
    assert run(*PLAY, "--opponent", "champion@3", "--seed", 1, stdin="11-15\n").out == done.out


def test_a_seed_repeats_the_replies_of_a_level(run: Run) -> None:
    def reply(seed: int) -> str:
        return run(*PLAY, "--level", 1, "--seed", seed, stdin="11-15\n").out

    assert reply(1) == reply(1)
    assert len({reply(seed) for seed in range(6)}) > 2


def test_play_meets_levels_of_other_opponents(run: Run) -> None:
    duchess = run(*PLAY, "--game", "duchess", "--level", 2, stdin="quit\n")
    assert "--opponent duchess-2@2" in duchess.out
    other = run(*PLAY, "--opponent", "material", "--level", 8, stdin="quit\n")
    assert "--opponent material@8" in other.out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--level", 9), "Invalid value for '--level'"),
        (("--level", 0), "Invalid value for '--level'"),
        (("--level", 2, "--depth", 4), "--level 2 says how far the opponent searches: it cannot"),
        (("--level", 2, "--seconds", 1), "--level 2 says how far the opponent searches: it cannot"),
        (("--level", 2, "--opponent", "random"), "random@2: random does not search, so it has no"),
        (("--level", 2, "--opponent", "hub:engine"), "hub:engine has no levels: those have"),
        (("--level", 2, "--opponent", "champion@3"), "champion@3 is a level already, so it has"),
        (("--level", 2, "--opponent", "nosuch"), "there is no player 'nosuch'"),
        (("--level", 2, "--learn"), "champion@2 cannot learn from a game: it is a level"),
    ],
)
def test_play_refuses_levels_that_are_not_there(
    run: Run, options: tuple[object, ...], complaint: str
) -> None:
    done = run(*PLAY, *options)
    assert done.code == 2
    assert done.err.startswith(f"crossboard: {complaint}")
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    "command",
    [
        ("match", "champion@9", "champion"),
        ("tournament", "champion", "champion@9"),
        ("search", "--player", "champion@9"),
        ("hub", "--player", "champion@9"),
        (*PLAY, "--opponent", "champion@9"),
    ],
)
def test_an_unknown_level_is_one_sentence(run: Run, command: tuple[str, ...]) -> None:
    done = run(*command)
    assert done.code == 2
    assert done.err.startswith("crossboard: there is no level '9' of champion: levels are ")
    assert len(done.err.splitlines()) == 1


def test_a_tournament_rates_levels(run: Run) -> None:
    names = [f"material@{number}" for number in (1, 2, 4)]
    done = run("tournament", *names, "--own-limits", "--games", 10, "--workers", 1, "--json")
    told = json.loads(done.out)
    assert [one["name"] for one in told["players"]] == names[::-1]


def test_search_asks_a_level(run: Run) -> None:
    told = json.loads(run("search", "--player", "champion@3", "--depth", 9, "--json").out)
    assert (told["depth"], told["threads"], told["tables"]) == (2, 1, 0)


def test_a_level_does_not_judge_games(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "game.pdn"
    game.write_text("1. 11-15 *\n")
    done = run("analyse", game, "--player", "champion@3")
    assert done.code == 2
    assert done.err.startswith("crossboard: champion@3 misjudges moves on purpose")
