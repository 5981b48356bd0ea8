"""The experiment `dvision-training`: equal times at equal depth, alone and by sharing searches."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from crossboard.arena.bootstrap import ratio_of_sums, score_over_seeds
from crossboard.farm.executors import count_cores
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.phases import ANY, name_arrays
from crossboard.players import Player
from crossboard.storage import write_whole
from crossboard.systems.arms import (
    EDITION,
    Exam,
    Trained,
    block_of,
    draw_curves,
    draw_first_runs,
    examine,
    format_clonings,
    last_clone,
)
from crossboard.systems.claims import Claim, Measurement, Relation
from crossboard.systems.drafts import Draft, Keeper, as_they_end, is_kept
from crossboard.systems.experiments import Experiment, Lab, register
from crossboard.systems.neurodraughts import NeuroDraughtsSettings
from crossboard.systems.origins import origin_of
from crossboard.systems.recipes import find_recipe
from crossboard.systems.search_speed import VERSION_1, VERSION_2
from crossboard.systems.vision_matches import (
    EXAM_PAIRS,
    MATCH_OPENINGS,
    PLAYER_RULE,
    VISIONDRAUGHTS_DEPTH,
    Sizes,
    meet,
    player_of,
)
from crossboard.systems.visiondraughts import (
    DISTRIBUTED_GAMES,
    DISTRIBUTED_LOOK_AHEAD,
    SERIAL_GAMES,
)
from crossboard.systems.visiondraughts import VERSION_1 as TRAINED_BY_1
from crossboard.systems.visiondraughts import VERSION_2 as TRAINED_BY_2

if TYPE_CHECKING:
    from numpy.typing import NDArray

# That sharing pays can be asked of any machine, 2.93 times as many games only of one like theirs.
GAMES_RATIO, PROCESSORS = DISTRIBUTED_GAMES / SERIAL_GAMES, 10
# Chosen: at depth 12 ten games before each test would leave few tests, and a sitting lasts to the
# end of the block in which its time is up.
SITTING_TEST_AFTER = 2
# Of 40 games 16 were won, 10 lost and 14 drawn; the tolerance is the 95 % interval of so few.
DISTRIBUTED_SCORE, DISTRIBUTED_TOLERANCE = 0.575, 0.12
SIZES, QUICK_SIZES = Sizes(1200.0, DISTRIBUTED_LOOK_AHEAD, 5, 40), Sizes(3.0, 6, 5, 10)

ALONE, SHARED = "alone", "shared"
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


class Sitting(NamedTuple):
    """What one player learnt in its time."""

    games: int
    seconds: float  # until the last of the games was played
    trained: Trained

    @property
    def games_per_hour(self) -> float:
        return 3600 * self.games / self.seconds


class PlannedSitting(NamedTuple):
    """A sitting that is asked for: who learns, from which seed, and where it is kept."""

    place: Path
    settings: NeuroDraughtsSettings
    seed: int
    seconds: float
    at_a_time: int  # how many learn side by side, this one among them

    @property
    def origin(self) -> dict[str, str]:
        """What must be the same for a kept sitting to be this one."""
        return origin_of(EDITION, self.settings, self.seconds, self.seed, self.at_a_time)

    @property
    def draft(self) -> Draft:
        return Draft.beside(self.place, self.origin)

    def sitting(self) -> Sitting:
        """Read what was learnt in it."""
        games, seconds, trained = json.loads(self.place.read_text("utf-8"))["sitting"]
        return Sitting(games, seconds, Trained(*trained))


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

    def planned(self, lab: Lab, arm: tuple[int, str]) -> list[PlannedSitting]:
        """List the sittings of an arm, one for each seed."""
        version, name = arm
        threads, at_a_time = (self.cores, 1) if name == SHARED else (1, self.side_by_side)
        settings = self.settings(version, threads)
        return [
            PlannedSitting(
                # Who learns may be elsewhere.
                (lab.folder / f"v{version}-{name}-{number}.json").absolute(),
                settings,
                seed,
                self.size.length,
                at_a_time,
            )
            for number, seed in enumerate(lab.seeds(self.size.seeds))
        ]


def measure_training(lab: Lab) -> Iterator[Measurement]:
    """Train for equal times at equal depth, alone and sharing every search, and let them meet."""
    school = School.of(lab)
    arms = [(version, name) for name in (ALONE, SHARED) for version in SEARCHES]
    planned = {arm: school.planned(lab, arm) for arm in arms}
    # Seed by seed, so that players who meet have learnt one soon after the other: an experiment
    # that was stopped may go on elsewhere, where games take another time.
    for of_a_seed in zip(*planned.values(), strict=True):
        _sit_all(lab, of_a_seed)
    sittings = {arm: [one.sitting() for one in some] for arm, some in planned.items()}
    trainings: dict[str, list[Trained]] = {}
    for version in SEARCHES:
        both = {name: sittings[version, name] for name in (ALONE, SHARED)}
        alone = school.settings(version)
        examined = {name: _examine(lab, alone, some) for name, some in both.items()}
        trainings |= {f"version {version}, {name}": some for name, some in examined.items()}
        yield from _games_ratio(version, both, school)
        yield _match_score(lab, version, both, school, _told_of(examined))
    lab.figures["exams"] = draw_curves(trainings)
    lab.figures["blocks"] = draw_first_runs(trainings)


def _match_score(
    lab: Lab, version: int, sittings: Mapping[str, Sequence[Sitting]], school: School, told: str
) -> Measurement:
    """Let the two players of each seed meet."""
    _, depth, seeds, pairs = school.size
    depth = _match_depth(depth)
    settings, search = school.settings(version), SEARCHES[version]
    scores = [
        meet(
            lab,
            player_of(SHARED, settings, one.trained, search, depth),
            player_of(ALONE, settings, other.trained, search, depth),
            pairs,
            one.trained.seed,
        ).score.score
        for one, other in zip(sittings[SHARED], sittings[ALONE], strict=True)
    ]
    games = f"{2 * pairs} games each from {MATCH_OPENINGS}"
    note = f"{seeds} runs an arm of {_times(sittings)}, {games}, depth {depth}; {told}"
    return Measurement(f"score-v{version}", *score_over_seeds(scores), note)


def _match_depth(depth: int) -> int:
    """Return how deep players are searched in their match who were trained at a depth."""
    return min(depth, VISIONDRAUGHTS_DEPTH)


def _examine(
    lab: Lab, settings: NeuroDraughtsSettings, sittings: Sequence[Sitting]
) -> list[Trained]:
    """Return what was learnt with two exams each, before and after, against fixed opponents."""
    exams = lab.learners.map(partial(_exams_of, settings), sittings)
    return [
        sitting.trained._replace(exams=both) for sitting, both in zip(sittings, exams, strict=True)
    ]


def _exams_of(settings: NeuroDraughtsSettings, sitting: Sitting) -> list[Exam]:
    seed = sitting.trained.seed
    before = Player("untrained", settings.initial(seed))
    after = Player("sitting", sitting.trained.network(settings))
    return [
        Exam(0, 0.0, examine(before, EXAM_PAIRS, seed)),
        Exam(sitting.games, sitting.seconds, examine(after, EXAM_PAIRS, seed)),
    ]


def _told_of(trainings: Mapping[str, Sequence[Trained]]) -> str:
    """Say how the players of all runs did in their exams, and how often they were cloned."""
    means = {name: sum(one.score for one in some) / len(some) for name, some in trainings.items()}
    scores = ", ".join(f"{name} {mean:.3f}" for name, mean in means.items())
    return f"points a game against the fixed opponents: {scores}; {format_clonings(trainings)}"


def _games_ratio(
    version: int, sittings: Mapping[str, Sequence[Sitting]], school: School
) -> Iterator[Measurement]:
    """Compare how many games were played in the same time."""
    rates = {name: [one.games_per_hour for one in some] for name, some in sittings.items()}
    found = ratio_of_sums(rates[SHARED], rates[ALONE])
    means = ", ".join(f"{name} {sum(r) / len(r):.0f}" for name, r in rates.items())
    cores, size = school.cores, school.size
    note = (
        f"games an hour: {means}; {found.value / cores:.2f} times for each of {cores} processors, "
        f"published {GAMES_RATIO / PROCESSORS:.2f} for each of {PROCESSORS}; depth {size.depth}, "
        f"{size.seeds} runs of {_times(sittings)}, {school.side_by_side} at a time alone"
    )
    for claim in ("games", "ratio"):
        yield Measurement(f"{claim}-v{version}", *found, note)


def _times(sittings: Mapping[str, Sequence[Sitting]]) -> str:
    """Say how long players have learnt: until the end of the block in which their time was up."""
    seconds = [one.seconds for some in sittings.values() for one in some]
    return f"{min(seconds):.0f} to {max(seconds):.0f} s"


def _sit_all(lab: Lab, planned: Sequence[PlannedSitting]) -> None:
    """Train a seed's players in this order, those side by side who may be.

    Who was trained before is not again, unless another of them was trained otherwise, as on another
    number of processors: they are compared with each other. What is there is set aside then.
    """
    missing = [one for one in planned if not is_kept(lab, one.place, one.origin)]
    if any(one.place.exists() for one in missing):
        for one in planned:
            if one.place.exists():
                one.place.replace(one.place.with_suffix(".before.json"))
        missing = list(planned)
    while missing:
        most = missing[0].at_a_time
        group = [one for one in missing[:most] if one.at_a_time == most]
        missing = missing[len(group) :]
        begun = {
            number: (one.draft, lab.learners.submit(sit, one)) for number, one in enumerate(group)
        }
        for number, found in as_they_end(lab, begun):
            one = group[number]
            kept = {"origin": one.origin, "sitting": found}
            write_whole(one.place, json.dumps(kept).encode())
            one.draft.remove()
            lab.tell(f"{one.place.stem}: {found.games} games")


def sit(planned: PlannedSitting) -> Sitting:
    """Train for so long, or for what is left of it after a stop."""
    drafted, keeper = planned.draft.read(), Keeper(planned.draft)
    blocks, before, start = (
        ([], 0.0, None)
        if drafted is None
        else (drafted.told["blocks"], drafted.told["seconds"], drafted.snapshot)
    )
    began, in_time = time.monotonic() - before, start
    with ThreadPoolExecutor(1) as executor:
        schooling = Schooling(planned.seed, executor, start=start)
        for snapshot in find_recipe("visiondraughts").learn(planned.settings, schooling):
            spent = time.monotonic() - began
            if spent >= planned.seconds:
                break
            blocks.append(block_of(snapshot))
            keeper.note(snapshot, blocks=blocks, seconds=spent)
            in_time = snapshot
    # The games of the last block count, and so do its seconds; but nobody is cloned after his time.
    blocks.append({**block_of(snapshot), "cloned": 0.0})
    arrays = {key: array.tolist() for key, array in _player_of(planned, in_time).items()}
    return Sitting(snapshot.games, spent, Trained(planned.seed, blocks, [], arrays))


def _player_of(planned: PlannedSitting, snapshot: Snapshot | None) -> dict[str, NDArray[Any]]:
    """Return the nets of the best player of a training: its last clone."""
    if snapshot is None:  # not even one block was in time
        return name_arrays("student", {ANY: planned.settings.initial(planned.seed).net})
    return dict(last_clone(snapshot).arrays)


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
