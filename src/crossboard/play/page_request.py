"""What the command line asks of the page: where it is served, and the first game on it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from crossboard.players.games import AnyPosition, Seat

DEFAULT_HOST, DEFAULT_PORT, DEFAULT_GRACE = "127.0.0.1", 8064, 60.0


@dataclass(frozen=True)
class FirstGame:
    """The game that the page offers first, or begins at once if it was asked for."""

    start: AnyPosition
    people: frozenset[Seat]
    player: str  # in the other seats
    seconds: float | None = None  # without limits it plays to its own
    depth: int | None = None
    time: str | None = None  # of the clocks, such as 5+3
    is_asked: bool = False


@dataclass(frozen=True)
class PageRequest:
    """Where the page is served, and where its games are kept."""

    first: FirstGame | None = None
    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT  # 0: a free one
    data: Path = Path("games")
    opens_browser: bool = True
    grace_seconds: float = DEFAULT_GRACE  # that a seat of a team waits for its person
