"""The experiment `visiondraughts-match`: VisionDraughts against NeuroDraughts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from crossboard.arena.bootstrap import Interval, score_over_seeds
from crossboard.arena.match import MatchResult, Terms, play_match
from crossboard.arena.openings import REPORT, openings
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.comparison import (
    Arm,
    Plan,
    compare_arms,
    format_clonings,
)
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.experiments.search_times import VERSION_2
from crossboard.learn.cloning import PLAIN_SEARCH
from crossboard.players import Player, SearchLimits, SearchSettings
from crossboard.systems.neurodraughts import PUBLISHED, NeuroDraughtsSettings
from crossboard.systems.recipes import find_recipe
from crossboard.systems.trained import Trained
from crossboard.systems.visiondraughts import (
    PUBLISHED_GAMES,
    PUBLISHED_LOOK_AHEAD,
    TOURNAMENTS,
)
from crossboard.systems.visiondraughts import VERSION_2 as TRAINED_BY_2

# Depths of training and of matches. NeuroDraughts' four plies are those of D-VisionDraughts 2011.
NEURODRAUGHTS_DEPTH, VISIONDRAUGHTS_DEPTH = 4, PUBLISHED_LOOK_AHEAD
# Searches of eight plies fill no more: larger ones teach the same games in more time.
TABLE_MB = 2
# On the way to the match: pairs of games against each of the fixed opponents, and how often; each
# exam comes at the end of a tournament.
EXAM_PAIRS, EXAMS = 5, 5
MATCH_OPENINGS, MATCH_SEED = REPORT, 2009

# Of 20 games 10 were won, 1 lost and 9 drawn, 5 of these by loops; the tolerances are the 95 %
# intervals of so few games.
PUBLISHED_MATCH = {"wins": 10, "draws": 9, "losses": 1}
PUBLISHED_MATCH_GAMES = 20
SCORE, SCORE_TOLERANCE = 0.725, 0.13
LOOPS, LOOPS_TOLERANCE = 0.25, 0.19
PLAYER_RULE = (
    "A player is the last clone of its run, or the untrained net that the run began with if "
    "nothing was cloned; notes count the clonings."
)


class Sizes(NamedTuple):
    """How large an experiment is."""

    length: float  # of a training: games, or seconds where the time is what is equal
    depth: int
    seeds: int
    pairs: int  # of games between two players


MATCH, QUICK_MATCH = Sizes(PUBLISHED_GAMES, VISIONDRAUGHTS_DEPTH, 5, 100), Sizes(60, 4, 5, 10)

MATCH_CLAIMS = (
    Claim(
        "score",
        "points a game of VisionDraughts against NeuroDraughts",
        SCORE,
        SCORE_TOLERANCE,
        where="MP-Draughts 2009, V",
    ),
    Claim(
        "better",
        "VisionDraughts beats NeuroDraughts",
        0.5,
        relation=Relation.AT_LEAST,
        unit="points a game",
        where="MP-Draughts 2009, V",
    ),
    *(
        Claim(
            name,
            f"{name} of VisionDraughts",
            games / PUBLISHED_MATCH_GAMES,
            relation=Relation.BESIDE,
            unit="of all games",
            where=f"MP-Draughts 2009, V: {games} of {PUBLISHED_MATCH_GAMES}",
        )
        for name, games in PUBLISHED_MATCH.items()
    ),
    Claim(
        "loops",
        "share of games that end in a loop",
        LOOPS,
        LOOPS_TOLERANCE,
        where="MP-Draughts 2009, V",
    ),
)


def match_settings(games: int, depth: int) -> tuple[NeuroDraughtsSettings, NeuroDraughtsSettings]:
    """Return how NeuroDraughts and VisionDraughts are trained: "in a similar way", as V says."""
    common = {"games": games, "test_after": games // TOURNAMENTS}
    neuro = {"look_ahead": NEURODRAUGHTS_DEPTH}
    vision = {"look_ahead": depth, "table_mb": TABLE_MB}
    return (
        PUBLISHED.model_copy(update=common | neuro),
        TRAINED_BY_2.model_copy(update=common | vision),
    )


def measure_match(lab: Lab) -> Iterator[Measurement]:
    """Train both systems from several seeds as the paper did, and let them meet."""
    length, depth, seeds, pairs = QUICK_MATCH if lab.quick else MATCH
    games, plan = int(length), Plan(seeds=seeds, games=int(length), pairs=EXAM_PAIRS, exams=EXAMS)
    neuro, vision = match_settings(games, depth)
    arms = (
        Arm(name="neurodraughts", settings=neuro),
        Arm(name="visiondraughts", settings=vision, recipe=find_recipe("visiondraughts")),
    )
    trainings = compare_arms(lab, lambda _: arms, quick=plan, full=plan).trainings
    results = [
        meet(
            lab,
            player_of("V", one, VERSION_2, depth),
            player_of("N", other, PLAIN_SEARCH, NEURODRAUGHTS_DEPTH),
            pairs,
            one.seed,
        ).as_json()
        for one, other in zip(trainings["visiondraughts"], trainings["neurodraughts"], strict=True)
    ]
    note = (
        f"{plan.seeds} runs an arm of {games} games in {TOURNAMENTS} tournaments; "
        f"{2 * pairs} games each from {MATCH_OPENINGS}, depths {depth} and {NEURODRAUGHTS_DEPTH}"
    )
    scores = score_over_seeds([result["score"] for result in results])
    yield Measurement("score", *scores, f"{note}; {format_clonings(trainings)}")
    yield Measurement("better", *scores, note)
    for name in PUBLISHED_MATCH:
        yield Measurement(name, *_share(name, results), note)
    unequal = _share("loops_unequal", results)
    told = f"with unequal material {unequal.value:.3f} ({unequal.low:.3f} to {unequal.high:.3f})"
    yield Measurement("loops", *_share("loops", results), f"{told}; {note}")


def _share(key: str, results: Sequence[Mapping[str, Any]]) -> Interval:
    """Return of how many games of a match something is told, in the mean over the matches."""
    return score_over_seeds([result[key] / result["games"] for result in results])


def player_of(name: str, trained: Trained, search: SearchSettings, depth: int) -> Player:
    """Make the player that came out of a training."""
    return Player(name, trained.network, search=search, limits=SearchLimits(depth=depth))


def meet(lab: Lab, one: Player, other: Player, pairs: int, seed: int) -> MatchResult:
    """Let two players of a seed's runs play to their own limits."""
    drawn = openings(MATCH_OPENINGS, MATCH_SEED + seed)
    terms = Terms(pairs=pairs, openings=drawn)
    result = play_match(one, other, terms, lab.executor, workers=lab.workers)
    lab.tell(f"{one.name} against {other.name}: {result.score.score:.3f}")
    return result


VISION_MATCH = register(
    Experiment(
        "visiondraughts-match",
        "Caixeta & Julia 2008, as told by MP-Draughts 2009, V",
        MATCH_CLAIMS,
        measure_match,
        "VisionDraughts against NeuroDraughts: points and loops.",
        "Two players trained from the same seed are the unit, and nobody is selected; a figure "
        "holds if its 95 % interval, by bootstrap over those pairs, lies within the interval of "
        "the published 20 games, and VisionDraughts is better if it lies above one half. "
        f"{PLAYER_RULE} Training and match are searched to depth {MATCH.depth} by VisionDraughts, "
        f"to {NEURODRAUGHTS_DEPTH} by NeuroDraughts; in the quick size, which is shorter and is "
        f"not judged, to {QUICK_MATCH.depth} and {NEURODRAUGHTS_DEPTH}.",
        judges_quick=False,
    )
)
