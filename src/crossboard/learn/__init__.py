"""Learners: how evaluations get better by playing."""

from __future__ import annotations

from crossboard.learn.snapshot import Snapshot, game_seed
from crossboard.learn.td import TdLearner, TdSettings

__all__ = ["Snapshot", "TdLearner", "TdSettings", "game_seed"]
