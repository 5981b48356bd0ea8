"""What a net should see of the board: features, three bits a square, or one number a square."""

from __future__ import annotations

from collections.abc import Iterator

from crossboard.experiments.claims import Measurement
from crossboard.experiments.comparison import CLONING_RULE, Arm, better, compare_arms
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.systems.neurodraughts import PUBLISHED

MAPPINGS = {"features": "lynch", "binary": "binary", "direct": "direct"}

CLAIMS = (
    better("features-binary", "features, more than three bits a square", "3.3, 10"),
    better("features-direct", "features, more than one number a square", "3.3, 10"),
)


def arms(games: int) -> list[Arm]:
    """Return the published training with each map."""
    base = PUBLISHED.model_copy(update={"games": games, "exam_every": 0})
    return [
        Arm(name=name, settings=base.model_copy(update={"mapping": mapping}))
        for name, mapping in MAPPINGS.items()
    ]


def measure(lab: Lab) -> Iterator[Measurement]:
    """Train all arms with equal games and compare them."""
    found = compare_arms(lab, arms)
    yield found.lead("features-binary", "features", "binary")
    yield found.lead("features-direct", "features", "direct")


EXPERIMENT = register(
    Experiment(
        "representations",
        "Lynch, NeuroDraughts, 1997, section 3.3",
        CLAIMS,
        measure,
        "The published training with the feature map, the binary map and the direct map.",
        CLONING_RULE,
    )
)
