"""TD-Root and TD-Leaf(lambda): what a search says later corrects what the evaluation says now.

TD-Root is Samuel's way (1959); TD-Leaf is that of Baxter, Tridgell and Weaver (1998). Plain
TD(lambda), which asks no search but to choose moves, is here too, to compare them with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from crossboard._core.draughts import Position
from crossboard.evaluators import Network
from crossboard.learn.ranges import check_numbers, check_word
from crossboard.learn.schooling import Schooling
from crossboard.learn.search_learning import (
    Course,
    Studied,
    StudySettings,
    learn_in_rounds,
    outcome_for,
)
from crossboard.learn.snapshot import Snapshot
from crossboard.learn.td import fading_sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

METHODS = ("leaf", "root", "board")


@dataclass(frozen=True, kw_only=True)
class TdLeafSettings(StudySettings):
    """How to learn from what searches say one after the other."""

    method: str = "leaf"  # or "root", or "board": TD(lambda) over the boards a side leaves behind
    decay: float = 0.7  # lambda: how fast errors fade that come later; not of TD-Root

    def __post_init__(self) -> None:
        super().__post_init__()
        check_word("the method", self.method, METHODS)
        check_numbers(self, "decay", most=1)


def learn_by_tdleaf(
    network: Network, settings: TdLeafSettings, schooling: Schooling
) -> Iterator[Snapshot]:
    """Train a network in self-play, and yield a snapshot after each round."""
    options = {**settings.student_options(), "lessons": "none"}
    course = Course(settings, options, partial(teach_by_differences, settings))
    yield from learn_in_rounds(network, course, schooling)


def teach_by_differences(
    settings: TdLeafSettings, network: Network, studied: Studied, rate: float
) -> Array:
    """Sum what a game teaches each weight, both sides' searches apart."""
    import numpy as np

    positions, amounts = ERRORS[settings.method](settings, network, studied)
    if settings.with_slope:
        amounts = amounts * (1 - np.array([network.evaluate(each) for each in positions]) ** 2)
    return network.sum_gradients(positions, rate * amounts)


def _leaf_errors(
    settings: TdLeafSettings, network: Network, studied: Studied
) -> tuple[Sequence[Position], Array]:
    import numpy as np

    notes = studied.notes
    amounts = np.zeros(len(notes.roots))
    for own, values, later in _sequences(studied):
        amounts[own] = fading_sums(later - values, settings.decay)
    # A leaf that the evaluation had no part in (its sign is 0) cannot be judged better.
    return notes.leaves, amounts * np.array(notes.signs)


def _root_errors(
    settings: TdLeafSettings, network: Network, studied: Studied
) -> tuple[Sequence[Position], Array]:
    import numpy as np

    notes = studied.notes
    amounts = np.zeros(len(notes.roots))
    for own, _, later in _sequences(studied):
        amounts[own] = later - np.array([network.evaluate(notes.roots[at]) for at in own])
    return notes.roots, amounts


def _sequences(studied: Studied) -> Iterator[tuple[NDArray[np.intp], Array, Array]]:
    """Yield for each side which searches were its own, their values, and what came after each."""
    import numpy as np

    notes = studied.notes
    turns = np.array([root.turn for root in notes.roots])
    for turn in ("B", "W"):
        own = np.flatnonzero(turns == turn)
        values = notes.values[own]
        yield own, values, np.append(values[1:], outcome_for(studied.game, turn))[: len(own)]


def _board_errors(
    settings: TdLeafSettings, network: Network, studied: Studied
) -> tuple[Sequence[Position], Array]:
    import numpy as np

    game = studied.game
    positions: list[Position] = []
    amounts: list[Array] = []
    for seat, turn in enumerate(("B", "W") if game.start.turn == "B" else ("W", "B")):
        boards = game.boards_after(seat, skip=studied.opening)
        values = np.array([network.output(board) for board in boards])
        later = np.append(values[1:], outcome_for(game, turn))[: len(boards)]
        positions += boards
        # Gradients are for the side to move, the boards are the other side's.
        amounts.append(-fading_sums(later - values, settings.decay))
    return positions, np.concatenate(amounts)


# What each method corrects: positions, and by how much for the side to move there.
ERRORS = {"leaf": _leaf_errors, "root": _root_errors, "board": _board_errors}
