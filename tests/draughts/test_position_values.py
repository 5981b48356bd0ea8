"""Positions and moves as values: equality, hashing, pickling, sequences, text."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from random import Random

import pytest
from random_positions import placed_positions, walked_positions

from crossboard.draughts import DrawRules, IllegalMove, Move, Position, play_random_games


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    return [*walked_positions(Random(7), 300), *placed_positions(Random(8), 300)]


def test_equal_positions_are_equal_and_hash_alike(positions: list[Position]):
    for position in positions:
        twin = Position.from_fen(position.fen)
        assert twin == position
        assert hash(twin) == hash(position)
    assert len(set(positions)) == len({position.fen for position in positions})


def test_different_positions_differ():
    assert Position.from_fen("B:W32:B1") != Position.from_fen("W:W32:B1")
    assert Position.from_fen("B:W32:B1") != Position.from_fen("B:W32:BK1")
    assert Position.from_fen("B:W32:B1") != Position.from_fen("B:W32:B2")


def test_position_equals_no_other_thing():
    assert Position() != Position().fen
    assert Position() != None  # noqa: E711
    assert Move("11-15") != "11-15"
    assert Position() != Move("11-15")


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_positions_and_moves_are_pickled_by_value(protocol: int, positions: list[Position]):
    for position in positions[::7]:
        assert pickle.loads(pickle.dumps(position, protocol)) == position
        for move in position.legal_moves:
            assert pickle.loads(pickle.dumps(move, protocol)) == move


def test_positions_and_moves_can_be_copied(positions: list[Position]):
    position = positions[-1]
    assert copy.copy(position) == copy.deepcopy(position) == position
    move = Move("6x13x22x15x6")
    assert copy.copy(move) == copy.deepcopy(move) == move


@pytest.mark.parametrize("name", ["fen", "turn", "legal_moves", "key", "colour"])
def test_position_never_changes(name: str):
    position = Position()
    with pytest.raises(AttributeError):
        setattr(position, name, "W")
    position.after("11-15")
    assert position == Position()


def test_move_never_changes():
    with pytest.raises(AttributeError):
        Move("11-15").end = 16


def test_repr_can_be_evaluated(positions: list[Position]):
    for position in positions[::50]:
        assert eval(repr(position)) == position
        for move in position.legal_moves:
            assert eval(repr(move)) == move


def test_start_is_drawn_with_square_1_at_the_top_left():
    assert str(Position()).splitlines() == [
        "  b   b   b   b",
        "b   b   b   b",
        "  b   b   b   b",
        ".   .   .   .",
        "  .   .   .   .",
        "w   w   w   w",
        "  w   w   w   w",
        "w   w   w   w",
    ]


def test_kings_are_drawn_as_capitals():
    drawn = str(Position.from_fen("W:WK1,5:BK32,28")).splitlines()
    assert drawn[0] == "  W   .   .   ."
    assert drawn[1] == "w   .   .   ."
    assert drawn[6] == "  .   .   .   b"
    assert drawn[7] == ".   .   .   B"


def test_pieces_of_a_square_and_of_a_colour():
    position = Position.from_fen("W:WK10,15:B1,K22")
    assert position.pieces("W") == (10, 15)
    assert position.pieces("B") == (1, 22)
    assert position.kings("W") == (10,)
    assert position.kings("B") == (22,)
    pieces = {square: position.piece_at(square) for square in range(1, 33)}
    assert {square: piece for square, piece in pieces.items() if piece} == {
        1: "b",
        10: "W",
        15: "w",
        22: "B",
    }


@pytest.mark.parametrize("square", [0, 33, -1, 1000])
def test_square_off_the_board_is_refused(square: int):
    with pytest.raises(ValueError, match=str(square)):
        Position().piece_at(square)


@pytest.mark.parametrize("colour", ["b", "", "Black", "X"])
def test_unknown_colour_is_refused(colour: str):
    for look in (Position().pieces, Position().kings):
        with pytest.raises(ValueError, match='"B" or "W"'):
            look(colour)


def test_mirrored_turns_the_board_and_exchanges_the_colours():
    position = Position.from_fen("B:W21,K5:B1,K30")
    assert position.mirrored == Position.from_fen("W:WK3,32:B12,K28")
    assert Position().mirrored == Position.from_fen("W:W21-32:B1-12")


def test_legal_moves_are_a_sequence():
    legal = Position().legal_moves
    moves = list(legal)
    assert len(legal) == len(moves) == 7
    assert legal[0] == moves[0]
    assert legal[-1] == moves[-1]
    assert legal[-7] == moves[0]
    assert all(move in legal for move in moves)
    assert list(legal) == moves  # a second time
    for index in (7, -8):
        with pytest.raises(IndexError):
            legal[index]


def test_legal_moves_know_moves_and_their_text():
    legal = Position().legal_moves
    assert Move("11-15") in legal
    assert "11-15" in legal
    assert Move("11x18") not in legal
    assert "11x18" not in legal
    assert "" not in legal
    assert "rubbish" not in legal


def test_legal_moves_are_truthy_while_the_game_goes_on():
    assert Position().legal_moves
    assert not Position.from_fen("B:W32:B").legal_moves


def test_legal_moves_show_themselves():
    assert repr(Position.from_fen("B:W26,27:B22").legal_moves) == "<LegalMoves: 22x31>"


def test_legal_moves_outlive_their_position():
    legal = Position.from_fen("B:W26,27:B22").legal_moves
    iterator = iter(legal)
    del legal
    assert [str(move) for move in iterator] == ["22x31"]


def test_parts_of_a_move():
    step, jump = Move("11-15"), Move("22x15x8")
    assert (step.path, step.start, step.end) == ((11, 15), 11, 15)
    assert (step.captured, step.is_capture) == ((), False)
    assert (jump.path, jump.start, jump.end) == ((22, 15, 8), 22, 8)
    assert (jump.captured, jump.is_capture) == ((11, 18), True)


def test_equal_moves_are_equal_and_hash_alike(positions: list[Position]):
    for position in positions:
        for move in position.legal_moves:
            twin = Move(str(move))
            assert twin == move
            assert hash(twin) == hash(move)
    assert Move("6x13x22x15x6") != Move("6x15x22x13x6")


def test_after_takes_a_move_or_its_text(positions: list[Position]):
    for position in positions:
        for move in position.legal_moves:
            assert position.after(move) == position.after(position.format_move(move))


def test_after_refuses_a_move_of_another_position():
    move = Position().after("11-15").legal_moves[0]
    with pytest.raises(IllegalMove, match="White's, and it is Black's turn"):
        Position().after(move)


def test_illegal_move_is_never_completed():
    position = Position.from_fen("B:W6,14,15,22,23:BK1")
    beginning = Move("1x10")
    assert beginning not in position.legal_moves
    with pytest.raises(IllegalMove, match="the jump must go on"):
        position.after(beginning)


def test_legal_moves_do_what_tuples_do():
    moves = Position().legal_moves
    assert isinstance(moves, Sequence)
    assert moves[1:3] == tuple(moves)[1:3]
    assert [moves.index(move) for move in moves] == list(range(7))
    assert moves.count(Move("11-15")) == 1
    assert moves.count(Move("11-8")) == 0
    assert None not in moves
    with pytest.raises(ValueError, match="11-8"):
        moves.index(Move("11-8"))


def test_rules_and_results_are_values():
    rules = DrawRules(repetitions=2, max_plies=40)
    assert pickle.loads(pickle.dumps(rules)) == rules != DrawRules()
    assert eval(repr(rules), {"DrawRules": DrawRules}) == rules
    games = play_random_games(50, seed=1)
    assert pickle.loads(pickle.dumps(games)) == games != play_random_games(51, seed=1)
