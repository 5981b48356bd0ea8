"""`crossboard play`: a game against the computer, or for two people at one keyboard."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from typing import Annotated

import typer

from crossboard.cli.contest import Contest, Opponent
from crossboard.cli.games import Fen, read_position
from crossboard.cli.limits import DEFAULT_PLAYER
from crossboard.draughts import Move, Position
from crossboard.players import Player, SearchLimits, SearchResult, load_player

DEFAULT_LIMITS = SearchLimits(seconds=1.0)
HINT_DEPTH = 13  # at least: advice is worth little at the depth of an easy opponent
RANDOM = "random"
OPPONENTS = (DEFAULT_PLAYER, RANDOM)


class Side(StrEnum):
    """Which side people play."""

    BLACK = "B"
    WHITE = "W"
    BOTH = "both"


def choose_random(position: Position, _: Sequence[Position], rng: random.Random) -> Move:
    """Choose any legal move, each equally likely."""
    return rng.choice(position.legal_moves)


class Thinker:
    """A player that searches to the same limits at every move."""

    def __init__(self, name: str, limits: SearchLimits) -> None:
        self.name = name
        self.limits = limits

    @cached_property
    def player(self) -> Player:
        """The player, made when it is first needed: its table takes memory."""
        return load_player(self.name)

    def think(self, position: Position, history: Sequence[Position]) -> SearchResult:
        """Search a position."""
        limits = self.limits
        self.player.clear()  # what it finds depends on the game alone, whatever was taken back
        return self.player.search(
            position,
            depth=limits.depth,
            seconds=limits.seconds,
            nodes=limits.nodes,
            history=history,
        )

    def choose(self, position: Position, history: Sequence[Position], _: random.Random) -> Move:
        """Choose the best move; a forced one takes no time."""
        moves = position.legal_moves
        return moves[0] if len(moves) == 1 else self.think(position, history).move


def run(
    *,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="In the terminal, the only place so far.")
    ] = False,
    side: Annotated[
        Side, typer.Option(case_sensitive=False, help="Your side; Black moves first.")
    ] = Side.BLACK,
    opponent: Annotated[
        str, typer.Option(help=f"Who plays against you: {', '.join(OPPONENTS)}.")
    ] = DEFAULT_PLAYER,
    depth: Annotated[
        int | None, typer.Option(help="Plies the computer looks ahead: fewer are easier to beat.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(help="How long it thinks about a move.", show_default="1 without --depth"),
    ] = None,
    fen: Fen = None,
    seed: Annotated[
        int | None, typer.Option(help="Repeat random's chances.", show_default="a new one")
    ] = None,
) -> None:
    """Play a game of draughts."""
    limits = SearchLimits(depth=depth, seconds=seconds)
    if limits.is_none:
        limits = DEFAULT_LIMITS
    start = read_position(fen)
    chances = secrets.randbelow(2**32) if seed is None else seed
    people = "BW" if side is Side.BOTH else side.value
    contest = Contest(start, people, find_opponent(opponent, limits, chances))

    from crossboard.cli.terminal import Terminal  # rich takes its time, which others need not wait

    note = "" if terminal else "The page to play on comes later: this is the game in the terminal."
    Terminal(contest, adviser(limits).think).play(note)


def find_opponent(name: str, limits: SearchLimits, seed: int) -> Opponent:
    """Find the computer's player by its name; raise ValueError if there is none."""
    if name == RANDOM:
        return Opponent(name, choose_random, seed, options=("--opponent", RANDOM))
    if name not in OPPONENTS:
        raise ValueError(f"there is no opponent {name!r}: there is {', '.join(OPPONENTS)}")
    depth = [f"{limits.depth} plies deep"] if limits.depth else []
    seconds = [f"{limits.seconds:g} s a move"] if limits.seconds else []
    given = {} if limits == DEFAULT_LIMITS else limits.for_engine()
    options = [word for limit, value in given.items() for word in (f"--{limit}", f"{value:g}")]
    thinker = Thinker(name, limits)
    return Opponent(name, thinker.choose, seed, ", ".join(depth + seconds), tuple(options))


def adviser(limits: SearchLimits) -> Thinker:
    """Return who gives hints: not the opponent, whose play must not depend on what is asked."""
    depth = limits.depth and max(limits.depth, HINT_DEPTH)
    return Thinker(DEFAULT_PLAYER, replace(limits, depth=depth))
