"""The experiment `draft5-ga`: ten evolutions to the paper's letter, and what it says of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from crossboard.arena.bootstrap import Interval, mean_over_seeds, score_over_seeds
from crossboard.arena.openings import REPORT, openings
from crossboard.arena.pool import PoolTable, PoolTerms, play_round_robin
from crossboard.arena.ratings import Encounter, estimate
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.evolutions import (
    DEPTH,
    EXAM_SEED,
    START,
    Evolved,
    examiner,
    score,
    score_all,
    train_evolutions,
)
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.experiments.piece_values import BOARDS, effective_ratio, worth_of_pieces
from crossboard.experiments.report import format_table
from crossboard.learn.genes import Genes
from crossboard.learn.individuals import Generation, History
from crossboard.players import SearchLimits
from crossboard.systems import evolution_figures
from crossboard.systems.draft5_ga import (
    BOX,
    KING,
    PIECE,
    PUBLISHED,
    draw_history,
    evolving_player,
    start_opening,
)

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

RUNS, QUICK_RUNS = 10, 3
# The paper's match against DRAFT5 (6): 40 games, here 20 openings with each colour.
EXAM_PAIRS, EXAM_OPENINGS = 20, "random:4"
BALLOT_PAIRS = 100
RANDOM_RIVALS = 50  # individuals drawn from the box
RATED_OPENINGS = 2  # for each ordered pair of finalists on the one scale of ratings
# Figures 1 and 3 of the paper.
SAMPLE_GENERATION, SAMPLE_ROWS, FINAL_ROWS = 6, 7, 5
BEST_OF_6, BEST_OF_50 = 23.0, 30.0
# One standard deviation of the wins among 58 games of which about half are won.
WINS_TOLERANCE = 4.0
# The paper calls its own figure 3, with 1.61 to 1.87, approximately 1.5.
RATIO, RATIO_TOLERANCE = 1.5, 0.4

CLAIMS = (
    Claim(
        "king-man",
        "king / man of the last winners, geometric mean",
        RATIO,
        RATIO_TOLERANCE,
        where="4: always approximately 1.5; its figures 1 and 3 have 0.80 to 3.87",
    ),
    Claim(
        "king-man-boards",
        "king / man by what the evaluation loses when one is taken off the board",
        RATIO,
        relation=Relation.UNPUBLISHED,
        where="mobility, advancement and the back row belong to the man too",
    ),
    Claim(
        "best-6", "wins of the best in generation 6", BEST_OF_6, WINS_TOLERANCE, where="figure 1"
    ),
    Claim(
        "best-50", "wins of the best in generation 50", BEST_OF_50, WINS_TOLERANCE, where="figure 3"
    ),
    Claim(
        "slope-finalists",
        "wins among all generation winners, by generation",
        0.0,
        relation=Relation.AT_LEAST,
        unit="wins of 98 games a generation",
        where="figure 4: a general trend of slight improvement",
    ),
    Claim(
        "slope-draft5",
        "points against draft5, by generation",
        0.0,
        relation=Relation.AT_LEAST,
        unit="points of 40 games a generation",
        where="figure 5: a general trend of improvement",
    ),
    *(
        Claim(name, what, 0.5, relation=Relation.UNPUBLISHED, unit="points a game")
        for name, what in (
            ("score-draft5", "the last winner against draft5 from ballots:report"),
            ("last-first", "the last winner against the first from ballots:report"),
            ("random-start", "the last winner against random weights from the start"),
            ("random-ballots", "the last winner against random weights from ballots"),
        )
    ),
)


class WinnersCourse(NamedTuple):
    """How the winners of one evolution's generations did."""

    finals: list[float]  # wins among themselves
    points: list[float]  # of the games against the hand-tuned weights
    ratings: list[float]  # Elo above the hand-tuned weights


