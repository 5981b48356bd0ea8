"""Spreads the pairs of many matches over workers: batches ahead, pairs in their order."""

from __future__ import annotations

import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from functools import cached_property
from typing import Generic, NamedTuple, Protocol, TypeVar

from crossboard.arena.games import Batch, Pair
from crossboard.arena.halt import Halt

# Chosen: work is cut into pieces of about so many seconds: Dask needs about 10 ms of processor
# time for each of them, whatever is in it.
BATCH_SECONDS = 1.0
MAX_BATCH_PAIRS = 500
# Batches given out for each worker: one is being played, one waits.
BATCHES_AHEAD = 2
# As many may be done before an earlier one that takes its time.
BATCHES_KEPT = 8
# How often a schedule checks whether it was halted: its games may never come back.
LOOK_SECONDS = 0.1
# How long a halted schedule waits for the games that were just being finished.
LAST_SECONDS = 5.0


class Series(Protocol):
    """The pairs of one match, played in their order until they have all come or it is decided."""

    @property
    def missing(self) -> range:
        """The numbers of the pairs that are still to be played."""

    @property
    def is_decided(self) -> bool:
        """Whether the pairs that came make those after them needless."""

    def batch(self, numbers: range) -> Batch:
        """Return the pairs of these numbers, ready to be played."""


S = TypeVar("S", bound=Series)


class Finished(NamedTuple, Generic[S]):
    """A pair, the series that it belongs to, and the seconds since that series began."""

    series: S
    pair: Pair
    seconds: float


def warn(text: str) -> None:
    """Warn of damaged endgame tables where nothing else prints it."""
    warnings.warn(text, stacklevel=2)


def play_series(
    series: Sequence[S],
    executor: Executor,
    workers: int,
    halt: Halt,
    on_damage: Callable[[str], None] = warn,
) -> Iterator[Finished[S]]:
    """Yield the pairs of all series, one series after the other, while later ones are played ahead.

    Short series share batches, so that every worker has about BATCH_SECONDS of work at a time. A
    series that is decided by a pair that was yielded is left there. A set halt ends the games: the
    pairs that were finished are yielded up to the first gap. `on_damage` gets a sentence for each
    endgame table that a worker found damaged, from every process that did.
    """
    queues = deque(_Queue(one, halt) for one in series)
    tasks: deque[_Task[S]] = deque()
    size = 1
    try:
        while not halt.is_set:
            running = [task.future for task in tasks if not task.future.done()]
            is_room = len(running) < BATCHES_AHEAD * workers and len(tasks) < BATCHES_KEPT * workers
            if is_room and (parts := _take(queues, size, workers)):
                tasks.append(_Task(parts, executor))
            elif not tasks:
                return
            elif tasks[0].is_moot:
                tasks.popleft().future.cancel()
            elif tasks[0].future.done():
                done = tasks.popleft().result()
                done.report(on_damage)
                yield from done
                if not done.is_whole:
                    return
                size = done.next_size
            else:
                wait(running, LOOK_SECONDS, FIRST_COMPLETED)
        yield from _last_pairs(tasks, on_damage)
    finally:
        is_done = all(task.future.done() for task in tasks)
        for task in tasks:
            task.future.cancel()
        if not is_done:
            halt.set()


class _Queue(Generic[S]):
    """The pairs of one series that were not given out yet."""

    def __init__(self, series: S, halt: Halt) -> None:
        self.series = series
        self.missing = series.missing
        self._outer = halt
        self.began = 0.0

    @cached_property
    def halt(self) -> Halt:
        """Ends the games of this series alone; only those that are being played need one."""
        return self._outer.inner()

    def take(self, size: int) -> range:
        """Give out the numbers of so many pairs at most."""
        self.began = self.began or time.perf_counter()
        taken, self.missing = self.missing[:size], self.missing[size:]
        return taken

    def close(self) -> None:
        """Play no more of it, here and wherever it is being played."""
        self.missing = range(0)
        self.halt.set()


class _Part(NamedTuple, Generic[S]):
    """Pairs of one series within a task."""

    queue: _Queue[S]
    numbers: range


class Answer(NamedTuple):
    """What a worker gives back."""

    pairs: list[list[Pair]]  # of every part
    seconds: float
    damage: list[str]  # sentences on endgame tables


class _Task(Generic[S]):
    """Parts that were given out together."""

    def __init__(self, parts: list[_Part[S]], executor: Executor) -> None:
        self._parts = parts
        work = [(queue.series.batch(numbers), queue.halt) for queue, numbers in parts]
        self.future: Future[Answer] = executor.submit(_play, work)

    @property
    def is_moot(self) -> bool:
        return all(part.queue.series.is_decided for part in self._parts)

    def result(self, timeout: float | None = None) -> _Done[S]:
        """Return what came of it; raise TimeoutError if nothing does in time."""
        return _Done(self._parts, self.future.result(timeout))


class _Done(Generic[S]):
    """A task that was played."""

    def __init__(self, parts: list[_Part[S]], answer: Answer) -> None:
        self._parts = list(zip(parts, answer.pairs, strict=True))
        self._seconds = answer.seconds
        self._damage = answer.damage

    def report(self, on_damage: Callable[[str], None]) -> None:
        """Report the endgame tables that proved damaged."""
        for sentence in self._damage:
            on_damage(sentence)

    def __iter__(self) -> Iterator[Finished[S]]:
        for (queue, numbers), pairs in self._parts:
            for pair in pairs:
                if queue.series.is_decided:
                    break
                yield Finished(queue.series, pair, time.perf_counter() - queue.began)
            if queue.series.is_decided:
                queue.close()
            elif len(pairs) < len(numbers):
                return

    @property
    def is_whole(self) -> bool:
        """Whether no pair is missing that is still needed."""
        return all(
            len(pairs) == len(part.numbers) or part.queue.series.is_decided
            for part, pairs in self._parts
        )

    @property
    def next_size(self) -> int:
        """How many such pairs make a batch."""
        count = sum(len(pairs) for _, pairs in self._parts)
        fitting = int(count * BATCH_SECONDS / max(self._seconds, 1e-6))
        return max(1, min(fitting, MAX_BATCH_PAIRS))


def _take(queues: deque[_Queue[S]], size: int, workers: int) -> list[_Part[S]]:
    """Take the next pairs of all that are left, of several series if one has too few.

    They are at most a fair share, so that no worker waits at the end.
    """
    left = sum(len(queue.missing) for queue in queues)
    size = min(size, max(1, left // (BATCHES_AHEAD * workers)))
    parts: list[_Part[S]] = []
    while size and queues:
        if numbers := queues[0].take(size):
            parts.append(_Part(queues[0], numbers))
            size -= len(numbers)
        if not queues[0].missing:
            queues.popleft()
    return parts


def _last_pairs(tasks: deque[_Task[S]], on_damage: Callable[[str], None]) -> Iterator[Finished[S]]:
    """Yield what was finished when the schedule was halted, as far as there is no gap."""
    deadline = time.monotonic() + LAST_SECONDS
    while tasks:
        try:
            done = tasks.popleft().result(max(0.0, deadline - time.monotonic()))
        except (CancelledError, TimeoutError):
            return
        done.report(on_damage)
        yield from done
        if not done.is_whole:
            return


def _play(work: list[tuple[Batch, Halt]]) -> Answer:
    start = time.perf_counter()
    found = [batch.play(halt) for batch, halt in work]
    damage = [sentence for batch, _ in work for sentence in batch.take_damage()]
    return Answer(found, time.perf_counter() - start, damage)
