"""The options that say which game, and which position of it, a command is about."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from crossboard import duchess
from crossboard.cli.wording import whole_text
from crossboard.draughts import Position

# How many players each game is for, the usual number first.
PLAYERS = {"draughts": (2,), "duchess": (4, 6)}

Game: TypeAlias = Annotated[str, typer.Option(help=f"Which game: {', '.join(PLAYERS)}.")]
Players: TypeAlias = Annotated[int | None, typer.Option(help="How many players the game has.")]
Fen: TypeAlias = Annotated[
    str | None, typer.Option(metavar="FEN", help="Begin from this position.", show_default="start")
]
PositionText: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="The same for Duchess: '4; 1:K1a1 ...; turn 1'."),
]


def check_game(game: str, players: int | None) -> None:
    """Raise ValueError for a game that does not exist."""
    if game not in PLAYERS:
        raise ValueError(f"there is no game {game!r}: there is {', '.join(PLAYERS)}")
    if players is not None and players not in PLAYERS[game]:
        numbers = " or ".join(map(str, PLAYERS[game]))
        raise ValueError(f"{game} is for {numbers} players, not {players}")


def read_position(fen: str | None) -> Position:
    """Read a position from an option's text; raise InvalidFen if it is none."""
    return Position() if fen is None else Position.from_fen(whole_text(fen))


def read_duchess_position(text: str | None, players: int | None) -> duchess.Position:
    """Read a position of Duchess; raise ValueError if it is none, or not of so many players."""
    if text is None:
        return duchess.Position(players or PLAYERS["duchess"][0])
    position = duchess.Position.from_text(whole_text(text))
    if players not in (None, position.players):
        raise ValueError(f"--players {players}: the position has {position.players}")
    return position
