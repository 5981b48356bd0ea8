"""Arms of a comparison: one training from many seeds, every player measured on fixed opponents.

The training run is the unit. A run's score is the mean of its points a game against the five
opponents below, from the openings that are kept for reports; nothing is selected by that score. An
arm is better than another if the 95 % interval of the difference of their mean scores, by
bootstrap over runs, lies above 0: `RULE` says so in every report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from crossboard.arena.bootstrap import Interval, difference_over_seeds, score_over_seeds
from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import REPORT, openings
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.experiment import Lab
from crossboard.farm.executors import Farm
from crossboard.learn import Snapshot
from crossboard.learn.phases import name_arrays, nets_of
from crossboard.players import Player, RandomPlayer, SearchLimits, load_player
from crossboard.systems.blocks import draw_blocks
from crossboard.systems.cohort import part, train_side_by_side, unfinished
from crossboard.systems.exams import Exams, as_metrics
from crossboard.systems.recipes import DEFAULT_SYSTEM, Recipe, RecipeSettings, find_recipe
from crossboard.systems.trained import Trained
from crossboard.systems.training import Training, as_it_is

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Depths of all matches, none of them with quiescence; the trained player looks OWN_DEPTH ahead.
OWN_DEPTH = 4
OPPONENTS = (("random", 1), ("material", 2), ("material", 4), ("material", 6), ("draft5", 4))
# Runs of one seed begin their games alike, those of others elsewhere: what an arm owes to openings
# that suit it is then seen by the intervals.
EXAM_OPENINGS, EXAM_SEED = REPORT, 2024
# So shallow searches fill no more, and the memory of larger tables costs more than the games.
TABLE_MB = 1
FOLDER = "arms"
# Raised when the same settings and seed begin to give other weights: what was trained before that
# is no part of what is trained after it.
EDITION = 2
MEAN = "mean of all"
AXES = {"games": "training games", "seconds": "seconds of learning, by the processor's clock"}
RULE = (
    "A run's score is the mean of its points a game against "
    f"{', '.join(f'{name} at depth {depth}' for name, depth in OPPONENTS[1:])} and a random "
    f"player, itself at depth {OWN_DEPTH}, nobody with quiescence, from the openings {REPORT}, "
    "which are kept for reports and drawn anew for every seed; games of training begin elsewhere, "
    "but may pass through them. "
    "Nothing is selected by the score. One arm is better than another if all of the "
    "95 % interval of the difference of mean scores, by bootstrap over runs, is above 0."
)

CLONING_RULE = (
    f"{RULE} Of a training with cloning the last clone is measured; if nothing was cloned, that is "
    "the untrained net."
)


Key = TypeVar("Key")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How much is trained and measured."""

    seeds: int
    pairs: int  # of games against each opponent, in each exam
    games: int = 1000  # of a training, as in NeuroDraughts' own
    exams: int = 1  # in the course of a training, the last at its end; one more is before it


QUICK = Plan(seeds=5, games=400, pairs=6, exams=2)
FULL = Plan(seeds=20, pairs=15, exams=4)


@dataclass(frozen=True, kw_only=True)
class Arm:
    """One side of a comparison: a system and its settings."""

    name: str
    settings: RecipeSettings
    recipe: Recipe = field(default_factory=lambda: find_recipe(DEFAULT_SYSTEM))
    source: str = ""  # a digest of the games it learns from, if any are given

    @property
    def has_clones(self) -> bool:
        """Whether the last clone is what the training is for, as in the paper's league."""
        return getattr(self.settings, "regime", "") in ("test", "share")

    def training(self, folder: Path, seed: int, plan: Plan) -> Training:
        """Return the training of one seed, measured before, on the way and at the end."""
        return part(
            folder,
            self.recipe,
            self.settings,
            seed,
            edition=EDITION,
            told={"source": self.source},
            exams=fixed_exams(self.settings.games, seed, plan),
            show=last_clone if self.has_clones else as_it_is,
            times_learning=True,
        )


def fixed_exams(games: int, seed: int, plan: Plan) -> Exams:
    """Return the exams of an arm's training: against all fixed opponents, at equal distances."""
    due = tuple(round(games * n / plan.exams) for n in range(plan.exams + 1))
    terms = {
        "due": due,
        "pairs": plan.pairs,
        "opponents": OPPONENTS,
        "depth": OWN_DEPTH,
        "openings": EXAM_OPENINGS,
        "seed": EXAM_SEED + seed,
    }
    return Exams(due, partial(_hold_exam, pairs=plan.pairs, seed=seed), terms)


