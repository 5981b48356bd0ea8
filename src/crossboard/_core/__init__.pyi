"""The compiled core of crossboard; use crossboard.draughts instead."""

from crossboard._core import draughts as draughts
