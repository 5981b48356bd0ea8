"""Who mates with whom: chances by rank and fitness, and mates that differ."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from crossboard.learn.selection import SELECTIONS, TOURNAMENT, select_by_truncation

POOL = [(n,) for n in range(5)]
FITNESS = [9.0, 6.0, 5.0, 2.0, 1.0]
DRAWS = 20_000
CHANCES = {
    # All of those that meet are at this rank or behind it.
    "tournament": [
        ((5 - n) ** TOURNAMENT - (4 - n) ** TOURNAMENT) / 5**TOURNAMENT for n in range(5)
    ],
    "rank": [5 / 15, 4 / 15, 3 / 15, 2 / 15, 1 / 15],
    "roulette": [8 / 18, 5 / 18, 4 / 18, 1 / 18, 0],
}


@pytest.mark.parametrize("name", CHANCES)
def test_parents_are_drawn_with_their_chances(name: str):
    pairs = SELECTIONS[name](POOL, FITNESS, DRAWS, Random(1))
    assert len(pairs) == DRAWS
    for side in (0, 1):
        counts = Counter(pair[side] for pair in pairs)
        for rank, chance in enumerate(CHANCES[name]):
            assert counts[rank] / DRAWS == pytest.approx(chance, abs=0.02)
    assert sum(CHANCES[name]) == pytest.approx(1)


def test_equal_fitness_gives_equal_chances():
    counts = Counter(one for one, _ in SELECTIONS["roulette"](POOL, [3.0] * 5, DRAWS, Random(2)))
    assert all(count / DRAWS == pytest.approx(0.2, abs=0.02) for count in counts.values())
    assert len(counts) == 5


def test_truncation_pairs_neighbours_in_rank_without_chance():
    random = Random(3)
    before = random.getstate()
    assert select_by_truncation(POOL, FITNESS, 3, random) == [(0, 1), (1, 2), (2, 3)]
    assert random.getstate() == before


def test_a_mate_that_is_the_same_is_passed_over():
    pool = [(1,), (1,), (2,), (2,), (2,), (3,)]
    assert select_by_truncation(pool, [0.0] * 6, 3, Random(1)) == [(0, 2), (1, 2), (2, 5)]


def test_where_all_are_the_same_the_next_in_rank_is_the_mate():
    assert select_by_truncation([(1,)] * 4, [0.0] * 4, 2, Random(1)) == [(0, 1), (1, 2)]
    assert select_by_truncation([(1,)] * 2, [0.0] * 2, 2, Random(1)) == [(0, 1), (1, 1)]


@pytest.mark.parametrize("name", SELECTIONS)
def test_parents_are_members_of_the_pool(name: str):
    pairs = SELECTIONS[name](POOL, FITNESS, 7, Random(5))
    assert len(pairs) == 7
    assert all(0 <= place < len(POOL) for pair in pairs for place in pair)
