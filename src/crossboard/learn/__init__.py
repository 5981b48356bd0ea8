"""Learners: how evaluations get better by playing."""

from __future__ import annotations

from crossboard.learn.schooling import Schooling
from crossboard.learn.search_learning import StudySettings
from crossboard.learn.snapshot import Snapshot, game_seed
from crossboard.learn.td import TdLearner, TdSettings
from crossboard.learn.tdleaf import TdLeafSettings, learn_by_tdleaf
from crossboard.learn.treestrap import TreeStrapSettings, learn_by_treestrap

__all__ = [
    "Schooling",
    "Snapshot",
    "StudySettings",
    "TdLeafSettings",
    "TdLearner",
    "TdSettings",
    "TreeStrapSettings",
    "game_seed",
    "learn_by_tdleaf",
    "learn_by_treestrap",
]
