"""`crossboard play`: a game against the computer, or for two people at one keyboard."""

from __future__ import annotations

import random
import secrets
from enum import StrEnum
from typing import Annotated

import typer

from crossboard.cli.contest import Choose, Contest, Opponent
from crossboard.cli.games import Fen, read_position
from crossboard.draughts import Move, Position


class Side(StrEnum):
    """Which side people play."""

    BLACK = "B"
    WHITE = "W"
    BOTH = "both"


def choose_random(position: Position, rng: random.Random) -> Move:
    """Choose any legal move, each equally likely."""
    return rng.choice(position.legal_moves)


OPPONENTS: dict[str, Choose] = {"random": choose_random}


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
    ] = "random",
    fen: Fen = None,
    seed: Annotated[
        int | None, typer.Option(help="Repeat a game's chances.", show_default="a new one")
    ] = None,
) -> None:
    """Play a game of draughts."""
    if opponent not in OPPONENTS:
        raise ValueError(f"there is no opponent {opponent!r}: there is {', '.join(OPPONENTS)}")
    start = read_position(fen)
    chances = secrets.randbelow(2**32) if seed is None else seed
    people = "BW" if side is Side.BOTH else side.value
    contest = Contest(start, people, Opponent(opponent, OPPONENTS[opponent], chances))

    from crossboard.cli.terminal import Terminal  # rich takes its time, which others need not wait

    note = "" if terminal else "The page to play on comes later: this is the game in the terminal."
    Terminal(contest).play(note)
