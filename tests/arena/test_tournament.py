"""Tournaments: who meets whom, and ratings of what was played."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from crossboard import duchess
from crossboard.arena.games import Pair
from crossboard.arena.halt import Halt
from crossboard.arena.match import MatchResult, Terms
from crossboard.arena.openings import Opening, openings
from crossboard.arena.teams import TeamGame, rate_teams
from crossboard.arena.tournament import TournamentResult, pairings, play_tournament
from crossboard.players import RandomPlayer, SearchLimits, load_player

NAMES = ("random", "material", "draft5")


def play(workers: int = 1, **options: object) -> TournamentResult:
    terms = Terms(pairs=6, openings=openings("ballots", 1), limits=SearchLimits(depth=2), seed=3)
    players = [load_player(name) for name in NAMES]
    with ThreadPoolExecutor(workers) as pool:
        return play_tournament(players, terms, pool, workers=workers, **options)  # type: ignore[arg-type]


def met(result: TournamentResult) -> list[tuple[str, str]]:
    return [(match.one, match.other) for match in result.matches]


def test_everybody_meets_everybody():
    result = play()
    assert met(result) == [("random", "material"), ("random", "draft5"), ("material", "draft5")]
    told = result.as_json()
    assert told["games"] == 36
    assert (
        told["cross_table"]["random"]["draft5"]["losses"]
        == (told["cross_table"]["draft5"]["random"]["wins"])
    )
    assert [rating.name for rating in result.ratings][-1] == "random"


def test_gauntlet_is_the_first_against_all_others():
    assert met(play(is_gauntlet=True)) == [("random", "material"), ("random", "draft5")]


def test_workers_do_not_matter():
    one, two = play(1), play(2)
    assert [match.pairs for match in one.matches] == [match.pairs for match in two.matches]


def test_random_moves_differ_from_match_to_match():
    games = [list(match.games) for match in play().matches]
    assert games[0] != games[1]


@pytest.mark.parametrize("count", [0, 1])
def test_a_tournament_needs_two(count: int):
    with pytest.raises(ValueError, match="needs two players or more"):
        pairings([RandomPlayer()] * count, is_gauntlet=False)


def test_two_of_one_name_are_refused():
    players = [RandomPlayer("a"), RandomPlayer("b"), RandomPlayer("a")]
    with pytest.raises(ValueError, match="two players are called a"):
        pairings(players, is_gauntlet=False)


def test_a_set_halt_ends_it_with_what_was_played():
    stop = Halt()
    result = play(stop=stop, on_pair=lambda _: stop.set())
    assert len(result.matches) == 1
    assert 1 <= len(result.matches[0].pairs) <= 6
    assert len(result.encounters) == 1


def played(match: MatchResult, points: list[tuple[float, float]]) -> MatchResult:
    """Fill a match of Duchess with games of which only the points matter."""

    class Scored(Pair):
        @property
        def points(self) -> tuple[float, float]:
            return self.games

    opening = Opening("start", duchess.Position())
    match.pairs = [Scored(opening, each) for each in points]
    return match


def test_teams_are_rated_by_openskill():
    result = TournamentResult(("a", "b", "c"))
    assert not result.has_teams
    result.matches = [
        played(MatchResult("a", "b"), [(1, 0.5), (1, 1)]),
        played(MatchResult("a", "c"), [(1, 1)]),
        played(MatchResult("b", "c"), [(0.5, 1), (1, 1)]),
    ]
    assert result.has_teams
    # Pair by pair in turn, whoever is named first.
    order = ["ab", "ab", "ac", "ac", "bc", "bc", "ab", "ab", "bc", "bc"]
    points = [1, 0.5, 1, 1, 0.5, 1, 1, 1, 1, 1]
    places = {1: (1, 2), 0.5: (1, 1)}
    games = [
        TeamGame([[one], [other]], places[each])
        for (one, other), each in zip(order, points, strict=True)
    ]
    assert result.skills == rate_teams(games)
    assert [one.name for one in result.skills] == ["a", "b", "c"]
    assert [one.value for one in result.standings.players] == [one.skill for one in result.skills]
    assert str(result.standings).startswith("OpenSkill (a beginner has 25), with 95 % intervals\n")


def test_losing_teams_are_rated_below_the_beginner():
    result = TournamentResult(("a", "b"), [played(MatchResult("a", "b"), [(0, 0)])])
    assert [one.name for one in result.skills] == ["b", "a"]
    assert result.skills[1].skill < 25 < result.skills[0].skill
