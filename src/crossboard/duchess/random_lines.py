"""Random lines of play, from which games begin that would otherwise be alike."""

from __future__ import annotations

from random import Random

from crossboard._core import DrawRules
from crossboard._core.duchess import Chooser, Move, Position, play_games

# How often another line is tried if one ends the game.
TRIES = 100


def random_line(position: Position, plies: int, random: Random) -> tuple[Move, ...]:
    """Draw so many plies, skipped turns included, after which the game goes on.

    Raises ValueError if none are found.
    """
    if plies == 0:
        return ()
    chooser, rules = Chooser.random(), DrawRules(repetitions=0, quiet_plies=0, max_plies=plies)
    for _ in range(TRIES):
        (game,) = play_games(
            chooser,
            chooser,
            openings=[(position, [])],
            seeds=[random.getrandbits(63)],
            rules=rules,
        )
        if game.ending == "length" and not game.last.is_over:
            return tuple(game.moves)
    raise ValueError(f"no game is left after {plies} random plies from {position.text}")
