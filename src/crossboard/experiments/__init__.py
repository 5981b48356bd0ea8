"""The published results measured again: claims, comparisons, verdicts."""

from __future__ import annotations

from crossboard.experiments.claims import Claim, Finding, Measurement, Relation, Verdict, judge
from crossboard.experiments.experiment import (
    Experiment,
    GivenGames,
    Lab,
    Outcome,
    UnknownExperiment,
    all_experiments,
    conduct,
    find_experiment,
    register,
)

__all__ = [
    "Claim",
    "Experiment",
    "Finding",
    "GivenGames",
    "Lab",
    "Measurement",
    "Outcome",
    "Relation",
    "UnknownExperiment",
    "Verdict",
    "all_experiments",
    "conduct",
    "find_experiment",
    "judge",
    "register",
]
