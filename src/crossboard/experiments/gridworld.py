"""Gridworld: the puzzle on which the paper tried nets and learner (Lynch 1997, 4.3, 4.4)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from crossboard.arena.bootstrap import difference_over_seeds, mean_over_seeds, share_of_seeds
from crossboard.evaluators import EvalNet
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.learn import TdLearner, TdSettings

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

SIDE = 5
SQUARES = SIDE * SIDE
# Chosen: the paper does not say where the goal is; ten moves with "extra leeway" fit a corner,
# from which the farthest square is eight moves away.
GOAL = 0
MAX_MOVES = 10
LONGEST = 2 * (SIDE - 1)
# Chosen: an input for each square, and the paper's usual net.
HIDDEN = 12
SETTINGS = TdSettings(gamma=0.9, decay=0.1)
# Chosen: all of the paper's counts are multiples of 150, so it tested after so many starts.
TEST_AFTER = 150
MAX_STARTS = 1500


class Rewards(NamedTuple):
    """What arriving, not arriving within ten moves, and moving into a side square bring."""

    success: float = 1.0
    failure: float = 0.0
    side: float = 0.0


class Trial(NamedTuple):
    """How one net did: starts until a test found everything learnt, and what was not at the end."""

    starts: int
    failed: int  # squares from which the greedy path is not a shortest one
    moves: int  # made until then

    @property
    def is_learnt(self) -> bool:
        return self.failed == 0


@dataclass(frozen=True, kw_only=True)
class StartPlan:
    """Where starts come from: anywhere, or from a distance that grows with them."""

    test_after: int = TEST_AFTER
    max_starts: int = MAX_STARTS
    grows_after: int | None = None  # starts before they come from one move farther away

    def squares(self, start: int) -> list[int]:
        """Return the squares that start number `start` may be drawn from.

        Chosen: all 25; a start on the goal is a success at once.
        """
        far = LONGEST if self.grows_after is None else 1 + start // self.grows_after
        return [square for square in range(SQUARES) if distance(square) <= far]


@cache
def neighbours(square: int) -> tuple[int, ...]:
    """Return the squares one move up, down, left and right of a square."""
    row, column = divmod(square, SIDE)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return tuple(SIDE * r + c for r, c in around if 0 <= r < SIDE and 0 <= c < SIDE)


@cache
def distance(square: int) -> int:
    """Return the least number of moves to the goal."""
    row, column = divmod(square, SIDE)
    goal_row, goal_column = divmod(GOAL, SIDE)
    return abs(row - goal_row) + abs(column - goal_column)


def is_side(square: int) -> bool:
    """Whether a square touches the edge of the world."""
    return len(neighbours(square)) < 4


@cache
def inputs() -> NDArray[np.float64]:
    """Return what the net sees of each square, a row each."""
    import numpy as np

    return np.eye(SQUARES)


@cache
def inputs_around(square: int) -> NDArray[np.float64]:
    """Return what the net sees of a square's neighbours."""
    return inputs()[list(neighbours(square))]


def walk(rewards: Rewards, course: StartPlan, seed: int) -> Iterator[Trial]:
    """Let a new net walk, and yield how it does after each test; the last is the end."""
    import numpy as np

    generator = np.random.default_rng(seed)
    learner = TdLearner(EvalNet.initial(SQUARES, HIDDEN, seed=generator), SETTINGS)
    moves = 0
    for start in range(course.max_starts):
        moves += _walk_once(learner, int(generator.choice(course.squares(start))), rewards)
        if (start + 1) % course.test_after == 0:
            trial = Trial(start + 1, len(failed_squares(learner)), moves)
            yield trial
            if trial.is_learnt:
                return


def _walk_once(learner: TdLearner, square: int, rewards: Rewards) -> int:
    """Walk from a square to the best neighbour, and on, learn on the way; return the moves."""
    learner.start(inputs()[square])
    moves = 0
    while square != GOAL and moves < MAX_MOVES:
        moves += 1
        square = neighbours(square)[learner.predict(inputs_around(square)).argmax()]
        # Chosen: the goal is rewarded as the goal, though it is a side square.
        is_paid = is_side(square) and square != GOAL
        learner.step(inputs()[square], rewards.side if is_paid else 0.0)
    learner.finish(rewards.success if square == GOAL else rewards.failure)
    return moves


def failed_squares(learner: TdLearner) -> list[int]:
    """Return the squares from which always going to the best neighbour is not a shortest path."""
    values = learner.predict(inputs())
    best = [max(neighbours(square), key=lambda n: values[n]) for square in range(SQUARES)]
    return [
        square for square in range(SQUARES) if square != GOAL and not _is_shortest(square, best)
    ]


def _is_shortest(square: int, best: Sequence[int]) -> bool:
    for _ in range(distance(square)):
        square = best[square]
        if square == GOAL:
            break
    return square == GOAL


# The paper's table (4.4): the rewards, starts used, squares not learnt.
TABLE = (
    (Rewards(1.0, 0.0, 0.0), 1050, 0),
    (Rewards(1.0, -0.2, 0.0), 900, 0),
    (Rewards(1.0, 0.0, -0.1), 1500, 1),
    (Rewards(1.0, -0.2, -0.1), 1500, 1),
    (Rewards(1.0, -0.2, -0.2), 1500, 18),
    (Rewards(1.0, -1.0, 0.0), 1050, 0),
)
WORST_ROW = 4
# Chosen before measuring: one net is no more exact than that.
STARTS_TOLERANCE, SQUARES_TOLERANCE = 450, 1
# The start's distance grows by one after so many starts; a net is tested after fewer.
GROWS_AFTER = 20
FINE_TESTS = 10
# Quick: the fewest nets of which, if all of them learn, 0.9 lies below the interval.
SEEDS, QUICK_SEEDS = 100, 35


