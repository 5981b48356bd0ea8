"""The board as a person sees it on a terminal."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from rich.console import Console
from rich.text import Text

from crossboard.draughts import Move, Position
from crossboard.players.games import DRAUGHTS, AnyMove, AnyPosition, game_of

CELL_WIDTH = 5
LETTERS = {"b": "b", "w": "w", "B": "B", "W": "W"}
DISCS = {"b": "●", "w": "●", "B": "♛", "W": "♛"}


@dataclass(frozen=True)
class Look:
    """How squares and pieces are told apart; the styles are rich's."""

    pieces: dict[str, str]
    light: str = ""
    dark: str = ""
    last_move: str = ""
    number: str = ""
    black: str = ""
    white: str = ""
    pattern: str = " "  # fills the light squares
    brackets: tuple[str, str] = (" ", " ")  # around what stands on a square of the last move


PLAIN = Look(LETTERS, pattern=":", brackets=("[", "]"))
# Colours that terminals with 256 have exactly; one that they mix looks pink.
COLOURS = Look(
    DISCS,
    light="on #ffd7af",
    dark="on #875f00",
    last_move="on #5f875f",
    number="#d7af87",
    black="bold #000000",
    white="bold #ffffff",
)
# None of the sixteen is brown or cream.
SIXTEEN_COLOURS = Look(
    DISCS,
    light="on white",
    dark="on green",
    last_move="on cyan",
    number="black",
    black="bold black",
    white="bold bright_white",
)


def choose_look(console: Console) -> Look:
    """Choose what the terminal can show."""
    if console.no_color or console.color_system is None:
        return PLAIN
    look = COLOURS if console.color_system in ("256", "truecolor") else SIXTEEN_COLOURS
    # The Linux console has colours but no discs.
    has_discs = console.encoding.startswith("utf") and os.environ.get("TERM") != "linux"
    return look if has_discs else replace(look, pieces=LETTERS)


def draw(
    position: Position, look: Look, *, last_move: Move | None = None, flipped: bool = False
) -> Text:
    """Draw a position, square 1 at the top left; flipped shows it from Black's side."""
    marked = last_move.path if last_move else ()
    lines = []
    for row in _rows(flipped):
        cells = [_cell(position, square, look, square in marked) for square in row]
        lines += [Text.assemble(*line) for line in zip(*cells, strict=True)]
    return Text("\n").join(lines)


# By the game; other positions draw themselves.
COLOURED = {DRAUGHTS.name: draw}


def draw_any(position: AnyPosition, console: Console, last_move: AnyMove | None) -> Text | str:
    """Draw a position of any game as far as the terminal can show it."""
    coloured = COLOURED.get(game_of(position).name)
    if coloured is None:
        return str(position)
    return coloured(position, choose_look(console), last_move=last_move)


def _rows(flipped: bool) -> list[list[int | None]]:
    """List the squares as they are seen, from the top left; None is a light square."""
    rows = [[_number(row, column) for column in range(8)] for row in range(8)]
    return [row[::-1] for row in rows[::-1]] if flipped else rows


def _number(row: int, column: int) -> int | None:
    return 4 * row + column // 2 + 1 if (row + column) % 2 else None


def _cell(
    position: Position, square: int | None, look: Look, is_marked: bool
) -> tuple[tuple[str, str], tuple[str, str]]:
    """Give the two lines of a cell with their styles: the number, then the piece."""
    if square is None:
        return ((look.pattern * CELL_WIDTH, look.light),) * 2
    ground = look.last_move if is_marked else look.dark
    number = f"{square:<{CELL_WIDTH}}", f"{look.number} {ground}"
    piece = position.piece_at(square)
    colour = (look.black if piece in ("b", "B") else look.white) if piece else ""
    left, right = look.brackets if is_marked else (" ", " ")
    stands = f"{left}{look.pieces[piece] if piece else ' '}{right}"
    return number, (stands.center(CELL_WIDTH), f"{colour} {ground}")
