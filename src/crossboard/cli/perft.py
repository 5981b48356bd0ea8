"""`crossboard perft`: count the leaves of a move tree."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from crossboard.cli.games import Fen, GameName, Players, PositionText, find_start
from crossboard.cli.progress import Bar
from crossboard.play.opponents import ANYTHING
from crossboard.players.games import GAMES, AnyPosition, game_of

MAX_DEPTH = 100
# A deep tree is counted in pieces that begin that many plies below the first move: small enough
# for a bar that moves, few enough to cost nothing.
PIECE_PLIES = 2
USUAL_DEPTHS = ", ".join(f"{game.perft_depth} of {game.title}" for game in GAMES.values())


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
    game: GameName = None,
    players: Players = None,
    fen: Fen = None,
    position: PositionText = None,
    depth: Annotated[
        int | None,
        typer.Option(help=f"Plies, 0 to {MAX_DEPTH}.", show_default=USUAL_DEPTHS),
    ] = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count each first move.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Count the leaves of the tree of legal moves, and how fast that goes."""
    start = find_start(ANYTHING, game, players, fen, position)
    rules = game_of(start)
    depth = rules.perft_depth if depth is None else depth
    if not 0 <= depth <= MAX_DEPTH:
        raise ValueError(f"--depth {depth}: a tree has 0 to {MAX_DEPTH} plies")
    count = count_leaves(start, depth)
    if as_json:
        result: dict[str, Any] = {"game": rules.name, **rules.as_json(start), "depth": depth}
        result |= {"leaves": count.leaves, "seconds": count.seconds}
        print(json.dumps(result | ({"divide": count.divide} if divide else {})))
    else:
        print(f"position  {rules.format(start)}")
        print(f"depth     {depth}")
        for move, leaves in count.divide.items() if divide else ():
            print(f"{move:<8}  {leaves:,}")
        print(f"leaves    {count.leaves:,}")
        print(f"seconds   {count.seconds:.3f}")
        print(f"speed     {count.speed}")


def count_leaves(position: AnyPosition, depth: int) -> Count:
    """Count the leaves, with a bar if that takes long; Ctrl-C stops it."""
    began = time.perf_counter()
    if depth == 0:
        return Count(1, time.perf_counter() - began, {})
    divide = dict.fromkeys(_moves(position), 0)
    deep = game_of(position).deep_perft
    plies = PIECE_PLIES if depth >= deep else 0
    pieces = [
        (move, piece)
        for move in _moves(position)
        for piece in _descendants(position.after(move), plies)
    ]
    count = Count(0, 0.0, divide)
    with Bar(f"perft {depth}", len(pieces), known_long=depth >= deep) as bar:
        bar.update(0, "")
        for done, (move, piece) in enumerate(pieces, 1):
            divide[move] += piece.perft(depth - 1 - plies)
            count = Count(sum(divide.values()), time.perf_counter() - began, divide)
            bar.update(done, count.speed)
    return count


# A skipped turn is a ply of the tree.
def _moves(position: AnyPosition) -> list[str]:
    return [str(move) for move in game_of(position).moves(position)]


def _descendants(position: AnyPosition, plies: int) -> Iterator[AnyPosition]:
    if plies == 0:
        yield position
        return
    for move in _moves(position):
        yield from _descendants(position.after(move), plies - 1)