def _claims() -> tuple[Claim, ...]:
    found = []
    for number, (rewards, starts, failed) in enumerate(TABLE, start=1):
        what = f"{rewards.success:+g} / {rewards.failure:+g} / {rewards.side:+g}"
        row = f"row{number}"
        if failed:
            left = f"{what}: squares not learnt"
            found.append(Claim(f"{row}-failed", left, failed, SQUARES_TOLERANCE, where="4.4"))
            continue
        every = f"{what}: nets that learn every square"
        found.append(Claim(f"{row}-learnt", every, 1.0, 0.1, Relation.AT_LEAST, "of all", "4.4"))
        until = f"{what}: starts until then"
        found.append(Claim(f"{row}-starts", until, starts, STARTS_TOLERANCE, where="4.4"))
    found += [
        Claim(
            "worst-row",
            "squares that -0.2 / -0.2 leaves, more than no rewards but the goal's",
            0.0,
            relation=Relation.AT_LEAST,
            where="4.4: 18 against 0",
        ),
        Claim(
            "growing-distance",
            "moves to learn every square from anywhere, to those from a growing distance",
            1.0,
            relation=Relation.AT_LEAST,
            unit="times",
            where="4.3: training time decreased considerably",
        ),
    ]
    return tuple(found)


def measure(lab: Lab) -> Iterator[Measurement]:
    """Let many nets walk with each row of rewards, and from both kinds of starts."""
    count = QUICK_SEEDS if lab.quick else SEEDS
    seeds = lab.seeds(count)
    note = f"{count} nets"
    rows = []
    for number, (rewards, _, failed) in enumerate(TABLE, start=1):
        courses = _walk_all(lab, f"row{number}", rewards, StartPlan(), seeds)
        rows.append(courses)
        ends = [trials[-1] for trials in courses]
        learnt = sum(trial.is_learnt for trial in ends)
        if failed == 0:
            share = share_of_seeds(learnt, count)
            yield Measurement(f"row{number}-learnt", *share, f"{learnt} of {note}")
            starts = mean_over_seeds([trial.starts for trial in ends])
            yield Measurement(f"row{number}-starts", *starts, note)
        else:
            failures = mean_over_seeds([trial.failed for trial in ends]).within(0.0, math.inf)
            told = f"{learnt} of {note} learnt all"
            yield Measurement(f"row{number}-failed", *failures, told)
    left = [[trials[-1].failed for trials in rows[row]] for row in (WORST_ROW, 0)]
    yield Measurement("worst-row", *difference_over_seeds(left[0], left[1]), note)
    yield _measure_distance(lab, seeds)
    lab.figures["learning"] = draw_learning(rows)


def _walk_all(
    lab: Lab, name: str, rewards: Rewards, course: StartPlan, seeds: Sequence[int]
) -> list[list[Trial]]:
    """Let a net of each seed walk, or read how they walked before a stop."""
    walk_one = partial(walk_through, rewards, course)
    kept = lab.kept(
        f"{name}.json",
        lambda: list(lab.learners.map(walk_one, seeds)),
        told=(rewards, course, seeds),
    )
    return [[Trial(*trial) for trial in trials] for trials in kept]


def _measure_distance(lab: Lab, seeds: Sequence[int]) -> Measurement:
    courses = {
        "anywhere": StartPlan(test_after=FINE_TESTS),
        "growing": StartPlan(test_after=FINE_TESTS, grows_after=GROWS_AFTER),
    }
    moves = [
        [trials[-1].moves for trials in _walk_all(lab, name, Rewards(), course, seeds)]
        for name, course in courses.items()
    ]
    # A ratio of means is the difference of their logarithms; runs of both are drawn apart.
    logs = [[math.log(one) for one in each] for each in moves]
    found = difference_over_seeds(logs[0], logs[1])
    ratio, low, high = (math.exp(one) for one in found)
    means = [math.exp(sum(each) / len(each)) for each in logs]
    note = f"{means[0]:.0f} moves against {means[1]:.0f}, geometric means of {len(seeds)} nets each"
    return Measurement("growing-distance", ratio, low, high, note)


def draw_learning(rows: Sequence[Sequence[Sequence[Trial]]]) -> Figure:
    """Draw how many squares are not learnt yet after so many starts, a line for each row."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    tests = range(TEST_AFTER, MAX_STARTS + 1, TEST_AFTER)
    for (rewards, _, _), courses in zip(TABLE, rows, strict=True):
        # A net that has learnt everything is not tested again.
        left = [
            sum(trials[min(n, len(trials) - 1)].failed for trials in courses) / len(courses)
            for n in range(len(tests))
        ]
        label = f"{rewards.success:+g} / {rewards.failure:+g} / {rewards.side:+g}"
        axes.plot(list(tests), left, marker=".", label=label)
    axes.set_xlabel("starts")
    axes.set_ylabel("squares not learnt")
    axes.legend(title="success / failure / side", fontsize="small")
    return figure


def walk_through(rewards: Rewards, course: StartPlan, seed: int) -> list[Trial]:
    """Return all tests of a net, in order."""
    return list(walk(rewards, course, seed))


EXPERIMENT = register(
    Experiment(
        "gridworld",
        "Lynch, NeuroDraughts, 1997, sections 4.3 and 4.4",
        _claims(),
        measure,
        "Nets learn the shortest way through a world of 25 squares, by rewards.",
        "A row holds if the 95 % interval over nets lies within "
        f"{STARTS_TOLERANCE} starts and {SQUARES_TOLERANCE} square of the published one net, and "
        "an order if that of the difference is above 0.",
    )
)
