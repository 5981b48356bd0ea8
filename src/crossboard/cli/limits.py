"""The options that say who searches, and for how long."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from crossboard import duchess
from crossboard.cli.games import Position

# The strongest of those that are shipped (docs/measurements.md).
DEFAULT_PLAYER = "treestrap"
# Counts in men, as networks do not: for marks of moves and for the scores of other programs.
PLAYER_IN_MEN = "material"
# The same of Duchess, by how many play.
DUCHESS_PLAYERS = {4: "duchess-2", 6: "duchess-six"}

PlayerName: TypeAlias = Annotated[
    str, typer.Option("--player", help="Who searches: a name or a folder.")
]
AnyPlayerName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--player", help="Who searches: a name or a folder.", show_default="the game's usual one"
    ),
]
Depth: TypeAlias = Annotated[int | None, typer.Option(help="Plies to look ahead.")]
Nodes: TypeAlias = Annotated[int | None, typer.Option(help="Positions to look at.")]
Quiescence: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--quiescence/--no-quiescence",
        help="Play captures out before a leaf is judged, or judge at once.",
        show_default="the player's own",
    ),
]


def usual_player(position: Position) -> str:
    """Return who searches a position if nobody was named."""
    if isinstance(position, duchess.Position):
        return DUCHESS_PLAYERS[position.players]
    return DEFAULT_PLAYER
