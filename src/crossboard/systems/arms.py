"""Arms of a comparison: one training from many seeds, every player measured on fixed opponents.

The training run is the unit. A run's score is the mean of its points a game against the five
opponents below, from the openings that are kept for reports; nothing is selected by that score. An
arm is better than another if the 95 % interval of the difference of their mean scores, by
bootstrap over runs, lies above 0: `RULE` says so in every report.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from crossboard.arena.bootstrap import Interval, difference_over_seeds, score_over_seeds
from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import REPORT, openings
from crossboard.evaluators import Network
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.phases import ANY, name_arrays, nets_of
from crossboard.players import Player, RandomPlayer, SearchLimits, load_player
from crossboard.storage import make_folder, write_whole
from crossboard.systems.blocks import draw_blocks
from crossboard.systems.claims import Claim, Measurement, Relation
from crossboard.systems.drafts import Draft, Keeper, as_they_end, is_kept
from crossboard.systems.experiments import Lab
from crossboard.systems.net_settings import NetSettings
from crossboard.systems.neurodraughts import networks_of
from crossboard.systems.origins import origin_of
from crossboard.systems.recipes import DEFAULT_SYSTEM, Recipe, find_recipe

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


class ArmSettings(Protocol):
    """What a training is told, and the network that it begins with."""

    @property
    def games(self) -> int: ...

    def initial(self, seed: int) -> Network: ...


@dataclass(frozen=True, kw_only=True)
class Arm:
    """One side of a comparison: a system and its settings."""

    name: str
    settings: ArmSettings
    recipe: Recipe = field(default_factory=lambda: find_recipe(DEFAULT_SYSTEM))
    source: str = ""  # a digest of the games it learns from, if any are given

    @property
    def has_clones(self) -> bool:
        """Whether the last clone is what the training is for, as in the paper's league."""
        return getattr(self.settings, "regime", "") in ("test", "share")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How much is trained and measured."""

    seeds: int
    pairs: int  # of games against each opponent, in each exam
    games: int = 1000  # of a training, as in NeuroDraughts' own
    exams: int = 1  # in the course of a training, the last at its end; one more is before it


QUICK = Plan(seeds=5, games=400, pairs=6, exams=2)
FULL = Plan(seeds=20, pairs=15, exams=4)


class Exam(NamedTuple):
    """A player measured: after so many games and so much of the processor's time."""

    games: int
    seconds: float  # of learning, without exams
    points: dict[str, float]  # a game, by opponent

    @property
    def score(self) -> float:
        """The mean over the opponents, which all verdicts are about."""
        return sum(self.points.values()) / len(self.points)


class Trained(NamedTuple):
    """What one training run left: each block's averages, the exams, and the last net."""

    seed: int
    blocks: list[dict[str, float]]
    exams: list[Exam]  # the first is of the untrained player
    arrays: dict[str, list[Any]]  # of the player at the end

    @property
    def score(self) -> float:
        """The score at the end."""
        return self.exams[-1].score

    @property
    def clones(self) -> int:
        return int(sum(block.get("cloned", 0.0) for block in self.blocks))

    def score_after(self, seconds: float) -> float:
        """Return the score after so much time, between two exams on a straight line."""
        import numpy as np

        times = [exam.seconds for exam in self.exams]
        return float(np.interp(seconds, times, [exam.score for exam in self.exams]))

    def network(self, settings: NetSettings) -> Network:
        """Make the last net again."""
        import numpy as np

        arrays = {name: np.array(array) for name, array in self.arrays.items()}
        return networks_of(settings, Snapshot(0, arrays), "student")[ANY]


def train_arms(lab: Lab, arms: Sequence[Arm], plan: Plan) -> dict[str, list[Trained]]:
    """Train every arm from every seed; what was trained before a stop is not trained again.

    What another version trained, or by other settings, is.
    """
    make_folder(lab.folder / FOLDER)
    runs = {
        (arm.name, number): _Training(lab, arm, number, plan)
        for arm in arms
        for number in range(plan.seeds)
    }
    missing = {key: run for key, run in runs.items() if not run.is_kept()}
    begun = {
        key: (run.draft, lab.learners.submit(train_one, run.arm, run.seed, plan, run.draft))
        for key, run in missing.items()
    }
    for done, (key, trained) in enumerate(as_they_end(lab, begun), start=1):
        run = runs[key]
        run.keep(trained)
        lab.tell(f"{run.arm.name}, seed {run.number}: trained ({done} of {len(missing)})")
    return {
        arm.name: [runs[arm.name, number].read() for number in range(plan.seeds)] for arm in arms
    }


