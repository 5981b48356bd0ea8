"""
The compiled core of crossboard; use crossboard.draughts or crossboard.duchess.
"""

from crossboard._core import draughts as draughts, duchess as duchess
