"""Searches of many games: shared time, flags that end them, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crossboard._core import StopFlag
from crossboard.draughts import Position
from crossboard.play.search_pool import LEAST_SECONDS, MOST_SECONDS, SearchPool, Task, share
from crossboard.players import SearchLimits
from crossboard.players.errors import PlayerError

WON = "B:W18:B14"


@pytest.fixture
def pool() -> Iterator[SearchPool]:
    found = SearchPool(1)
    yield found
    found.close()


def test_a_search_finds_a_move_and_fills_the_bar(pool: SearchPool) -> None:
    found = pool.search(Task("material", Position.from_fen(WON), ())).result(60)
    assert str(found.result.move) == "14x23"
    assert found.bar == 1.0


def test_a_search_can_be_cancelled_before_it_has_begun(pool: SearchPool) -> None:
    first, second = StopFlag(), StopFlag()
    deep = SearchLimits(seconds=MOST_SECONDS)
    searches = [
        pool.search(Task("material", Position(), (), deep, stop=flag)) for flag in (first, second)
    ]
    second.set()
    first.set()
    for search in searches:
        assert search.result(60).result.move in Position().legal_moves


@pytest.mark.parametrize(
    ("seconds", "load", "shared"),
    [(1.0, 0.5, 1.0), (1.0, 4, 0.25), (None, 1, MOST_SECONDS), (1.0, 1000, LEAST_SECONDS)],
)
def test_seconds_are_shared_by_all_that_wait(
    seconds: float | None, load: float, shared: float
) -> None:
    limits = SearchLimits(depth=5, seconds=seconds)
    assert share(limits, load) == SearchLimits(depth=5, seconds=shared)


def test_a_player_that_does_not_exist_fails_its_search_alone(pool: SearchPool) -> None:
    with pytest.raises(PlayerError, match="there is no player 'nothing'"):
        pool.search(Task("nothing", Position(), ())).result(60)
    assert pool.search(Task("random", Position(), ())).result(60).bar == 0


def test_the_errors_of_a_level_follow_the_seed(pool: SearchPool) -> None:
    def reply(seed: str) -> str:
        task = Task("material@1", Position(), (), seed=seed)
        return str(pool.search(task).result(60).result.move)

    games = [f"game {number}" for number in range(8)]
    first = [reply(game) for game in games]
    assert first == [reply(game) for game in games]
    assert len(set(first)) > 2


def test_closing_ends_all_searches() -> None:
    pool = SearchPool(1)
    limits = SearchLimits(seconds=MOST_SECONDS)
    searches = [pool.search(Task("material", Position(), (), limits)) for _ in range(3)]
    pool.close()
    assert all(search.done() for search in searches)