def measure(lab: Lab) -> Iterator[Measurement]:
    """Evolve, and measure what the paper says."""
    settings = PUBLISHED.model_copy(update={"exam_every": 0})
    runs = train_evolutions(lab, {"published": settings}, QUICK_RUNS if lab.quick else RUNS)
    found = runs["published"]
    note = f"{len(found)} runs of {settings.games} games"
    ratios = [max(1, one.winner[KING]) / max(1, one.winner[PIECE]) for one in found]
    listed = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    yield Measurement("king-man", *geometric_mean(ratios), f"{note}: {listed}")
    worth = worth_of_pieces(BOARDS)
    effective = [effective_ratio(one.winner, worth) for one in found]
    listed = ", ".join(f"{ratio:.2f}" for ratio in effective)
    yield Measurement("king-man-boards", *geometric_mean(effective), f"1,000 boards: {listed}")
    for name, number in (("best-6", SAMPLE_GENERATION), ("best-50", len(found[0].history))):
        best = [max(one.history.generations[number - 1].fitness) for one in found]
        yield Measurement(name, *mean_over_seeds(best), note)
    courses = list(lab.learners.map(follow, found))
    finals = [slope(course.finals) for course in courses]
    yield Measurement("slope-finalists", *mean_over_seeds(finals), note)
    points = [slope(course.points) for course in courses]
    yield Measurement("slope-draft5", *mean_over_seeds(points), f"{note}; openings {EXAM_OPENINGS}")
    yield from measure_winners(lab, found)
    add_figures(lab, found, courses)


def geometric_mean(values: Sequence[float]) -> Interval:
    """Return the geometric mean of runs: one ratio of 15 must not outweigh all others."""
    return Interval(*(math.exp(one) for one in mean_over_seeds([math.log(x) for x in values])))


def measure_winners(lab: Lab, found: Sequence[Evolved]) -> Iterator[Measurement]:
    """Measure the last winners from the start and from openings that they have never seen."""
    last, seeds = [one.winner for one in found], [one.seed for one in found]
    first = [one.winners[0] for one in found]
    hand = score_all(lab, last, [None] * len(last), seeds, pairs=BALLOT_PAIRS)
    yield Measurement("score-draft5", *score_over_seeds(hand), f"{2 * BALLOT_PAIRS} games a run")
    older = score_all(lab, last, first, seeds, pairs=BALLOT_PAIRS)
    ahead = sum(one > 0.5 for one in older)
    note = f"{2 * BALLOT_PAIRS} games a run; above .5 in {ahead} of {len(older)} runs"
    yield Measurement("last-first", *score_over_seeds(older), note)
    for name, source in (("random-start", START), ("random-ballots", REPORT)):
        meet = partial(score_against_random, source=source)
        scores = list(lab.learners.map(meet, last, seeds))
        note = f"{2 * RANDOM_RIVALS} games a run, one with each colour against each"
        yield Measurement(name, *score_over_seeds(scores), note)


def score_against_random(genes: Genes, seed: int, *, source: str) -> float:
    """Return the points a game of weights against individuals drawn from the box."""
    random = Random(f"{seed} rivals")
    rivals = [BOX.draw(random) for _ in range(RANDOM_RIVALS)]
    seeds = range(1000 * seed, 1000 * seed + RANDOM_RIVALS)
    found = [
        score(genes, rival, number, pairs=1, source=source)
        for rival, number in zip(rivals, seeds, strict=True)
    ]
    return sum(found) / len(found)


def follow(evolved: Evolved) -> WinnersCourse:
    """Let the winners of all generations meet each other and the hand-tuned weights."""
    winners = evolved.winners
    at_start = PoolTerms(openings=(start_opening(),), limits=SearchLimits(depth=DEPTH))
    players = [evolving_player(genes) for genes in winners]
    with ThreadPoolExecutor(1) as executor:
        finals = play_round_robin(players, at_start, executor).points(of_draw=0.0)
        series = openings(REPORT, EXAM_SEED + evolved.seed).take(0, RATED_OPENINGS)
        terms = PoolTerms(openings=tuple(series), limits=SearchLimits(depth=DEPTH))
        table = play_round_robin([*players, examiner()], terms, executor)
    games = 2 * EXAM_PAIRS
    points = [
        games * score(genes, None, evolved.seed, pairs=EXAM_PAIRS, source=EXAM_OPENINGS)
        for genes in winners
    ]
    return WinnersCourse([float(wins) for wins in finals], points, rate_table(table))


