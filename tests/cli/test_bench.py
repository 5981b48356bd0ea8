"""`crossboard bench`: a fingerprint that is the same every time."""

from __future__ import annotations

import json

from crossboard.cli import bench
from crossboard.draughts import Position, middlegames
from crossboard.players import load_player

from .conftest import Run

POSITIONS = [Position(), *middlegames()]


def test_middlegames_are_twenty_quiet_positions() -> None:
    positions = middlegames()
    assert len(set(positions)) == 20
    for position in positions:
        assert not position.has_capture
        assert 16 <= len(position.pieces("B")) + len(position.pieces("W")) <= 20
    positions.clear()
    assert len(middlegames()) == 20


def test_nodes_are_the_same_on_every_run(run: Run, start: Run) -> None:
    found = json.loads(run("bench", "--depth", 7, "--json").out)
    again = json.loads(start("bench", "--depth", 7, "--json").out)
    assert found.pop("seconds") > 0
    assert again.pop("seconds") > 0
    expected = sum(load_player("material").search(p, depth=7).nodes for p in POSITIONS)
    assert found == again == {"nodes": expected, "depth": 7, "positions": 21}


def test_no_position_profits_from_the_one_before() -> None:
    once, _ = bench.search_all([Position()], 9)
    twice, _ = bench.search_all([Position()] * 2, 9)
    assert twice == 2 * once


def test_people_read_nodes_and_speed(run: Run) -> None:
    told = run("bench", "--depth", 5).out.splitlines()
    assert told[:2] == ["positions  21", "depth      5"]
    assert told[2].startswith("nodes      ")
    assert told[2].endswith(" million/s")
    assert len(told) == 3


def test_it_has_a_depth_of_its_own(run: Run) -> None:
    assert json.loads(run("bench", "--json").out)["depth"] == 13


def test_bad_depths_are_one_line(run: Run) -> None:
    for depth in (0, 10_000, 10**30):
        refused = run("bench", "--depth", depth)
        assert (refused.code, refused.out) == (2, "")
        assert refused.err == f"crossboard: depth must be 1 to 200, not {depth}\n"
