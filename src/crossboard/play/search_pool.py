"""Searches of many games on a few threads: leased players, and time shared by load."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from math import tanh

from crossboard._core import StopFlag
from crossboard.play.opponents import RANDOM
from crossboard.players import (
    LevelPlayer,
    Player,
    RandomPlayer,
    SearchLimits,
    SearchResult,
    load_player,
)
from crossboard.players.games import GAMES, AnyPosition, game_of
from crossboard.players.leases import Leases

# Chosen: no search on the page takes longer, whatever depth was asked for.
MOST_SECONDS = 30.0
LEAST_SECONDS = 0.02
NICENESS = 10  # the server itself answers first


@dataclass(frozen=True)
class Task:
    """A position to be searched by a player of a name, and the flag that ends the search."""

    player: str
    position: AnyPosition
    history: Sequence[AnyPosition]
    limits: SearchLimits = field(default_factory=SearchLimits)  # none: the player's own
    stop: StopFlag = field(default_factory=StopFlag)
    on_depth: Callable[[SearchResult], None] | None = None
    seed: int | str = 0  # of a level's errors


@dataclass(frozen=True)
class Judged:
    """What a search found, on a bar from -1 (lost) to 1 (won) for the side to move too."""

    result: SearchResult
    bar: float


class SearchPool:
    """Runs searches at low priority, as many at a time as there are processors.

    While more are wanted than there are threads, each gets a smaller part of its seconds, so that
    all games are answered.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or os.cpu_count() or 1
        self._executor = ThreadPoolExecutor(self.threads, "search", initializer=_lower_priority)
        # At usual priority: what loads a player holds locks that the server may wait for.
        self._loader = ThreadPoolExecutor(1, "load")
        # Now, for a thread has the priority of the one that starts it.
        self._loader.submit(import_module, "numpy")
        self._leases = {name: Leases(self._finder(name)) for name in GAMES}
        self._wanted = 0
        self._flags: set[StopFlag] = set()
        self._lock = threading.Lock()

    def search(self, task: Task) -> Future[Judged]:
        """Begin a search as soon as a thread is free; it fails with the ValueError of the player.

        A task whose flag is set before it begins still has a legal move as its result.
        """
        with self._lock:
            self._wanted += 1
            self._flags.add(task.stop)
        done = self._executor.submit(self._search, task)
        done.add_done_callback(lambda _: self._forget(task))
        return done

    def close(self) -> None:
        """End all searches at once."""
        with self._lock:
            flags = list(self._flags)
        for flag in flags:
            flag.set()
        self._executor.shutdown(cancel_futures=True)
        self._loader.shutdown()

    def _finder(self, game: str) -> Callable[[str], Player]:
        def find(name: str) -> Player:
            if name == RANDOM:
                return RandomPlayer(game=game)
            return self._loader.submit(load_player, name).result()

        return find

    def _forget(self, task: Task) -> None:
        with self._lock:
            self._wanted -= 1
            self._flags.discard(task.stop)

    def _search(self, task: Task) -> Judged:
        game = game_of(task.position)
        with self._leases[game.name].lend(task.player) as player:
            if isinstance(player, LevelPlayer):
                player.reseed(task.seed)
            result = player.search(
                task.position,
                limits=share(player.limits_for(task.limits), self._wanted / self.threads),
                history=task.history,
                on_depth=task.on_depth,
                stop=task.stop,
            )
            return Judged(result, bar_of(result, player, task.position))


def share(limits: SearchLimits, load: float) -> SearchLimits:
    """Return limits with a share of their seconds; `load` is searches wanted per thread."""
    seconds = min(limits.seconds or MOST_SECONDS, MOST_SECONDS)
    return replace(limits, seconds=max(LEAST_SECONDS, seconds / max(1.0, load)))


def bar_of(result: SearchResult, player: Player, position: AnyPosition) -> float:
    """Return how a search judges the side to move, from -1 (lost) to 1 (won)."""
    if result.win_in is not None:
        return 1.0 if result.win_in > 0 else -1.0
    scale = player.scale_for(position)
    # Chosen: two men, or log-odds of two, fill three quarters of the way.
    bar = result.value if scale.is_range else tanh(result.value / 2)
    return round(max(-1.0, min(1.0, bar)), 4)


def _lower_priority() -> None:
    # Only Linux has a priority for each thread; elsewhere all of them are alike.
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
