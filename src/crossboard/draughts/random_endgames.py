"""Endgames put down at random, from which games begin that have kings."""

from __future__ import annotations

from random import Random

from crossboard._core.draughts import Position

# Chosen: pieces of a side; the other has as many, one more or one less, which play decides.
LEAST, MOST = 2, 8
CROWNING_ROWS = {"B": range(29, 33), "W": range(1, 5)}


def random_endgame(random: Random) -> Position:
    """Draw a position with 3 to 17 pieces, from no kings to kings only.

    The side to move has a move, and no capture is pending.
    """
    while True:
        position = Position.from_fen(_random_fen(random))
        if not (position.is_over or position.has_capture):
            return position


def _random_fen(random: Random) -> str:
    share_of_kings = random.random()
    count = random.randint(LEAST, MOST)
    counts = {"W": count, "B": count + random.choice((-1, 0, 0, 1))}
    squares = random.sample(range(1, 33), sum(counts.values()))
    sides = []
    for colour, pieces in counts.items():
        words = [
            f"K{square}"
            if square in CROWNING_ROWS[colour] or random.random() < share_of_kings
            else str(square)
            for square in (squares.pop() for _ in range(pieces))
        ]
        sides.append(colour + ",".join(words))
    return ":".join([random.choice("BW"), *sides])
