"""Endgame tables of draughts: where they are, what they hold, building and checking them."""

from __future__ import annotations

from crossboard._core.draughts import MOST_TABLE_PIECES, EndgameTables, TablesError
from crossboard.tables.building import Building, BuildReport, TablesExist
from crossboard.tables.listing import SliceCounts, list_slices
from crossboard.tables.verifying import Verification, verify

__all__ = [
    "MOST_TABLE_PIECES",
    "BuildReport",
    "Building",
    "EndgameTables",
    "SliceCounts",
    "TablesError",
    "TablesExist",
    "Verification",
    "list_slices",
    "verify",
]
