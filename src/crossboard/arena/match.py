"""A match: pairs of games between two players, and what they say."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import Any, NamedTuple

from crossboard._core import DrawRules
from crossboard._core.draughts import PlayedGame
from crossboard.arena.games import Batch, Pair, winner_of
from crossboard.arena.halt import Halt
from crossboard.arena.openings import Openings
from crossboard.arena.score import Score, Tally, score_pairs
from crossboard.arena.sprt import Decision, Sprt
from crossboard.players import Player, SearchLimits, material_balance
from crossboard.players.games import game_of

# What sides are called in results.
NAMES = {"B": "black", "W": "white", "odd": "odd", "even": "even"}
# Chosen: work is cut into pieces of about so many seconds: Dask needs about 10 ms of processor
# time for each of them, whatever is in it.
BATCH_SECONDS = 1.0
MAX_BATCH_PAIRS = 500
# Batches given out for each worker: one is being played, one waits.
BATCHES_AHEAD = 2
# As many may be done before an earlier one that takes its time.
BATCHES_KEPT = 8
# How often a match looks whether it was ended: its games may never come back.
LOOK_SECONDS = 0.1
# How long a match that was ended waits for the games that were just being finished.
LAST_SECONDS = 5.0


@dataclass(frozen=True)
class Terms:
    """What two players agree on before a match. Nothing else has a part in its games."""

    pairs: int
    openings: Openings
    limits: SearchLimits | None = None  # None: each player keeps its own
    rules: DrawRules = field(default_factory=DrawRules)
    seed: int = 0
    sprt: Sprt | None = None  # ends the match as soon as it is decided
    # Pairs before this one, which `pairs` counts too, were played before: no result has them.
    first: int = 0

    def __post_init__(self) -> None:
        if self.first and self.sprt is not None:
            raise ValueError("a sequential test is not gone on with: it needs all pairs")

    def batch(self, one: Player, other: Player, first: int, size: int) -> Batch:
        """Return pairs number first .. first+size-1."""
        seeds = [
            Random(f"{self.seed} pair {n}").getrandbits(63) for n in range(first, first + size)
        ]
        openings = self.openings.take(first, size)
        return Batch(one, other, openings, seeds, self.limits, self.rules)


@dataclass
class MatchResult:
    """What came out so far, for the first player."""

    one: str
    other: str
    pairs: list[Pair] = field(default_factory=list)
    sprt: Sprt | None = None
    seconds: float = 0.0

    def add(self, pair: Pair) -> None:
        self.pairs.append(pair)
        if self.sprt is not None:
            self.sprt = self.sprt.after(sum(pair.points))

    @property
    def is_decided(self) -> bool:
        return self.sprt is not None and self.sprt.decision is not Decision.GO_ON

    @property
    def games(self) -> Iterator[PlayedGame]:
        return chain.from_iterable(pair.games for pair in self.pairs)

    @property
    def score(self) -> Score:
        return score_pairs(pair.points for pair in self.pairs)

    @property
    def sides(self) -> tuple[str, str]:
        """The sides of the game that was played."""
        return game_of(self.pairs[0].opening.start if self.pairs else None).sides

    @property
    def by_colour(self) -> dict[str, Tally]:
        """The first player's games with the black pieces and with the white ones, or by teams."""
        counts = {side: [0, 0, 0] for side in self.sides}
        for pair in self.pairs:
            for seat, game in enumerate(pair.games):
                rules = game_of(game.start)
                first = rules.side_of(game.start)
                colour = first if seat == 0 else rules.other(first)
                winner = winner_of(game)
                counts[colour][1 if winner is None else 0 if winner == colour else 2] += 1
        return {colour: Tally(*three) for colour, three in counts.items()}

    @property
    def loops(self) -> list[PlayedGame]:
        """The draws that are loops: the same position, or the same moves, again and again."""
        return [game for game in self.games if game.ending in ("repetition", "loop")]

    def _forfeits(self) -> Iterator[str]:
        """Yield who lost a game without having lost it on the board, and why."""
        for pair in self.pairs:
            for seat, game in enumerate(pair.games):
                if game.reason:
                    loser = self.other if game.winner == seat else self.one
                    yield f"{loser}: {game.reason}"

    def as_json(self) -> dict[str, Any]:
        """Give the figures under the names that `--json` uses."""
        games = list(self.games)
        loops = self.loops
        endings = sorted({game.ending for game in games})
        colours = self.by_colour
        result = {
            "one": self.one,
            "other": self.other,
            **self.score.as_json(),
            **{f"as_{NAMES[side]}": tally.as_json() for side, tally in colours.items()},
            "loops": len(loops),
            "loops_unequal": sum(material_balance(game.last) != 0 for game in loops),
            "endings": {name: sum(game.ending == name for game in games) for name in endings},
            "reasons": dict(Counter(self._forfeits())),
            "distinct_games": len(set(games)),
            "average_plies": sum(game.plies for game in games) / len(games) if games else 0.0,
            "seconds": self.seconds,
        }
        if self.sprt is not None:
            result["sprt"] = self.sprt.as_json()
        return result


