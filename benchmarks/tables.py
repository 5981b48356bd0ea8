"""Endgame tables: how long they take to build, how large they are, how fast they are probed."""

from __future__ import annotations

from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks.measure import Demand, Row, Settings
from crossboard.draughts import Position
from crossboard.tables import Building, EndgameTables

WORKERS = 2
MEGABYTE = 1_000_000
WARM, RANDOM = Demand(0.3), Demand(1.0)  # microseconds
NEAR_POSITIONS = 2_000  # of a small search
# What building takes and leaves, by pieces: seconds, MB of memory, MB of outcomes on disk.
DEMANDS = {5: (30, None, 10), 6: (900, 6_000, 150)}
CROWNING_ROWS = {"B": range(29, 33), "W": range(1, 5)}


def small(settings: Settings) -> list[Row]:
    """Tables with 5 pieces."""
    return _measure(settings.table_pieces, settings)


def large(settings: Settings) -> list[Row]:
    """Tables with 6 pieces: a quarter of an hour."""
    return _measure(6, settings)


def _measure(pieces: int, settings: Settings) -> list[Row]:
    with TemporaryDirectory() as folder:
        began = process_time()
        report = Building(Path(folder), pieces, workers=WORKERS).conduct(lambda done, name: None)
        busy = (process_time() - began) / WORKERS
        memory = getrusage(RUSAGE_SELF).ru_maxrss / 1024
        seconds, megabytes, size = DEMANDS.get(pieces, (None, None, None))
        name = f"tables with {pieces} pieces"
        return [
            _row(f"{name}, {WORKERS} threads", report.seconds, "s", seconds),
            _row(f"{name}, processor time / {WORKERS}", busy, "s"),
            _row(f"{name}, memory", memory, "MB", megabytes),
            _row(f"{name}, outcomes", report.outcome_bytes / MEGABYTE, "MB", size),
            _row(f"{name}, distances", report.distance_bytes / MEGABYTE, "MB"),
            *_probes(EndgameTables.open(Path(folder)), pieces, settings),
        ]


def _probes(tables: EndgameTables, pieces: int, settings: Settings) -> list[Row]:
    random = Random(1)
    scattered = [_random_ending(random, pieces) for _ in range(settings.table_probes)]
    near = _neighbours(random, scattered[0])
    times = max(settings.table_probes // len(near), 1)
    tables.probe_seconds(near, 1)
    warm = min(tables.probe_seconds(near, times) for _ in range(settings.repeats))
    cold = min(tables.probe_seconds(scattered, 1) for _ in range(settings.repeats))
    name = f"a probe, {pieces} pieces"
    return [
        _row(f"{name}, positions of a search", warm / (times * len(near)) * 1e6, "µs", WARM.bound),
        _row(f"{name}, random positions", cold / len(scattered) * 1e6, "µs", RANDOM.bound),
    ]


def _row(name: str, figure: float, unit: str, bound: float | None = None) -> Row:
    demand = None if bound is None else Demand(bound)
    return Row(name, figure, unit, "none", None, demand=demand)


def _neighbours(random: Random, start: Position) -> list[Position]:
    """Walk at random among positions with as many pieces, as a search does without an order."""
    found, position = [start], start
    while len(found) < NEAR_POSITIONS:
        following = [position.after(move) for move in position.legal_moves]
        quiet = [one for one in following if not (one.has_capture or one.is_over)]
        if not quiet:
            position = start
            continue
        position = random.choice(quiet)
        found.append(position)
    return found


def _random_ending(random: Random, pieces: int) -> Position:
    """Draw a position with pieces on both sides and no capture."""
    while True:
        black = random.randrange(1, pieces)
        squares = random.sample(range(1, 33), pieces)
        sides = []
        for colour, members in (("B", squares[:black]), ("W", squares[black:])):
            is_king = [s in CROWNING_ROWS[colour] or random.random() < 0.5 for s in members]
            words = [f"K{s}" if king else str(s) for s, king in zip(members, is_king, strict=True)]
            sides.append(colour + ",".join(words))
        position = Position.from_fen(":".join([random.choice("BW"), *sides]))
        if not (position.has_capture or position.is_over):
            return position
