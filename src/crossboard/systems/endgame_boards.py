"""Endgame boards of MP-Draughts: one FEN a line, with where it came from (2009, IV.B.1).

The files are openings too: what stands behind a `#` is a remark there.

    B:W17,21,K30:B2,9,13  # Bristol, ply 62, won
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from crossboard.arena.openings import read_text_lines
from crossboard.draughts import Position

# MP-Draughts 2009, I: boards of so many pieces were collected.
PIECES = 12
# What a game was worth to the side to move on the board.
OUTCOMES = {"won": 1.0, "drawn": 0.0, "lost": -1.0}
ORIGIN = re.compile(rf"(.*), ply (\d+), ({'|'.join(OUTCOMES)})")


class UnfitBoards(ValueError):
    """A file does not hold boards to group and to train on."""


class EndgameBoard(NamedTuple):
    """A board with Black to move, and the game in which it stood."""

    position: Position
    opening: str = ""
    ply: int = 0
    outcome: float | None = None  # 1, 0 or -1 for the side to move; None: not known

    @classmethod
    def parse(cls, line: str) -> EndgameBoard:
        """Read a line; raise ValueError for what is no FEN. White to move is turned round."""
        fen, _, remark = line.partition("#")
        position = turned(Position.from_fen(fen.strip()))
        origin = ORIGIN.fullmatch(remark.strip())
        if origin is None:
            return cls(position, remark.strip())
        return cls(position, origin[1], int(origin[2]), OUTCOMES[origin[3]])

    def format(self) -> str:
        """Write the board as a line."""
        words = {outcome: word for word, outcome in OUTCOMES.items()}
        if self.outcome is None:
            return f"{self.position.fen}  # {self.opening}".removesuffix("  # ")
        return f"{self.position.fen}  # {self.opening}, ply {self.ply}, {words[self.outcome]}"


def turned(position: Position) -> Position:
    """Return a position with Black to move: itself, or the same for the other side."""
    return position if position.turn == "B" else position.mirrored


def count_pieces(position: Position) -> int:
    """Count the pieces of both sides."""
    return len(position.pieces("B")) + len(position.pieces("W"))


def format_endgame_boards(boards: Iterable[EndgameBoard]) -> str:
    """Write a file of boards."""
    return "".join(f"{board.format()}\n" for board in boards)


def read_endgame_boards(
    path: str | os.PathLike[str], *, least: int = 1, pieces: int = PIECES
) -> list[EndgameBoard]:
    """Read at least so many different boards of so many pieces each.

    Raises UnfitBoards, which names file, line and what is wrong.
    """
    lines = enumerate(_lines(Path(path)), start=1)
    found = {number: text for number, text in lines if text.partition("#")[0].strip()}
    boards = [_parse(text, f"{path}, line {number}", pieces) for number, text in found.items()]
    _refuse_duplicates(path, list(found), boards)
    if len(boards) < least:
        raise UnfitBoards(f"{path}: {least} boards or more are needed, not {len(boards)}")
    return boards


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        raise UnfitBoards(f"{path}: there is no such file of boards")
    return read_text_lines(path)


def _parse(text: str, where: str, pieces: int) -> EndgameBoard:
    try:
        board = EndgameBoard.parse(text)
    except ValueError as error:
        raise UnfitBoards(f"{where}: {error}") from None
    count = count_pieces(board.position)
    if count != pieces:
        raise UnfitBoards(f"{where}: boards of {pieces} pieces are needed, not of {count}")
    if board.position.is_over:
        raise UnfitBoards(f"{where}: the game is over: no games can begin there")
    return board


def _refuse_duplicates(
    path: str | os.PathLike[str], numbers: Sequence[int], boards: Sequence[EndgameBoard]
) -> None:
    first: dict[Position, int] = {}
    for number, board in zip(numbers, boards, strict=True):
        if board.position in first:
            same = f"the board of line {first[board.position]}"
            raise UnfitBoards(f"{path}, line {number}: {same} again, seen by the side to move")
        first[board.position] = number
