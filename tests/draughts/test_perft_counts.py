"""The leaves of move trees: published counts, and counts by the slow rules."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from slow_rules import SlowPosition

from crossboard.draughts import Position

FILE = Path(__file__).parents[1] / "data" / "draughts.perft"

MIRRORED_LEAVES = 10_000_000  # enough for a second look by the core
SLOW_LEAVES = 20_000  # what the slow rules count in less than a second
SLOW_LEAVES_AT_MOST = 5_000_000  # in a minute


class Count(NamedTuple):
    name: str
    fen: str
    depth: int
    leaves: int


def read_counts() -> list[Count]:
    counts = []
    name = fen = ""
    for line in FILE.read_text().splitlines():
        match line.split("#")[0].split():
            case []:
                pass
            case ["id", name]:
                pass
            case ["fen", fen]:
                pass
            case ["perft", depth, leaves]:
                counts.append(Count(name, fen, int(depth), int(leaves)))
            case _:
                raise ValueError(f"{FILE.name} has a line that is none: {line!r}")
    return counts


COUNTS = read_counts()


def parameters(counts: Iterable[Count]) -> list[object]:
    return [pytest.param(count, id=f"{count.name}-{count.depth}") for count in counts]


def test_file_holds_the_published_counts_of_the_start():
    published = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128]
    published.append(388623673)
    assert [count.leaves for count in COUNTS if count.name == "start"] == published


def test_file_holds_many_positions_each_once():
    fens = {count.name: count.fen for count in COUNTS}
    assert len(fens) == len(set(fens.values())) >= 13


@pytest.mark.parametrize("count", parameters(COUNTS))
def test_core_counts_what_the_file_says(count: Count):
    assert Position.from_fen(count.fen).perft(count.depth) == count.leaves


@pytest.mark.parametrize("count", parameters(c for c in COUNTS if c.leaves <= MIRRORED_LEAVES))
def test_mirrored_position_has_as_many_leaves(count: Count):
    assert Position.from_fen(count.fen).mirrored.perft(count.depth) == count.leaves


@pytest.mark.parametrize("count", parameters(c for c in COUNTS if c.leaves <= SLOW_LEAVES))
def test_slow_rules_count_what_the_file_says(count: Count):
    assert SlowPosition.from_fen(count.fen).perft(count.depth) == count.leaves


@pytest.mark.slow
@pytest.mark.parametrize(
    "count", parameters(c for c in COUNTS if SLOW_LEAVES < c.leaves <= SLOW_LEAVES_AT_MOST)
)
def test_slow_rules_count_deeper_what_the_file_says(count: Count):
    assert SlowPosition.from_fen(count.fen).perft(count.depth) == count.leaves


def test_perft_of_depth_zero_is_one_leaf_even_where_the_game_is_over():
    assert Position().perft(0) == 1
    assert Position.from_fen("B:W32:B").perft(0) == 1


def test_negative_depth_is_refused():
    with pytest.raises(ValueError, match="0 to 1000, not -1"):
        Position().perft(-1)
