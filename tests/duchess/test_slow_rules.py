"""The core against the slow rules, on random positions of all kinds."""

from __future__ import annotations

import re
from random import Random

import pytest

from crossboard.duchess import Position

from .random_positions import placed_positions, walked_positions
from .slow_rules import SlowPosition, next_sector

WALKED, PLACED = 3000, 1000


@pytest.fixture(scope="module", params=["walked-4", "walked-6", "placed-4", "placed-6"])
def positions(request: pytest.FixtureRequest) -> list[Position]:
    kind, players = request.param.split("-")
    if kind == "walked":
        return list(walked_positions(Random(1), WALKED, int(players)))
    return list(placed_positions(Random(2), PLACED, int(players)))


def test_same_moves_flags_and_ends(positions: list[Position]):
    for position in positions[:: len(positions) // 250]:
        slow = SlowPosition.from_text(position.text)
        assert slow.text == position.text
        assert sorted(map(str, position.legal_moves)) == slow.moves(), position.text
        assert position.flags == slow.flags, position.text
        assert (position.is_over, position.winner) == (slow.is_over, slow.winner), position.text


def test_moves_lead_to_the_same_positions(positions: list[Position]):
    for position in positions[:: len(positions) // 50]:
        slow = SlowPosition.from_text(position.text)
        moves = ["pass"] if position.must_pass else [str(move) for move in position.legal_moves]
        for move in moves:
            assert position.after(move).text == slow.after(move).text, (position.text, move)


def test_random_positions_are_varied(positions: list[Position]):
    assert {"c", "m", "."} <= set("".join(position.flags for position in positions))
    moves = [move for position in positions for move in position.legal_moves]
    assert any(move.promotion for move in moves)
    assert any(move.is_capture for move in moves)
    assert any(position.must_pass for position in positions)
    assert max(len(position.legal_moves) for position in positions) > 60


def test_shortcuts_agree_with_the_list_of_moves(positions: list[Position]):
    for position in positions[::3]:
        moves = list(position.legal_moves)
        assert len(set(moves)) == len(moves) == len(position.legal_moves)
        assert bool(position.legal_moves) == bool(moves)
        assert position.perft(1) == (1 if position.must_pass else len(moves))
        assert position.must_pass == (not moves and not position.is_over)
        if moves:
            assert position.legal_moves[0] == moves[0]
            assert position.legal_moves[-1] == moves[-1]


def test_key_kept_step_by_step_is_the_key_from_scratch(positions: list[Position]):
    for position in positions[::5]:
        for move in position.legal_moves:
            after = position.after(move)
            assert Position.from_text(after.text) == after
            assert Position.from_text(after.text).key == after.key


def test_different_positions_have_different_keys(positions: list[Position]):
    keys = {position.text: position.key for position in positions}
    assert len(set(keys.values())) == len(keys)


def test_text_read_back_is_the_position(positions: list[Position]):
    for position in positions:
        assert Position.from_text(position.text) == position


def rotated_text(move: str, players: int) -> str:
    """Turn the cells of a move as Position.rotated turns the board."""

    def turned(cell: re.Match[str]) -> str:
        sector = int(cell[1])
        for _ in range(3 if players == 4 else 1):
            sector = next_sector(sector)
        return f"{sector}{cell[2]}"

    return re.sub("([1-6])([a-e])", turned, move)


def test_rotated_move_texts():
    assert rotated_text("N1b2-6a4", 6) == "N2b2-1a4"
    assert rotated_text("P1d6xV=Q", 4) == "P4d6xV=Q"
    assert rotated_text("P1d6x5e3", 4) == "P4d6x2e3"


def test_rotated_positions_have_rotated_moves(positions: list[Position]):
    for position in positions[::20]:
        rotated = position.rotated
        shift = 2 if position.players == 4 else 1
        assert rotated.turn == (position.turn - 1 + shift) % position.players + 1
        flags = position.flags
        assert rotated.flags == flags[-shift:] + flags[:-shift]
        ours = {rotated_text(str(move), position.players) for move in position.legal_moves}
        assert ours == {str(move) for move in rotated.legal_moves}
        for move in position.legal_moves:
            expected = rotated.after(rotated_text(str(move), position.players))
            assert position.after(move).rotated == expected


def test_rotating_all_the_way_round_changes_nothing(positions: list[Position]):
    for position in positions[::50]:
        turned = position
        for _ in range(2 if position.players == 4 else 6):
            turned = turned.rotated
        assert turned == position
