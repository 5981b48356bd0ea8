"""Two kings against one, solved: how many plies each position is from its end, by retrograde."""

from __future__ import annotations

from collections import deque
from functools import cache
from itertools import combinations, permutations

from crossboard.draughts import Position

SQUARES = range(1, 33)


def placement(first: int, second: int, lone: int, turn: str = "W") -> Position:
    """White has the two kings."""
    return Position.from_fen(f"{turn}:WK{first},K{second}:BK{lone}")


def placements() -> list[Position]:
    """Every placement with the kings to move."""
    return [
        placement(first, second, lone)
        for first, second in combinations(SQUARES, 2)
        for lone in SQUARES
        if lone not in (first, second)
    ]


def one_against_one() -> list[Position]:
    return [
        Position.from_fen(f"{turn}:WK{white}:BK{black}")
        for white, black in permutations(SQUARES, 2)
        for turn in "WB"
    ]


@cache
def distances() -> dict[Position, int]:
    """Plies to the end of two kings against one and of what comes of it."""
    return solve([*two_against_one(), *one_against_one()])


def two_against_one() -> list[Position]:
    """Every placement with either side to move."""
    kings_to_move = placements()
    return kings_to_move + [
        placement(*position.pieces("W"), *position.pieces("B"), "B") for position in kings_to_move
    ]


def solve(positions: list[Position]) -> dict[Position, int]:
    """Plies to the end, positive where the side to move wins and negative where it loses.

    Who wins hurries, who loses resists as long as it can. Positions that are neither are left out,
    and what leads out of the given positions counts as neither if the game is not over there.
    """
    parents: dict[Position, list[Position]] = {}
    replies: dict[Position, int] = {}  # that are not known to lose yet
    for position in positions:
        children = {position.after(move) for move in position.legal_moves}
        replies[position] = len(children)
        for child in children:
            parents.setdefault(child, []).append(position)
    found = {position: 0 for position in (*positions, *parents) if position.is_over}
    queue = deque(found)
    # In the order of plies: the first win that reaches a position is its shortest, the last reply
    # that loses is its longest resistance.
    while queue:
        child = queue.popleft()
        for parent in parents.get(child, ()):
            if parent in found:
                continue
            replies[parent] -= 1
            if found[child] <= 0:
                found[parent] = 1 - found[child]
            elif replies[parent] == 0:
                found[parent] = -1 - found[child]
            else:
                continue
            queue.append(parent)
    return found


def longest_resistance(position: Position) -> Position:
    """The position after the reply of a side that has lost, but not soon."""
    plies = distances()
    return max(
        (position.after(move) for move in position.legal_moves), key=lambda after: plies[after]
    )
