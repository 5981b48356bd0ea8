"""Boards to try evaluations on: from random games, and pieces put down anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from random_fens import placed_fen

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