def _hold_exam(player: Player, farm: Farm, *, pairs: int, seed: int) -> dict[str, float]:
    return as_metrics(examine(player, pairs, seed))


def train_arms(lab: Lab, arms: Sequence[Arm], plan: Plan) -> dict[str, list[Trained]]:
    """Train every arm from every seed, each in a run of its own below the experiment's."""
    made = {arm.name: partial(arm.training, plan=plan) for arm in arms}
    return _train_from_seeds(lab, made, plan.seeds)


def train_seeds(
    lab: Lab, recipe: Recipe, arms: Mapping[str, RecipeSettings], runs: int, *, edition: int
) -> dict[str, list[Trained]]:
    """Train settings of a system from so many seeds, without exams; otherwise as train_arms.

    `edition` is that of cohort.part.
    """
    made = {
        name: partial(part, recipe=recipe, settings=settings, edition=edition)
        for name, settings in arms.items()
    }
    return _train_from_seeds(lab, made, runs)


def _train_from_seeds(
    lab: Lab, made: Mapping[str, Callable[..., Training]], runs: int
) -> dict[str, list[Trained]]:
    """Train what each arm makes of a folder and a seed."""
    seeds = lab.seeds(runs)
    parts = {
        (name, number): make(lab.folder / FOLDER / f"{name}-{number}", seed=seed)
        for name, make in made.items()
        for number, seed in enumerate(seeds)
    }
    trained = train_parts(lab, parts)
    return {name: [trained[name, number] for number in range(len(seeds))] for name in made}


def train_parts(lab: Lab, parts: Mapping[Key, Training]) -> dict[Key, Trained]:
    """Train the parts of an experiment side by side, and return what each has left.

    Trainings that were stopped are resumed, and finished ones are only read.
    """
    missing = unfinished(parts, lab.tell)
    ended = train_side_by_side(missing, lab.learners, lab.tell)
    for done, key in enumerate(ended, start=1):
        lab.tell(f"{missing[key].folder.name}: trained ({done} of {len(missing)})")
    return {key: Trained.read_part(training.folder) for key, training in parts.items()}


