"""Large files: read game by game, never as a whole."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Iterator

import pytest

from crossboard.draughts import PdnError, read_pdn

GAMES = 100_000
MEGABYTE = 1 << 20


def games(count: int) -> Iterator[bytes]:
    for number in range(count):
        yield f'[Event "{number}"]\n[Result "1-0"]\n\n1. 11-15 {{so}} 22-18 1-0\n\n'.encode()


class Generated:
    """A binary file that is made while it is read."""

    def __init__(self, count: int) -> None:
        self.games = games(count)
        self.bytes_given = 0

    def read(self, size: int) -> bytes:
        piece = b""
        for game in self.games:
            piece += game
            if len(piece) >= min(size, 100_000):
                break
        self.bytes_given += len(piece)
        return piece


def test_file_of_100_000_games_never_sits_in_memory():
    file = Generated(GAMES)
    tracemalloc.start()
    try:
        count = sum(len(record.moves) == 2 for record in read_pdn(file))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == GAMES
    assert file.bytes_given > 5 * MEGABYTE
    assert peak < 10 * MEGABYTE


def test_games_come_while_the_file_is_still_being_read():
    file = Generated(GAMES)
    records = read_pdn(file)
    assert next(records).tags["Event"] == "0"
    first = file.bytes_given
    assert first <= 2 * MEGABYTE
    assert next(records).tags["Event"] == "1"
    assert file.bytes_given == first


class Endless:
    """A binary file of one game and then one comment that nobody closes."""

    def __init__(self) -> None:
        self.pieces = 0

    def read(self, size: int) -> bytes:
        self.pieces += 1
        return b"1. 11-15 1-0\n1. 9-13 {" if self.pieces == 1 else b"x" * size


def test_game_that_never_ends_is_an_error():
    file = Endless()
    records = read_pdn(file)
    assert [str(move) for move in next(records).moves] == ["11-15"]
    with pytest.raises(PdnError, match=r"game 2, line \d: a game is longer than 64 MB"):
        next(records)
    assert file.pieces < 200


MEASURE = """
import resource, sys
from crossboard.draughts import read_pdn

def used():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit // 1_000_000

class Generated:
    left = 50_000
    def read(self, size):
        count, self.left = min(self.left, 500), self.left - min(self.left, 500)
        return (b'[Event "x"]\\n1. 11-15 {' + b"word " * 300 + b"} 22-18 1-0\\n") * count

before = used()
count = sum(len(record.moves) == 2 for record in read_pdn(Generated()))
print(count, used() - before)
"""


def test_memory_of_the_process_does_not_grow_with_the_file():
    pytest.importorskip("resource")
    run = subprocess.run(
        [sys.executable, "-c", MEASURE], capture_output=True, text=True, check=True
    )
    count, megabytes = map(int, run.stdout.split())
    assert count == 50_000  # 75 MB of text
    assert megabytes < 40
