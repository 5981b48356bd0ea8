"""Positions to measure searches with."""

from __future__ import annotations

from functools import cache

from crossboard._core.draughts import Position


def middlegames() -> list[Position]:
    """Return 20 quiet middlegame positions from tournament games, 16 to 20 pieces each."""
    return list(_all())


@cache
def _all() -> tuple[Position, ...]:
    from importlib.resources import files  # half of the package's import time, for one file

    text = files("crossboard.draughts").joinpath("middlegames.fen").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return tuple(Position.from_fen(line) for line in lines)
