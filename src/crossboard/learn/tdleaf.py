"""TD-Root and TD-Leaf(lambda): what a search says later corrects what the evaluation says now.

TD-Root is Samuel's way (1959); TD-Leaf is that of Baxter, Tridgell and Weaver (1998).
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from crossboard._core.draughts import Notes, PlayedGame
from crossboard.evaluators import Network
from crossboard.learn.snapshot import Snapshot
from crossboard.learn.students import Course, StudySettings, learn_in_rounds, outcome_for

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

METHODS = ("leaf", "root")


@dataclass(frozen=True, kw_only=True)
class TdLeafSettings(StudySettings):
    """How to learn from what searches say one after the other."""

    method: str = "leaf"  # or "root"
    decay: float = 0.7  # lambda: how fast errors fade that come later; of TD-Leaf

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method not in METHODS:
            raise ValueError(f"the method is leaf or root, not {self.method!r}")
        if not 0 <= self.decay <= 1:
            raise ValueError(f"decay must be 0 to 1, not {self.decay}")


def learn_by_tdleaf(
    network: Network,
    settings: TdLeafSettings,
    *,
    seed: int,
    executor: Executor,
    workers: int = 1,
    start: Snapshot | None = None,
) -> Iterator[Snapshot]:
    """Train a network in self-play, and yield a snapshot after each round.

    The result does not depend on the executor or the number of workers.
    """
    options = {**settings.student_options(), "lessons": "none"}
    course = Course(settings, options, partial(teach_by_differences, settings))
    yield from learn_in_rounds(
        network, course, seed=seed, executor=executor, workers=workers, start=start
    )


def teach_by_differences(
    settings: TdLeafSettings, network: Network, notes: Notes, game: PlayedGame, rate: float
) -> Array:
    """Sum what a game teaches each weight, both sides' searches apart."""
    import numpy as np

    turns = np.array([root.turn for root in notes.roots])
    values = notes.values
    amounts = np.zeros(len(values))
    for turn in ("B", "W"):
        own = np.flatnonzero(turns == turn)
        later = np.append(values[own][1:], outcome_for(game, turn))[: len(own)]
        if settings.method == "leaf":
            amounts[own] = fading_sums(later - values[own], settings.decay)
        else:
            judged = [network.evaluate(notes.roots[at]) for at in own]
            amounts[own] = later - np.array(judged)
    positions = notes.roots
    if settings.method == "leaf":
        # A leaf that the evaluation had no part in (its sign is 0) cannot be judged better.
        positions = notes.leaves
        amounts *= np.array(notes.signs)
    if settings.with_slope:
        amounts *= 1 - np.array([network.evaluate(position) for position in positions]) ** 2
    return network.sum_gradients(positions, rate * amounts)


def fading_sums(errors: Array, decay: float) -> Array:
    """Return for each error itself and those after it, faded: sum of decay^(j-t) errors_j."""
    import numpy as np

    sums = np.zeros(len(errors))
    total = 0.0
    for at in range(len(errors) - 1, -1, -1):
        total = errors[at] + decay * total
        sums[at] = total
    return sums
