"""No acknowledged move is lost, whenever the server is killed."""

from __future__ import annotations

import http.client
import json
import random
import signal
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

CLIENTS = 3
KILLS = 3
MANY_KILLS = 20
# What a client meets when the server is killed.
GONE = (OSError, http.client.HTTPException)


class Client:
    """Plays both sides of games as fast as it can, and knows what was acknowledged."""

    def __init__(self, address: str, seed: int) -> None:
        self.address = address
        self.draw = random.Random(seed)
        self.acknowledged: dict[str, list[str]] = {}  # the paths of moves, by game
        self.state: Any = None
        self.keys = ""

    def post(self, path: str, body: dict[str, Any]) -> Any:
        headers = {
            "content-type": "application/json",
            "idempotency-key": f"command-{self.draw.getrandbits(64)}",
            "x-seat-keys": self.keys,
        }
        request = urllib.request.Request(
            self.address + path, json.dumps(body).encode(), headers, method="POST"
        )
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.load(reply)

    def play_until_the_server_is_gone(self) -> None:
        try:
            while True:
                self.play_once()
        except urllib.error.HTTPError:  # a refusal, which no kill explains
            raise
        except GONE:
            pass

    def play_once(self) -> None:
        if self.state is None or self.state["is_over"]:
            created = self.post("api/games", {"game": "draughts"})
            self.state, self.keys = created["state"], ",".join(created["keys"].values())
            self.acknowledged[self.state["id"]] = []
            return
        move = self.draw.choice(self.state["legal_moves"])
        body = {"expected_ply": self.state["ply"], "text": move["text"]}
        name = self.state["id"]
        self.state = self.post(f"api/games/{name}/moves", body)
        self.acknowledged[name].append(" ".join(move["path"]))

    def check(self, address: str) -> None:
        """Compare all games; at most one move that was not acknowledged may be there too."""
        self.address = address
        for name, acknowledged in self.acknowledged.items():
            with urllib.request.urlopen(f"{address}api/games/{name}", timeout=60) as reply:
                state = json.load(reply)
            stored = [" ".join(one["path"]) for one in state["played"]]
            assert stored[: len(acknowledged)] == acknowledged
            assert len(stored) <= len(acknowledged) + 1
            self.acknowledged[name] = stored
            if self.state["id"] == name:
                self.state = state


def count_acknowledged(clients: list[Client]) -> int:
    return sum(len(moves) for client in clients for moves in [*client.acknowledged.values()])


def wait_for_more(clients: list[Client], before: int) -> None:
    """Wait until a move is acknowledged, however busy the machine is."""
    for _ in range(6000):
        if count_acknowledged(clients) > before:
            return
        time.sleep(0.01)
    raise AssertionError("no move is acknowledged")


def kill_often(start_server: Callable[..., Any], kills: int, seed: int) -> None:
    draw = random.Random(seed)
    server = start_server()
    clients = [Client(server.address, seed + n) for n in range(CLIENTS)]
    port = int(server.address.rsplit(":", 1)[1].strip("/"))
    for _ in range(kills):
        threads = [
            threading.Thread(target=client.play_until_the_server_is_gone) for client in clients
        ]
        before = count_acknowledged(clients)
        for thread in threads:
            thread.start()
        wait_for_more(clients, before)
        time.sleep(draw.uniform(0.0, 0.5))
        server.end(signal.SIGKILL)
        for thread in threads:
            thread.join(60)
        server = start_server(port=port)
        for client in clients:
            client.check(server.address)


def test_three_kills_lose_no_acknowledged_move(start_server: Callable[..., Any]) -> None:
    kill_often(start_server, KILLS, 1)


@pytest.mark.slow
@pytest.mark.sized
def test_twenty_kills_lose_no_acknowledged_move(start_server: Callable[..., Any]) -> None:
    kill_often(start_server, MANY_KILLS, 2)
