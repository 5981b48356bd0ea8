"""The options that say which game, and which position of it, a command is about."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from crossboard.cli.wording import whole_text
from crossboard.draughts import Position

GAMES = ("draughts",)
SEATS = 2  # of draughts

Game: TypeAlias = Annotated[str, typer.Option(help="Which game: draughts.")]
Players: TypeAlias = Annotated[int | None, typer.Option(help="How many players the game has.")]
Fen: TypeAlias = Annotated[
    str | None, typer.Option(metavar="FEN", help="Begin from this position.", show_default="start")
]


def check_game(game: str, players: int | None) -> None:
    """Raise ValueError for a game that does not exist."""
    if game not in GAMES:
        raise ValueError(f"there is no game {game!r}: there is {', '.join(GAMES)}")
    if players not in (None, SEATS):
        raise ValueError(f"draughts is for {SEATS} players, not {players}")


def read_position(fen: str | None) -> Position:
    """Read a position from an option's text; raise InvalidFen if it is none."""
    return Position() if fen is None else Position.from_fen(whole_text(fen))