def play_match(
    one: Player,
    other: Player,
    terms: Terms,
    executor: Executor,
    *,
    workers: int = 1,
    stop: Halt | None = None,
    on_pair: Callable[[MatchResult], None] | None = None,
    into: MatchResult | None = None,
) -> MatchResult:
    """Play a match; the result does not depend on the executor or the number of workers.

    `on_pair` sees the result after every pair, in their order. `into` collects the pairs, for
    those who may be interrupted; setting `stop` ends the match with what was played.
    """
    result = into or MatchResult(one.name, other.name, sprt=terms.sprt)
    start = time.perf_counter()
    halt = (stop or Halt()).inner()
    for pair in _pairs(one, other, terms, executor, workers, halt):
        result.add(pair)
        result.seconds = time.perf_counter() - start
        if on_pair is not None:
            on_pair(result)
        if result.is_decided:
            break
    return result


class _Task(NamedTuple):
    """A batch that was given out."""

    pairs: int
    future: Future[tuple[list[Pair], float]]


def _pairs(
    one: Player, other: Player, terms: Terms, executor: Executor, workers: int, halt: Halt
) -> Iterator[Pair]:
    """Yield the pairs in their order, while batches of them are played ahead."""
    tasks: deque[_Task] = deque()
    given, size = terms.first, 1
    try:
        while not halt.is_set:
            running = [task.future for task in tasks if not task.future.done()]
            is_room = len(running) < BATCHES_AHEAD * workers and len(tasks) < BATCHES_KEPT * workers
            if given < terms.pairs and is_room:
                size = min(size, _fair_share(terms.pairs - given, workers))
                batch = terms.batch(one, other, given, size)
                tasks.append(_Task(size, executor.submit(_play, batch, halt)))
                given += size
            elif not tasks:
                return
            elif tasks[0].future.done():
                task = tasks.popleft()
                pairs, seconds = task.future.result()
                yield from pairs
                if len(pairs) < task.pairs:
                    return
                size = _next_size(len(pairs), seconds)
            else:
                wait(running, LOOK_SECONDS, FIRST_COMPLETED)
        yield from _last_pairs(tasks)
    finally:
        is_done = all(task.future.done() for task in tasks)
        for task in tasks:
            task.future.cancel()
        if not is_done:
            halt.set()


def _last_pairs(tasks: deque[_Task]) -> Iterator[Pair]:
    """Yield what was finished when the match was ended, as far as there is no gap."""
    deadline = time.monotonic() + LAST_SECONDS
    while tasks:
        task = tasks.popleft()
        try:
            pairs, _ = task.future.result(max(0.0, deadline - time.monotonic()))
        except (CancelledError, TimeoutError):
            return
        yield from pairs
        if len(pairs) < task.pairs:
            return


def _play(batch: Batch, halt: Halt) -> tuple[list[Pair], float]:
    start = time.perf_counter()
    pairs = batch.play(halt)
    return pairs, time.perf_counter() - start


def _next_size(pairs: int, seconds: float) -> int:
    fitting = int(pairs * BATCH_SECONDS / max(seconds, 1e-6))
    return max(1, min(fitting, MAX_BATCH_PAIRS))


def _fair_share(pairs: int, workers: int) -> int:
    """Return how many of the pairs left one batch may have, so that nobody waits at the end."""
    return max(1, pairs // (BATCHES_AHEAD * workers))