def last_clone(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot whose student is the copy that the student was cloned to last."""
    clone = nets_of(snapshot.arrays, "opponent")
    return replace(snapshot, arrays=name_arrays("student", clone))


def at_depth(player: Player, depth: int) -> Player:
    """Return the player with a depth as its own limit, a small table and no quiescence."""
    settings = replace(player.settings, quiescence=False, table_mb=TABLE_MB)
    return player.with_settings(settings, SearchLimits(depth=depth))


def examine(player: Player, pairs: int, seed: int) -> dict[str, float]:
    """Return the points a game against each of the fixed opponents of a player of a seed's run."""
    own = at_depth(player, OWN_DEPTH)
    return {
        f"{name} {depth}": meet(own, opponent(name, depth), pairs, seed=EXAM_SEED + seed)
        for name, depth in OPPONENTS
    }


def opponent(name: str, depth: int) -> Player:
    """Return one of the fixed opponents."""
    player = load_player(name)
    return player if isinstance(player, RandomPlayer) else at_depth(player, depth)


def meet(one: Player, other: Player, pairs: int, *, seed: int) -> float:
    """Return the first player's points a game; both play to their own limits."""
    terms = Terms(pairs=pairs, openings=openings(EXAM_OPENINGS, seed), seed=seed)
    with ThreadPoolExecutor(1) as executor:
        return play_match(one, other, terms, executor).score.score


def better(name: str, what: str, where: str) -> Claim:
    """Claim that one arm is at least as good as another, by what the paper says."""
    return Claim(name, what, 0.0, relation=Relation.AT_LEAST, unit="points a game", where=where)


def final_score(trained: Trained) -> float:
    """Return the score at the end."""
    return trained.score


class Comparison(NamedTuple):
    """Arms that were trained, to be compared."""

    trainings: Mapping[str, Sequence[Trained]]
    plan: Plan
    cloning: frozenset[str] = frozenset()  # the arms of which the last clone is measured

    def lead(
        self, claim: str, one: str, other: str, read: Callable[[Trained], float] = final_score
    ) -> Measurement:
        """Measure by how much one arm is better than another."""
        ones, others = (
            [read(trained) for trained in self.trainings[name]] for name in (one, other)
        )
        found = difference_over_seeds(ones, others)
        means = f"{one} {sum(ones) / len(ones):.3f}, {other} {sum(others) / len(others):.3f}"
        games = 2 * self.plan.pairs * len(OPPONENTS)
        note = f"{means}; {self.plan.seeds} runs an arm, {games} games a run, depth {OWN_DEPTH}"
        cloned = {name: self.trainings[name] for name in (one, other) if name in self.cloning}
        clonings = f"; {format_clonings(cloned)}" if cloned else ""
        return Measurement(claim, *found, f"{note}{clonings}")


def format_clonings(trainings: Mapping[str, Sequence[Trained]]) -> str:
    """Say how often the runs of some arms were cloned, in the mean, and how many never were."""
    told = []
    for name, runs in trainings.items():
        counts = [trained.clones for trained in runs]
        none = f", none in {counts.count(0)} of {len(counts)}" if 0 in counts else ""
        told.append(f"{name} {sum(counts) / len(counts):.1f}{none}")
    return f"clonings a run: {'; '.join(told)}"


def compare_arms(
    lab: Lab,
    make: Callable[[int], Sequence[Arm]],
    *,
    quick: Plan | None = None,
    full: Plan | None = None,
) -> Comparison:
    """Train arms that learn from so many games, draw their curves, and return what is known."""
    plan = (quick or QUICK) if lab.quick else (full or FULL)
    arms = make(plan.games)
    trainings = train_arms(lab, arms, plan)
    lab.figures["curves"] = draw_curves(trainings)
    if any("pieces" in block for runs in trainings.values() for block in runs[0].blocks):
        lab.figures["blocks"] = draw_first_runs(trainings)
    return Comparison(trainings, plan, frozenset(arm.name for arm in arms if arm.has_clones))


def draw_curves(
    trainings: Mapping[str, Sequence[Trained]], over: Literal["games", "seconds"] = "games"
) -> Figure:
    """Draw each arm's points against each fixed opponent over games or time, with intervals."""
    from matplotlib.figure import Figure

    titles = {f"{name} {depth}": f"{name}, depth {depth}" for name, depth in OPPONENTS}
    titles |= {"random 1": "random", MEAN: MEAN}  # chance does not look ahead
    figure = Figure(figsize=(9, 5.5), layout="constrained")
    grid = figure.subplots(-(-len(titles) // 3), 3, sharex=True, sharey=True, squeeze=False)
    for axes, (label, title) in zip(grid.flat, titles.items(), strict=False):
        for number, (arm, runs) in enumerate(trainings.items()):
            _draw_curve(axes, arm, list(_curve(runs, label, over)), f"C{number}")
        axes.set_title(title, fontsize="medium")
        axes.axhline(0.5, color="0.7", linewidth=0.8)
        axes.set_ylim(0, 1)
        axes.set_xlim(left=0)
    figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    figure.supxlabel(AXES[over])
    figure.supylabel("points a game, with 95 % intervals over runs")
    return figure


def _curve(runs: Sequence[Trained], label: str, over: str) -> Iterator[tuple[float, Interval]]:
    for exams in zip(*(trained.exams for trained in runs), strict=True):
        points = [exam.score if label == MEAN else exam.points[label] for exam in exams]
        at = sum(getattr(exam, over) for exam in exams) / len(exams)
        yield at, score_over_seeds(points)


def _draw_curve(
    axes: Axes, arm: str, points: Sequence[tuple[float, Interval]], colour: str
) -> None:
    places = [at for at, _ in points]
    values = [found.value for _, found in points]
    reach = [
        [found.value - found.low for _, found in points],
        [found.high - found.value for _, found in points],
    ]
    axes.errorbar(
        places, values, yerr=reach, marker=".", capsize=3, color=colour, label=arm, linewidth=1
    )


def draw_first_runs(trainings: Mapping[str, Sequence[Trained]]) -> Figure:
    """Draw the blocks of one run of each arm."""
    return draw_blocks({f"{arm}, first run": runs[0].blocks for arm, runs in trainings.items()})


def draw_scores(scores: Mapping[str, Sequence[float]], label: str) -> Figure:
    """Draw the runs of each arm as dots, and their mean with its interval."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 0.8 + 0.4 * len(scores)), layout="constrained")
    axes = figure.subplots()
    for row, each in enumerate(scores.values()):
        mean = score_over_seeds(each)
        reach = [[mean.value - mean.low], [mean.high - mean.value]]
        axes.plot(each, [row] * len(each), ".", color="0.7")
        axes.errorbar([mean.value], [row], xerr=reach, fmt="o", capsize=4, color="tab:blue")
    axes.axvline(0.5, color="0.6", linewidth=0.8)
    axes.set_yticks(range(len(scores)), list(scores))
    axes.invert_yaxis()
    axes.set_xlabel(label)
    return figure
