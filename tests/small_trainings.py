"""Trainings of arms by themselves, without an experiment around them."""

from __future__ import annotations

from pathlib import Path

from crossboard.experiments.comparison import Arm, Plan
from crossboard.systems.cohort import train_part
from crossboard.systems.trained import Trained


def train_one(folder: Path, arm: Arm, seed: int, plan: Plan) -> Trained:
    """Train one arm from one seed in a folder, or resume it there."""
    train_part(arm.training(folder, seed, plan))
    return Trained.read_part(folder)
