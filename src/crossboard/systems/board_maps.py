"""Maps of endgame boards: what a map sees of them, its clusters, and what these explain.

MP-Draughts 2009, IV.B: boards become 28 attributes each, and Kohonen's map groups them by these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from crossboard.draughts import Position
from crossboard.evaluators import UFU_ATTRIBUTES, BoardAttributes, refuse_second_names
from crossboard.learn.minisom_map import check_minisom, train_map_by_minisom
from crossboard.learn.som import (
    MapSettings,
    TrainedMap,
    distances,
    effective_units,
    nearest_units,
    predicted_variance,
    shares_of,
    train_map,
    variance_explained,
)
from crossboard.systems.endgame_boards import EndgameBoard

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Units = NDArray[np.intp]

Coding = Literal["presence", "counts"]
Program = Literal["own", "minisom"]
# Applies a function to each of several things, wherever it does so.
Apply = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
# Chosen: parts of the boards, each predicted once by a map of the others.
FOLDS = 5


@dataclass(frozen=True, kw_only=True)
class MapOptions:
    """What a map sees of boards, and how it is trained; the defaults are the paper's."""

    features: tuple[str, ...] = tuple(UFU_ATTRIBUTES)
    coding: Coding = "presence"
    with_material: bool = False
    training: MapSettings = field(default_factory=MapSettings)
    program: Program = "own"

    def attributes(self) -> BoardAttributes:
        """Return what boards become; raise ValueError for no, unknown or repeated features."""
        return BoardAttributes(
            list(self.features), coding=self.coding, with_material=self.with_material
        )

    def check(self) -> None:
        """Raise ValueError if no such map can be made."""
        self.attributes()
        refuse_second_names(self.features)
        if self.program == "minisom":
            check_minisom()

    def train(self, positions: Sequence[Position], seed: int) -> TrainedMap:
        """Train a map of some boards."""
        train = train_map if self.program == "own" else train_map_by_minisom
        return train(self.attributes().of(list(positions)), self.training, seed=seed)


class MapQuality(NamedTuple):
    """How good a map is, and what its clusters say about the outcomes of games."""

    fall: float  # of the quantisation error, from the first 20 epochs to the last 20
    topographic: float  # error at the end
    effective_units: float  # exp of the entropy of shares
    explained: float  # variance of outcomes between clusters
    # The same of other boards, which neither made the map nor chose its options. By chance alone
    # `explained` grows with the number of units, this one does not.
    predicted: float


# Epochs at either end of a training that are compared.
EPOCHS_COMPARED = 20


def units_of(options: MapOptions, found: TrainedMap, positions: Sequence[Position]) -> Units:
    """Return the unit nearest to each board."""
    return nearest_units(found.prototypes, options.attributes().of(list(positions)))


def clusters_of(prototypes: Array, units: Units) -> list[list[int]]:
    """Return the places of each unit's boards.

    A unit that has none gets those of the nearest unit that has some. Chosen: nearest by their
    prototypes, not along the chain, which folds.
    """
    import numpy as np

    own = [np.flatnonzero(units == unit).tolist() for unit in range(len(prototypes))]
    apart = distances(prototypes, prototypes)
    apart[:, [unit for unit, boards in enumerate(own) if not boards]] = np.inf
    return [own[unit] or own[int(apart[unit].argmin())] for unit in range(len(prototypes))]


def fall_of(quantisation: Array) -> float:
    """Return by which share the quantisation error has fallen between both ends of a training."""
    first, last = quantisation[:EPOCHS_COMPARED].mean(), quantisation[-EPOCHS_COMPARED:].mean()
    return float(1 - last / first) if first else 0.0


