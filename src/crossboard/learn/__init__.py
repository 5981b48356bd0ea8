"""Learners: how evaluations get better by playing."""

from __future__ import annotations

from crossboard.learn.cma_search import CmaSearch
from crossboard.learn.evolution import (
    Genetic,
    GeneticSettings,
    HillClimbing,
    Optimiser,
    RandomSearch,
    evolve,
    find_winners,
)
from crossboard.learn.genes import Box, Gene
from crossboard.learn.individuals import History, ancestors, hall_of_fame
from crossboard.learn.schooling import Schooling
from crossboard.learn.search_learning import StudySettings
from crossboard.learn.snapshot import Snapshot, game_seed
from crossboard.learn.td import TdLearner, TdSettings
from crossboard.learn.tdleaf import TdLeafSettings, learn_by_tdleaf
from crossboard.learn.treestrap import TreeStrapSettings, learn_by_treestrap

__all__ = [
    "Box",
    "CmaSearch",
    "Gene",
    "Genetic",
    "GeneticSettings",
    "HillClimbing",
    "History",
    "Optimiser",
    "RandomSearch",
    "Schooling",
    "Snapshot",
    "StudySettings",
    "TdLeafSettings",
    "TdLearner",
    "TdSettings",
    "TreeStrapSettings",
    "ancestors",
    "evolve",
    "find_winners",
    "game_seed",
    "hall_of_fame",
    "learn_by_tdleaf",
    "learn_by_treestrap",
]
