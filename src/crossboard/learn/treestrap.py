"""RootStrap and TreeStrap: a search corrects the evaluation it was made with, at once.

Veness, Silver, Uther and Blair (2009); rates that fade with depth and changes that are clamped as
in TreeStrap on Duchess. The sums over a tree are the core's (core/engine/strap.h).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from crossboard._core.draughts import Chooser, Move, Position
from crossboard.evaluators import Network
from crossboard.learn.ranges import check_numbers, check_word
from crossboard.learn.schooling import Schooling
from crossboard.learn.search_learning import (
    DUCHESS_CLAMP,
    DUCHESS_DECAY,
    Course,
    Learnt,
    Studied,
    StudySettings,
    TaughtGame,
    learn_in_rounds,
    learning_mask,
    outcome_for,
    play_start,
    starts_of,
    tie_of,
)
from crossboard.learn.snapshot import Snapshot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

METHODS = ("tree", "root")


@dataclass(frozen=True, kw_only=True)
class TreeStrapSettings(StudySettings):
    """How to learn from trees; with a round_size of 1 weights change after every move."""

    method: str = "tree"  # TreeStrap; "root": RootStrap
    decay: float = DUCHESS_DECAY  # of the rate, with each ply below the root
    clamp: float = DUCHESS_CLAMP  # no weight changes by more for one search; 0: no limit
    # Positions with a capture pending teach nothing: behind a search that follows captures the
    # evaluation is never asked of them.
    quiet_only: bool = False
    # Bounds teach no more than that a value lies beyond the window's edge, as on Duchess; otherwise
    # what the first refutation was found to be worth.
    at_edges: bool = False
    # How far roots are also drawn toward the end of their game: 0 is TreeStrap, pure and simple.
    outcome: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_word("the method", self.method, METHODS)
        check_numbers(self, "decay", most=1)
        check_numbers(self, "clamp", "outcome")
        if self.round_size == 1 and (self.adaptive or self.outcome):
            raise ValueError("a round_size of 1 goes neither with adaptive rates nor with outcome")


def learn_by_treestrap(
    network: Network, settings: TreeStrapSettings, schooling: Schooling
) -> Iterator[Snapshot]:
    """Train a network in self-play, and yield a snapshot after each round."""
    course = Course(settings, lesson_options(settings), partial(teach_by_trees, settings))
    if settings.round_size == 1:
        yield from _learn_move_by_move(network, course, schooling)
        return
    yield from learn_in_rounds(network, course, schooling)


def lesson_options(settings: TreeStrapSettings) -> dict[str, object]:
    """Return what a student of the core is told."""
    # Where each weight has its own rate, that is limit enough. Tied weights are changed by what two
    # of them learn, each at most half; the core knows no ties, so that the bias has half as well.
    clamp = 0.0 if settings.adaptive else settings.clamp / (2 if settings.mirrored else 1)
    return {
        **settings.student_options(),
        "lessons": settings.method,
        "decay": settings.decay,
        "clamp": clamp,
        "quiet_only": settings.quiet_only,
        "with_slope": settings.with_slope,
        "at_edges": settings.at_edges,
    }


def teach_by_trees(
    settings: TreeStrapSettings, network: Network, studied: Studied, rate: float
) -> Array:
    """Return what a game's trees teach each weight, and its end if that counts."""
    import numpy as np

    notes = studied.notes
    if not settings.outcome:
        return notes.changes
    roots = [root for root in notes.roots if not (settings.quiet_only and root.has_capture)]
    ends = np.array([outcome_for(studied.game, root.turn) for root in roots])
    judged = np.array([network.evaluate(root) for root in roots])
    errors = (ends - judged) * (1 - judged**2 if settings.with_slope else 1)
    return notes.changes + network.sum_gradients(roots, rate * settings.outcome * errors)


class _Apprentice:
    """Plays as a student does, and changes its weights after every move."""

    def __init__(self, network: Network, course: Course, learnt: Learnt, games: int) -> None:
        self.learnt = learnt
        self.searches = self.nodes = 0
        self._network = network
        self._course = course
        self._games = games
        self._mask = learning_mask(network, course.settings, games)
        self._tie = tie_of(network, course.settings)
        self._random = Random(0)

    def begin_game(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, position: Position, history: Sequence[Position]) -> Move:
        student = self._course.student(self._network.with_weights(self.learnt.weights))
        student.begin_game(self._random.getrandbits(63))
        move = student.choose(position, list(history))
        notes = student.take_notes()
        self.searches += len(notes.roots)
        self.nodes += notes.nodes
        self.learnt.add(self._mask * self._tie(notes.changes), self._course.settings, self._games)
        return move


def _learn_move_by_move(
    network: Network, course: Course, schooling: Schooling
) -> Iterator[Snapshot]:
    settings, start = course.settings, schooling.start
    learnt = Learnt.at_start(network, start)
    for games in range(0 if start is None else start.games, settings.games):
        before = learnt.weights
        apprentice = _Apprentice(network, course.after(games), learnt, games)
        (one,) = starts_of(settings, schooling.seed, games, 1)
        game = play_start(Chooser.python(apprentice), one, settings.rules)
        changes = learnt.weights - before
        report = TaughtGame(game, changes, apprentice.searches, apprentice.nodes)
        yield learnt.snapshot(games + 1, [report])
