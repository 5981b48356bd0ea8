"""Kohonen's self-organising map on a chain of units, as MP-Draughts clusters boards (2009, IV.B).

Each datum pulls the nearest unit toward itself, and with it one neighbour on either side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from crossboard.learn.ranges import check_numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]
    Units = NDArray[np.intp]

# Duarte's dissertation, 5.4.2: the winner and its two neighbours, one left, one right. Chosen: the
# chain has two ends.
REACH = 1
# Chosen: more than that are a slip, and no chain of them would be trained in a day.
MOST_UNITS = 10_000


class UnfitData(ValueError):
    """A map cannot be made of these data."""


@dataclass(frozen=True, kw_only=True)
class MapSettings:
    """How a map is trained. Raises ValueError for what makes no sense.

    The paper has the number of units and the rate at which learning stops. Chosen: the first rate,
    and how it falls: after each epoch, since by datum it would stop within the first one.
    """

    units: int = 25
    rate: float = 0.9
    decay: float = 0.99
    last_rate: float = 0.1  # learning goes on while the rate is above it

    def __post_init__(self) -> None:
        check_numbers(self, "units", least=1, most=MOST_UNITS)
        check_numbers(self, "rate", "last_rate", most=1)
        if not 0 < self.decay < 1:
            raise ValueError(f"decay must be above 0 and below 1, not {self.decay}")
        if not 0 < self.last_rate < self.rate:
            raise ValueError(
                f"last_rate must be above 0 and below the rate of {self.rate}, not {self.last_rate}"
            )

    def rates(self) -> Iterator[float]:
        """Yield the rate of each epoch."""
        rate = self.rate
        while rate > self.last_rate:
            yield rate
            rate *= self.decay


class TrainedMap(NamedTuple):
    """What was learnt: a prototype for each unit, and both errors after each epoch."""

    prototypes: Array  # (units, attributes)
    quantisation: Array  # (epochs,)
    topographic: Array  # (epochs,)


def train_map(data: ArrayLike, settings: MapSettings, *, seed: int) -> TrainedMap:
    """Train a chain of units on data, a row each.

    Chosen: the data come in another order in each epoch. Raises UnfitData for what is no table of
    finite numbers, or has fewer rows than there are units.
    """
    import numpy as np

    rows = checked_rows(data, settings.units)
    generator = np.random.default_rng(seed)
    prototypes = first_units(generator, settings.units, rows)
    errors = []
    for rate in settings.rates():
        _learn_epoch(prototypes, rows[generator.permutation(len(rows))], rate)
        errors.append(errors_of(prototypes, rows))
    quantisation, topographic = np.array(errors).T
    return TrainedMap(prototypes, quantisation, topographic)


def _learn_epoch(prototypes: Array, rows: Array, rate: float) -> None:
    """Show each row once, in order, and change the prototypes in place."""
    import numpy as np

    # The loop is short of nothing but time, so it makes no arrays: what it changes are views.
    apart = np.empty_like(prototypes)
    reached = [slice(max(0, unit - REACH), unit + REACH + 1) for unit in range(len(prototypes))]
    places = [(prototypes[near], apart[near]) for near in reached]
    for row in rows:
        np.subtract(row, prototypes, out=apart)
        near, pull = places[np.vecdot(apart, apart).argmin()]
        pull *= rate
        near += pull


def first_units(generator: np.random.Generator, units: int, rows: Array) -> Array:
    """Draw the prototypes that a map begins with. Chosen: evenly from 0 to 1."""
    prototypes: Array = generator.random((units, rows.shape[1]))
    return prototypes


def checked_rows(data: ArrayLike, units: int) -> Array:
    """Return data as rows; raise UnfitData if no map of so many units can be made of them."""
    import numpy as np

    rows = np.asarray(data, dtype=np.float64)
    if rows.ndim != 2 or not rows.shape[1] or not np.isfinite(rows).all():
        raise UnfitData("a map is made of rows of finite numbers, as many in each")
    if len(rows) < units:
        raise UnfitData(f"a map of {units} units needs as many rows, not {len(rows)}")
    return rows


def distances(prototypes: Array, rows: Array) -> Array:
    """Return Euclid's distance of each row to each unit: (rows, units)."""
    import numpy as np

    # A unit at a time: what it needs stays in the processor's cache.
    squares = [np.vecdot(apart := rows - prototype, apart) for prototype in prototypes]
    found: Array = np.sqrt(np.stack(squares, axis=1))
    return found


def nearest_units(prototypes: Array, rows: Array) -> Units:
    """Return the unit nearest to each row; of several the first."""
    units: Units = distances(prototypes, rows).argmin(axis=1)
    return units


def errors_of(prototypes: Array, rows: Array) -> tuple[float, float]:
    """Return the quantisation and the topographic error.

    They are the mean distance of rows to their nearest units, and the share of rows whose second
    nearest unit is no neighbour of the nearest one on the chain.
    """
    import numpy as np

    apart = distances(prototypes, rows)
    quantisation = float(apart.min(axis=1).mean())
    if len(prototypes) == 1:
        return quantisation, 0.0
    first = apart.argmin(axis=1)
    apart[np.arange(len(rows)), first] = np.inf
    return quantisation, float((abs(first - apart.argmin(axis=1)) > REACH).mean())


def shares_of(units: Units, count: int) -> Array:
    """Return which share of the data each of so many units has."""
    import numpy as np

    shares: Array = np.bincount(units, minlength=count) / len(units)
    return shares


def effective_units(shares: Array) -> float:
    """Return exp of the entropy of shares: how many units of equal shares would be as mixed."""
    import numpy as np

    used = shares[shares > 0]
    return float(np.exp(-(used * np.log(used)).sum()))


def variance_explained(outcomes: ArrayLike, units: Units) -> float:
    """Return which part of the variance of outcomes lies between clusters: 0 to 1.

    Outcomes that are all the same have nothing to explain: 0.
    """
    return predicted_variance(outcomes, units, outcomes, units)


def predicted_variance(
    known: ArrayLike, known_units: Units, asked: ArrayLike, asked_units: Units
) -> float:
    """Return which part of the variance of asked outcomes the means of known ones explain.

    Each is predicted by the mean of its cluster, or of all if nothing of the cluster is known.
    Below 0 the clusters predict worse than one mean for all would.
    """
    import numpy as np

    before, after = np.asarray(known, dtype=np.float64), np.asarray(asked, dtype=np.float64)
    count = int(max(known_units.max(), asked_units.max())) + 1
    sums = np.bincount(known_units, weights=before, minlength=count)
    hits = np.bincount(known_units, minlength=count)
    means = np.where(hits > 0, sums / np.maximum(hits, 1), before.mean())
    spread = float(((after - before.mean()) ** 2).sum())
    left = float(((after - means[asked_units]) ** 2).sum())
    return 1 - left / spread if spread else 0.0
