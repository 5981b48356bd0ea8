"""Fifty games at once on one server: people that answer at once, and a ping beside them."""

from __future__ import annotations

import json
import random
import threading
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection
from multiprocessing import get_context
from time import monotonic, perf_counter, sleep
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit

from psutil import Process
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from benchmarks.browser import PATIENCE, Site, serving
from benchmarks.measure import Demand, MeasurementError, Row, Settings

COMPUTER = {"player": "champion"}  # to its own limits, which the server shares out
PING_PAUSE = 0.02
IDLE_PINGS = 200
# Chosen: by then every search thread has its tables, and every game its first moves.
SETTLED = 0.25  # of the time
PERCENT = 100


@dataclass
class Tally:
    """What the people of some games met."""

    waits: list[float] = field(default_factory=list)  # until a search began
    errors: list[str] = field(default_factory=list)
    moves: int = 0


def many_games(settings: Settings) -> list[Row]:
    """Play many games for a minute; all clients are in a process of their own."""
    games, seconds = settings.page_games, settings.page_seconds
    context = get_context("spawn")
    with serving() as site, ProcessPoolExecutor(1, context) as clients:
        assert site.process is not None
        server = Process(site.process.pid)
        idle = [ping(site) for _ in range(IDLE_PINGS)]
        playing = clients.submit(play_games, site.address, games, seconds)
        pings, memory = watch(site, server, playing)
        used = server.cpu_times()
        tally = playing.result()
    if not tally.waits:
        raise MeasurementError(f"no computer answered in {seconds:g} s: {tally.errors[:3]}")
    name = f"{games} games for {seconds:g} s"
    share = 0.99
    note = f"median {quantile(pings, 0.5):.3g} s of {len(pings)}"
    return [
        _errors_row(name, tally, used.user + used.system),
        _memory_row(name, memory),
        Row(
            f"{name}: ping, p99",
            quantile(pings, share),
            "s",
            "before the games",
            quantile(idle, share),
            note,
            Demand(0.05),
        ),
        _waits_row(name, tally.waits),
    ]


def _errors_row(name: str, tally: Tally, seconds: float) -> Row:
    note = f"{tally.moves} moves of people, {seconds:.0f} s of processor time"
    note = "; ".join([note, *tally.errors[:3]])
    return Row(f"{name}: errors", len(tally.errors), "errors", "none", None, note, Demand(1))


def _memory_row(name: str, memory: list[float]) -> Row:
    settled, half, last = (memory[int(len(memory) * share)] for share in (SETTLED, 0.5, 0.999))
    growth, late = (PERCENT * (last / before - 1) for before in (settled, half))
    note = f"to {last / 1e6:.0f} MB, {late:.1f} % of them in the second half"
    return Row(f"{name}: memory growth", growth, "% grown", "none", None, note, Demand(5))


def _waits_row(name: str, waits: list[float]) -> Row:
    note = f"median {quantile(waits, 0.5):.3g} s of {len(waits)}"
    named = f"{name}: wait for a search to begin, p95"
    return Row(named, quantile(waits, 0.95), "s", "none", None, note, Demand(1.5))


def quantile(figures: list[float], share: float) -> float:
    """Return the figure that this share of all does not exceed."""
    return sorted(figures)[min(len(figures) - 1, int(share * len(figures)))]


def ping(site: Site) -> float:
    """Return the seconds until the server has answered."""
    connection = HTTPConnection(urlsplit(site.address).netloc, timeout=PATIENCE)
    began = perf_counter()
    connection.request("GET", "/api/health")
    connection.getresponse().read()
    seconds = perf_counter() - began
    connection.close()
    return seconds


def watch(site: Site, server: Process, playing: Future[Tally]) -> tuple[list[float], list[float]]:
    """Ping the server while games are played; return the seconds, and its memory in bytes."""
    pings, memory = [], []
    while not playing.done():
        pings.append(ping(site))
        memory.append(float(server.memory_info().rss))
        sleep(PING_PAUSE)
    return pings, memory


# ---- the people, in a process of their own


def play_games(address: str, games: int, seconds: float) -> Tally:
    """Play so many games at a time until the time is up."""
    tally, lock = Tally(), threading.Lock()
    end = monotonic() + seconds
    with ThreadPoolExecutor(games) as people:
        for seed in range(games):
            people.submit(_keep_playing, address, seed, end, tally, lock)
    return tally


def _keep_playing(address: str, seed: int, end: float, tally: Tally, lock: threading.Lock) -> None:
    draw = random.Random(seed)
    site = Site(None, address)
    while monotonic() < end:
        try:
            _play_game(site, draw, end, tally, lock)
        except (URLError, OSError, WebSocketException, KeyError) as error:
            with lock:
                tally.errors.append(f"{type(error).__name__}: {error}")
            return


def _play_game(
    site: Site, draw: random.Random, end: float, tally: Tally, lock: threading.Lock
) -> None:
    # Keys of commands must differ among all people.
    site.prefix = f"{draw.getrandbits(64):016x}"
    created = site.post("games", {"game": "draughts", "computers": {"W": COMPUTER}})
    state, keys = created["state"], created["keys"]
    with connect(site.address.replace("http", "ws") + "api/socket") as socket:
        topic = {"topic": f"games/{state['id']}", "after": 0, "keys": list(keys.values())}
        socket.send(json.dumps(topic))
        while not state["is_over"] and monotonic() < end:
            text = draw.choice(state["legal_moves"])["text"]
            state = site.move(state["id"], state["ply"], text, keys)
            began = perf_counter()
            if not state["is_over"]:
                state = _wait_for_turn(socket, state["ply"])
            wait = perf_counter() - began - (state["thought"] or {"seconds": 0})["seconds"]
            with lock:
                tally.moves += 1
                tally.waits.append(max(0.0, wait))


def _wait_for_turn(socket: ClientConnection, ply: int) -> Any:
    while True:
        state = json.loads(socket.recv(PATIENCE)).get("state")
        if state and (state["is_over"] or (state["ply"] > ply and state["turn"] == "B")):
            return state