class _Training(NamedTuple):
    """One training run of an experiment, kept in a file that says how it came about."""

    lab: Lab
    arm: Arm
    number: int
    plan: Plan

    @property
    def seed(self) -> int:
        return self.lab.seeds(self.plan.seeds)[self.number]

    @property
    def place(self) -> Path:
        return self.lab.folder / FOLDER / f"{self.arm.name}-{self.number}.json"

    @property
    def origin(self) -> dict[str, str]:
        arm, exams = self.arm, (OPPONENTS, OWN_DEPTH, EXAM_OPENINGS, EXAM_SEED + self.seed)
        told = (arm.recipe.name, arm.settings, arm.source, self.plan, self.seed, exams)
        return origin_of(EDITION, *told)

    @property
    def draft(self) -> Draft:
        return Draft.beside(self.place, self.origin)

    def is_kept(self) -> bool:
        return is_kept(self.lab, self.place, self.origin)

    def keep(self, trained: Trained) -> None:
        kept = {"origin": self.origin, **trained._asdict()}
        write_whole(self.place, json.dumps(kept).encode())
        self.draft.remove()

    def read(self) -> Trained:
        kept = json.loads(self.place.read_text("utf-8"))
        return _trained_from(*(kept[name] for name in Trained._fields))


def train_one(arm: Arm, seed: int, plan: Plan, draft: Draft | None = None) -> Trained:
    """Train one player and measure it before, on the way and at the end.

    With a draft it goes on from where that stands, if it stands anywhere.
    """
    recipe, games, keeper = arm.recipe, arm.settings.games, Keeper(draft)
    trained, seconds, start = _begin(arm, seed, plan, draft)
    blocks, exams = trained.blocks, trained.exams
    due = [round(games * n / plan.exams) for n in range(1, plan.exams + 1)][len(exams) - 1 :]
    snapshot, began = start, time.process_time()
    with ThreadPoolExecutor(1) as executor:
        for snapshot in recipe.learn(arm.settings, Schooling(seed, executor, start=start)):
            seconds += time.process_time() - began
            blocks.append(block_of(snapshot))
            while due and snapshot.games >= due[0]:
                player = recipe.player(arm.settings, _shown(arm, snapshot), arm.name)
                exams.append(Exam(due.pop(0), seconds, examine(player, plan.pairs, seed)))
            keeper.note(snapshot, trained=trained, seconds=seconds)
            began = time.process_time()
    assert snapshot is not None  # one game at least was played, now or before
    arrays = {key: array.tolist() for key, array in _shown(arm, snapshot).arrays.items()}
    return trained._replace(arrays=arrays)


def _begin(
    arm: Arm, seed: int, plan: Plan, draft: Draft | None
) -> tuple[Trained, float, Snapshot | None]:
    """Return what a training has left so far, its seconds of learning, and where it goes on."""
    drafted = None if draft is None else draft.read()
    if drafted is not None:
        return _trained_from(*drafted.told["trained"]), drafted.told["seconds"], drafted.snapshot
    untrained = Player(arm.name, arm.settings.initial(seed))
    return Trained(seed, [], [Exam(0, 0.0, examine(untrained, plan.pairs, seed))], {}), 0.0, None


def _trained_from(*told: Any) -> Trained:
    """Make what a training left again of what JSON gives back."""
    trained = Trained(*told)
    return trained._replace(exams=[Exam(*exam) for exam in trained.exams])


def _shown(arm: Arm, snapshot: Snapshot) -> Snapshot:
    """Return whose student is measured."""
    return last_clone(snapshot) if arm.has_clones else snapshot


def block_of(snapshot: Snapshot) -> dict[str, float]:
    """Return what was measured of the block that a snapshot ends."""
    return {"games": snapshot.games, **snapshot.measured}


def last_clone(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot whose student is the copy that the student was cloned to last."""
    clone = nets_of(snapshot.arrays, "opponent")
    return replace(snapshot, arrays=name_arrays("student", clone))


def at_depth(player: Player, depth: int) -> Player:
    """Return the player with a depth as its own limit, a small table and no quiescence."""
    return Player(
        player.name,
        player.evaluator,
        phases=player.phases,
        search=replace(player.settings, quiescence=False, table_mb=TABLE_MB),
        limits=SearchLimits(depth=depth),
    )


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
