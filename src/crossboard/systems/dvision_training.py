"""The experiment `dvision-training`: equal times at equal depth, alone and by sharing searches."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from crossboard.arena.bootstrap import mean_over_seeds, ratio_of_sums
from crossboard.farm.executors import count_cores
from crossboard.players import Player
from crossboard.storage import write_whole
from crossboard.systems.arms import (
    Exam,
    Lesson,
    block_of,
    draw_curves,
    draw_first_runs,
    examine,
    format_clonings,
    last_clone,
)
from crossboard.systems.claims import Claim, Measurement, Relation
from crossboard.systems.drafts import Draft, Keeper, as_they_end, is_kept, origin_of
from crossboard.systems.experiments import Experiment, Lab, register
from crossboard.systems.neurodraughts import NeuroDraughtsSettings
from crossboard.systems.recipes import Schooling, find_recipe
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

# That sharing pays can be asked of any machine, 2.93 times as many games only of one like theirs.
GAMES_RATIO, PROCESSORS = DISTRIBUTED_GAMES / SERIAL_GAMES, 10
# Chosen: a sitting ends with the block that its time ends in, so that short blocks keep times
# equal, and at depth 12 so few games are played that ten before each test would leave few tests.
SITTING_TEST_AFTER = 2
# Of 40 games 16 were won, 10 lost and 14 drawn.
DISTRIBUTED_SCORE, DISTRIBUTED_TOLERANCE = 0.575, 0.13
SIZES, QUICK_SIZES = Sizes(1200.0, DISTRIBUTED_LOOK_AHEAD, 5, 40), Sizes(3.0, 6, 5, 10)

TRAINING_CLAIMS = tuple(
    claim
    for version in (1, 2)
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
    lesson: Lesson

    @property
    def games_per_hour(self) -> float:
        return 3600 * self.games / self.seconds


def measure_training(lab: Lab) -> Iterator[Measurement]:
    """Train for equal times at equal depth, alone and sharing every search, and let them meet."""
    seconds, depth, seeds, pairs = QUICK_SIZES if lab.quick else SIZES
    cores = lab.learners.submit(count_cores).result()  # of those who learn, wherever they are
    # Who needs one processor leaves the others to his like.
    side_by_side = min(cores, lab.workers)
    lessons: dict[str, list[Lesson]] = {}
    for version, trained, search in ((1, TRAINED_BY_1, VERSION_1), (2, TRAINED_BY_2, VERSION_2)):
        alone = trained.model_copy(
            update={
                "look_ahead": depth,
                "games": 10**6,
                "test_after": SITTING_TEST_AFTER,
                "exam_every": 0,
            }
        )
        shared = alone.model_copy(update={"threads": cores})
        sittings = {
            name: _sit_all(lab, f"v{version}-{name}", one, seeds, seconds, at_a_time)
            for name, one, at_a_time in (("alone", alone, side_by_side), ("shared", shared, 1))
        }
        examined = {name: _examine(lab, alone, some) for name, some in sittings.items()}
        lessons |= {f"version {version}, {name}": some for name, some in examined.items()}
        ratio = _games_ratio(version, sittings, cores, seconds, depth, side_by_side)
        for claim in ("games", "ratio"):
            yield replace(ratio, claim=f"{claim}-v{version}")
        match_depth = _match_depth(depth)
        scores = [
            meet(
                lab,
                player_of("shared", alone, one.lesson, search, match_depth),
                player_of("alone", alone, other.lesson, search, match_depth),
                pairs,
            ).score.score
            for one, other in zip(sittings["shared"], sittings["alone"], strict=True)
        ]
        games = f"{2 * pairs} games each from {MATCH_OPENINGS}"
        note = f"{seeds} runs an arm, {games}, depth {match_depth}; {_told_of(examined)}"
        yield Measurement(f"score-v{version}", *mean_over_seeds(scores), note)
    lab.figures["exams"] = draw_curves(lessons)
    lab.figures["blocks"] = draw_first_runs(lessons)


def _match_depth(depth: int) -> int:
    """Return how deep players are searched in their match who were trained at a depth."""
    return min(depth, VISIONDRAUGHTS_DEPTH)


def _examine(
    lab: Lab, settings: NeuroDraughtsSettings, sittings: Sequence[Sitting]
) -> list[Lesson]:
    """Return what was learnt with two exams each, before and after, against fixed opponents."""
    exams = lab.learners.map(partial(_exams_of, settings), sittings)
    return [
        sitting.lesson._replace(exams=both) for sitting, both in zip(sittings, exams, strict=True)
    ]


def _exams_of(settings: NeuroDraughtsSettings, sitting: Sitting) -> list[Exam]:
    before = Player("untrained", settings.initial(sitting.lesson.seed))
    after = Player("sitting", sitting.lesson.network(settings))
    return [
        Exam(0, 0.0, examine(before, EXAM_PAIRS)),
        Exam(sitting.games, sitting.seconds, examine(after, EXAM_PAIRS)),
    ]


def _told_of(lessons: Mapping[str, Sequence[Lesson]]) -> str:
    """Say how the players of all runs did in their exams, and how often they were cloned."""
    means = {name: sum(one.score for one in some) / len(some) for name, some in lessons.items()}
    scores = ", ".join(f"{name} {mean:.3f}" for name, mean in means.items())
    return f"points a game against the fixed opponents: {scores}; {format_clonings(lessons)}"


def _games_ratio(
    version: int,
    sittings: Mapping[str, Sequence[Sitting]],
    cores: int,
    seconds: float,
    depth: int,
    side_by_side: int,
) -> Measurement:
    rates = {name: [one.games_per_hour for one in some] for name, some in sittings.items()}
    found = ratio_of_sums(rates["shared"], rates["alone"])
    means = ", ".join(f"{name} {sum(r) / len(r):.0f}" for name, r in rates.items())
    note = (
        f"games an hour: {means}; {found.value / cores:.2f} times for each of {cores} processors, "
        f"published {GAMES_RATIO / PROCESSORS:.2f} for each of {PROCESSORS}; depth {depth}, "
        f"{len(rates['alone'])} runs of {seconds:g} s, {side_by_side} at a time alone"
    )
    return Measurement(f"games-v{version}", *found, note)


def _sit_all(
    lab: Lab,
    name: str,
    settings: NeuroDraughtsSettings,
    seeds: int,
    seconds: float,
    at_a_time: int,
) -> list[Sitting]:
    """Train from each seed for so long; who was trained before a stop is not trained again."""
    places = [lab.folder / f"{name}-{number}.json" for number in range(seeds)]
    own_seeds = lab.seeds(seeds)
    origins = [origin_of(settings, seconds, seed, at_a_time) for seed in own_seeds]
    missing = [n for n in range(seeds) if not is_kept(lab, places[n], origins[n])]
    for first in range(0, len(missing), at_a_time):
        begun = {}
        for number in missing[first : first + at_a_time]:
            draft = Draft.beside(places[number], origins[number])
            sitting = lab.learners.submit(sit, draft, settings, own_seeds[number], seconds)
            begun[number] = (draft, sitting)
        for number, found in as_they_end(lab, begun):
            kept = {"origin": origins[number], "sitting": found}
            write_whole(places[number], json.dumps(kept).encode())
            begun[number][0].remove()
            lab.tell(f"{places[number].stem}: {found.games} games")
    return [_read_sitting(place) for place in places]


def _read_sitting(place: Path) -> Sitting:
    games, seconds, lesson = json.loads(place.read_text("utf-8"))["sitting"]
    return Sitting(games, seconds, Lesson(*lesson))


def sit(draft: Draft, settings: NeuroDraughtsSettings, seed: int, seconds: float) -> Sitting:
    """Train for so long, or for what is left of it after a stop."""
    drafted, keeper = draft.read(), Keeper(draft)
    blocks, before, start = (
        ([], 0.0, None)
        if drafted is None
        else (drafted.told["blocks"], drafted.told["seconds"], drafted.snapshot)
    )
    began = time.monotonic() - before
    with ThreadPoolExecutor(1) as executor:
        schooling = Schooling(seed, executor, start=start)
        for snapshot in find_recipe("visiondraughts").learn(settings, schooling):
            blocks.append(block_of(snapshot))
            spent = time.monotonic() - began
            if spent >= seconds:
                break
            keeper.note(snapshot, blocks=blocks, seconds=spent)
    # The best player of a training is its last clone.
    kept = last_clone(snapshot)
    arrays = {key: array.tolist() for key, array in kept.arrays.items()}
    return Sitting(snapshot.games, spent, Lesson(seed, blocks, [], arrays))


DISTRIBUTED_TRAINING = register(
    Experiment(
        "dvision-training",
        "Barcelos, Julia & Matias 2011, 4",
        TRAINING_CLAIMS,
        measure_training,
        "Training for equal times, alone and on many processors.",
        "Two players trained from the same seed are the unit. Who learns alone has one processor, "
        "and as many do so side by side as there are; who shares has all of them. Sharing plays "
        "more games if all of the 95 % interval of the ratio of games an hour, by bootstrap over "
        "runs, is above 1 (what that is for each processor stands beside the published figure), "
        "and points hold if their interval lies within that of the published 40 games. "
        f"{PLAYER_RULE} Training is searched to depth {SIZES.depth}, the match to "
        f"{_match_depth(SIZES.depth)}; in the quick size, which is shorter and is not judged, to "
        f"{QUICK_SIZES.depth} and {_match_depth(QUICK_SIZES.depth)}.",
        judges_quick=False,
    )
)
