"""The logistic Elo scale: between a difference in strength and the score it leads to."""

from __future__ import annotations

import math
from typing import NamedTuple

# Elo points for each natural unit of log odds.
POINTS = 400 / math.log(10)


class Elo(NamedTuple):
    """A difference in Elo points with its 95 % interval."""

    elo: float
    low: float
    high: float


def expected_score(elo: float) -> float:
    """Return the points per game, 0 to 1, that a lead of so many Elo points is worth."""
    # With the exponent never positive nothing overflows, and small scores keep their digits.
    odds = math.exp(-abs(elo) / POINTS)
    return (odds if elo < 0 else 1) / (1 + odds)


def elo_of(score: float) -> float:
    """Return the Elo difference behind a score; raise ValueError outside of 0 to 1, exclusive."""
    if not 0 < score < 1:
        raise ValueError(f"a score of {score} has no Elo: it must be between 0 and 1")
    return POINTS * (math.log(score) - math.log1p(-score))
