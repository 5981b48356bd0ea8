"""No acknowledged move is lost, whenever the server is killed."""

from __future__ import annotations

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

GAMES = 3
KILLS = 3
MANY_KILLS = 20


class Client:
    """Plays both sides of a game as fast as it can, and knows what was acknowledged."""

    def __init__(self, address: str, seed: int) -> None:
        self.address = address
        self.draw = random.Random(seed)
        self.acknowledged: list[str] = []
        self.is_over = False
        created = self.post("api/games", {"game": "draughts"}, "")
        self.name, self.keys = created["state"]["id"], ",".join(created["keys"].values())
        self.state = created["state"]
        self.command = ""

    def post(self, path: str, body: dict[str, Any], command: str) -> Any:
        self.command = command or f"command-{self.draw.getrandbits(64)}"
        headers = {"content-type": "application/json", "idempotency-key": self.command}
        if path != "api/games":
            headers["x-seat-keys"] = self.keys
        request = urllib.request.Request(
            self.address + path, json.dumps(body).encode(), headers, method="POST"
        )
        with urllib.request.urlopen(request, timeout=30) as reply:
            return json.load(reply)

    def play(self) -> None:
        """Play until the server is gone, or the game is over."""
        while not self.state["is_over"]:
            text = self.draw.choice(self.state["legal_moves"])["text"]
            body = {"expected_ply": self.state["ply"], "text": text}
            try:
                self.state = self.post(f"api/games/{self.name}/moves", body, "")
            except (OSError, urllib.error.URLError):
                return
            self.acknowledged.append(text)

    def resume(self, address: str) -> None:
        """Read the game again; at most the move that was not acknowledged may be there too."""
        self.address = address
        with urllib.request.urlopen(f"{address}api/games/{self.name}", timeout=30) as reply:
            self.state = json.load(reply)
        assert len(self.acknowledged) <= self.state["ply"] <= len(self.acknowledged) + 1
        with urllib.request.urlopen(f"{address}api/games/{self.name}/record") as reply:
            record = reply.read().decode()
        assert record
        paths = ["x".join(one["path"]) for one in self.state["played"]]
        known = [text.replace("-", "x") for text in self.acknowledged]
        assert paths[: len(known)] == known
        self.acknowledged = [
            *self.acknowledged,
            *("-".join(one["path"]) for one in self.state["played"][len(known) :]),
        ]


def kill_often(start_server: Callable[..., Any], kills: int, seed: int) -> None:
    draw = random.Random(seed)
    server = start_server()
    clients = [Client(server.address, seed + n) for n in range(GAMES)]
    port = int(server.address.rsplit(":", 1)[1].strip("/"))
    for _ in range(kills):
        threads = [threading.Thread(target=client.play) for client in clients]
        for thread in threads:
            thread.start()
        time.sleep(draw.uniform(0.05, 0.5))
        server.end(signal.SIGKILL)
        for thread in threads:
            thread.join(60)
        server = start_server(port=port)
        for client in clients:
            client.resume(server.address)
    # A game that is over gives no load: the rest goes on with new ones.
    assert any(client.acknowledged for client in clients)


def test_three_kills_lose_no_acknowledged_move(start_server: Callable[..., Any]) -> None:
    kill_often(start_server, KILLS, 1)


@pytest.mark.sized
@pytest.mark.slow
def test_twenty_kills_lose_no_acknowledged_move(start_server: Callable[..., Any]) -> None:
    kill_often(start_server, MANY_KILLS, 2)
