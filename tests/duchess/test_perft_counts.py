"""The leaves of move trees: published counts, and counts by the slow rules."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from crossboard.duchess import Position

from .slow_rules import SlowPosition

FILE = Path(__file__).parents[1] / "data" / "duchess.perft"

SLOW_LEAVES = 1000  # what the slow rules count in less than a second
SLOW_LEAVES_AT_MOST = 10_000


class Count(NamedTuple):
    name: str
    text: str
    depth: int
    leaves: int


def read_counts() -> list[Count]:
    counts = []
    name = text = ""
    for line in FILE.read_text().splitlines():
        word, _, rest = line.partition("#")[0].partition(" ")
        match word:
            case "":
                pass
            case "id":
                name = rest
            case "position" if rest.startswith("start "):
                text = Position(players=int(rest[6:])).text
            case "position":
                text = rest
            case "perft":
                depth, leaves = rest.split()
                counts.append(Count(name, text, int(depth), int(leaves)))
            case _:
                raise ValueError(f"{FILE.name} has a line that is none: {line!r}")
    return counts


COUNTS = read_counts()


def parameters(counts: Iterable[Count]) -> list[object]:
    return [pytest.param(count, id=f"{count.name}-{count.depth}") for count in counts]


def test_file_holds_the_published_counts_of_the_start():
    leaves: dict[int, list[int]] = {4: [], 6: []}
    for count in COUNTS:
        for players in leaves:
            if count.text == Position(players).text:
                leaves[players].append(count.leaves)
    assert leaves == {
        4: [8, 64, 608, 5776, 102120, 1745752],
        6: [8, 64, 608, 5776, 65360, 739600],
    }


@pytest.mark.parametrize("count", parameters(COUNTS))
def test_core_counts_what_the_file_says(count: Count):
    assert Position.from_text(count.text).perft(count.depth) == count.leaves


@pytest.mark.parametrize("count", parameters(COUNTS))
def test_rotated_position_has_as_many_leaves(count: Count):
    assert Position.from_text(count.text).rotated.perft(count.depth) == count.leaves


@pytest.mark.parametrize("count", parameters(c for c in COUNTS if c.leaves <= SLOW_LEAVES))
def test_slow_rules_count_what_the_file_says(count: Count):
    assert SlowPosition.from_text(count.text).perft(count.depth) == count.leaves


@pytest.mark.slow
@pytest.mark.parametrize(
    "count", parameters(c for c in COUNTS if SLOW_LEAVES < c.leaves <= SLOW_LEAVES_AT_MOST)
)
def test_slow_rules_count_deeper_what_the_file_says(count: Count):
    assert SlowPosition.from_text(count.text).perft(count.depth) == count.leaves


def test_forced_pass_is_one_move_and_a_won_game_has_none():
    mated = Position.from_text("4; 1:K1e1; 2:K2a1 Q1d2 R1b2; 3:K4a1; 4:K5a1; turn 1")
    assert mated.perft(1) == 1
    assert mated.perft(2) == mated.after("pass").perft(1) > 1
    won = Position.from_text("4; 1:K1e1; 2:K2a1 Q1d2 R1b2; 3:K4e1; 4:K5a1 Q4d2 R4b2; turn 1")
    assert [won.perft(depth) for depth in (0, 1, 2)] == [1, 0, 0]


def test_negative_depth_is_refused():
    with pytest.raises(ValueError, match="0 to 1000, not -1"):
        Position().perft(-1)
