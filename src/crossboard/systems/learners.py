"""The experiment `learners`: TD(lambda), TD-Leaf, RootStrap and TreeStrap from zero, side by side.

Veness, Silver, Uther and Blair 2009 rate them in chess: TreeStrap 2157, RootStrap 1362, TD-Leaf
1068, untrained 250. Here the same evaluation of draughts learns by each from zero weights.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from crossboard.arena.bootstrap import difference_over_seeds
from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import openings
from crossboard.evaluators import Network, count_mapping, joined_mapping, piece_mapping
from crossboard.learn import (
    Snapshot,
    StudySettings,
    TdLeafSettings,
    TreeStrapSettings,
    learn_by_tdleaf,
    learn_by_treestrap,
)
from crossboard.players import Player, SearchLimits, load_player
from crossboard.runs.storage import make_folder, write_whole
from crossboard.systems.claims import Claim, Measurement, Relation
from crossboard.systems.experiments import Experiment, Lab, register

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ARMS = ("td", "tdleaf", "rootstrap", "treestrap")
TITLES = {"td": "TD(λ)", "tdleaf": "TD-Leaf", "rootstrap": "RootStrap", "treestrap": "TreeStrap"}
# The published order in chess; TD(lambda) was not among them.
PUBLISHED = "ratings in chess: TreeStrap 2157, RootStrap 1362, TD-Leaf 1068"
PAIRS = {
    ("treestrap", "rootstrap"): PUBLISHED,
    ("rootstrap", "tdleaf"): PUBLISHED,
    ("treestrap", "tdleaf"): PUBLISHED,
    ("treestrap", "td"): "not published: ours",
}
EXAMINER = "material"
EXAM_SEED = 2009
# Chosen, the same for all: adaptive rates need no tuning for each arm.
RATE = 0.02
DECAY = 0.7  # lambda of both TDs


@dataclass(frozen=True, kw_only=True)
class Size:
    """How large the experiment is."""

    seeds: int
    games: int
    round_size: int
    exams: int  # during each training, at equal distances
    exam_games: int
    exam_depth: int
    depth: int

    def common(self) -> StudySettings:
        """Return what all arms have in common."""
        return StudySettings(
            games=self.games,
            round_size=self.round_size,
            depth=self.depth,
            depths=(),
            rate=RATE,
            adaptive=True,
        )


QUICK = Size(seeds=5, games=160, round_size=5, exams=4, exam_games=20, exam_depth=2, depth=2)
FULL = Size(seeds=8, games=2000, round_size=20, exams=5, exam_games=200, exam_depth=4, depth=4)


class Point(NamedTuple):
    """Where a training was when it was examined: games, nodes searched, points a game."""

    games: int
    nodes: float
    score: float


def settings_of(arm: str, size: Size) -> TdLeafSettings | TreeStrapSettings:
    """Return the settings of an arm: they differ in what is learnt, and in nothing else."""
    common = vars(size.common())
    if arm == "td":
        return TdLeafSettings(**common, method="board", decay=DECAY)
    if arm == "tdleaf":
        return TdLeafSettings(**common, method="leaf", decay=DECAY)
    # A search that follows captures asks the evaluation of quiet positions only: with the others
    # TreeStrap is far behind (docs/measurements.md).
    method = "root" if arm == "rootstrap" else "tree"
    return TreeStrapSettings(**common, method=method, quiet_only=True)


def train(arm: str, seed: int, size: Size) -> list[Point]:
    """Train one evaluation from zero, and examine it on the way."""
    network = Network.one_layer(joined_mapping(count_mapping(), piece_mapping()))
    settings = settings_of(arm, size)
    points = []
    nodes = 0.0
    with ThreadPoolExecutor(1) as executor:
        for snapshot in _learn(network, settings, seed, executor):
            nodes += snapshot.measured["nodes"] * snapshot.measured["searches"]
            if snapshot.games % (size.games // size.exams) == 0:
                learnt = network.with_weights(snapshot.arrays["weights"])
                score = examine(Player(arm, learnt), size, executor)
                points.append(Point(snapshot.games, nodes, score))
    return points


def _learn(
    network: Network, settings: TdLeafSettings | TreeStrapSettings, seed: int, executor: Executor
) -> Iterator[Snapshot]:
    if isinstance(settings, TreeStrapSettings):
        return learn_by_treestrap(network, settings, seed=seed, executor=executor)
    return learn_by_tdleaf(network, settings, seed=seed, executor=executor)


def examine(player: Player, size: Size, executor: Executor) -> float:
    """Return points a game against the fixed opponent."""
    terms = Terms(
        pairs=size.exam_games // 2,
        openings=openings("ballots", EXAM_SEED),
        limits=SearchLimits(depth=size.exam_depth),
        seed=EXAM_SEED,
    )
    return play_match(player, load_player(EXAMINER), terms, executor).score.score


def at_nodes(points: Sequence[Point], nodes: float) -> float:
    """Return the score after so many nodes, between exams on a straight line."""
    before = Point(0, 0.0, points[0].score)
    for point in points:
        if point.nodes >= nodes:
            share = (nodes - before.nodes) / (point.nodes - before.nodes)
            return before.score + share * (point.score - before.score)
        before = point
    return points[-1].score


def measure(lab: Lab) -> Iterator[Measurement]:
    """Train all arms with all seeds, and compare them at equal games and at equal nodes."""
    size = QUICK if lab.quick else FULL
    curves = train_all(lab, size)
    # Time is counted in nodes, which do not depend on the machine: as far as all trainings came.
    nodes = min(points[-1].nodes for arm in curves.values() for points in arm)
    readings: dict[str, Callable[[Sequence[Point]], float]] = {
        "games": lambda points: points[-1].score,
        "time": partial(at_nodes, nodes=nodes),
    }
    lab.figures["curves"] = draw_curves(curves)
    for what, read in readings.items():
        scores = {arm: [read(points) for points in runs] for arm, runs in curves.items()}
        for better, worse in PAIRS:
            found = difference_over_seeds(scores[better], scores[worse])
            yield Measurement(
                f"{better}-{worse}-{what}",
                found.value,
                found.low,
                found.high,
                f"{_mean(scores[better]):.3f} against {_mean(scores[worse]):.3f}; "
                f"{size.seeds} seeds, {size.exam_games} games each",
            )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def train_all(lab: Lab, size: Size) -> Mapping[str, list[list[Point]]]:
    """Return the curves of all arms; what was trained before a stop is read again."""
    place = lab.folder / "trainings"
    make_folder(place)
    waiting: list[tuple[str, Path, Future[list[Point]] | None]] = []
    for arm in ARMS:
        for seed in range(lab.seed, lab.seed + size.seeds):
            path = place / f"{arm}-{seed}.json"
            done = path.exists()
            future = None if done else lab.executor.submit(train, arm, seed, size)
            waiting.append((arm, path, future))
    curves: dict[str, list[list[Point]]] = {arm: [] for arm in ARMS}
    for number, (arm, path, future) in enumerate(waiting, start=1):
        if future is not None:
            write_whole(path, json.dumps(future.result()).encode())
        curves[arm].append([Point(*point) for point in json.loads(path.read_text())])
        lab.tell(f"{number} of {len(waiting)} trainings: {path.stem}")
    return curves


def draw_curves(curves: Mapping[str, list[list[Point]]]) -> Figure:
    """Draw each arm's mean score over the games, and its single runs thinly."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for number, (arm, runs) in enumerate(curves.items()):
        colour = f"C{number}"
        games = [point.games for point in runs[0]]
        for points in runs:
            axes.plot(games, [point.score for point in points], color=colour, alpha=0.2)
        means = [_mean([points[at].score for points in runs]) for at in range(len(games))]
        axes.plot(games, means, color=colour, marker=".", label=TITLES[arm])
    axes.axhline(0.5, color="0.6", linewidth=0.8)
    axes.set_xlabel("training games")
    axes.set_ylabel(f"points a game against {EXAMINER}")
    axes.legend()
    return figure


WORDS = {"games": "after equal games", "time": "after equal time, counted in nodes searched"}


def _claims() -> Iterator[Claim]:
    for what, words in WORDS.items():
        for (better, worse), where in PAIRS.items():
            yield Claim(
                f"{better}-{worse}-{what}",
                f"points a game by which {TITLES[better]} is ahead of {TITLES[worse]} {words}",
                0.0,
                relation=Relation.AT_LEAST,
                where=where,
            )


LEARNERS = register(
    Experiment(
        "learners",
        "Veness, Silver, Uther & Blair 2009",
        tuple(_claims()),
        measure,
        "Four ways of learning, the same evaluation of one layer (counts and pieces on squares), "
        "the same search, from zero weights, with adaptive rates that need no tuning. The rule, "
        "fixed before the run: a step of the published order holds if all of the 95 % interval, "
        "by bootstrap over seeds, of the difference of points a game against the fixed opponent "
        "is at least 0.",
    )
)
