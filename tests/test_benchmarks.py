"""What the benchmarks count: the best of several rounds, and only what can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest

from benchmarks import search
from benchmarks.measure import QUICK, Contender, Demand, MeasurementError, Settings, compare
from crossboard.draughts import Position, middlegames

THREE_ROUNDS = Settings(repeats=3)


def figures(*given: float) -> Contender:
    rounds: Iterator[float] = iter(given)
    return Contender("peer", lambda: next(rounds))


@pytest.mark.parametrize(("unit", "best"), [("s", 1.0), ("nodes/s", 3.0)])
def test_the_best_round_counts_fewest_seconds_or_most_of_anything_else(unit: str, best: float):
    ours = figures(2.0, 1.0, 3.0).measure
    assert ours is not None
    (row,) = compare("search", unit, ours, [figures(3.0, 2.0, 1.0)], THREE_ROUNDS)
    assert (row.figure, row.peer_figure) == (best, best)


def test_all_searches_of_a_position_must_agree_on_its_value():
    values = search.Values()
    values.add(Position(), 0.5)
    values.add(Position(), 0.5)
    with pytest.raises(MeasurementError, match=r"one search finds 0\.5, another 0\.25"):
        values.add(Position(), 0.25)


def test_a_search_without_more_positions_does_not_count_against_the_pair(
    monkeypatch: pytest.MonkeyPatch,
):
    """Of two searches side by side one must end sooner: three positions of a second each."""
    result = SimpleNamespace(seconds=1.0, value=0.0)
    monkeypatch.setattr(search, "_fresh_search", lambda *_: result)
    positions = middlegames()[:3]
    pair = search._two_searches(positions, 8, 0, search.Values(), Demand(0.9, on="ratio"))
    assert pair.measure is not None
    assert pair.measure() == 2.0


def test_ranks_search_by_the_evaluation_of_the_search_beside_them():
    """Which the benchmarks check themselves: they end with an error otherwise."""
    pytest.importorskip("mpi4py")
    settings = replace(QUICK, search_positions=1)
    for measure in (search.two_ranks, search.ten_ranks):
        rows = measure(settings)
        assert rows
        assert all(row.ratio for row in rows)
