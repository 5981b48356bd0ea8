"""The published results measured again: claims, comparisons, verdicts."""

from __future__ import annotations

from crossboard.experiments.claims import Claim, Finding, Measurement, Relation, Verdict, judge
from crossboard.experiments.experiment import (
    Experiment,
    ExperimentResult,
    GivenGames,
    Lab,
    UnknownExperiment,
    all_experiments,
    conduct,
    find_experiment,
    register,
)

__all__ = [
    "Claim",
    "Experiment",
    "ExperimentResult",
    "Finding",
    "GivenGames",
    "Lab",
    "Measurement",
    "Relation",
    "UnknownExperiment",
    "Verdict",
    "all_experiments",
    "conduct",
    "find_experiment",
    "judge",
    "register",
]
