"""Boards to try evaluations on: from random games, and pieces put down anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from crossboard.draughts import Position


def boards(seed: int, count: int) -> Iterator[Position]:
    """Yield `count` positions, every other one from a random game."""
    random = Random(seed)
    walked = Position()
    for number in range(count):
        if number % 2:
            yield Position.from_fen(placed_fen(random))
            continue
        yield walked
        moves = list(walked.legal_moves)
        walked = walked.after(random.choice(moves)) if moves else Position()


def placed_fen(random: Random) -> str:
    """Anything from bare to full, from men to kings only."""
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
