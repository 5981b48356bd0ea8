"""`crossboard players`: who can play, and what made them."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from crossboard.play.wording import one_line
from crossboard.players import LEVELS, list_players


def run(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the players that come with the program, those in ./players, and those of runs."""
    listed = list_players()
    if as_json:
        told = [
            {
                "name": player.name,
                "folder": str(player.folder),
                "shipped": player.is_shipped,
                "game": player.game,
                "evaluator": player.evaluator,
                "made_by": player.made_by,
                "levels": LEVELS if player.has_levels else 0,
            }
            for player in listed
        ]
        print(json.dumps({"players": told}))
        return
    # A folder's name may hold anything that a terminal obeys.
    rows = [(one_line(player.name), player.game, player.evaluator) for player in listed]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, player in zip(rows, listed, strict=True):
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        print("  ".join([*cells, one_line(player.made_by)]).rstrip())
    print(f"\nPlayers have levels: NAME@1, for beginners, to NAME@{LEVELS}, the full strength.")
