"""The parts of a game in progress: players, moves, how it stands and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from crossboard.players.game_time import OUT_OF_TIME, GameTime
from crossboard.players.games import AnyMove, AnyPosition, Seat

RESIGNED, AGREED = "resigned", "agreed"
# Reasons that no position shows: such a game goes on where a move is taken back.
OUTSIDE_THE_BOARD = (RESIGNED, AGREED, OUT_OF_TIME)


class Computer(Protocol):
    """What plays in a seat that no person has."""

    @property
    def name(self) -> str:
        """How people know it."""

    @property
    def manner(self) -> str:
        """What makes it play as it does: how far it looks, or its seed."""

    @property
    def takes_time(self) -> bool:
        """Whether a person has to wait for its moves."""

    def choose(
        self, position: AnyPosition, history: Sequence[AnyPosition], time: GameTime | None = None
    ) -> AnyMove:
        """Choose a move, given the game's positions before this one; raise ValueError if none.

        `time` is what its clock has left, where there are clocks.
        """

    def stop(self) -> None:
        """End a choice that another thread waits for."""


class Ending(NamedTuple):
    """How a game ended: the side that won (None: drawn), why, after how many plies."""

    winner: str | None
    reason: str  # a record's, "resigned" or "out of time"
    plies: int


class Played(NamedTuple):
    """A move of the game, the seat that made it, and how people write it."""

    seat: Seat
    move: AnyMove
    text: str


class State(NamedTuple):
    """A game at a moment; a change makes another one, so that readers see it whole."""

    moves: tuple[AnyMove, ...]
    positions: tuple[AnyPosition, ...]  # the start, and the one after every move
    ending: Ending | None = None
    resigned: Seat | None = None  # the seat that gave up, or ran out of time
    used: tuple[float, ...] = ()  # seconds of every move
