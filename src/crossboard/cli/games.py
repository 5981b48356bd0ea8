"""The options that say which game, and which position of it, a command is about."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

import typer

from crossboard import draughts, duchess
from crossboard.cli.wording import whole_text

Position: TypeAlias = draughts.Position | duchess.Position

# How many players each game is for, the usual number first.
PLAYERS = {"draughts": (2,), "duchess": (4, 6)}

Game: TypeAlias = Annotated[
    str | None,
    typer.Option(help=f"Which game: {', '.join(PLAYERS)}.", show_default="draughts"),
]
WhichGame: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help=f"Which game: {', '.join(PLAYERS)}.", show_default="the player's, or draughts"
    ),
]
Players: TypeAlias = Annotated[int | None, typer.Option(help="How many players the game has.")]
Fen: TypeAlias = Annotated[
    str | None, typer.Option(metavar="FEN", help="Begin from this position.", show_default="start")
]
PositionText: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="The same for Duchess: '4; 1:K1a1 ...; turn 1'."),
]


class Plays(NamedTuple):
    """What a player plays that was named on the command line; None: anything."""

    player: str = ""
    game: str | None = None
    players: int | None = None

    def check(self, game: str, players: int | None) -> None:
        """Raise ValueError if the game, or the number of players, is another."""
        if self.game not in (None, game):
            raise ValueError(f"{self.player} plays {self.game}, not {game}")
        if None not in (players, self.players) and players != self.players:
            raise ValueError(f"{self.player} plays with {self.players} players, not {players}")


ANYTHING = Plays()


def check_game(game: str, players: int | None) -> None:
    """Raise ValueError for a game that does not exist."""
    if game not in PLAYERS:
        raise ValueError(f"there is no game {game!r}: there is {', '.join(PLAYERS)}")
    if players is not None and players not in PLAYERS[game]:
        numbers = " or ".join(map(str, PLAYERS[game]))
        raise ValueError(f"{game} is for {numbers} players, not {players}")


def find_start(
    plays: Plays,
    game: str | None,
    players: int | None,
    fen: str | None,
    text: str | None,
    *clues: object,
) -> Position:
    """Read where to begin; raise ValueError if that is no position, or not of the player's game.

    The game is the one that was named, or else Duchess if something was said of it alone, such as
    one of the `clues`, or else the player's; so is the number of players.
    """
    is_duchess = any(clue is not None for clue in (players, text, *clues))
    asked = game or ("duchess" if is_duchess else plays.game or "draughts")
    check_game(asked, players)
    plays.check(asked, players)
    if asked == "duchess" and fen is not None:
        text, fen = _one_text(fen, text), None
    if text is None:
        return read_start(asked, players or plays.players, fen, text)
    start = read_start(asked, players, fen, text)
    plays.check(asked, start.players if isinstance(start, duchess.Position) else None)
    return start


def read_start(game: str, players: int | None, fen: str | None, text: str | None) -> Position:
    """Read a position of either game; raise ValueError if it is none."""
    if game == "duchess":
        return read_duchess_position(text if fen is None else _one_text(fen, text), players)
    if text is not None:
        raise ValueError("--position is for Duchess: one of draughts is given by --fen")
    return read_position(fen)


def _one_text(fen: str, text: str | None) -> str:
    """Return a position of Duchess that was given as if it were draughts'."""
    if text is not None:
        raise ValueError("of Duchess --fen and --position are the same: give one of them")
    return fen


def text_of(position: Position) -> str:
    """Write a position as its game does."""
    return position.text if isinstance(position, duchess.Position) else position.fen


def position_as_json(position: Position) -> dict[str, Any]:
    """Give a position under the names that `--json` uses."""
    if isinstance(position, duchess.Position):
        return {"players": position.players, "position": position.text}
    return {"fen": position.fen}


def format_move(position: Position, move: Any) -> str:
    """Write a move as people do."""
    return str(move) if isinstance(position, duchess.Position) else position.format_move(move)


def read_position(fen: str | None) -> draughts.Position:
    """Read a position from an option's text; raise InvalidFen if it is none."""
    return draughts.Position() if fen is None else draughts.Position.from_fen(whole_text(fen))


def read_duchess_position(text: str | None, players: int | None) -> duchess.Position:
    """Read a position of Duchess; raise ValueError if it is none, or not of so many players."""
    if text is None:
        return duchess.Position(players or PLAYERS["duchess"][0])
    position = duchess.Position.from_text(whole_text(text))
    if players not in (None, position.players):
        raise ValueError(f"--players {players}: the position has {position.players}")
    return position
