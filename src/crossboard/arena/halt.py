"""Ends games from outside, in whichever processes they are played."""

from __future__ import annotations

import secrets
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import accumulate
from typing import Any

from crossboard._core import StopFlag
from crossboard.players import Player

# Has a function called in all other processes that play.
Everywhere = Callable[[Callable[[], None]], None]


class Halt:
    """Asks games to end at the next move.

    It goes to other processes with the games, and arrives as that process's own halt of the same
    name. `everywhere` is the way there for those who set it; without one, only games of this
    process end before their batch does.
    """

    def __init__(self, name: str | None = None, *, everywhere: Everywhere | None = None) -> None:
        self.name = name or secrets.token_hex(8)
        self._everywhere = everywhere
        self._flag = StopFlag()
        self._lock = threading.Lock()
        self._players: list[Player] = []
        self._message = partial(set_halt, self.name)
        with _knowing:
            _known[self.name] = self
            if not _ended.isdisjoint(_outer_names(self.name)):
                self._flag.set()

    def __reduce__(self) -> tuple[Any, ...]:
        return find_halt, (self.name,)

    def inner(self) -> Halt:
        """Return a halt that is set when this one is, but may be set alone."""
        return Halt(f"{self.name}.{secrets.token_hex(4)}", everywhere=self._everywhere)

    @property
    def is_set(self) -> bool:
        return self._flag.is_set

    def set(self) -> None:
        """End the games; may be called again, for processes that have come since."""
        set_halt(self.name)
        if self._everywhere is not None:
            self._everywhere(self._message)

    @contextmanager
    def watching(self, *players: Player) -> Iterator[StopFlag]:
        """Give the flag that ends games between these players."""
        with self._lock:
            self._players += players
        try:
            yield self._flag
        finally:
            with self._lock:
                for player in players:
                    self._players.remove(player)

    def _end_games(self) -> None:
        self._flag.set()
        with self._lock:
            players = list(self._players)
        # Engines of others end too: nobody wants their moves any more.
        for player in players:
            player.stop()


_known: weakref.WeakValueDictionary[str, Halt] = weakref.WeakValueDictionary()
# Which halts were set in this process, for good: games may arrive after the word to end them.
_ended: set[str] = set()
_knowing = threading.RLock()


def find_halt(name: str) -> Halt:
    """Return this process's halt of a name, a new one if there is none."""
    with _knowing:
        return _known.get(name) or Halt(name)


def set_halt(name: str) -> None:
    """End the games of this process that belong to a halt of this name or to an inner one."""
    with _knowing:
        _ended.add(name)
        halts = [halt for halt in _known.values() if f"{halt.name}.".startswith(f"{name}.")]
    for halt in halts:
        halt._end_games()


def _outer_names(name: str) -> Iterator[str]:
    """Yield a halt's own name and those of the halts around it."""
    return accumulate(name.split("."), "{}.{}".format)
