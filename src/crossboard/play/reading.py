"""Reading the games of a PDN file, and saying what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, NamedTuple

from crossboard.draughts import InvalidFen, PdnError, Position, Record, read_pdn
from crossboard.play.wording import counted

ERRORS_SHOWN = 20
DUCHESS_TAGS = {"Odd", "Even", "Player1", "Players", "Position"}  # no game of draughts has them


class Problem(NamedTuple):
    """What is wrong and where, as far as that can be told."""

    reason: str
    game: int | None = None
    line: int | None = None
    move: str = ""

    def __str__(self) -> str:
        where = [f"game {self.game}"] if self.game else []
        where += [f"line {self.line}"] if self.line else []
        where += [self.move] if self.move else []
        return f"{', '.join(where)}: {self.reason}"

    def as_json(self) -> dict[str, Any]:
        """Give what is known, for --json."""
        return {name: value for name, value in self._asdict().items() if value}


class Reading(NamedTuple):
    """One game as far as it could be read (None: not at all), and what is wrong with it."""

    record: Record | None
    problems: Sequence[Problem] = ()


@dataclass
class ReadCount:
    """How reading went; of many problems only the first `room` are kept."""

    room: float
    games: int = 0  # that could be used
    left_out: int = 0
    with_errors: int = 0
    errors: int = 0
    problems: list[Problem] = field(default_factory=list)

    def add(self, reading: Reading) -> None:
        """Count one game."""
        self.games += reading.record is not None
        self.left_out += reading.record is None
        self.with_errors += bool(reading.problems)
        self.errors += len(reading.problems)
        if len(self.problems) < self.room:
            self.problems += reading.problems

    def why_nothing(self, otherwise: str) -> str:
        """Say why no game could be used, `otherwise` if nothing was wrong with one."""
        if not self.errors:
            return otherwise
        more = f" ({counted(self.errors - 1, 'error')} more)" if self.errors > 1 else ""
        return f"{self.problems[0]}{more}"

    def first_problems(self, source: str) -> Iterator[str]:
        """Yield a sentence for each of the first problems, and how many more there are."""
        for problem in self.problems[:ERRORS_SHOWN]:
            yield f"{source}: {problem}"
        if self.errors > ERRORS_SHOWN:
            yield f"... and {self.errors - ERRORS_SHOWN:,} more"


def read_games(file: IO[bytes]) -> Iterator[Reading]:
    """Yield the games of a PDN file."""
    try:
        for number, record in enumerate(read_pdn(file), 1):
            if record.errors and DUCHESS_TAGS & record.tags.keys():
                yield Reading(None, [Problem("a game of Duchess, and not of draughts", number)])
                continue
            known = record if _is_start_known(record) else None
            yield Reading(known, [_problem(error) for error in record.errors])
    except PdnError as error:
        yield Reading(None, [_problem(error)])


def _problem(error: PdnError) -> Problem:
    return Problem(error.reason, error.game, error.line, error.move)


def _is_start_known(record: Record) -> bool:
    if not record.errors or "FEN" not in record.tags:
        return True
    try:
        Position.from_fen(record.tags["FEN"])
    except InvalidFen:
        return False  # not one position of the game is known
    return True
