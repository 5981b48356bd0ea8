"""Learners: how evaluations get better by playing."""

from __future__ import annotations

from crossboard.learn.td import TdLearner, TdSettings

__all__ = ["TdLearner", "TdSettings"]
