"""The options that say which game, and which position of it, a command is about."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from crossboard.play.opponents import Plays
from crossboard.play.wording import whole_text
from crossboard.players.games import DRAUGHTS, GAMES, AnyPosition, Game, find_game

WhichGame: TypeAlias = Annotated[
    str | None,
    typer.Option(help=f"Which game: {', '.join(GAMES)}.", show_default="the player's, or draughts"),
]
GameName: TypeAlias = Annotated[
    str | None, typer.Option(help=f"Which game: {', '.join(GAMES)}.", show_default="draughts")
]
Players: TypeAlias = Annotated[int | None, typer.Option(help="How many players the game has.")]
Fen: TypeAlias = Annotated[
    str | None, typer.Option(metavar="FEN", help="Begin from this position.", show_default="start")
]
PositionText: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="The same for Duchess: '4; 1:K1a1 ...; turn 1'."),
]

# The game that --players, --position and --seats are about.
OF_TEAMS = next(game for game in GAMES.values() if game.has_teams)


def find_start(
    plays: Plays,
    game: str | None,
    players: int | None,
    fen: str | None,
    text: str | None,
    *clues: object,
) -> AnyPosition:
    """Read where to begin; raise ValueError if that is no position, or not of the player's game.

    The game is the one that was named, or else Duchess if an option for it alone was given, such
    as one of the `clues`, or else the player's; so is the number of players.
    """
    has_clue = any(clue is not None for clue in (players, text, *clues))
    asked = find_game(game or (OF_TEAMS.name if has_clue else plays.game or DRAUGHTS.name))
    _check_players(asked, players)
    plays.check(asked.name, players)
    written = _one_text(asked, fen, text)
    if written is None:
        return asked.start(players or plays.players)
    start = asked.parse(whole_text(written))
    found = len(asked.seats(start))
    if players not in (None, found):
        raise ValueError(f"--players {players}: the position has {found}")
    plays.check(asked.name, found)
    return start


def _check_players(game: Game, players: int | None) -> None:
    """Raise ValueError if so many cannot play a game."""
    if players is not None and players not in game.players:
        numbers = " or ".join(map(str, game.players))
        raise ValueError(f"{game.name} is for {numbers} players, not {players}")


def _one_text(game: Game, fen: str | None, text: str | None) -> str | None:
    """Return the position that --fen or --position has; raise ValueError if both have."""
    if text is None:
        return fen
    if not game.has_teams:
        raise ValueError(f"--position is for Duchess: one of {game.title} is given by --fen")
    if fen is not None:
        raise ValueError("of Duchess --fen and --position are the same: give one of them")
    return text
