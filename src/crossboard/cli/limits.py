"""The options that say who searches, and for how long."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

DEFAULT_PLAYER = "material"

PlayerName: TypeAlias = Annotated[
    str, typer.Option("--player", help="Who searches: a name or a folder.")
]
Depth: TypeAlias = Annotated[int | None, typer.Option(help="Plies to look ahead.")]
Nodes: TypeAlias = Annotated[int | None, typer.Option(help="Positions to look at.")]
