"""The published systems, each put together from the parts below, and their experiments."""

from __future__ import annotations

from crossboard.systems.claims import Claim, Finding, Measurement, Relation, Verdict, judge
from crossboard.systems.experiments import (
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