def split_boards(
    boards: Sequence[EndgameBoard], seed: int
) -> tuple[list[EndgameBoard], list[EndgameBoard]]:
    """Return two halves of boards: to make maps of and choose options by, and to judge these."""
    drawn = Random(f"{seed} maps").sample(list(boards), len(boards))
    middle = -(-len(drawn) // 2)
    return drawn[:middle], drawn[middle:]


def judge_map(
    boards: Sequence[EndgameBoard], others: Sequence[EndgameBoard], options: MapOptions, seed: int
) -> MapQuality:
    """Train one map of boards whose outcomes are known; measure it on these and on others."""
    positions, outcomes = _known(boards)
    asked, their_outcomes = _known(others)
    found = options.train(positions, seed)
    units = units_of(options, found, positions)
    return MapQuality(
        fall_of(found.quantisation),
        float(found.topographic[-1]),
        effective_units(shares_of(units, len(found.prototypes))),
        variance_explained(outcomes, units),
        predicted_variance(outcomes, units, their_outcomes, units_of(options, found, asked)),
    )


def explained_by(boards: Sequence[EndgameBoard], options: MapOptions, seed: int) -> float:
    """Return the variance of outcomes between the clusters of a map: a fitness of its options."""
    positions, outcomes = _known(boards)
    found = options.train(positions, seed)
    return variance_explained(outcomes, units_of(options, found, positions))


def cross_validated(boards: Sequence[EndgameBoard], options: MapOptions, seed: int) -> float:
    """Return the variance of outcomes that maps of other boards predict.

    Each of FOLDS parts is predicted by the means of clusters of all others.
    """
    import numpy as np

    positions, outcomes = _known(boards)
    parts = np.random.default_rng(seed).permutation(len(positions)) % FOLDS
    left, total = 0.0, 0.0
    for part in range(FOLDS):
        inside, outside = (np.flatnonzero(mask) for mask in (parts != part, parts == part))
        known, asked = ([positions[n] for n in some] for some in (inside, outside))
        found = options.train(known, seed)
        here, there = (units_of(options, found, some) for some in (known, asked))
        around = float(((outcomes[outside] - outcomes[inside].mean()) ** 2).sum())
        share = predicted_variance(outcomes[inside], here, outcomes[outside], there)
        left, total = left + (1 - share) * around, total + around
    return 1 - left / total if total else 0.0


def compare_options(
    boards: Sequence[EndgameBoard],
    others: Sequence[EndgameBoard],
    options: Mapping[str, MapOptions],
    seed: int,
    apply: Apply = map,
) -> dict[str, MapQuality]:
    """Measure maps of the same boards by their options."""
    judge = partial(judge_map, boards, others, seed=seed)
    return dict(zip(options, apply(judge, options.values()), strict=True))


# The options that MP-Draughts' own follow-ups and its last section name.
NAMED_OPTIONS = {
    "presence": MapOptions(),
    "counts": MapOptions(coding="counts"),
    "presence, material": MapOptions(with_material=True),
    "counts, material": MapOptions(coding="counts", with_material=True),
}
# Chosen: numbers of units from which data may choose.
NUMBERS_OF_UNITS = (1, 4, 9, 16, 25, 36, 49)


def choose_units(
    boards: Sequence[EndgameBoard],
    options: MapOptions,
    seed: int,
    numbers: Sequence[int] = NUMBERS_OF_UNITS,
    apply: Apply = map,
) -> dict[int, float]:
    """Return what maps of so many units predict of outcomes, the best number first."""
    judge = partial(cross_validated, boards, seed=seed)
    found = apply(judge, [with_units(options, units) for units in numbers])
    return dict(sorted(zip(numbers, found, strict=True), key=lambda pair: -pair[1]))


def with_units(options: MapOptions, units: int) -> MapOptions:
    """Return the same options for so many units."""
    return replace(options, training=replace(options.training, units=units))


def _known(boards: Sequence[EndgameBoard]) -> tuple[list[Position], Array]:
    """Return the boards whose outcomes are known, and these."""
    import numpy as np

    known = [(board.position, board.outcome) for board in boards if board.outcome is not None]
    if not known:
        raise ValueError("none of these boards has an outcome that clusters could explain")
    positions, outcomes = zip(*known, strict=True)
    return list(positions), np.array(outcomes, dtype=np.float64)
