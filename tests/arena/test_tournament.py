"""Tournaments: who meets whom, and ratings of what was played."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

import pytest

from crossboard import duchess
from crossboard.arena.games import Pair
from crossboard.arena.halt import Halt
from crossboard.arena.match import MatchResult, Terms, play_match
from crossboard.arena.openings import Opening, openings
from crossboard.arena.sprt import Sprt
from crossboard.arena.teams import TeamGame, rate_teams
from crossboard.arena.tournament import TournamentResult, pairings, play_tournament
from crossboard.players import Player, RandomPlayer, SearchLimits, load_player

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


def pairs_of(result: TournamentResult) -> list[list[Pair]]:
    return [match.pairs for match in result.matches]


def all_play_all(workers: int, agreed: Terms, **options: Any) -> TournamentResult:
    players = [load_player("random"), *(searcher(name) for name in ("material", "draft5"))]
    players += [searcher("material", depth=1, called="shallow")]
    with ThreadPoolExecutor(workers) as pool:
        return play_tournament(players, agreed, pool, workers=workers, **options)


def searcher(name: str, depth: int = 2, called: str | None = None) -> Player:
    limits = SearchLimits(depth=depth)
    return Player(called or name, load_player(name).evaluator, limits=limits)


def one_by_one(agreed: Terms, names: tuple[str, ...]) -> list[MatchResult]:
    """Play the matches one after the other, each with its own seed."""
    made = {"shallow": searcher("material", depth=1), "random": load_player("random")}
    found = []
    with ThreadPoolExecutor(1) as pool:
        for number, (one, other) in enumerate(combinations(names, 2)):
            own = replace(agreed, seed=agreed.seed * 1_000_003 + number)
            players = (made.get(name) or searcher(name) for name in (one, other))
            found.append(play_match(*players, own, pool))
    return found


@pytest.mark.parametrize("sprt", [None, Sprt(-400, 400)])
@pytest.mark.parametrize("pairs", [1, 13])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_matches_side_by_side_are_those_one_by_one(workers: int, pairs: int, sprt: Sprt | None):
    agreed = Terms(pairs=pairs, openings=openings("ballots", 1), seed=3, sprt=sprt)
    result = all_play_all(workers, agreed)
    expected = one_by_one(agreed, result.names)
    assert pairs_of(result) == [match.pairs for match in expected]
    for found, wanted in zip(result.matches, expected, strict=True):
        assert found.sprt == wanted.sprt
    if sprt is not None and pairs > 1:
        assert any(len(match.pairs) < pairs for match in result.matches)


@pytest.mark.parametrize("batch_seconds", [0.0, 1000.0])
def test_sizes_of_batches_do_not_matter(batch_seconds: float, monkeypatch: pytest.MonkeyPatch):
    agreed = Terms(pairs=3, openings=openings("ballots", 1), seed=3)
    usual = all_play_all(2, agreed)
    monkeypatch.setattr("crossboard.arena.schedule.BATCH_SECONDS", batch_seconds)
    assert pairs_of(all_play_all(2, agreed)) == pairs_of(usual)


def test_pairs_are_seen_in_the_order_of_the_matches():
    seen = []

    def see(match: MatchResult) -> None:
        seen.append((match.one, match.other, len(match.pairs)))

    result = all_play_all(3, Terms(pairs=2, openings=openings("ballots", 1)), on_pair=see)
    assert seen == [(*names, n) for names in met(result) for n in (1, 2)]


class Gathering(ThreadPoolExecutor):
    """Holds back every piece of work until another one is being done at the same time."""

    def __init__(self) -> None:
        super().__init__(2)
        self.meeting = threading.Barrier(2)
        self.pieces = 0

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        self.pieces += 1

        def work() -> Any:
            with suppress(threading.BrokenBarrierError):
                self.meeting.wait(timeout=20)
            return function(*given, **named)

        return super().submit(work)


def test_matches_of_one_pair_keep_all_workers_busy(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("crossboard.arena.schedule.BATCH_SECONDS", 0.0)
    players = [RandomPlayer(name) for name in "abcd"]
    terms = Terms(pairs=1, openings=openings("ballots", 1))
    with Gathering() as pool:
        result = play_tournament(players, terms, pool, workers=2)
    assert len(result.matches) == pool.pieces == 6
    assert not pool.meeting.broken  # which one piece of work at a time would have done


def test_small_matches_share_batches(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("crossboard.arena.schedule.BATCH_SECONDS", 1000.0)
    players = [RandomPlayer(str(number)) for number in range(20)]
    terms = Terms(pairs=1, openings=openings("ballots", 1))
    with Counting() as pool:
        result = play_tournament(players, terms, pool, workers=1)
    assert len(result.matches) == 190
    assert pool.pieces < 20


class Counting(ThreadPoolExecutor):
    """Counts the pieces of work."""

    def __init__(self) -> None:
        super().__init__(1)
        self.pieces = 0

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        self.pieces += 1
        return super().submit(function, *given, **named)


@pytest.mark.parametrize("kept", [1, 2, 6, 7, 17, 18])
def test_what_a_result_holds_is_not_played_again(kept: int):
    whole = play()
    begun, left = TournamentResult(whole.names), kept
    for match in whole.matches:
        if left:
            begun.matches.append(MatchResult(match.one, match.other, match.pairs[:left]))
            left -= len(begun.matches[-1].pairs)
    seen = []
    resumed = play(into=begun, on_pair=seen.append)
    assert resumed is begun
    assert len(seen) == 18 - kept
    assert pairs_of(resumed) == pairs_of(whole)


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


def test_a_set_halt_leaves_no_gap_in_any_match():
    stop, seen = Halt(), []

    def see(match: MatchResult) -> None:
        seen.append(match)
        if len(seen) == 5:
            stop.set()

    agreed = Terms(pairs=2, openings=openings("ballots", 1), seed=3)
    result, whole = all_play_all(2, agreed, stop=stop, on_pair=see), all_play_all(1, agreed)
    found, wanted = (list(chain.from_iterable(pairs_of(each))) for each in (result, whole))
    assert 5 <= len(found) == len(seen)
    assert found == wanted[: len(found)]
    assert all(len(match.pairs) == 2 for match in result.matches[:-1])


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
