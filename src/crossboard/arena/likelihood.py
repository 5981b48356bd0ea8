"""How well a mean score explains the pairs of a match: the likelihood behind score and SPRT."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from crossboard.arena.confidence import Z
from crossboard.arena.elo import POINTS, elo_of, expected_score

# How many pairs brought 0, ½, 1, 1½ and 2 points.
Counts: TypeAlias = tuple[int, int, int, int, int]
NO_PAIRS: Counts = (0, 0, 0, 0, 0)

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # points per game, of pairs by their points
# Chosen: the half pair that keeps everything finite, half of it lost and half of it won twice.
HALF_PAIR = (0.25, 0.0, 0.0, 0.0, 0.25)

MAX_STEPS = 200
# Of an interval's end, as a share of its distance from the middle: with many pairs all of it may be
# less than a millionth of a point.
PRECISION = 1e-9


def count_pairs(points: Iterable[float]) -> Counts:
    """Count pairs by their points; raise ValueError for what is not 0, ½, 1, 1½ or 2."""
    counts = list(NO_PAIRS)
    for one in points:
        if one not in (0, 0.5, 1, 1.5, 2):
            raise ValueError(f"a pair of games brings 0, 0.5, 1, 1.5 or 2 points, not {one}")
        counts[round(2 * one)] += 1
    return (counts[0], counts[1], counts[2], counts[3], counts[4])


def regularise(counts: Sequence[int]) -> list[float]:
    """Add the half pair: a quarter of a pair at 0 points and a quarter at 2."""
    if len(counts) != len(HALF_PAIR) or min(counts) < 0:
        raise ValueError(f"pairs are counted by five numbers from 0 up, not {tuple(counts)}")
    return [count + more for count, more in zip(counts, HALF_PAIR, strict=True)]


def mean_score(weights: Sequence[float]) -> float:
    """Return the mean score of weighted pairs, which is the likeliest one."""
    return sum(w * s for w, s in zip(weights, PAIR_SCORES, strict=True)) / sum(weights)


def log_likelihood(weights: Sequence[float], elo: float) -> float:
    """Return how likely the weighted pairs are if the lead is `elo`; 0 is the most.

    With m the score that this lead is worth, it is the log-likelihood of the best of all
    distributions over the outcomes whose mean is m, less that of the best of all. With Lagrange's
    multiplier t the former is p[i] = w[i] / (W (1 + t (s[i] - m))), so that what remains is
    -sum w[i] ln(1 + t (s[i] - m)).
    """
    mean, rest = expected_score(elo), expected_score(-elo)
    # s - m, written so that a mean next to 1 keeps its digits.
    distances = [s * rest - (1 - s) * mean for s in PAIR_SCORES]
    seen = [(w, d) for w, d in zip(weights, distances, strict=True) if w > 0]
    t = _multiplier(seen)
    return -sum(w * math.log1p(t * d) for w, d in seen)


def _multiplier(seen: Sequence[tuple[float, float]]) -> float:
    """Solve sum w d / (1 + t d) = 0 for t, between the poles at -1/d: it only falls there."""
    low, high = -1 / max(d for _, d in seen), -1 / min(d for _, d in seen)
    t = 0.0
    for _ in range(MAX_STEPS):
        value = slope = 0.0
        for w, d in seen:
            share = d / (1 + t * d)
            value += w * share
            slope -= w * share * share
        low, high = (t, high) if value > 0 else (low, t)
        following = t - value / slope
        # Newton's step may leave the bracket near a pole; halving never does.
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - t) <= 1e-13 * max(1.0, abs(t)):
            return following
        t = following
    return t


def elo_interval(weights: Sequence[float]) -> tuple[float, float]:
    """Return the Elo differences that the pairs do not rule out at 95 %.

    Those whose log-likelihood is less than Z²/2 below the best (Wilks). The weights must have
    something at 0 and at 2 points, as regularised ones do: then both ends are finite.
    """
    best = elo_of(mean_score(weights))
    return _edge(weights, best, -1), _edge(weights, best, +1)


def _edge(weights: Sequence[float], best: float, side: int) -> float:
    def is_inside(elo: float) -> bool:
        return log_likelihood(weights, elo) > -Z * Z / 2

    reach = POINTS
    inside = best
    while is_inside(best + side * reach):
        inside = best + side * reach
        reach *= 2
    outside = best + side * reach
    for _ in range(MAX_STEPS):
        if abs(outside - inside) <= PRECISION * abs(outside - best):
            break
        middle = (inside + outside) / 2
        if middle in (inside, outside):  # no number lies between them
            break
        inside, outside = (middle, outside) if is_inside(middle) else (inside, middle)
    return inside


def superiority(weights: Sequence[float]) -> float:
    """Return the probability, 0 to 1, that the true mean score is above one half.

    The normal distribution at the signed root of twice the log-likelihood ratio: it is above
    0.975 exactly where the 95 % interval lies above 0.
    """
    root = math.sqrt(max(0.0, -2 * log_likelihood(weights, 0.0)))
    return 0.5 * math.erfc(-math.copysign(root, mean_score(weights) - 0.5) / math.sqrt(2))
