"""The game that a client plays, put together from the positions that it sends.

A client may send each time no more than the positions that can still be repeated. A player that
keeps a choice for the rest of a game needs to know the turns before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from crossboard._core.draughts import Position

# Chosen: a game may go on from a few plies before its last known position, since a client also
# sends the replies that it expects, and takes moves back.
LOOK_BACK = 6


def continue_game(known: Sequence[Position], line: Sequence[Position]) -> list[Position]:
    """Return the whole game to the end of a line; the line alone if it does not go on from it."""
    start = line[0]
    places = [place for place, position in enumerate(known) if position == start]
    if places:
        # Where it recurs: the place that the line agrees with longest, of equals the latest.
        place = max(places, key=lambda place: (_shared(known[place:], line), place))
        return [*known[:place], *line]
    for place in reversed(range(max(0, len(known) - LOOK_BACK), len(known))):
        between = _between(known[place], start)
        if between is not None:
            return [*known[: place + 1], *between, *line]
    return list(line)


def _shared(known: Sequence[Position], line: Sequence[Position]) -> int:
    """Return how many positions both begin with alike."""
    pairs = zip(known, line, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _between(before: Position, after: Position) -> list[Position] | None:
    """Return what lies between two positions of a game: nothing, or the one after a move of ours.

    None if neither one move nor two lead from one to the other.
    """
    replies = [before.after(move) for move in before.legal_moves]
    if after in replies:
        return []
    for reply in replies:
        if any(reply.after(move) == after for move in reply.legal_moves):
            return [reply]
    return None
