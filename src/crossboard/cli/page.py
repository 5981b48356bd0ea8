"""The page of `crossboard play`: where it is served, and the first game on it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from crossboard.play.opponents import RANDOM
from crossboard.play.page_request import (
    DEFAULT_GRACE,
    DEFAULT_HOST,
    DEFAULT_PORT,
    FirstGame,
    PageRequest,
)
from crossboard.players import SearchLimits, list_players
from crossboard.players.folder import split_level
from crossboard.players.games import AnyPosition, Seat

# Of a move, as the page has them.
MOST_SECONDS, MOST_DEPTH = 30.0, 60
# Started by name, as `python -m` would: neither the command line nor the page imports the other.
SERVER = "crossboard.web.server"

Data: TypeAlias = Annotated[
    Path, typer.Option(metavar="FOLDER", help="Where games in progress are kept.")
]
Port: TypeAlias = Annotated[
    int, typer.Option(min=0, max=65535, help="Port of the page; 0: a free one.")
]
Host: TypeAlias = Annotated[
    str, typer.Option(help="Where to listen; beyond this machine a token is needed.")
]
Grace: TypeAlias = Annotated[
    float,
    typer.Option(min=0, help="Of Duchess: seconds until a computer plays for a person who left."),
]
NoBrowser: TypeAlias = Annotated[bool, typer.Option("--no-browser", help="Open no browser.")]
USUAL_DATA = Path("games")
USUAL_HOST, USUAL_PORT, USUAL_GRACE = DEFAULT_HOST, DEFAULT_PORT, DEFAULT_GRACE


def first_game(
    start: AnyPosition,
    people: frozenset[Seat],
    called: str,
    asked: SearchLimits,
    *,
    is_asked: bool,
) -> FirstGame:
    """Return the first game on the page; raise ValueError for what the page does not have."""
    name, level = split_level(called)
    listed = {player.name: player for player in list_players()}
    if name not in {RANDOM, *listed}:
        raise ValueError(
            f"{called}: the page has the players that crossboard players lists; add --terminal"
        )
    if level is not None and (name == RANDOM or not listed[str(name)].has_levels):
        raise ValueError(f"{called}: {name} does not search, so it has no levels")
    if (asked.seconds or 0) > MOST_SECONDS:
        raise ValueError(f"--seconds {asked.seconds:g}: on the page at most {MOST_SECONDS:g}")
    if (asked.depth or 0) > MOST_DEPTH:
        raise ValueError(f"--depth {asked.depth}: on the page at most {MOST_DEPTH}")
    time = None if asked.time is None else str(asked.time)
    return FirstGame(start, people, called, asked.seconds, asked.depth, time, is_asked)


def serve_page(request: PageRequest) -> None:
    """Serve the page until Ctrl-C or SIGTERM."""
    import_module(SERVER).serve(request)
