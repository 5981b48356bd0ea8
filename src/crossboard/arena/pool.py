"""Games within a pool of players: round robin and knock-out, counted by ordered pair.

Evolution judges a whole pool at a time: so games are counted where they are played, and records
come back only if they are asked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from crossboard._core import DrawRules
from crossboard._core.draughts import PlayedGame
from crossboard.arena.halt import Halt
from crossboard.arena.openings import Opening
from crossboard.players import Player, SearchLimits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

# Chosen: how many shares of the games each worker gets, so that none waits long at the end.
SHARES_OF_WORKER = 3


@dataclass(frozen=True, kw_only=True)
class PoolTerms:
    """On what the games of a pool are played; all pairs meet from the same openings."""

    openings: Sequence[Opening]
    limits: SearchLimits | None = None  # None: each player's own
    rules: DrawRules = field(default_factory=DrawRules)
    seed: int = 0  # for players that draw their moves

    def __post_init__(self) -> None:
        if not self.openings:
            raise ValueError("a pool needs an opening to play from")


class Meeting(NamedTuple):
    """One game: the places of the player that moves first, of the other, and of the opening."""

    first: int
    second: int
    opening: int


@dataclass(frozen=True)
class PoolTable:
    """Wins, draws and losses of each ordered pair: of the row, which moved first in those games."""

    wins: Counts
    draws: Counts
    losses: Counts
    games: tuple[PlayedGame, ...] = ()  # only if they were asked for

    @classmethod
    def of(
        cls, size: int, meetings: Sequence[Meeting], winners: Sequence[int], **more: Any
    ) -> PoolTable:
        """Count games by their winners: 0 the player that moved first, 1 the other, -1 none."""
        import numpy as np

        table = np.zeros((3, size, size), dtype=np.int64)
        for meeting, winner in zip(meetings, winners, strict=True):
            table[_ROW[winner], meeting.first, meeting.second] += 1
        return cls(*table, **more)

    def points(self, *, of_draw: float = 0.5) -> NDArray[np.float64]:
        """Return each player's points: a point for a win with either colour, or part of one."""
        won = self.wins.sum(axis=1) + self.losses.sum(axis=0)
        drawn = self.draws.sum(axis=1) + self.draws.sum(axis=0)
        points: NDArray[np.float64] = won + of_draw * drawn
        return points

    @property
    def played(self) -> Counts:
        """How many games each player has played."""
        every = self.wins + self.draws + self.losses
        played: Counts = every.sum(axis=1) + every.sum(axis=0)
        return played


_ROW = {0: 0, -1: 1, 1: 2}  # of a winner, in the table


def play_round_robin(
    players: Sequence[Player],
    terms: PoolTerms,
    executor: Executor,
    *,
    workers: int = 1,
    keep_games: bool = False,
) -> PoolTable:
    """Play every ordered pair of a pool from every opening; raise ValueError for fewer than two.

    The table does not depend on the executor or the number of workers.
    """
    check_pool(len(players))
    meetings = [
        Meeting(first, second, opening)
        for opening in range(len(terms.openings))
        for first in range(len(players))
        for second in range(len(players))
        if first != second
    ]
    return play_meetings(players, meetings, terms, executor, workers=workers, keep_games=keep_games)


def play_meetings(
    players: Sequence[Player],
    meetings: Sequence[Meeting],
    terms: PoolTerms,
    executor: Executor,
    *,
    workers: int = 1,
    keep_games: bool = False,
) -> PoolTable:
    """Play some games within a pool and count them."""
    if workers < 1:
        raise ValueError(f"workers must be 1 or more, not {workers}")
    size = max(1, -(-len(meetings) // (SHARES_OF_WORKER * workers)))
    shares = [
        Share(tuple(players), tuple(meetings[at : at + size]), at, terms, keep_games)
        for at in range(0, len(meetings), size)
    ]
    found = list(play_shares(shares, executor, ahead=len(shares)))
    if not keep_games:
        return PoolTable.of(len(players), meetings, found)
    winners = [-1 if game.winner is None else game.winner for game in found]
    return PoolTable.of(len(players), meetings, winners, games=tuple(found))


def play_knock_out(
    players: Sequence[Player],
    terms: PoolTerms,
    executor: Executor,
    *,
    workers: int = 1,
) -> list[float]:
    """Let the winner of each pairing go through until one is left; return the rounds each won.

    A pairing is a game with each colour from every opening. Players meet in the order of the pool,
    the last of an odd number has a bye, and of two with equal points the earlier one goes through.
    """
    check_pool(len(players))
    won = [0.0] * len(players)
    left = list(range(len(players)))
    while len(left) > 1:
        pairs = list(zip(left[::2], left[1::2], strict=False))
        meetings = [
            Meeting(*each, opening)
            for opening in range(len(terms.openings))
            for pair in pairs
            for each in (pair, pair[::-1])
        ]
        table = play_meetings(players, meetings, terms, executor, workers=workers)
        points = table.points()
        through = [max(pair, key=lambda place: points[place]) for pair in pairs]
        for place in through:
            won[place] += 1
        left = through + left[2 * len(pairs) :]
    return won


def check_pool(size: int) -> None:
    """Raise ValueError for a pool in which no two can meet."""
    if size < 2:
        raise ValueError(f"a pool needs two players or more, not {size}")


class Share(NamedTuple):
    """Games to be played by one worker, with all that they depend on: it can be sent elsewhere."""

    players: tuple[Player, ...]
    meetings: tuple[Meeting, ...]
    first: int  # the number of its first game among all
    terms: PoolTerms
    keeps_games: bool

    def play(self, halt: Halt) -> list[Any]:
        """Play on the calling thread; return the games, or their winners alone."""
        terms, players = self.terms, self.players
        core = players[0].game.core
        play = core.play_pool if self.keeps_games else core.find_winners
        at_work = sorted({place for meeting in self.meetings for place in meeting[:2]})
        places = {place: number for number, place in enumerate(at_work)}
        numbers = range(self.first, self.first + len(self.meetings))
        with halt.watching(*(players[place] for place in at_work)) as stop:
            found: list[Any] = play(
                [players[place].chooser(terms.limits) for place in at_work],
                meetings=[
                    (places[each.first], places[each.second], each.opening)
                    for each in self.meetings
                ],
                openings=[(opening.start, list(opening.moves)) for opening in terms.openings],
                seeds=[Random(f"{terms.seed} game {n}").getrandbits(63) for n in numbers],
                rules=terms.rules,
                stop=stop,
            )
        return found


def play_shares(
    shares: Iterable[Share], executor: Executor, *, ahead: int
) -> Generator[Any, None, None]:
    """Yield what the games of shares bring, in their order; so many shares are given out ahead.

    The shares may never end. Whatever ends this generator ends the games that are played then, at
    their next move.
    """
    halt, coming = Halt(), iter(shares)
    futures: deque[Future[list[Any]]] = deque()
    try:
        while True:
            for share in islice(coming, ahead - len(futures)):
                futures.append(executor.submit(share.play, halt))
            if not futures:
                return
            yield from futures[0].result()
            futures.popleft()
    finally:
        if not all(future.done() for future in futures):
            halt.set()
        for future in futures:
            future.cancel()
