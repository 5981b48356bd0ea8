"""The options that say who searches, and for how long."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

# Counts in men, as most networks do not: for marks of moves and for the scores of other programs.
PLAYER_IN_MEN = "champion"

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
Time: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="MINUTES+SECONDS",
        help="Time for each side: minutes for the game + seconds a move, e.g. 5+3.",
    ),
]
Quiescence: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--quiescence/--no-quiescence",
        help="Play captures out before a leaf is judged, or judge at once.",
        show_default="the player's own",
    ),
]
TablesFolder: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--tables",
        metavar="FOLDER",
        help="Endgame tables for the players that use any.",
        show_default="CROSSBOARD_TABLES, else tables/ here",
    ),
]
NoTables: TypeAlias = Annotated[
    bool, typer.Option("--no-tables", help="Search without endgame tables.")
]
