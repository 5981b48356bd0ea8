"""The three-move openings of American checkers."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from crossboard._core.draughts import Position

KINDS = ("crossboard", "mail", "barred")


class Ballot(NamedTuple):
    """One opening: `kind` is 'crossboard' (in use over the board), 'mail' or 'barred'."""

    number: int
    moves: tuple[str, str, str]
    kind: str
    name: str  # empty where it has none

    @property
    def position(self) -> Position:
        """The position after the three moves."""
        position = Position()
        for move in self.moves:
            position = position.after(move)
        return position


def ballots(*kinds: str) -> list[Ballot]:
    """Return the openings of the given kinds, by number; by default the 144 in use."""
    wanted = kinds or ("crossboard",)
    for kind in wanted:
        if kind not in KINDS:
            raise ValueError(f"no ballots of kind {kind!r}: there are {', '.join(KINDS)}")
    return [ballot for ballot in _all() if ballot.kind in wanted]


@cache
def _all() -> tuple[Ballot, ...]:
    from importlib.resources import files  # half of the package's import time, for one file

    text = files("crossboard.draughts").joinpath("three_move_ballots.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return tuple(_ballot(*row) for row in rows[1:])


def _ballot(number: str, moves: str, kind: str, name: str) -> Ballot:
    first, second, third = moves.split()
    return Ballot(int(number), (first, second, third), kind, name)
