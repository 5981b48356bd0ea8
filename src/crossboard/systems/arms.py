"""Arms of a comparison: one training from many seeds, every player measured on fixed opponents.

The training run is the unit. A run's score is the mean of its points a game against the five
opponents below, from openings that no training begins with; nothing is selected by that score. An
arm is better than another if the 95 % interval of the difference of their mean scores, by
bootstrap over runs, lies above 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from crossboard.arena.bootstrap import Interval, difference_over_seeds, mean_over_seeds
from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import openings
from crossboard.learn import Snapshot
from crossboard.players import Player, RandomPlayer, SearchLimits, load_player
from crossboard.runs.storage import make_folder, write_whole
from crossboard.systems.claims import Claim, Measurement, Relation
from crossboard.systems.experiments import Lab
from crossboard.systems.recipes import RecipeSettings, Schooling, find_recipe

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Depths of all matches, none of them with quiescence; the trained player looks OWN_DEPTH ahead.
OWN_DEPTH = 4
OPPONENTS = (("random", 1), ("material", 2), ("material", 4), ("material", 6), ("draft5", 4))
EXAM_OPENINGS, EXAM_SEED = "ballots", 2024
FOLDER = "arms"


@dataclass(frozen=True, kw_only=True)
class Arm:
    """One side of a comparison: a system and its settings."""

    name: str
    settings: RecipeSettings
    system: str = "neurodraughts"

    @property
    def has_clones(self) -> bool:
        """Whether the last clone is what the training is for, as in the paper's league."""
        return getattr(self.settings, "regime", "") in ("test", "share")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How much is trained and measured."""

    seeds: int
    pairs: int  # of games against each opponent, in each exam
    exams: int = 1  # in the course of a training, the last at its end


class Lesson(NamedTuple):
    """What one training run left: each block's averages, the exams, and the last net."""

    seed: int
    blocks: list[dict[str, float]]
    exams: list[tuple[int, dict[str, float]]]  # games, and points by opponent
    arrays: dict[str, list[Any]]  # of the player at the end

    @property
    def score(self) -> float:
        """The mean of points a game over the opponents, at the end."""
        return score_of(self.exams[-1][1])

    @property
    def clones(self) -> int:
        return int(sum(block.get("cloned", 0.0) for block in self.blocks))


def score_of(points: Mapping[str, float]) -> float:
    """Return the score that all verdicts are about."""
    return sum(points.values()) / len(points)


def train_arms(lab: Lab, arms: Sequence[Arm], plan: Plan) -> dict[str, list[Lesson]]:
    """Train every arm from every seed; what was trained before a stop is not trained again."""
    folder = lab.folder / FOLDER
    make_folder(folder)
    places = {
        (arm.name, seed): folder / f"{arm.name}-{seed}.json"
        for arm in arms
        for seed in range(plan.seeds)
    }
    named = {arm.name: arm for arm in arms}
    missing = [key for key, place in places.items() if not place.exists()]
    futures = {
        lab.learners.submit(train_one, named[name], 1000 * lab.seed + seed, plan): (name, seed)
        for name, seed in missing
    }
    for done, future in enumerate(as_completed(futures), start=1):
        name, seed = futures[future]
        write_whole(places[name, seed], json.dumps(future.result()._asdict()).encode())
        lab.tell(f"{name}, seed {seed}: trained ({done} of {len(missing)})")
    return {arm.name: [_read(places[arm.name, seed]) for seed in range(plan.seeds)] for arm in arms}


def _read(place: Path) -> Lesson:
    return Lesson(**json.loads(place.read_text("utf-8")))


def train_one(arm: Arm, seed: int, plan: Plan) -> Lesson:
    """Train one player and measure it on the way and at the end."""
    recipe = find_recipe(arm.system)
    games = arm.settings.games
    due = [round(games * n / plan.exams) for n in range(1, plan.exams + 1)]
    blocks: list[dict[str, float]] = []
    exams: list[tuple[int, dict[str, float]]] = []
    with ThreadPoolExecutor(1) as executor:
        for snapshot in recipe.learn(arm.settings, Schooling(seed, executor)):
            shown = last_clone(snapshot) if arm.has_clones else snapshot
            blocks.append({"games": snapshot.games, **snapshot.measured})
            while due and snapshot.games >= due[0]:
                player = recipe.player(arm.settings, shown, arm.name)
                exams.append((due.pop(0), examine(player, plan.pairs)))
    return Lesson(seed, blocks, exams, {key: a.tolist() for key, a in shown.arrays.items()})


