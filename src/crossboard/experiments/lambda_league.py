"""The league of five lambdas, from many seeds, so that its order means something (section 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from crossboard.arena.bootstrap import Interval, mean_over_seeds, score_over_seeds
from crossboard.arena.match import Terms
from crossboard.arena.openings import openings
from crossboard.arena.tournament import play_tournament
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.comparison import (
    EXAM_OPENINGS,
    OWN_DEPTH,
    Arm,
    Plan,
    at_depth,
    compare_arms,
)
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.players import Player
from crossboard.systems.neurodraughts import PUBLISHED
from crossboard.systems.trained import Trained

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# As many games as the paper's in this size too: clonings of fewer blocks say nothing of its figure.
QUICK = Plan(seeds=5, pairs=6)
# Pairs of games between two nets of one seed; the paper played one.
QUICK_LEAGUE_PAIRS, FULL_LEAGUE_PAIRS = 5, 20
LEAGUE_SEED = 1959
# The paper's totals of eight games, two points for a win.
TOTALS = {0.0: 10, 0.1: 8, 0.2: 9, 0.3: 6, 0.4: 7}
MOST = 16
BEST, WORST = 0.0, 0.3
# One standard deviation of a mean of eight games, a third of them drawn.
TOLERANCE = 0.14
GENERATIONS = 5

CLAIMS = (
    *(
        Claim(
            f"points-{decay:g}",
            f"share of the league's points with lambda {decay:g}",
            total / MOST,
            TOLERANCE,
            unit="of all",
            where="7",
        )
        for decay, total in TOTALS.items()
    ),
    Claim(
        "best-worst",
        f"points a game of lambda {BEST:g}, more than of lambda {WORST:g}",
        0.0,
        relation=Relation.AT_LEAST,
        unit="points a game",
        where="7: the best and the worst",
    ),
    Claim("generation", "clonings of a run", GENERATIONS, 1, where="7: most reached the fifth"),
)


def arms(games: int) -> list[Arm]:
    """Return the published training with each lambda."""
    base = PUBLISHED.model_copy(update={"games": games, "exam_every": 0})
    return [
        Arm(name=f"lambda {decay:g}", settings=base.model_copy(update={"decay": decay}))
        for decay in TOTALS
    ]


def measure(lab: Lab) -> Iterator[Measurement]:
    """Train all nets, and let those of each seed play a league of their last clones."""
    pairs = QUICK_LEAGUE_PAIRS if lab.quick else FULL_LEAGUE_PAIRS
    trainings = compare_arms(lab, arms, quick=QUICK).trainings
    rounds = list(zip(*trainings.values(), strict=True))
    tables = list(lab.learners.map(partial(play_league, pairs=pairs), rounds))
    games = 2 * pairs * (len(TOTALS) - 1)
    note = f"{len(rounds)} leagues of {games} games a net, depth {OWN_DEPTH}"
    scores = dict(zip(TOTALS, zip(*tables, strict=True), strict=True))
    for decay, points in scores.items():
        yield Measurement(f"points-{decay:g}", *score_over_seeds(points), note)
    yield Measurement("best-worst", *find_lead(scores[BEST], scores[WORST]), note)
    # Nets of one league began with the same weights: the mean of a league is the unit.
    clones = [sum(trained.clones for trained in nets) / len(nets) for nets in rounds]
    runs, blocks = len(rounds) * len(rounds[0]), len(rounds[0][0].blocks)
    yield Measurement("generation", *mean_over_seeds(clones), f"{runs} runs of {blocks} blocks")
    lab.figures["league"] = draw_league(scores)


def find_lead(ones: Sequence[float], others: Sequence[float]) -> Interval:
    """Return by how much one is ahead in a league.

    They met each other: there are not two arms, but one difference in each league.
    """
    return mean_over_seeds([one - other for one, other in zip(ones, others, strict=True)])


def play_league(trainings: Sequence[Trained], pairs: int) -> list[float]:
    """Let all nets of one seed meet; return each one's points a game."""
    players = [player_of(trained, f"net {n}") for n, trained in enumerate(trainings)]
    seed = LEAGUE_SEED + trainings[0].seed
    terms = Terms(pairs=pairs, openings=openings(EXAM_OPENINGS, seed), seed=seed)
    with ThreadPoolExecutor(1) as executor:
        league = play_tournament(players, terms, executor)
    points = dict.fromkeys(league.names, 0.0)
    for match in league.matches:
        score = match.score.score
        points[match.one] += score
        points[match.other] += 1 - score
    return [each / (len(players) - 1) for each in points.values()]


def player_of(trained: Trained, name: str) -> Player:
    """Make a player of what a run left."""
    return at_depth(Player(name, trained.network), OWN_DEPTH)


def draw_league(scores: Mapping[float, Sequence[float]]) -> Figure:
    """Draw the points a game of each lambda beside the published ones."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    found = [score_over_seeds(points) for points in scores.values()]
    reach = [[one.value - one.low for one in found], [one.high - one.value for one in found]]
    axes.errorbar(list(scores), [one.value for one in found], yerr=reach, fmt="o", capsize=4)
    published = [total / MOST for total in TOTALS.values()]
    axes.plot(list(TOTALS), published, "x", color="0.4", label="published, 8 games")
    axes.axhline(0.5, color="0.7", linewidth=0.8)
    axes.set_xlabel("lambda")
    axes.set_ylabel("points a game")
    axes.legend()
    return figure


EXPERIMENT = register(
    Experiment(
        "lambda-league",
        "Lynch, NeuroDraughts, 1997, section 7",
        CLAIMS,
        measure,
        "Nets trained with five values of lambda from the same seed meet in a league of their "
        "last clones.",
        "The league is the unit: a share of points "
        "holds if its 95 % interval, by bootstrap over leagues, lies within one standard deviation "
        "of eight games of the published one, and the order of the best and the worst if the "
        "interval of the difference within a league is above 0. Who was never cloned plays with "
        "the untrained net.",
    )
)
