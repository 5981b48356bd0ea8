"""Players lent to one search at a time, with small tables, so that many games share a few."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock

from crossboard.players.player import Player

# Chosen: seconds of one thread fill it about once.
TABLE_MB = 16
# Chosen: how many players wait for their next search; each keeps its table.
MOST_IDLE = 8


class Leases:
    """Lends players by name; each searches on one thread with a table of its own.

    A player forgets what it found when it comes back, so that moves depend on the game alone.
    Any thread may ask. `find` returns the player of a name, or raises ValueError.
    """

    def __init__(
        self,
        find: Callable[[str], Player],
        *,
        table_mb: int = TABLE_MB,
        most_idle: int = MOST_IDLE,
    ) -> None:
        self._find = find
        self._table_mb = table_mb
        self._most_idle = most_idle
        self._idle: OrderedDict[int, tuple[str, Player]] = OrderedDict()  # the oldest first
        self._lock = Lock()

    @contextmanager
    def lend(self, name: str) -> Iterator[Player]:
        """Give a player of this name that nothing else uses; raise ValueError if there is none."""
        player = self._take(name) or self._make(name)
        yield player  # one whose search has failed is not used again
        player.clear()
        with self._lock:
            self._idle[id(player)] = (name, player)
            while len(self._idle) > self._most_idle:
                self._idle.popitem(last=False)

    def _take(self, name: str) -> Player | None:
        with self._lock:
            place = next((place for place, (own, _) in self._idle.items() if own == name), None)
            return None if place is None else self._idle.pop(place)[1]

    def _make(self, name: str) -> Player:
        player = self._find(name)
        table_mb = min(player.settings.table_mb, self._table_mb)
        return player.with_settings(replace(player.settings, table_mb=table_mb, threads=1))
