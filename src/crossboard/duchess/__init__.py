"""Duchess: positions of four and six players, moves, records, drawings."""

from collections.abc import Sequence

from crossboard._core.duchess import (
    MAX_QUIET_PLIES,
    IllegalMove,
    InvalidPosition,
    LegalMoves,
    Move,
    Past,
    Position,
    cells,
    sectors,
)
from crossboard.duchess.drawing import draw, svg
from crossboard.duchess.random_lines import random_line
from crossboard.duchess.reading import parse_records, read_records
from crossboard.duchess.records import Record, result_for
from crossboard.records import Outcome, RecordError

Sequence.register(LegalMoves)

__all__ = [
    "MAX_QUIET_PLIES",
    "IllegalMove",
    "InvalidPosition",
    "LegalMoves",
    "Move",
    "Outcome",
    "Past",
    "Position",
    "Record",
    "RecordError",
    "cells",
    "draw",
    "parse_records",
    "random_line",
    "read_records",
    "result_for",
    "sectors",
    "svg",
]
