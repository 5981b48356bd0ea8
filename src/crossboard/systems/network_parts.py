"""What the parts of the paper's net are good for: direct links, momentum's check, three nets."""

from __future__ import annotations

from collections.abc import Iterator

from crossboard.arena.bootstrap import mean_over_seeds
from crossboard.systems import modular
from crossboard.systems.arms import Arm, Plan, better, compare, draw_blocks, draw_curves, train_arms
from crossboard.systems.claims import Claim, Measurement, Relation
from crossboard.systems.experiments import Experiment, Lab, register
from crossboard.systems.neurodraughts import PUBLISHED

QUICK = Plan(seeds=5, pairs=10, exams=2)
FULL = Plan(seeds=20, pairs=25, exams=5)
QUICK_GAMES, FULL_GAMES = 500, 1000

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
    """Return what is compared: the published net without a part each, and one net with three."""
    base = PUBLISHED.model_copy(update={"games": games, "exam_every": 0})
    one = modular.PUBLISHED.model_copy(update={"games": games})
    return [
        Arm(name="published", settings=base),
        Arm(name="no links", settings=base.model_copy(update={"direct_links": False})),
        Arm(name="no check", settings=base.model_copy(update={"direction_check": False})),
        Arm(name="three nets", settings=one, system="modular"),
        Arm(name="one net", settings=one.model_copy(update={"modules": False}), system="modular"),
    ]


def measure(lab: Lab) -> Iterator[Measurement]:
    """Train all arms and compare them."""
    plan = QUICK if lab.quick else FULL
    lessons = train_arms(lab, arms(QUICK_GAMES if lab.quick else FULL_GAMES), plan)
    yield compare("direct-links", lessons, "published", "no links", plan)
    yield compare("direction-check", lessons, "published", "no check", plan)
    shares = [
        sum(block["share_level"] for block in lesson.blocks) / len(lesson.blocks)
        for lesson in lessons["three nets"]
    ]
    yield Measurement("level-share", *mean_over_seeds(shares), f"{plan.seeds} runs")
    yield compare("three-nets", lessons, "three nets", "one net", plan)
    lab.figures["curves"] = draw_curves(lessons)
    lab.figures["blocks"] = draw_blocks(lessons)


EXPERIMENT = register(
    Experiment(
        "network-parts",
        "Lynch, NeuroDraughts, 1997, section 5",
        CLAIMS,
        measure,
        "The published training without direct links, without the check of momentum's direction, "
        "and with three nets by material.",
    )
)
