"""Moves as text: what is read, what is written, why a move is refused."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_positions import placed_positions, walked_positions
from strategies import move_like_texts, positions

from crossboard.draughts import AmbiguousMove, IllegalMove, Move, Position

LOOP = "B:W9,10,17,18,K30:BK6"
LOOP_OR_ON = "B:WK9,K10,K16,K17,K18,K19:BK22,K27"
LOOP_FROM_THE_START = "B:W9,10,17,18,19:BK15"


@pytest.mark.parametrize(
    ("fen", "text", "move"),
    [
        ("B:W21-32:B1-12", "11-15", "11-15"),
        ("B:W21-32:B1-12", "09-13", "9-13"),
        ("B:W6,15:B1", "1x19", "1x10x19"),
        ("B:W6,15:B1", "1x10x19", "1x10x19"),
        ("B:W6,15:B1", "1X10X19", "1x10x19"),
        ("B:W6,15:B1", "1:19", "1x10x19"),
        ("B:W6,15,24:B1", "1x28", "1x10x19x28"),
        ("B:W6,15,24:B1", "1x19x28", "1x10x19x28"),
        ("B:W6,15,24:B1", "1x10x28", "1x10x19x28"),
        ("B:W6,7,14,15:B2", "2x11x18", "2x11x18"),
        ("B:W6,7,14,15:B2", "2x9x18", "2x9x18"),
        (LOOP, "6x13x22x15x6", "6x13x22x15x6"),
        (LOOP, "6x15x22x13x6", "6x15x22x13x6"),
        (LOOP_OR_ON, "22x15x24", "22x15x24"),
        (LOOP_OR_ON, "22x13x6x15x24", "22x13x6x15x24"),
        (LOOP_FROM_THE_START, "15x24", "15x24"),
        (LOOP_FROM_THE_START, "15x6x13x22x15x24", "15x6x13x22x15x24"),
    ],
)
def test_ways_to_write_a_move(fen: str, text: str, move: str):
    assert str(Position.from_fen(fen).parse_move(text)) == move


def test_any_route_will_do_where_all_lead_to_one_position():
    position = Position.from_fen(LOOP)
    assert position.parse_move("6x6") in position.legal_moves
    assert position.after("6x6") == Position.from_fen("W:WK30:BK6")


def test_ambiguous_move_names_the_routes():
    with pytest.raises(AmbiguousMove) as refusal:
        Position.from_fen("B:W6,7,14,15:B2").parse_move("2x18")
    message = str(refusal.value)
    assert "2x18" in message
    assert "2x9x18" in message
    assert "2x11x18" in message
    assert isinstance(refusal.value, IllegalMove)


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        ("B:W21-32:B1-12", "", "is not a move"),
        ("B:W21-32:B1-12", "11", "is not a move"),
        ("B:W21-32:B1-12", "11-", "is not a move"),
        ("B:W21-32:B1-12", "-15", "is not a move"),
        ("B:W21-32:B1-12", "11 15", "is not a move"),
        ("B:W21-32:B1-12", "e2e4", "is not a move"),
        ("B:W21-32:B1-12", "11-33", "no square 33: squares are 1 to 32"),
        ("B:W21-32:B1-12", "0-4", "no square 0: squares are 1 to 32"),
        ("B:W21-32:B1-12", "11-" + "9" * 40, "squares are 1 to 32"),
        ("B:W21-32:B1-12", "15-18", "there is no piece on 15"),
        ("B:W21-32:B1-12", "22-18", "the piece on 22 is White's, and it is Black's turn"),
        ("B:W21-32:B1-12", "7-11", "there is a piece on 11 already"),
        ("B:W21-32:B1-12", "11-18", "18 is not one diagonal step from 11"),
        ("B:W21-32:B1-12", "11-11", "11 is not one diagonal step from 11"),
        ("B:W21-32:B1-12", "11x18", "there is nothing to capture"),
        ("B:W21-32:B1-12", "11-15-18", "there is nothing to capture"),
        ("B:W21-32:B1-12", "11x15", "that move is written 11-15"),
        ("B:W32:B18", "18-14", "a man moves forward only"),
        ("B:W15:B10,12", "12-16", "capture is compulsory: 10x19"),
        ("B:W15:B10,12", "10-14", "capture is compulsory: 10x19"),
        ("B:W15:B10,12", "10-19", "that move is written 10x19"),
        ("B:W6,15:B1", "1x10", "the jump must go on: 1x10x19"),
        ("B:W6,15:B1", "1x9x19", "capture is compulsory: 1x10x19"),
        ("B:W32:B", "1-5", "the game is over: Black has no move"),
    ],
)
def test_refusal_says_what_was_given_why_and_what_is_allowed(fen: str, text: str, reason: str):
    position = Position.from_fen(fen)
    for read in (position.parse_move, position.after):
        with pytest.raises(IllegalMove) as refusal:
            read(text)
        assert reason in str(refusal.value)
        assert f"'{text}'" in str(refusal.value)
        assert isinstance(refusal.value, ValueError)


def test_refusal_names_the_position_and_the_legal_moves():
    with pytest.raises(IllegalMove) as refusal:
        Position().after("11-18")
    message = str(refusal.value)
    assert Position().fen in message
    assert all(str(move) in message for move in Position().legal_moves)


@pytest.mark.parametrize("letter", ["a", "é", "♔", "\U0001f642"])
@pytest.mark.parametrize("before", range(4))  # a cut through the middle of a letter must not show
def test_refusal_of_long_rubbish_is_short_and_readable(letter: str, before: int):
    text = "x" * before + letter * 100_000
    for read in (Position().parse_move, Position().after, Move):
        with pytest.raises(IllegalMove) as refusal:
            read(text)
        assert letter in str(refusal.value)
        assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("text", ["\x00", "11-15\x00", "\ud800", "11-15\udcff"])
def test_binary_rubbish_is_refused(text: str):
    for read in (Position().parse_move, Position().after, Move):
        with pytest.raises(IllegalMove):
            read(text)
    assert text not in Position().legal_moves


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("11-16-20", "a step goes to one square"),
        ("11-18", "11 to 18 is not a step"),
        ("11x15", "11 to 15 is not a jump"),
        ("11x11", "11 to 11 is not a jump"),
        ("11-33", "squares are 1 to 32"),
        ("1x10x1", "jumps the same piece twice"),
        ("1x10x1x10x1x10x1x10x1x10x1x10x1", "no jump is that long"),
        ("4-5", "4 to 5 is not a step"),  # neighbours by number, not on the board
        ("rubbish", "is not a move"),
    ],
)
def test_move_needs_a_path_on_the_board(text: str, reason: str):
    with pytest.raises(IllegalMove) as refusal:
        Move(text)
    assert reason in str(refusal.value)
    assert text in str(refusal.value)


@pytest.mark.parametrize(
    ("fen", "written"),
    [
        ("B:W6,15:B1", ["1x19"]),
        ("B:W6,7,14,15:B2", ["2x11x18", "2x9x18"]),
        ("B:W26,27:B22", ["22x31"]),
        (LOOP, ["6x13x22x15x6", "6x15x22x13x6"]),
    ],
)
def test_landings_are_written_only_where_they_are_needed(fen: str, written: list[str]):
    position = Position.from_fen(fen)
    assert sorted(position.format_move(move) for move in position.legal_moves) == written


def test_move_of_another_position_cannot_be_formatted():
    # Its text would not be read back: better no text than a wrong one.
    with pytest.raises(IllegalMove):
        Position().format_move(Move("22x15x8"))


def check_texts(position: Position) -> None:
    for move in position.legal_moves:
        assert position.parse_move(str(move)) == move, (position.fen, str(move))
        short = position.format_move(move)
        assert position.parse_move(short) == move, (position.fen, short)
        assert len(short) <= len(str(move))
        assert str(move) in position.legal_moves
        assert Move(str(move)) == move


@pytest.mark.parametrize("fen", [LOOP, LOOP_OR_ON, LOOP_FROM_THE_START])
def test_moves_in_circles_read_back(fen: str):
    check_texts(Position.from_fen(fen))


def test_moves_of_random_positions_read_back():
    for position in walked_positions(Random(11), 2000):
        check_texts(position)
    for position in placed_positions(Random(12), 4000):
        check_texts(position)


@given(positions())
def test_every_legal_move_reads_back(position: Position):
    check_texts(position)
    for move in position.legal_moves:
        assert pickle.loads(pickle.dumps(move)) == move
        assert hash(pickle.loads(pickle.dumps(move))) == hash(move)


@given(positions(), move_like_texts() | st.text(st.characters()))
def test_any_text_is_a_legal_move_or_refused(position: Position, text: str):
    try:
        move = position.parse_move(text)
    except IllegalMove:
        assert text not in position.legal_moves
    else:
        assert move in position.legal_moves
        assert text in position.legal_moves
        assert position.after(text) == position.after(move)


@given(positions(), st.lists(st.integers(1, 32), min_size=2, max_size=5), st.sampled_from("-x"))
def test_any_squares_are_a_legal_move_or_refused(
    position: Position, squares: list[int], separator: str
):
    text = separator.join(map(str, squares))
    try:
        move = position.parse_move(text)
    except IllegalMove:
        assert text not in position.legal_moves
    else:
        assert move in position.legal_moves
        assert (move.start, move.end) == (squares[0], squares[-1])
        assert set(squares) <= set(move.path)


@given(move_like_texts() | st.text(st.characters()))
def test_any_text_is_a_path_or_refused(text: str):
    try:
        move = Move(text)
    except IllegalMove:
        return
    assert Move(str(move)) == move
