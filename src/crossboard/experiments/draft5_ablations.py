"""The experiment `draft5-ablations`: which part of the evolution helps, all with equal games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from crossboard.arena.bootstrap import Interval, difference_over_seeds, score_over_seeds
from crossboard.arena.openings import REPORT, SELECT
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.comparison import draw_scores
from crossboard.experiments.evolutions import Evolved, score_all, train_evolutions
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.systems.draft5_ga import POOL, PUBLISHED, Draft5GaSettings

RUNS, QUICK_RUNS = 10, 2
QUICK_GENERATIONS = 8
PAIRS, QUICK_PAIRS = 200, 50
# The usual arm: one part of it is exchanged in each of the others.
USUAL, CMA = "fresh openings", "CMA-ES"
BASE = PUBLISHED.model_copy(update={"openings": 1, "draw_points": 0.5, "exam_every": 0})
# So many openings make 29 pairings of a knock-out as many games as a round robin has.
KNOCK_OUT_OPENINGS = POOL // 2
# Chosen: a difference of scores within which schemes count as equally good.
INSENSITIVE = 0.05

CHANGES: dict[str, dict[str, object]] = {
    USUAL: {},
    "tournament": {"selection": "tournament"},
    "rank": {"selection": "rank"},
    "roulette": {"selection": "roulette"},
    "wins only": {"draw_points": 0.0},
    "start position": {"openings": 0},
    "knock-out": {"form": "knock-out", "openings": KNOCK_OUT_OPENINGS},
    CMA: {"method": "cma"},
    "hill climbing": {"method": "hill-climbing"},
    "random search": {"method": "random"},
    "published": {"openings": 0, "draw_points": 0.0},
}
SELECTIONS = (USUAL, "tournament", "rank", "roulette")
LEADS = {
    "half-points": (USUAL, "wins only", "half a point for a draw, more than none"),
    "openings": (USUAL, "start position", "a fresh opening each generation, more than one for all"),
    "round-robin": (USUAL, "knock-out", "round robin, more than knock-out"),
    "ga-random": (USUAL, "random search", "genetic algorithm, more than random search"),
    "cma-ga": (CMA, USUAL, "CMA-ES, more than the genetic algorithm"),
    "hill-ga": ("hill climbing", USUAL, "hill climbing, more than the genetic algorithm"),
    "tuned-published": (CMA, "published", "CMA-ES from fresh openings, more than published"),
}
WHERE = {"round-robin": "3: the round robin is thought to be absolutely necessary"}

CLAIMS = (
    Claim(
        "selection",
        "best less worst of four selection schemes",
        0.0,
        INSENSITIVE,
        unit="points a game",
        where="7: a lack of sensitivity to the selection mechanism",
    ),
    *(
        Claim(
            name,
            what,
            0.0,
            relation=Relation.AT_LEAST if name in WHERE else Relation.UNPUBLISHED,
            unit="points a game",
            where=WHERE.get(name, ""),
        )
        for name, (_, _, what) in LEADS.items()
    ),
    Claim(
        "cma-ga-select",
        "CMA-ES less the genetic algorithm from ballots:select, which chose `tuned`",
        0.0,
        relation=Relation.UNPUBLISHED,
        unit="points a game",
    ),
    *(
        Claim(
            f"score-{name.replace(' ', '-')}",
            f"score against draft5: {name}",
            0.5,
            relation=Relation.UNPUBLISHED,
            unit="points a game",
        )
        for name in CHANGES
    ),
)


def arms(*, quick: bool) -> dict[str, Draft5GaSettings]:
    """Return the settings of all arms, with equal games."""
    size: dict[str, object] = {}
    if quick:
        size["games"] = BASE.games_after(QUICK_GENERATIONS)
    return {
        name: Draft5GaSettings.checked({**BASE.model_dump(), **changes, **size})
        for name, changes in CHANGES.items()
    }


def measure(lab: Lab) -> Iterator[Measurement]:
    """Evolve all arms and let their winners meet the hand-tuned weights."""
    found = train_evolutions(lab, arms(quick=lab.quick), QUICK_RUNS if lab.quick else RUNS)
    scores = {name: score_runs(lab, runs) for name, runs in found.items()}
    runs = len(scores[USUAL])
    note = f"{runs} runs an arm, {BASE.games if not lab.quick else 'fewer'} games each"
    for name, each in scores.items():
        claim = f"score-{name.replace(' ', '-')}"
        yield Measurement(claim, *score_over_seeds(each), note)
    yield Measurement("selection", *spread_of_selections(scores), note)
    for name, (one, other, _) in LEADS.items():
        yield Measurement(name, *difference_over_seeds(scores[one], scores[other]), note)
    # Players are not chosen by the openings that they are reported on.
    by_select = {name: score_runs(lab, found[name], SELECT) for name in (CMA, USUAL)}
    lead = difference_over_seeds(by_select[CMA], by_select[USUAL])
    yield Measurement("cma-ga-select", *lead, note)
    lab.figures["arms"] = draw_scores(scores, "points a game against draft5")


def score_runs(lab: Lab, runs: Sequence[Evolved], source: str = REPORT) -> list[float]:
    """Return the points a game of each run's winner against hand-tuned weights."""
    pairs = QUICK_PAIRS if lab.quick else PAIRS
    winners, seeds = [one.winner for one in runs], [one.seed for one in runs]
    return score_all(lab, winners, [None] * len(runs), seeds, pairs=pairs, source=source)


def spread_of_selections(scores: Mapping[str, Sequence[float]]) -> Interval:
    """Return by how much the best scheme of selection is ahead of the worst.

    Which ones those are is itself chance, so the interval is longer than it says at its lower end.
    """
    ranked = sorted(SELECTIONS, key=lambda name: sum(scores[name]))
    return difference_over_seeds(scores[ranked[-1]], scores[ranked[0]])


EXPERIMENT = register(
    Experiment(
        "draft5-ablations",
        "Chisholm & Bradbeer, DRAFT5-GA, 1997, sections 3 and 7",
        CLAIMS,
        measure,
        "The evolution of twelve weights with one part exchanged at a time, all with equal games.",
        f"The run is the unit: its score is that of its last winner against draft5 in {2 * PAIRS} "
        "games at depth 2, captures played out, from the openings ballots:report, which no "
        "evolution has seen. Intervals are by bootstrap over runs.",
        check=lambda: arms(quick=True),  # which names a package that is missing
        judges_quick=False,
    )
)
