"""Positions drawn at random: some that games lead to, some that no game would."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

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


def placed_fen(random: Random) -> str:
    kings = random.choice((0.0, 0.2, 0.5, 1.0))
    squares = random.sample(range(1, 33), 24)
    sides = []
    for colour, crowning_row in (("W", range(1, 5)), ("B", range(29, 33))):
        own = sorted(squares.pop() for _ in range(random.randint(0, 12)))
        words = [
            f"K{square}" if square in crowning_row or random.random() < kings else str(square)
            for square in own
        ]
        sides.append(colour + ",".join(words))
    return ":".join([random.choice("BW"), *sides])
