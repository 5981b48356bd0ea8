"""Random lines of play, from which games begin that would otherwise be alike."""

from __future__ import annotations

from random import Random

from crossboard._core.draughts import Move, Position

# How often another line is tried if one ends the game.
TRIES = 100


def random_line(position: Position, plies: int, random: Random) -> tuple[Move, ...]:
    """Draw so many plies after which the game goes on; raise ValueError if none are found."""
    for _ in range(TRIES):
        moves: list[Move] = []
        now = position
        while len(moves) < plies and not now.is_over:
            moves.append(random.choice(now.legal_moves))
            now = now.after(moves[-1])
        if not now.is_over:
            return tuple(moves)
    raise ValueError(f"no game is left after {plies} random plies from {position.fen}")
