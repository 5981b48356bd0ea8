"""`crossboard bench`: fixed positions to a fixed depth; the nodes are the search's fingerprint."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from crossboard.cli.progress import Bar
from crossboard.draughts import Position, middlegames
from crossboard.play.lines import format_speed
from crossboard.players import SearchLimits, SearchSettings, load_player

DEFAULT_DEPTH = 13
SETTINGS = SearchSettings(table_mb=64, threads=1)


def run(
    *,
    depth: Annotated[int, typer.Option(help="Plies to look ahead.")] = DEFAULT_DEPTH,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Search fixed positions on one thread: how fast, and whether it is still the same search.

    The number of nodes changes when the search or the evaluation does, and never otherwise.
    """
    SearchLimits(depth=depth)  # which says what depths there are
    positions = [Position(), *middlegames()]
    nodes, seconds = search_all(positions, depth)
    if as_json:
        told = {"nodes": nodes, "seconds": seconds, "depth": depth, "positions": len(positions)}
        print(json.dumps(told))
    else:
        print(f"positions  {len(positions)}")
        print(f"depth      {depth}")
        print(f"nodes      {format_speed(nodes, seconds)}")


def search_all(positions: list[Position], depth: int) -> tuple[int, float]:
    """Search each position with an empty table; return the nodes and seconds of all."""
    player = load_player("material", search=SETTINGS)
    nodes, seconds = 0, 0.0
    with Bar(f"bench {depth}", len(positions)) as bar:
        for done, position in enumerate(positions, 1):
            player.clear()
            result = player.search(position, depth=depth)
            nodes += result.nodes
            seconds += result.seconds
            bar.update(done, f"{nodes / 1e6 / max(seconds, 1e-9):,.1f} million nodes/s")
    return nodes, seconds
