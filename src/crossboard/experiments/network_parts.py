"""What the parts of the paper's net are good for: direct links, momentum's check, three nets."""

from __future__ import annotations

from collections.abc import Iterator

from crossboard.arena.bootstrap import score_over_seeds
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.comparison import CLONING_RULE, Arm, better, compare_arms
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.systems.neurodraughts import PUBLISHED

CLAIMS = (
    better("direct-links", "with direct links, more than without", "5.2"),
    better("direction-check", "with the check of momentum's direction, more than without", "5.1"),
    Claim(
        "level-share",
        "boards that go to the net for level play, of three nets",
        0.5,
        relation=Relation.AT_LEAST,
        unit="of all",
        where="5.3: well over half of the training time",
    ),
    Claim(
        "three-nets",
        "with three nets, more than with one",
        0.0,
        relation=Relation.AT_MOST,
        unit="points a game",
        where="5.3: the idea was left out",
    ),
)


def arms(games: int) -> list[Arm]:
    """Return what is compared: the published net, without a part each, and three of them."""
    base = PUBLISHED.model_copy(update={"games": games, "exam_every": 0})
    return [
        Arm(name="published", settings=base),
        Arm(name="no links", settings=base.model_copy(update={"direct_links": False})),
        Arm(name="no check", settings=base.model_copy(update={"direction_check": False})),
        Arm(name="three nets", settings=base.model_copy(update={"modules": True})),
    ]


def measure(lab: Lab) -> Iterator[Measurement]:
    """Train all arms and compare them."""
    found = compare_arms(lab, arms)
    yield found.lead("direct-links", "published", "no links")
    yield found.lead("direction-check", "published", "no check")
    shares = [
        sum(block["share_level"] for block in trained.blocks) / len(trained.blocks)
        for trained in found.trainings["three nets"]
    ]
    yield Measurement("level-share", *score_over_seeds(shares), f"{len(shares)} runs")
    yield found.lead("three-nets", "three nets", "published")


EXPERIMENT = register(
    Experiment(
        "network-parts",
        "Lynch, NeuroDraughts, 1997, section 5",
        CLAIMS,
        measure,
        "The published training without direct links, without the check of momentum's direction, "
        "and with three nets by material.",
        CLONING_RULE,
    )
)