def last_clone(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot whose student is the copy that the student was cloned to last."""
    arrays = {
        f"student.{key.removeprefix('opponent.')}": array
        for key, array in snapshot.arrays.items()
        if key.startswith("opponent.")
    }
    return replace(snapshot, arrays=arrays)


class AtDepth(Player):
    """A player that looks a fixed number of plies ahead, whatever the match says."""

    def __init__(self, player: Player, depth: int) -> None:
        super().__init__(
            player.name,
            player.evaluator,
            phases=player.phases,
            search=replace(player.settings, quiescence=False),
            limits=SearchLimits(depth=depth),
        )

    def chooser(self, limits: SearchLimits | None = None) -> Any:
        """Make what plays for it in games of the core."""
        return super().chooser(self.limits)


def examine(player: Player, pairs: int) -> dict[str, float]:
    """Return a player's points a game against each of the fixed opponents."""
    return {
        f"{name} {depth}": meet(AtDepth(player, OWN_DEPTH), opponent(name, depth), pairs)
        for name, depth in OPPONENTS
    }


def opponent(name: str, depth: int) -> Player:
    """Return one of the fixed opponents."""
    player = load_player(name)
    return player if isinstance(player, RandomPlayer) else AtDepth(player, depth)


def meet(one: Player, other: Player, pairs: int, *, seed: int = EXAM_SEED) -> float:
    """Return the first player's points a game."""
    terms = Terms(
        pairs=pairs,
        openings=openings(EXAM_OPENINGS, seed),
        limits=SearchLimits(depth=OWN_DEPTH),
        seed=seed,
    )
    with ThreadPoolExecutor(1) as executor:
        return play_match(one, other, terms, executor).score.score


def better(name: str, what: str, where: str) -> Claim:
    """Claim that one arm is at least as good as another, by what the paper says."""
    return Claim(name, what, 0.0, relation=Relation.AT_LEAST, unit="points a game", where=where)


def compare(
    claim: str, lessons: Mapping[str, Sequence[Lesson]], one: str, other: str, plan: Plan
) -> Measurement:
    """Measure by how much one arm is better than another."""
    ones, others = ([lesson.score for lesson in lessons[name]] for name in (one, other))
    found = difference_over_seeds(ones, others)
    means = f"{one} {sum(ones) / len(ones):.3f}, {other} {sum(others) / len(others):.3f}"
    games = 2 * plan.pairs * len(OPPONENTS)
    note = f"{means}; {plan.seeds} runs an arm, {games} games a run, depth {OWN_DEPTH}"
    return Measurement(claim, *found, note)


def draw_curves(lessons: Mapping[str, Sequence[Lesson]]) -> Figure:
    """Draw each arm's points against each fixed opponent over the games, with intervals."""
    from matplotlib.figure import Figure

    labels = [*(f"{name} {depth}" for name, depth in OPPONENTS), "mean"]
    figure = Figure(figsize=(9, 5.5), layout="constrained")
    grid = figure.subplots(-(-len(labels) // 3), 3, sharex=True, sharey=True, squeeze=False)
    for axes, label in zip(grid.flat, labels, strict=False):
        for number, (arm, runs) in enumerate(lessons.items()):
            _draw_curve(axes, arm, list(_curve(runs, label)), f"C{number}")
        axes.set_title(label, fontsize="medium")
        axes.axhline(0.5, color="0.7", linewidth=0.8)
        axes.set_ylim(0, 1)
        axes.set_xlim(left=0)
    grid[0][0].legend(fontsize="small")
    figure.supxlabel("training games")
    figure.supylabel("points a game")
    return figure


def _curve(runs: Sequence[Lesson], label: str) -> Iterator[tuple[int, Interval]]:
    for exam in zip(*(lesson.exams for lesson in runs), strict=True):
        points = [score_of(each) if label == "mean" else each[label] for _, each in exam]
        yield exam[0][0], mean_over_seeds(points)


def _draw_curve(axes: Axes, arm: str, points: Sequence[tuple[int, Interval]], colour: str) -> None:
    games = [at for at, _ in points]
    values = [found.value for _, found in points]
    reach = [
        [found.value - found.low for _, found in points],
        [found.high - found.value for _, found in points],
    ]
    axes.errorbar(
        games, values, yerr=reach, marker=".", capsize=3, color=colour, label=arm, linewidth=1
    )


def draw_blocks(lessons: Mapping[str, Sequence[Lesson]]) -> Figure:
    """Draw one run of each arm as the paper's figures 7 to 9: pieces, moves, clonings dashed."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 0.6 + 1.9 * len(lessons)), layout="constrained")
    rows = figure.subplots(len(lessons), squeeze=False, sharex=True)[:, 0]
    for axes, (arm, runs) in zip(rows, lessons.items(), strict=True):
        blocks = runs[0].blocks
        games = [block["games"] for block in blocks]
        for name, colour in (("moves", "tab:blue"), ("pieces", "tab:pink")):
            values = [block.get(name, 0.0) for block in blocks]
            axes.plot(games, values, color=colour, linewidth=1, label=name)
        for block in blocks:
            if block.get("cloned"):
                axes.axvline(block["games"], color="0.6", linestyle="--", linewidth=0.6)
        axes.set_title(f"{arm}, first seed", fontsize="medium")
    rows[0].legend(fontsize="small")
    rows[-1].set_xlabel("training games")
    return figure
