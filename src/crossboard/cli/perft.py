"""`crossboard perft`: count the leaves of a move tree."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from crossboard.cli.games import Fen, Game, Players, check_game, read_position
from crossboard.cli.progress import Bar
from crossboard.draughts import Position

DEFAULT_DEPTH = 8
MAX_DEPTH = 100
# A deep tree is counted in pieces that begin that many plies below the first move: small enough
# for a bar that moves, few enough to cost nothing.
DEEP, PIECE_PLIES = 11, 2


@dataclass(frozen=True)
class Count:
    """What was counted: the leaves behind each first move, and in how long."""

    leaves: int
    seconds: float
    divide: dict[str, int]

    @property
    def speed(self) -> str:
        """Leaves per second, for people."""
        return f"{self.leaves / 1e6 / max(self.seconds, 1e-9):,.1f} million leaves/s"


def run(
    *,
    game: Game = "draughts",
    players: Players = None,
    fen: Fen = None,
    depth: Annotated[int, typer.Option(help=f"Plies, 0 to {MAX_DEPTH}.")] = DEFAULT_DEPTH,
    divide: Annotated[bool, typer.Option("--divide", help="Count each first move.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Count the leaves of the tree of legal moves, and how fast that goes."""
    check_game(game, players)
    if not 0 <= depth <= MAX_DEPTH:
        raise ValueError(f"--depth {depth}: a tree has 0 to {MAX_DEPTH} plies")
    position = read_position(fen)
    count = count_leaves(position, depth)
    if as_json:
        result: dict[str, Any] = {"game": game, "fen": position.fen, "depth": depth}
        result |= {"leaves": count.leaves, "seconds": count.seconds}
        print(json.dumps(result | ({"divide": count.divide} if divide else {})))
    else:
        print(f"position  {position.fen}")
        print(f"depth     {depth}")
        for move, leaves in count.divide.items() if divide else ():
            print(f"{move:<8}  {leaves:,}")
        print(f"leaves    {count.leaves:,}")
        print(f"seconds   {count.seconds:.3f}")
        print(f"speed     {count.speed}")


def count_leaves(position: Position, depth: int) -> Count:
    """Count the leaves, with a bar if that takes long; Ctrl-C stops it."""
    began = time.perf_counter()
    if depth == 0:
        return Count(1, time.perf_counter() - began, {})
    divide = {str(move): 0 for move in position.legal_moves}
    plies = PIECE_PLIES if depth >= DEEP else 0
    pieces = [
        (str(move), piece)
        for move in position.legal_moves
        for piece in _descendants(position.after(move), plies)
    ]
    count = Count(0, 0.0, divide)
    with Bar(f"perft {depth}", len(pieces), known_long=depth >= DEEP) as bar:
        bar.update(0, "")
        for done, (move, piece) in enumerate(pieces, 1):
            divide[move] += piece.perft(depth - 1 - plies)
            count = Count(sum(divide.values()), time.perf_counter() - began, divide)
            bar.update(done, count.speed)
    return count


def _descendants(position: Position, plies: int) -> Iterator[Position]:
    if plies == 0:
        yield position
        return
    for move in position.legal_moves:
        yield from _descendants(position.after(move), plies - 1)
