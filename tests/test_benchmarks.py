"""What the benchmarks count: the best of several rounds, and only what can be compared."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from benchmarks.measure import Contender, Settings, compare

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
