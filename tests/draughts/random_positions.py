"""Positions drawn at random: some that games lead to, some that no game would."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from random_fens import placed_fen

from crossboard.draughts import Position


def walked_positions(random: Random, count: int) -> Iterator[Position]:
    """Yield the positions of random games, ends of games included."""
    position = Position()
    for _ in range(count):
        yield position
        moves = list(position.legal_moves)
        position = position.after(random.choice(moves)) if moves else Position()


def placed_positions(random: Random, count: int) -> Iterator[Position]:
    """Yield boards with pieces put down anywhere, from bare to full, from men to kings only."""
    for _ in range(count):
        yield Position.from_fen(placed_fen(random))
