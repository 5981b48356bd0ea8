"""FENs of draughts with pieces put down at random, for tests of rules and of evaluations."""

from __future__ import annotations

from random import Random


def placed_fen(random: Random) -> str:
    """Return a FEN of any board: from bare to full, from men to kings only."""
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
