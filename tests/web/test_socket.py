"""The socket: events in their order, what was missed, and seats that are taken over."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60


class Remote:
    """A server, as a program meets it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.count = 0

    def post(self, path: str, body: Any, keys: dict[str, str] | None = None) -> Any:
        self.count += 1
        headers = {
            "content-type": "application/json",
            "idempotency-key": f"command-{self.count}",
            "x-seat-keys": ",".join((keys or {}).values()),
        }
        request = urllib.request.Request(
            f"{self.address}api/{path}", json.dumps(body).encode(), headers, method="POST"
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
            return json.load(reply)

    def begin(self, **game: Any) -> tuple[str, dict[str, str]]:
        created = self.post("games", {"game": "draughts", **game})
        return created["state"]["id"], created["keys"]

    def move(self, game: str, ply: int, text: str, keys: dict[str, str]) -> Any:
        return self.post(f"games/{game}/moves", {"expected_ply": ply, "text": text}, keys)

    def connect(self, **options: Any) -> ClientConnection:
        return connect(self.address.replace("http", "ws") + "api/socket", **options)

    @contextmanager
    def watch(self, game: str, after: int = 0, *keys: str) -> Iterator[ClientConnection]:
        with self.connect() as socket:
            asked = {"topic": f"games/{game}", "after": after, "keys": keys}
            socket.send(json.dumps(asked))
            yield socket


@pytest.fixture
def remote(start_server: Callable[..., Any]) -> Remote:
    return Remote(start_server("--grace", 1).address)


def receive(socket: ClientConnection) -> Any:
    return json.loads(socket.recv(PATIENCE))


def receive_until(socket: ClientConnection, kind: str) -> Any:
    while (event := receive(socket))["kind"] != kind:
        pass
    return event


def test_events_come_in_their_order(remote: Remote) -> None:
    game, keys = remote.begin()
    with remote.watch(game) as socket:
        assert receive(socket)["kind"] == "presence"
        for ply, text in enumerate(("11-15", "22-18", "15x22")):
            remote.move(game, ply, text, keys)
        events = [receive(socket) for _ in range(3)]
    assert [(one["number"], one["text"]) for one in events] == [
        (1, "11-15"),
        (2, "22-18"),
        (3, "15x22"),
    ]
    assert [one["state"]["ply"] for one in events] == [1, 2, 3]


def test_what_was_missed_comes_after_a_cut(remote: Remote) -> None:
    game, keys = remote.begin()
    for ply, text in enumerate(("11-15", "22-18", "15x22")):
        remote.move(game, ply, text, keys)
    with remote.watch(game, after=1) as socket:
        second, third = receive(socket), receive(socket)
    assert (second["number"], second["state"]) == (2, None)
    assert (third["number"], third["state"]["ply"]) == (3, 3)


@pytest.mark.parametrize(
    "text", ["", "null", "[" * 5000, '{"topic": "games/none", "after": 0}', '{"topic": "x"}']
)
def test_a_hostile_message_gets_a_sentence(remote: Remote, text: str) -> None:
    with remote.connect() as socket:
        socket.send(text)
        assert receive(socket)["error"]


def test_a_message_that_is_too_long_ends_the_socket(remote: Remote) -> None:
    with remote.connect() as socket:
        socket.send(" " * 100_000)
        with pytest.raises(ConnectionClosed):
            socket.recv(PATIENCE)


def test_a_socket_of_another_site_is_refused(remote: Remote) -> None:
    with pytest.raises(InvalidStatus), remote.connect(origin="http://evil.example"):
        pass


MATE_LATER = "4; 1:K1a1 R1a2; 2:K2a1 R2a2; 3:K4a1 R4a2; 4:K5a1 R5a2; turn 1"


def holder(state: Any, seat: str) -> str:
    return next(str(one["holder"]) for one in state["seats"] if one["seat"] == seat)


def test_a_seat_is_taken_over_and_given_back(remote: Remote) -> None:
    others = {seat: {"player": "random"} for seat in ("3", "4")}
    created = {"game": "duchess", "start": MATE_LATER, "computers": others}
    game, keys = remote.begin(**created)
    assert list(keys) == ["1", "2"]
    with remote.watch(game, 0, keys["1"]) as socket:
        with remote.watch(game, 0, keys["2"]) as other:
            assert receive(other)["kind"] == "presence"
            state = receive(other)["state"]
            assert [one["is_connected"] for one in state["seats"][:2]] == [True, True]
            with pytest.raises(urllib.error.HTTPError) as refused:
                remote.move(game, 0, state["legal_moves"][0]["text"], {"2": keys["2"]})
            assert refused.value.code == 403
            refused.value.close()
        taken = receive_until(socket, "seat")
        assert (taken["seat"], holder(taken["state"], "2")) == ("2", "deputy")
        with remote.watch(game, 0, keys["2"]):
            back = receive_until(socket, "seat")
        assert holder(back["state"], "2") == "person"
        assert holder(back["state"], "3") == "computer"
