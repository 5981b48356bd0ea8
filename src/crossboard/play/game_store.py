"""Games in progress in one SQLite file: setups and events, written by one thread in batches."""

from __future__ import annotations

import json
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from crossboard.runs.lock import Lock

FILE = "games.sqlite"
# Chosen: as many as the writer takes into one commit.
MOST_IN_BATCH = 200
TABLES = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, changed REAL NOT NULL, setup TEXT NOT NULL, summary TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS events (
    game TEXT NOT NULL, number INTEGER NOT NULL, event TEXT NOT NULL, command TEXT,
    PRIMARY KEY (game, number)
);
CREATE UNIQUE INDEX IF NOT EXISTS commands ON events (game, command) WHERE command IS NOT NULL;
CREATE TABLE IF NOT EXISTS seat_keys (
    game TEXT NOT NULL, seat TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (game, hash)
);
CREATE INDEX IF NOT EXISTS by_change ON games (changed);
"""

JsonObject = Mapping[str, Any]


class StoreError(ValueError):
    """Games cannot be read from the store, or written to it."""


class StoredEvent(NamedTuple):
    """Something that happened in a game: its number, from 1, and what it was."""

    number: int
    event: JsonObject
    command: str | None = None  # the key of the command that asked for it


class StoredSummary(NamedTuple):
    """A game in the list of games."""

    game: str
    changed: float  # seconds since 1970
    summary: JsonObject


@dataclass(frozen=True)
class StoredGame:
    """A game as it was stored."""

    setup: JsonObject
    events: Sequence[StoredEvent]
    key_hashes: Mapping[str, str]  # the seat, as text, of every key's hash


@dataclass(frozen=True)
class _Order:
    write: Callable[[sqlite3.Connection], None]
    done: Future[None]


class GameStore:
    """The games of one folder; a future that it returns is done once its data is on the disk.

    Any thread may call it. Only one process at a time may open a folder: raises RunIsHeld.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._lock = Lock(folder, of="these games")
        try:
            path = folder / FILE
            self._reader = _connect(path)
            self._reader.executescript(TABLES)
            self._writer = _connect(path)
        except sqlite3.Error as error:
            self._lock.release()
            raise StoreError(
                f"{folder / FILE} cannot be used: {error}; move it away or choose another folder"
            ) from error
        self._reading = threading.Lock()
        self._orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()
        self._is_closed = False
        self._thread = threading.Thread(target=self._write_all, name="games")
        self._thread.start()

    # ---- writing

    def create(
        self, game: str, setup: JsonObject, summary: JsonObject, keys: Mapping[str, str]
    ) -> Future[None]:
        """Store a new game with the hashes of the keys of its seats."""
        row = (game, time.time(), json.dumps(setup), json.dumps(summary))
        rows = [(game, seat, hashed) for hashed, seat in keys.items()]

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO games VALUES (?, ?, ?, ?)", row)
            connection.executemany("INSERT INTO seat_keys VALUES (?, ?, ?)", rows)

        return self._order(write)

    def append(self, game: str, stored: StoredEvent, summary: JsonObject) -> Future[None]:
        """Store the next event of a game, and how the game stands after it."""
        row = (game, stored.number, json.dumps(stored.event), stored.command)
        change = (time.time(), json.dumps(summary), game)

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
            connection.execute("UPDATE games SET changed = ?, summary = ? WHERE id = ?", change)

        return self._order(write)

    def _order(self, write: Callable[[sqlite3.Connection], None]) -> Future[None]:
        order = _Order(write, Future())
        if self._is_closed:
            order.done.set_exception(StoreError("the games are closed: the server is stopping"))
        else:
            self._orders.put(order)
        return order.done

    def _write_all(self) -> None:
        is_open = True
        while is_open:
            batch = [self._orders.get()]
            while len(batch) < MOST_IN_BATCH and not self._orders.empty():
                batch.append(self._orders.get())
            is_open = None not in batch
            self._write([order for order in batch if order is not None])

    def _write(self, batch: Sequence[_Order]) -> None:
        """Write a batch in one transaction; what fails in it does not harm the others."""
        batch = [order for order in batch if order.done.set_running_or_notify_cancel()]
        failures: dict[int, sqlite3.Error] = {}
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            for place, order in enumerate(batch):
                self._writer.execute("SAVEPOINT one")
                try:
                    order.write(self._writer)
                except sqlite3.IntegrityError as error:
                    self._writer.execute("ROLLBACK TO one")
                    failures[place] = error
                self._writer.execute("RELEASE one")
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            failures = dict.fromkeys(range(len(batch)), error)
        for place, order in enumerate(batch):
            if place in failures:
                order.done.set_exception(StoreError(f"the game is not stored: {failures[place]}"))
            else:
                order.done.set_result(None)

    # ---- reading

    def load(self, game: str) -> StoredGame | None:
        """Return a game; None if there is none of this name."""
        with self._reading:
            found = self._reader.execute("SELECT setup FROM games WHERE id = ?", (game,)).fetchone()
            if found is None:
                return None
            events = self._reader.execute(
                "SELECT number, event, command FROM events WHERE game = ? ORDER BY number", (game,)
            ).fetchall()
            keys = self._reader.execute(
                "SELECT hash, seat FROM seat_keys WHERE game = ?", (game,)
            ).fetchall()
        return StoredGame(
            json.loads(found[0]),
            [StoredEvent(number, json.loads(text), command) for number, text, command in events],
            dict(keys),
        )

    def recent(self, most: int) -> list[StoredSummary]:
        """Return the games that changed last, the last one first."""
        with self._reading:
            rows = self._reader.execute(
                "SELECT id, changed, summary FROM games ORDER BY changed DESC LIMIT ?", (most,)
            ).fetchall()
        return [StoredSummary(game, changed, json.loads(text)) for game, changed, text in rows]

    def close(self) -> None:
        """Write what is waiting and close the file; closing twice does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        self._orders.put(None)
        self._thread.join()
        self._writer.close()
        self._reader.close()
        self._lock.release()


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection
