"""What crosses the border between processes is checked before a search relies on it."""

from __future__ import annotations

import struct

import pytest

from crossboard._core.draughts import Engine

NO_POSITION = bytes(40)  # an empty board, whose key is 0
MOVE = bytes(16)
MAX_PLY = 256
WIN = 1_000_000_000


def parcel(
    *,
    key: int = 0,
    ply: int = 1,
    depth: int = 2,
    reduction: int = 0,
    alpha: int = 0,
    beta: int = 1,
) -> bytes:
    """Return the bytes of a young brother: position, path of one entry, place and window."""
    path = struct.pack("<IQqi", 1, key, 0, 0)
    return NO_POSITION + path + struct.pack("<5i", ply, depth, reduction, alpha, beta)


def outcome(*, value: int = 5, rests_on: int = 0, moves: int = 3) -> bytes:
    return struct.pack("<2iI", value, rests_on, moves) + MOVE * moves


def test_what_a_search_could_have_sent_is_taken():
    border = Engine(table_mb=1).border
    border.receive(1, parcel())
    border.settle(1, outcome())  # of a brother that was never lent: forgotten
    border.settle(1, None)
    assert border.news() == ([], [], 0, [])  # the guest waits for a worker


@pytest.mark.parametrize(
    "damage",
    [
        {"ply": 0},
        {"ply": MAX_PLY},
        {"depth": -2},
        {"depth": 10_000},
        {"reduction": 3},
        {"reduction": -1},
        {"alpha": 1},
        {"alpha": -2 * WIN},
        {"beta": 2 * WIN},
        {"key": 1},
    ],
    ids=str,
)
def test_damaged_parcels_are_refused(damage: dict[str, int]):
    with pytest.raises(ValueError, match="the parcel is damaged"):
        Engine(table_mb=1).border.receive(1, parcel(**damage))


@pytest.mark.parametrize(
    "damage", [{"value": WIN + 1}, {"rests_on": -2}, {"moves": MAX_PLY + 1}], ids=str
)
def test_damaged_outcomes_are_refused(damage: dict[str, int]):
    with pytest.raises(ValueError, match="the outcome is damaged"):
        Engine(table_mb=1).border.settle(1, outcome(**damage))
