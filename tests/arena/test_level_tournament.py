"""Levels in matches and tournaments: their own limits, their strength, what a seed repeats."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from crossboard.arena.agreement import describe_agreement, list_differences
from crossboard.arena.conditions import Conditions
from crossboard.arena.match import Terms
from crossboard.arena.openings import openings
from crossboard.arena.tournament import TournamentResult, play_tournament
from crossboard.players import LEVELS, SearchLimits, load_player

OPENINGS = openings("ballots", 1)


def play(levels: tuple[int, ...], pairs: int, workers: int = 1) -> TournamentResult:
    players = [load_player(f"champion@{number}") for number in levels]
    terms = Terms(pairs=pairs, openings=OPENINGS, seed=3)
    with ThreadPoolExecutor(workers) as pool:
        return play_tournament(players, terms, pool, workers=workers)


def test_each_level_beats_those_below_it_outside_the_interval():
    result = play((1, 2, 3, 4), pairs=15)
    for match in result.matches:
        assert match.score.elo.high < 0, f"{match.one} - {match.other}"
    assert [one.name for one in result.ratings] == [f"champion@{n}" for n in (4, 3, 2, 1)]
    strongest, *_, weakest = result.ratings
    assert weakest.elo.high < strongest.elo.low


def test_games_of_levels_depend_on_the_seed_alone():
    one, other = play((1, 2, 3), pairs=4), play((1, 2, 3), pairs=4, workers=3)
    assert [match.pairs for match in one.matches] == [match.pairs for match in other.matches]
    games = [game for match in one.matches for game in match.games]
    assert len(set(games)) == len(games)


@pytest.mark.parametrize("names", [("champion@1", "material"), ("material", "champion@7")])
def test_a_match_with_a_level_keeps_the_limits_of_all(names: tuple[str, ...]):
    players = [load_player(name) for name in names]
    assert Conditions().terms(players, 2).limits is None
    assert Conditions(depth=3).terms(players, 2).limits == SearchLimits(depth=3)
    full = [load_player("material"), load_player(f"champion@{LEVELS}")]
    assert Conditions().terms(full, 2).limits == SearchLimits(depth=6)


def test_a_match_is_not_resumed_with_another_handicap():
    terms = Terms(pairs=1, openings=OPENINGS)
    before, now = (load_player("champion@2") for _ in range(2))
    now.handicap = load_player("champion@3").handicap
    kept, given = (describe_agreement([one, one], terms, "match") for one in (before, now))
    assert json.loads(json.dumps(kept)) == kept
    assert list(list_differences(kept, kept)) == []
    assert list(list_differences(kept, given))[:2] == [
        "players 1 handicap depth (1, now 2)",
        "players 1 handicap noise (40, now 30)",
    ]
