"""What training runs say: means, differences and shares over seeds, with 95 % intervals.

The run is the unit: the games of one player are not so many independent trials of a method.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from crossboard.arena.confidence import CONFIDENCE, Z

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DRAWS = 2_000
# The draws are the same every time, so that the same runs give the same report.
SEED = 1997


class Interval(NamedTuple):
    """A figure and where it lies with 95 %."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> Interval:
        """Return the same in other units; the factor is above 0."""
        return Interval(self.value * factor, self.low * factor, self.high * factor)

    def within(self, least: float, most: float) -> Interval:
        """Return the same, no farther than such a figure can go; the value itself is in between."""
        return Interval(self.value, max(least, self.low), min(most, self.high))


def mean_over_seeds(values: Sequence[float]) -> Interval:
    """Return the mean of runs with its bootstrap interval; raise ValueError for less than two.

    The plain percentile interval of few runs is too short. It is widened about the mean as
    Student's distribution is wider than the normal one, and for the variance of so few.
    """
    import numpy as np

    found = np.asarray(values, dtype=np.float64)
    if found.size < 2:
        raise ValueError(f"an interval needs two runs or more, not {found.size}")
    return _widened(float(found.mean()), _resampled_means(found), [found.size])


def score_over_seeds(values: Sequence[float]) -> Interval:
    """Return the mean of points a game or of shares, which lies within 0 and 1 wherever it lies."""
    return mean_over_seeds(values).within(0.0, 1.0)


def difference_over_seeds(ones: Sequence[float], others: Sequence[float]) -> Interval:
    """Return by how much the mean of runs is above that of others, with its interval.

    The runs of the two arms are drawn apart. Where the same seed makes two of them alike, as by
    openings they have in common, the interval is longer than it need be.
    """
    import numpy as np

    one, other = np.asarray(ones, dtype=np.float64), np.asarray(others, dtype=np.float64)
    if min(one.size, other.size) < 2:
        raise ValueError(f"an interval needs two runs or more, not {one.size} and {other.size}")
    means = _resampled_means(one, 0) - _resampled_means(other, 1)
    return _widened(float(one.mean() - other.mean()), means, [one.size, other.size])


def ratio_of_sums(ones: Sequence[float], others: Sequence[float]) -> Interval:
    """Return the ratio of two sums over the same items, with its interval over these.

    Both are sums of what is not below 0, and so is the interval.
    """
    import numpy as np

    one, other = np.asarray(ones, dtype=np.float64), np.asarray(others, dtype=np.float64)
    if one.size != other.size or one.size < 2:
        raise ValueError(f"a ratio needs as many of both, two or more: {one.size}, {other.size}")
    # The same stream draws the same items for both.
    ratios = _resampled_means(one) / _resampled_means(other)
    return _widened(float(one.sum() / other.sum()), ratios, [one.size]).within(0.0, math.inf)


def _resampled_means(values: NDArray[np.float64], stream: int = 0) -> NDArray[np.float64]:
    import numpy as np

    generator = np.random.default_rng([SEED, stream])
    chosen = generator.integers(values.size, size=(DRAWS, values.size))
    means: NDArray[np.float64] = values[chosen].mean(axis=1)
    return means


def _widened(value: float, means: NDArray[np.float64], sizes: Sequence[int]) -> Interval:
    import numpy as np

    tail = (1 - CONFIDENCE) / 2
    freedom = sum(sizes) - len(sizes)
    fewest = min(sizes)
    factor = _student(freedom) / Z * math.sqrt(fewest / (fewest - 1))
    low, high = np.quantile(means, [tail, 1 - tail])
    # Rounding must not put the mean of equal runs outside its own interval.
    below, above = max(0.0, value - float(low)), max(0.0, float(high) - value)
    return Interval(value, value - factor * below, value + factor * above)


def _student(freedom: int) -> float:
    """Return Student's quantile by the expansion of Cornish and Fisher, exactly below 3."""
    if freedom == 1:
        return math.tan(math.pi / 2 * CONFIDENCE)
    if freedom == 2:
        return CONFIDENCE * math.sqrt(2 / (1 - CONFIDENCE**2))
    z, v = Z, freedom
    first = (z**3 + z) / (4 * v)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    return z + first + second + third


def share_of_seeds(count: int, runs: int) -> Interval:
    """Return the share of runs in which something happened, with Wilson's interval."""
    if not 0 <= count <= runs or runs < 1:
        raise ValueError(f"{count} of {runs} runs is no share")
    share, weight = count / runs, Z**2 / runs
    centre = (share + weight / 2) / (1 + weight)
    reach = math.sqrt(weight * (share * (1 - share) + weight / 4)) / (1 + weight)
    return Interval(
        share, min(share, max(0.0, centre - reach)), max(share, min(1.0, centre + reach))
    )
