"""Selection of parents: each function returns the ranks of two parents for every child.

Ranks count from 0, the best first. `fitness` is sorted in that order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from crossboard.learn.genes import Genes

Pairs: TypeAlias = list[tuple[int, int]]
Selection: TypeAlias = Callable[[Sequence[Genes], Sequence[float], int, Random], Pairs]

# Chosen: how many meet in a tournament; more would leave the weaker half no child.
TOURNAMENT = 3


def select_by_truncation(
    pool: Sequence[Genes], fitness: Sequence[float], count: int, random: Random
) -> Pairs:
    """Let each of the best mate with the next in rank, without any chance.

    Chosen for "simple assortative selection" (Chisholm and Bradbeer 1997, 4). A mate that is
    identical is passed over for the one behind it, or the elite would mate with its own copy; where
    all are identical the next in rank does.
    """
    ranks = (child % len(pool) for child in range(count))
    return [(rank, _next_different(pool, rank)) for rank in ranks]


def _next_different(pool: Sequence[Genes], rank: int) -> int:
    different = (n for n in range(rank + 1, len(pool)) if pool[n] != pool[rank])
    return next(different, min(rank + 1, len(pool) - 1))


def select_by_tournament(
    pool: Sequence[Genes], fitness: Sequence[float], count: int, random: Random
) -> Pairs:
    """Draw a few for each parent: the best of them it is."""

    def draw() -> int:
        return min(random.randrange(len(pool)) for _ in range(TOURNAMENT))

    return _pairs(draw, count)


def select_by_rank(
    pool: Sequence[Genes], fitness: Sequence[float], count: int, random: Random
) -> Pairs:
    """Draw parents with chances that fall evenly from the best to the worst."""
    chances = range(len(pool), 0, -1)
    return _pairs(lambda: random.choices(range(len(pool)), chances)[0], count)


def select_by_roulette(
    pool: Sequence[Genes], fitness: Sequence[float], count: int, random: Random
) -> Pairs:
    """Draw parents with chances in proportion to their fitness above the least."""
    least = min(fitness)
    chances = [one - least for one in fitness]
    if not any(chances):
        chances = [1.0] * len(pool)
    return _pairs(lambda: random.choices(range(len(pool)), chances)[0], count)


def _pairs(draw: Callable[[], int], count: int) -> Pairs:
    return [(draw(), draw()) for _ in range(count)]


SELECTIONS: dict[str, Selection] = {
    "truncation": select_by_truncation,
    "tournament": select_by_tournament,
    "rank": select_by_rank,
    "roulette": select_by_roulette,
}
