"""What records of all games have in common: tags, a result, an outcome, errors of reading."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

DRAWN = "1/2-1/2"
UNKNOWN = "*"


class Place(NamedTuple):
    """Where a game stands in its file, both counted from 1."""

    game: int
    line: int

    def __str__(self) -> str:
        return f"game {self.game}, line {self.line}"


class RecordError(ValueError):
    """What a reader of records could not parse: game and line (from 1), move, reason."""

    def __init__(self, game: int, line: int, move: str, reason: str) -> None:
        super().__init__(game, line, move, reason)
        self.game = game
        self.line = line
        self.move = move
        self.reason = reason

    def __str__(self) -> str:
        move = f", {self.move}" if self.move else ""
        return f"{Place(self.game, self.line)}{move}: {self.reason}"


class Outcome(NamedTuple):
    """How a game ended by the rules: the winner (None: drawn), the reason, the plies played."""

    winner: str | None
    reason: str  # "no move", "mate", "repetition", "quiet", "length" or "loop"
    plies: int


class GameRecord(ABC):
    """The tags and the result of one game; each game adds its moves."""

    winners: ClassVar[dict[str, str]]  # the side or team that each result names as winner
    results: ClassVar[tuple[str, ...]]  # all that a record may end with

    tags: dict[str, str]
    _token: str  # what stands behind the moves

    @property
    def result(self) -> str:
        """The result: the token behind the moves, or the tag Result if that token is a star."""
        # PDN 3.0 ends every game with a star and keeps the result in the tag.
        return self.tags.get("Result", UNKNOWN) if self._token == UNKNOWN else self._token

    @result.setter
    def result(self, token: str) -> None:
        if token not in self.results:
            raise ValueError(f"{token!r} is no result: write one of {', '.join(self.results)}")
        self._token = token
        if "Result" in self.tags:
            self.tags["Result"] = token

    @property
    def written_result(self) -> str:
        """The result as a record ends with it: a star where the tag has any other text."""
        return self.result if self.result in self.results else UNKNOWN

    @property
    def winner(self) -> str | None:
        """The side or team that the result names as winner, else None."""
        return self.winners.get(self.result)

    @classmethod
    def result_for(cls, winner: str | None) -> str:
        """Return the result that names a winner, or that of a draw for None."""
        return next((token for token, side in cls.winners.items() if side == winner), DRAWN)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, self.__class__):
            return NotImplemented
        return self._state() == other._state()

    __hash__ = None  # type: ignore[assignment]  # a record changes while it is played

    @abstractmethod
    def _state(self) -> tuple[Any, ...]:
        """Return everything that equal records have in common."""


def format_tag(name: str, value: str, *, forbidden: str, what: str = "tag") -> str:
    """Return a tag as text; raise ValueError for a character that is `forbidden`, a set of re."""
    if not re.fullmatch(r"[A-Za-z0-9_]+", name):
        raise ValueError(f"{name!r} cannot be the name of a {what}: letters and digits only")
    if re.search(forbidden, value):
        raise ValueError(f"the {what} {name} cannot hold the control characters of {value!r}")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'
