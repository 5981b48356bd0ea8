"""What a net should see of the board: features, three bits a square, or one number a square."""

from __future__ import annotations

from collections.abc import Iterator

from crossboard.systems.arms import Arm, Plan, better, compare, draw_blocks, draw_curves, train_arms
from crossboard.systems.claims import Measurement
from crossboard.systems.experiments import Experiment, Lab, register
from crossboard.systems.neurodraughts import PUBLISHED

QUICK = Plan(seeds=5, pairs=10, exams=2)
FULL = Plan(seeds=20, pairs=25, exams=5)
QUICK_GAMES, FULL_GAMES = 500, 1000
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
    plan = QUICK if lab.quick else FULL
    lessons = train_arms(lab, arms(QUICK_GAMES if lab.quick else FULL_GAMES), plan)
    yield compare("features-binary", lessons, "features", "binary", plan)
    yield compare("features-direct", lessons, "features", "direct", plan)
    lab.figures["curves"] = draw_curves(lessons)
    lab.figures["blocks"] = draw_blocks(lessons)


EXPERIMENT = register(
    Experiment(
        "representations",
        "Lynch, NeuroDraughts, 1997, section 3.3",
        CLAIMS,
        measure,
        "The published training with the feature map, the binary map and the direct map.",
    )
)
