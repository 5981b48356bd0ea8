"""Board files of NeuroDraughts: positions to play from, their draw rewards and points to clone.

A count, then for each board 32 squares (0 empty, 1 black man, 2 red man, 3 black king, 4 red king)
and three numbers (Lynch 1997, 9.1). Black is to move; red is our White. Between the count and the
first board there may be remarks, as in the paper.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from crossboard._core.draughts import PlayedGame, Position
from crossboard.draughts.words import Words

SQUARES = 32
PIECES = {1: "B", 2: "W", 3: "BK", 4: "WK"}
CODES = {"b": 1, "w": 2, "B": 3, "W": 4}
MAX_BOARDS = 1_000_000
MAX_POINTS = 4  # two test games of two points each


@dataclass(frozen=True)
class StartBoard:
    """From where games begin, what a draw is worth, and how many points make a clone.

    The defaults are those of the paper's first board.
    """

    position: Position = field(default_factory=Position)
    draw_as_black: float = -0.1
    draw_as_white: float = 0.1  # red, in the paper's words
    points_to_clone: float = MAX_POINTS  # of two test games, 2 for a win and 1 for a draw

    def reward(self, game: PlayedGame, seat: int) -> float:
        """Return what the game was worth to a seat (0: who moved first)."""
        if game.winner is not None:
            return 1.0 if game.winner == seat else -1.0
        is_black = (game.start.turn == "B") == (seat == 0)
        return self.draw_as_black if is_black else self.draw_as_white


def read_boards(path: str | os.PathLike[str]) -> list[StartBoard]:
    """Read a board file; raise WordError that names file, line and what was expected."""
    words = Words.of_file(path)
    count = words.integer("the number of boards", 0, MAX_BOARDS)
    words.skip_remarks()
    boards = [_take_start(words, f"board {n} of {count}") for n in range(1, count + 1)]
    words.end()
    return boards


def _take_start(words: Words, which: str) -> StartBoard:
    position = take_board(words, "B", which)
    if position.is_over:
        words.fail(f"a move for Black on {which}", "a board on which the game is over")
    rewards = [
        words.number(f"the reward of {which} for a draw with {colour}, -1 to 1", -1, 1)
        for colour in ("black", "red")
    ]
    points = words.number(f"the points to clone of {which}, 0 to {MAX_POINTS}", 0, MAX_POINTS)
    return StartBoard(position, rewards[0], rewards[1], points)


def take_board(words: Words, turn: str, which: str) -> Position:
    """Read the 32 numbers of a board; `turn` is the side to move, `which` names it in errors."""
    sides: dict[str, list[str]] = {"B": [], "W": []}
    for square in range(1, SQUARES + 1):
        code = words.integer(f"square {square} of {which}, 0 to {max(PIECES)}", 0, max(PIECES))
        if piece := PIECES.get(code):
            sides[piece[0]].append(f"{piece[1:]}{square}")
    try:
        return Position.from_fen(f"{turn}:W{','.join(sides['W'])}:B{','.join(sides['B'])}")
    except ValueError as error:
        words.fail(f"a board that can be ({error})", which)


def format_board(position: Position) -> str:
    """Write the 32 numbers of a board; whose turn it is they do not say."""
    pieces = (position.piece_at(square) for square in range(1, SQUARES + 1))
    return " ".join(str(CODES[piece] if piece else 0) for piece in pieces)


def format_boards(boards: Sequence[StartBoard]) -> str:
    """Write a board file; raise ValueError for a position in which Black is not to move."""
    lines = [str(len(boards)), *_format_starts(boards)]
    return "\n".join([*lines, ""])


def _format_starts(boards: Iterable[StartBoard]) -> Iterable[str]:
    for board in boards:
        if board.position.turn != "B":
            raise ValueError(f"in a board file Black is to move, not as in {board.position.fen}")
        black, red = (f"{reward:+}" for reward in (board.draw_as_black, board.draw_as_white))
        yield f"{format_board(board.position)}   {black} {red} {board.points_to_clone:g}"
