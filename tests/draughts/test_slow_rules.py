"""The core against the slow rules, on random positions of all kinds."""

from __future__ import annotations

from random import Random

import pytest
from random_positions import placed_positions, walked_positions
from slow_rules import SlowPosition

from crossboard.draughts import Position


@pytest.fixture(scope="module")
def walked() -> list[Position]:
    return list(walked_positions(Random(2), 3000))


@pytest.fixture(scope="module")
def placed() -> list[Position]:
    return list(placed_positions(Random(3), 3000))


@pytest.fixture(params=["walked", "placed"])
def positions(request: pytest.FixtureRequest) -> list[Position]:
    return request.getfixturevalue(request.param)


def check_moves_and_successors(position: Position) -> int:
    slow = SlowPosition.from_fen(position.fen)
    assert slow.fen == position.fen
    ours = {move.path: position.after(move) for move in position.legal_moves}
    theirs = slow.moves()
    assert sorted(ours) == sorted(theirs), position.fen
    assert len(position.legal_moves) == len(theirs), position.fen
    for path in theirs:
        assert ours[path].fen == slow.after(path).fen, (position.fen, path)
    return len(theirs)


def test_same_moves_to_the_same_positions(positions: list[Position]):
    moves = [check_moves_and_successors(position) for position in positions]
    assert 0 in moves  # games that are over were among them
    assert sum(moves) > 2 * len(positions)


def test_random_positions_are_varied(walked: list[Position], placed: list[Position]):
    positions = walked + placed
    assert {position.turn for position in positions} == {"B", "W"}
    jumps = [move for position in positions for move in position.legal_moves if move.is_capture]
    assert max(len(jump.captured) for jump in jumps) >= 4
    assert any(jump.start == jump.end for jump in jumps)
    assert any(not position.pieces(position.turn) for position in positions)
    assert any(len(position.pieces("B")) == len(position.pieces("W")) == 12 for position in placed)


def test_shortcuts_agree_with_the_list_of_moves(positions: list[Position]):
    for position in positions:
        moves = list(position.legal_moves)
        assert position.is_over == (not moves)
        assert position.has_capture == any(move.is_capture for move in moves)
        assert bool(position.legal_moves) == bool(moves)
        assert [position.legal_moves[i] for i in range(len(moves))] == moves
        assert position.perft(1) == len(moves)
        assert position.perft(2) == sum(len(position.after(m).legal_moves) for m in moves)


def test_captured_pieces_lie_between_the_landings(positions: list[Position]):
    for position in positions:
        other = "W" if position.turn == "B" else "B"
        for move in position.legal_moves:
            gone = set(position.pieces(other)) - set(position.after(move).pieces(other))
            assert set(move.captured) == gone
            assert list(move.captured) == sorted(move.captured)
            assert move.is_capture == bool(gone)
            assert not gone or len(gone) == len(move.path) - 1


def test_key_kept_step_by_step_is_the_key_from_scratch(positions: list[Position]):
    for position in positions:
        for move in position.legal_moves:
            after = position.after(move)
            assert after.key == Position.from_fen(after.fen).key


def test_different_positions_have_different_keys(walked: list[Position], placed: list[Position]):
    keys = {position.fen: position.key for position in walked + placed}
    assert len(set(keys.values())) == len(keys)


def test_mirrored_positions_have_mirrored_moves(positions: list[Position]):
    for position in positions:
        mirrored = position.mirrored
        assert mirrored.mirrored == position
        assert mirrored.turn != position.turn
        ours = {move.path: position.after(move) for move in position.legal_moves}
        theirs = {
            tuple(33 - square for square in move.path): mirrored.after(move)
            for move in mirrored.legal_moves
        }
        assert ours.keys() == theirs.keys()
        assert all(ours[path].mirrored == theirs[path] for path in ours)
