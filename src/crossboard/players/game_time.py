"""The time of a game: what a side has for all of its moves."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

FORM = re.compile(r"(\d+(?:\.\d+)?)\+(\d+(?:\.\d+)?)", re.ASCII)
MINUTE = 60.0
OUT_OF_TIME = "out of time"  # why a game was lost, in the core's word
# Chosen: a hundred days, longer than any game.
MAX_SECONDS = 8_640_000.0


class GameTime(NamedTuple):
    """What a side has for the moves that are left: seconds, and more before each of its moves.

    At the beginning of a game that is its time control.
    """

    seconds: float
    increment: float = 0.0
    moves: int = 0  # for which the seconds must do; 0: to the end of the game

    @classmethod
    def from_text(cls, text: str) -> GameTime:
        """Read 'MINUTES+SECONDS': minutes for the game and seconds a move, such as '5+3'.

        Raises ValueError if that is not what it is, or if it leaves no time.
        """
        found = FORM.fullmatch(text)
        if found is None:
            raise ValueError(
                f"--time {text!r}: give minutes for the game + seconds a move, such as 5+3"
            )
        minutes, increment = map(float, found.groups())
        time = cls(minutes * MINUTE, increment)
        if not 0 < time.for_next_move <= MAX_SECONDS:
            raise ValueError(
                f"--time {text}: give more than no time, and at most {MAX_SECONDS / MINUTE:g} "
                "minutes"
            )
        return time

    @property
    def for_next_move(self) -> float:
        """The seconds within which the next move must be made."""
        return self.seconds + self.increment

    def after(self, used: float) -> GameTime:
        """Return what is left after a move that took so many seconds; below 0 it was too long."""
        return self._replace(seconds=self.for_next_move - used)

    def check(self) -> None:
        """Raise ValueError for numbers that are no time."""
        if not (
            math.isfinite(self.seconds)
            and math.isfinite(self.increment)
            and self.increment >= 0
            and self.moves >= 0
        ):
            raise ValueError(
                "a time has finite seconds, an increment and moves, the last two not below 0, "
                f"not {self.seconds}, {self.increment}, {self.moves}"
            )

    def __str__(self) -> str:
        return f"{self.seconds / MINUTE:g}+{self.increment:g}"
