"""The store of games: what it gives back, what it refuses, and when it is done."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossboard.play.game_store import FILE, GameStore, StoredEvent, StoreError
from crossboard.runs.errors import RunIsHeld


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GameStore]:
    found = GameStore(tmp_path / "games")
    yield found
    found.close()


def create(store: GameStore, name: str = "a") -> None:
    store.create(name, {"game": "draughts"}, {"plies": 0}, {"hash": "B"}).result(60)


def test_what_was_stored_comes_back(store: GameStore) -> None:
    create(store)
    for number, command in ((1, "first"), (2, None)):
        event = StoredEvent(number, {"kind": "move", "move": str(number)}, command)
        store.append("a", event, {"plies": number}).result(60)
    found = store.load("a")
    assert found is not None
    assert found.setup == {"game": "draughts"}
    assert found.key_hashes == {"hash": "B"}
    assert [(one.number, one.command) for one in found.events] == [(1, "first"), (2, None)]
    assert store.load("b") is None
    assert [(one.game, one.summary) for one in store.recent(5)] == [("a", {"plies": 2})]


def test_it_survives_being_opened_again(tmp_path: Path) -> None:
    for expected in (0, 1):
        store = GameStore(tmp_path)
        assert len(store.recent(5)) == expected
        if not expected:
            create(store)
        store.close()


def test_a_number_and_a_command_are_stored_once(store: GameStore) -> None:
    create(store)
    store.append("a", StoredEvent(1, {}, "key"), {}).result(60)
    for event in (StoredEvent(1, {}, "other"), StoredEvent(2, {}, "key")):
        with pytest.raises(StoreError, match="not stored"):
            store.append("a", event, {}).result(60)
    found = store.load("a")
    assert found is not None
    assert len(found.events) == 1


def test_a_failure_in_a_batch_harms_no_other(store: GameStore) -> None:
    create(store)
    begin, done = threading.Barrier(2), []

    def append(number: int) -> None:
        if number == 0:
            begin.wait(60)
        done.append(store.append("a", StoredEvent(number, {}), {}))

    begin_thread = threading.Thread(target=begin.wait, args=(60,))
    begin_thread.start()
    for number in (0, 1, 1, 2, 3, 3):
        append(number)
    begin_thread.join(60)
    failed = [future.exception(60) is not None for future in done]
    assert failed == [False, False, True, False, False, True]


def test_a_commit_reaches_the_disk(store: GameStore, tmp_path: Path) -> None:
    create(store)
    other = sqlite3.connect(tmp_path / "games" / FILE)
    assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert other.execute("SELECT count(*) FROM games").fetchone() == (1,)
    other.close()
    assert store._writer.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_a_folder_has_one_store(store: GameStore, tmp_path: Path) -> None:
    with pytest.raises(RunIsHeld, match="is writing these games"):
        GameStore(tmp_path / "games")


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("hello" * 1000)
    with pytest.raises(StoreError, match="move it away"):
        GameStore(tmp_path)


def test_a_closed_store_refuses(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    store.close()
    with pytest.raises(StoreError, match="the server is stopping"):
        create(store)
    store.close()