def rate_table(table: PoolTable) -> list[float]:
    """Return the Elo of all players of a pool but the last above that one."""
    size = len(table.wins)
    names = [str(place) for place in range(size)]
    wins = table.wins + table.losses.T
    draws = table.draws + table.draws.T
    encounters = [
        Encounter(
            names[one],
            names[other],
            int(wins[one, other]),
            int(draws[one, other]),
            int(wins[other, one]),
        )
        for one in range(size)
        for other in range(one)
    ]
    elo = estimate(encounters, anchor=names[-1])
    return [elo[name] for name in names[:-1]]


def slope(values: Sequence[float]) -> float:
    """Return by how much values rise from one to the next, by least squares."""
    import numpy as np

    return float(np.polyfit(range(len(values)), values, 1)[0])


def add_figures(lab: Lab, found: Sequence[Evolved], courses: Sequence[WinnersCourse]) -> None:
    """Add the paper's figures, and those of pools, of the first run where they are of one."""
    history = found[0].history
    sample = history.generations[min(SAMPLE_GENERATION, len(history)) - 1]
    lab.tables["Figure 1: a sample pool"] = format_pool(sample, SAMPLE_ROWS)
    lab.tables["Figure 3: the best of the last generation"] = format_pool(history.last, FINAL_ROWS)
    lab.figures["finalists"] = draw_course(
        [course.finals for course in courses], "wins among the generation winners"
    )
    lab.figures["draft5"] = draw_course(
        [course.points for course in courses], "points of 40 games against draft5"
    )
    lab.figures["progress"] = draw_progress([one.history for one in found], courses)
    lab.figures.update(draw_history(history, PUBLISHED.strategy(found[0].seed)))


def format_pool(generation: Generation, rows: int) -> str:
    """Write the best of a pool as the paper's figures do: fitness, and the weights."""
    ranked = generation.ranked()
    lines = [
        [f"{fitness:g}", *map(str, one.genes)]
        for one, fitness in zip(ranked.pool[:rows], ranked.fitness, strict=False)
    ]
    ranges = ["range", *(str(gene.most) for gene in BOX.genes)]
    return format_table(["fitness", *BOX.names], [ranges, *lines])


def draw_course(courses: Sequence[Sequence[float]], label: str) -> Figure:
    """Draw each run's course over the generations as dots, and their mean with its trend."""
    import numpy as np
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.2), layout="constrained")
    axes = figure.subplots()
    generations = np.arange(1, 1 + len(courses[0]))
    for course in courses:
        axes.plot(generations, course, ".", **evolution_figures.DOTS)
    mean = np.mean(courses, axis=0)
    axes.plot(generations, mean, color="tab:blue", label="mean of the runs")
    trend = np.polyval(np.polyfit(generations, mean, 1), generations)
    axes.plot(generations, trend, color="tab:red", linestyle="--", label="trend")
    axes.set_xlabel("generation")
    axes.set_ylabel(label)
    axes.legend()
    return figure


def draw_progress(histories: Sequence[History], courses: Sequence[WinnersCourse]) -> Figure:
    """Draw relative and absolute progress beside each other: fitness, and Elo above draft5."""
    import numpy as np
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    best = np.array([[max(each.fitness) for each in history] for history in histories])
    generations = np.arange(1, 1 + best.shape[1])
    _draw_mean(left, generations, best)
    left.set_title("relative: fitness of the best in its pool", fontsize="medium")
    _draw_mean(right, generations, np.array([course.ratings for course in courses]))
    right.axhline(0, color="0.6", linewidth=0.8)
    right.set_title("absolute: Elo of the winners above draft5", fontsize="medium")
    figure.supxlabel("generation")
    return figure


def _draw_mean(axes: object, generations: NDArray[np.int64], values: NDArray[np.float64]) -> None:
    from matplotlib.axes import Axes

    assert isinstance(axes, Axes)
    for row in values:
        axes.plot(generations, row, color="0.8", linewidth=0.6)
    axes.plot(generations, values.mean(axis=0), color="tab:blue")


EXPERIMENT = register(
    Experiment(
        "draft5-ga",
        "Chisholm & Bradbeer, DRAFT5-GA, 1997",
        CLAIMS,
        measure,
        "The evolution of twelve weights by all-play-all tournaments, to the paper's letter: from "
        "the start position, wins alone counting.",
        "The run is the unit; intervals are by bootstrap over runs. A trend is the slope of a "
        "straight line through a run's fifty generations, and is positive if its whole interval "
        "is. All games are at depth 2, captures played out.",
    )
)
