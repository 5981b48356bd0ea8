"""The four ways in which the paper trained, each said to be better than the last (6.2 to 6.4)."""

from __future__ import annotations

from collections.abc import Iterator

from crossboard.systems.arms import CLONING_RULE, Arm, better, compare_arms
from crossboard.systems.claims import Measurement
from crossboard.systems.experiments import Experiment, Lab, register
from crossboard.systems.neurodraughts import PUBLISHED

# Of the paper's 80 to 90 % of "say 50 games".
SHARE, SHARE_GAMES = 0.85, 50

CLAIMS = (
    better(
        "share-straight",
        "a share of 50 games won, more than straight play",
        "6.3: the standard of play was forced to increase",
    ),
    better("test-straight", "ten games and two, more than straight play", "6.3"),
    better("test-share", "ten games and two, more than a share of 50 games won", "6.3"),
    better("look-ahead", "ten games and two with two plies, more than with one", "6.4"),
)


def arms(games: int) -> list[Arm]:
    """Return the regimes; the first three have no look-ahead, so they see one ply."""
    base = PUBLISHED.model_copy(update={"games": games, "exam_every": 0})
    blind = base.model_copy(update={"look_ahead": 1})
    share = {"regime": "share", "clone_share": SHARE, "test_after": SHARE_GAMES}
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


EXPERIMENT = register(
    Experiment(
        "regimes",
        "Lynch, NeuroDraughts, 1997, sections 6.2 to 6.4",
        CLAIMS,
        measure,
        "Straight play, cloning by a share of games won, ten games and two, and the same with "
        "look-ahead; what is measured of cloning is the last clone.",
        CLONING_RULE,
    )
)
