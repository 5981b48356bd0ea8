"""The four ways in which the paper trained, each said to be better than the last (6.2 to 6.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crossboard.arena.bootstrap import score_over_seeds
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.comparison import (
    CLONING_RULE,
    EXAM_OPENINGS,
    EXAM_SEED,
    Arm,
    at_depth,
    better,
    compare_arms,
    meet,
    opponent,
)
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.players import Player
from crossboard.systems.neurodraughts import PUBLISHED
from crossboard.systems.trained import Trained

SHARE_GAMES = 50  # "say 50 games"
# Chosen: the paper's "above average" is no figure; who counts pieces, and looks as far ahead, is
# the least that such a player should be equal to.
YARDSTICK, YARDSTICK_PAIRS = "material", 100

CLAIMS = (
    better(
        "share-straight",
        "a share of 50 games won, more than straight play",
        "6.3: the standard of play was forced to increase",
    ),
    better("test-straight", "ten games and two, more than straight play", "6.3"),
    better("test-share", "ten games and two, more than a share of 50 games won", "6.3"),
    better("look-ahead", "ten games and two with two plies, more than with one", "6.4"),
    Claim(
        "material",
        f"the last clone with two plies against {YARDSTICK}, which has two plies too",
        0.5,
        relation=Relation.AT_LEAST,
        unit="points a game",
        where="6.4: performing to above average standard after only 500 training games",
    ),
)


def arms(games: int) -> list[Arm]:
    """Return the regimes; the first three have no look-ahead, so they see one ply."""
    base = PUBLISHED.model_copy(update={"games": games, "exam_every": 0})
    blind = base.model_copy(update={"look_ahead": 1})
    share = {"regime": "share", "test_after": SHARE_GAMES}
    return [
        Arm(name="straight", settings=blind.model_copy(update={"regime": "straight"})),
        Arm(name="share", settings=blind.model_copy(update=share)),
        Arm(name="test", settings=blind),
        Arm(name="look-ahead", settings=base),
    ]


def measure(lab: Lab) -> Iterator[Measurement]:
    """Train all arms with equal games and compare them."""
    found = compare_arms(lab, arms)
    yield found.lead("share-straight", "share", "straight")
    yield found.lead("test-straight", "test", "straight")
    yield found.lead("test-share", "test", "share")
    yield found.lead("look-ahead", "look-ahead", "test")
    yield measure_yardstick(lab, found.trainings["look-ahead"])


def measure_yardstick(lab: Lab, trainings: Sequence[Trained]) -> Measurement:
    """Let the last clone of each run meet a player that counts pieces."""
    scores = list(lab.learners.map(meet_yardstick, trainings))
    note = f"{len(scores)} runs, {2 * YARDSTICK_PAIRS} games each from {EXAM_OPENINGS}"
    # The quick size plays fewer games of training than the paper.
    return Measurement(YARDSTICK, *score_over_seeds(scores), note, lab.quick)


def meet_yardstick(trained: Trained) -> float:
    """Return the points a game of what a run left, both looking as far ahead as it learnt to."""
    clone = Player("clone", trained.network)
    depth = PUBLISHED.look_ahead
    own, other = at_depth(clone, depth), opponent(YARDSTICK, depth)
    return meet(own, other, YARDSTICK_PAIRS, seed=EXAM_SEED + trained.seed)


EXPERIMENT = register(
    Experiment(
        "regimes",
        "Lynch, NeuroDraughts, 1997, sections 6.2 to 6.4",
        CLAIMS,
        measure,
        "Straight play, cloning by a share of games won, ten games and two, and the same with "
        "look-ahead; what is measured of cloning is the last clone.",
        f"{CLONING_RULE} It is at least as good as {YARDSTICK} if all of the interval of its "
        "points against that is one half or more.",
    )
)
