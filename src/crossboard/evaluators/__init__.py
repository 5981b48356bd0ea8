"""Evaluations: what a position is worth without looking ahead.

Small descriptions made of plain data, which players turn into evaluators of the core. Features
look at the board as its last mover left it; an evaluation speaks for the side to move.
"""

from crossboard._core.draughts import Feature, feature, features
from crossboard.evaluators.description import Evaluation
from crossboard.evaluators.linear import Linear, Material

__all__ = ["Evaluation", "Feature", "Linear", "Material", "feature", "features"]
