"""The experiment `dvision-training`: equal times at equal depth, alone and by sharing searches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from crossboard.arena.bootstrap import ratio_of_sums, score_over_seeds
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.comparison import (
    EDITION,
    FOLDER,
    draw_curves,
    draw_first_runs,
    examine,
    format_clonings,
    last_clone,
)
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.experiments.search_times import VERSION_1, VERSION_2
from crossboard.experiments.vision_match import (
    EXAM_PAIRS,
    MATCH_OPENINGS,
    PLAYER_RULE,
    VISIONDRAUGHTS_DEPTH,
    Sizes,
    meet,
    player_of,
)
from crossboard.farm.executors import count_cores
from crossboard.players import Player
from crossboard.systems.cohort import (
    find_fault,
    part,
    set_aside,
    tell_fault,
    train_side_by_side,
    unfinished,
)
from crossboard.systems.exams import Grade
from crossboard.systems.neurodraughts import NeuroDraughtsSettings
from crossboard.systems.recipes import find_recipe
from crossboard.systems.trained import Trained
from crossboard.systems.training import Training
from crossboard.systems.visiondraughts import (
    DISTRIBUTED_GAMES,
    DISTRIBUTED_LOOK_AHEAD,
    SERIAL_GAMES,
)
from crossboard.systems.visiondraughts import VERSION_1 as TRAINED_BY_1
from crossboard.systems.visiondraughts import VERSION_2 as TRAINED_BY_2

# That sharing pays can be asked of any machine, 2.93 times as many games only of one like theirs.
GAMES_RATIO, PROCESSORS = DISTRIBUTED_GAMES / SERIAL_GAMES, 10
# Chosen: at depth 12 ten games before each test would leave few tests, and a sitting lasts to the
# end of the block in which its time is up.
SITTING_TEST_AFTER = 2
# Of 40 games 16 were won, 10 lost and 14 drawn; the tolerance is the 95 % interval of so few.
DISTRIBUTED_SCORE, DISTRIBUTED_TOLERANCE = 0.575, 0.12
SIZES, QUICK_SIZES = Sizes(1200.0, DISTRIBUTED_LOOK_AHEAD, 5, 40), Sizes(3.0, 6, 5, 10)

ALONE, SHARED = "alone", "shared"
SIDE_BY_SIDE = "side_by_side"  # in a training's origin: beside others its games take longer
# Both versions of the search: how it trains, and how it plays the match.
TRAINED_BY = {1: TRAINED_BY_1, 2: TRAINED_BY_2}
SEARCHES = {1: VERSION_1, 2: VERSION_2}

TRAINING_CLAIMS = tuple(
    claim
    for version in SEARCHES
    for claim in (
        Claim(
            f"games-v{version}",
            f"version {version}: training games in equal time by sharing, against one processor",
            1.0,
            relation=Relation.AT_LEAST,
            unit="times",
            where="4, second test: more games",
        ),
        Claim(
            f"ratio-v{version}",
            f"version {version}: the same, beside the paper's {PROCESSORS} processors",
            round(GAMES_RATIO, 2),
            relation=Relation.BESIDE,
            unit="times",
            where=f"4, second test: {DISTRIBUTED_GAMES} games against {SERIAL_GAMES}",
        ),
        Claim(
            f"score-v{version}",
            f"version {version}: points a game of who shared against who did not",
            DISTRIBUTED_SCORE,
            DISTRIBUTED_TOLERANCE,
            where="table 3",
        ),
    )
)


class School(NamedTuple):
    """How both versions learn, alone and shared, in one size of the experiment."""

    size: Sizes
    cores: int  # who shares has all of them, who learns alone one
    side_by_side: int  # how many learn alone at a time

    @classmethod
    def of(cls, lab: Lab) -> School:
        """Ask a lab for its size, and for the processors of those who learn, wherever they are."""
        cores = lab.learners.submit(count_cores).result()
        side_by_side = min(cores, lab.workers, len(SEARCHES))
        return cls(QUICK_SIZES if lab.quick else SIZES, cores, side_by_side)

    def settings(self, version: int, threads: int = 1) -> NeuroDraughtsSettings:
        """Return what a training is told."""
        told = {
            "look_ahead": self.size.depth,
            "games": 10**6,  # time ends it
            "test_after": SITTING_TEST_AFTER,
            "exam_every": 0,
            "threads": threads,
        }
        return TRAINED_BY[version].model_copy(update=told)

    def trainings(self, lab: Lab, arm: tuple[int, str]) -> list[Training]:
        """List the trainings of an arm, one for each seed."""
        version, name = arm
        threads, at_a_time = (self.cores, 1) if name == SHARED else (1, self.side_by_side)
        settings = self.settings(version, threads)
        folder, seconds = lab.folder / FOLDER, self.size.length
        return [
            timed_training(
                folder / f"v{version}-{name}-{number}", settings, seed, seconds, at_a_time
            )
            for number, seed in enumerate(lab.seeds(self.size.seeds))
        ]


def timed_training(
    folder: Path, settings: NeuroDraughtsSettings, seed: int, seconds: float, at_a_time: int
) -> Training:
    """Return a training that lasts so many seconds, one of so many that run at a time."""
    return part(
        folder,
        find_recipe("visiondraughts"),
        settings,
        seed,
        edition=EDITION,
        told={SIDE_BY_SIDE: at_a_time},
        seconds=seconds,
        show=last_clone,
    )


def measure_training(lab: Lab) -> Iterator[Measurement]:
    """Train for equal times at equal depth, alone and sharing every search, and let them meet."""
    school = School.of(lab)
    arms = [(version, name) for name in (ALONE, SHARED) for version in SEARCHES]
    planned = {arm: school.trainings(lab, arm) for arm in arms}
    # Seed by seed, so that players that meet have learnt one soon after the other: an experiment
    # that was stopped may be resumed elsewhere, where games take another time.
    for of_a_seed in zip(*planned.values(), strict=True):
        train_seed(lab, of_a_seed)
    trained = {
        arm: [Trained.read_part(one.folder) for one in some] for arm, some in planned.items()
    }
    trainings: dict[str, list[Trained]] = {}
    for version in SEARCHES:
        both = {name: trained[version, name] for name in (ALONE, SHARED)}
        alone = school.settings(version)
        examined = {name: _examine(lab, alone, some) for name, some in both.items()}
        trainings |= {f"version {version}, {name}": some for name, some in examined.items()}
        yield from _games_ratio(version, both, school)
        yield _match_score(lab, version, both, school, _told_of(examined))
    lab.figures["exams"] = draw_curves(trainings)
    lab.figures["blocks"] = draw_first_runs(trainings)


def _match_score(
    lab: Lab, version: int, trained: Mapping[str, Sequence[Trained]], school: School, told: str
) -> Measurement:
    """Let the two players of each seed meet."""
    _, depth, seeds, pairs = school.size
    depth = _match_depth(depth)
    search = SEARCHES[version]
    scores = [
        meet(
            lab,
            player_of(SHARED, one, search, depth),
            player_of(ALONE, other, search, depth),
            pairs,
            one.seed,
        ).score.score
        for one, other in zip(trained[SHARED], trained[ALONE], strict=True)
    ]
    games = f"{2 * pairs} games each from {MATCH_OPENINGS}"
    note = f"{seeds} runs an arm of {_times(trained)}, {games}, depth {depth}; {told}"
    return Measurement(f"score-v{version}", *score_over_seeds(scores), note)


def _match_depth(depth: int) -> int:
    """Return how deep players are searched in their match who were trained at a depth."""
    return min(depth, VISIONDRAUGHTS_DEPTH)


def _examine(
    lab: Lab, settings: NeuroDraughtsSettings, trained: Sequence[Trained]
) -> list[Trained]:
    """Return the trainings with two exams each, before and after, against fixed opponents."""
    exams = lab.learners.map(partial(_exams_of, settings), trained)
    return [replace(one, exams=both) for one, both in zip(trained, exams, strict=True)]


def _exams_of(settings: NeuroDraughtsSettings, trained: Trained) -> list[Grade]:
    before = Player("untrained", settings.initial(trained.seed))
    after = Player("trained", trained.network)
    return [
        Grade(0, 0.0, examine(before, EXAM_PAIRS, trained.seed)),
        Grade(trained.games, trained.learning_seconds, examine(after, EXAM_PAIRS, trained.seed)),
    ]


def _told_of(trainings: Mapping[str, Sequence[Trained]]) -> str:
    """Say how the players of all runs did in their exams, and how often they were cloned."""
    means = {name: sum(one.score for one in some) / len(some) for name, some in trainings.items()}
    scores = ", ".join(f"{name} {mean:.3f}" for name, mean in means.items())
    return f"points a game against the fixed opponents: {scores}; {format_clonings(trainings)}"


def _games_ratio(
    version: int, trained: Mapping[str, Sequence[Trained]], school: School
) -> Iterator[Measurement]:
    """Compare how many games were played in the same time."""
    rates = {
        name: [3600 * one.games / one.learning_seconds for one in some]
        for name, some in trained.items()
    }
    found = ratio_of_sums(rates[SHARED], rates[ALONE])
    means = ", ".join(f"{name} {sum(r) / len(r):.0f}" for name, r in rates.items())
    cores, size = school.cores, school.size
    note = (
        f"games an hour: {means}; {found.value / cores:.2f} times for each of {cores} processors, "
        f"published {GAMES_RATIO / PROCESSORS:.2f} for each of {PROCESSORS}; depth {size.depth}, "
        f"{size.seeds} runs of {_times(trained)}, {school.side_by_side} at a time alone"
    )
    for claim in ("games", "ratio"):
        yield Measurement(f"{claim}-v{version}", *found, note)


def _times(trained: Mapping[str, Sequence[Trained]]) -> str:
    """Write how long players have learnt: to the end of the block in which their time was up."""
    seconds = [one.learning_seconds for some in trained.values() for one in some]
    return f"{min(seconds):.0f} to {max(seconds):.0f} s"


def train_seed(lab: Lab, trainings: Sequence[Training]) -> None:
    """Train a seed's players in this order, side by side where that is allowed.

    Finished players are reused unless one of the group must be retrained, as on another number of
    processors: they are compared with each other.
    """
    faults = {one.folder: fault for one in trainings if (fault := find_fault(one))}
    for one in trainings:
        if one.folder in faults:
            tell_fault(one, faults[one.folder], lab.tell)
        if faults:
            set_aside(one.folder)
    missing = list(unfinished(dict(enumerate(trainings)), lab.tell).values())
    while missing:
        most = _side_by_side(missing[0])
        group = [one for one in missing[:most] if _side_by_side(one) == most]
        missing = missing[len(group) :]
        begun = {one.folder.name: one for one in group}
        for name in train_side_by_side(begun, lab.learners, lab.tell):
            lab.tell(f"{name}: {Trained.read_part(begun[name].folder).games} games")


def _side_by_side(training: Training) -> int:
    """Return how many trainings run at a time, this one among them."""
    assert training.origin is not None
    return int(training.origin[SIDE_BY_SIDE])


DISTRIBUTED_TRAINING = register(
    Experiment(
        "dvision-training",
        "Barcelos, Julia & Matias 2011, 4",
        TRAINING_CLAIMS,
        measure_training,
        "Training for equal times, alone and on many processors.",
        "Two players trained from the same seed are the unit. Who learns alone has one processor, "
        "and both versions do so side by side if there are two, so that what they cost each other "
        "counts for sharing; who shares has all of them. Players of one seed learn one after the "
        "other, so on the same machine unless the experiment was stopped in between. Their games "
        "are not the same: of equally good moves the one is taken that was searched first. They "
        "are counted to the end of the block in which the time is up (notes tell when that was), "
        "but a player is who it was when its time was up. Sharing plays more games if all of the "
        "95 % interval of the ratio of games an hour, by bootstrap over runs, is above 1 (what "
        "that is for each processor stands beside the published figure), and points hold if their "
        "interval lies within that of the published 40 games. "
        f"{PLAYER_RULE} Training is searched to depth {SIZES.depth}, the match to "
        f"{_match_depth(SIZES.depth)}; in the quick size, which is shorter and is not judged, to "
        f"{QUICK_SIZES.depth} and {_match_depth(QUICK_SIZES.depth)}.",
        judges_quick=False,
    )
)
