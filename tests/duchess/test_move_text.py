"""Moves as text, and why a move is not legal."""

from __future__ import annotations

import pickle
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossboard.duchess import IllegalMove, Move, Position

# Texts, because pytest keeps parameters until the very end, when the core counts what is left.
START = Position().text
BUSY = "4; 1:K1a1 P1c6 R1c1 N1e3; 2:K2a1 N1c4 R1e1; 3:K4a1 W4b2; 4:K5a1; turn 1; box 1:Q"
PINNED = "4; 1:K1c1 N1c4; 2:K2a1 R4c3; 3:K4a1; 4:K5a1; turn 1"
MATED = "4; 1:K1e1; 2:K2a1 Q1d2 R1b2; 3:K4a1; 4:K5a1; turn 1"


def test_parts_of_a_move():
    move = Move("P1d6xV=Q")
    assert (move.piece, move.start, move.end, move.promotion) == ("P", "1d6", "V", "Q")
    assert move.is_capture
    assert not move.is_pass
    skipped = Move("pass")
    assert skipped.is_pass
    assert (skipped.piece, skipped.start, skipped.end, skipped.promotion) == (None,) * 4
    assert not skipped.is_capture


@pytest.mark.parametrize("text", ["N1b2-1a4", "P1d6xV=Q", "pass", "K6e6-V", "QVx5c1"])
def test_text_read_back_is_the_move(text: str):
    assert str(Move(text)) == text
    assert repr(Move(text)) == f"Move('{text}')"
    assert pickle.loads(pickle.dumps(Move(text))) == Move(text)
    assert len({Move(text), Move(text)}) == 1


def test_letter_of_the_piece_and_blanks_may_be_left_out_or_added():
    assert str(Position().parse_move(" 1b2-1a4\n")) == "N1b2-1a4"
    assert Position().after("1b2-1a4") == Position().after(Move("N1b2-1a4"))


def test_second_names_of_cells_are_read():
    start = Position.from_text("4; 1:K1a1 P1a4; 2:K2a1; 3:K4a1; 4:K5a1; turn 1")
    assert str(start.parse_move("P1a4-1a5")) == "P1a4-2e5"


def test_legal_moves_are_a_sequence():
    moves = Position().legal_moves
    assert isinstance(moves, Sequence)
    assert len(moves) == 8
    assert "N1b2-1a4" in moves
    assert Move("N1b2-1a4") in moves
    assert "N1b2-1a5" not in moves
    assert "rubbish" not in moves
    assert None not in moves
    assert moves.index(moves[3]) == 3
    assert moves[1:3] == (moves[1], moves[2])
    assert moves.count(Move("N1b2-1a4")) == 1
    with pytest.raises(IndexError):
        moves[8]
    with pytest.raises(ValueError, match="pass is not among the moves"):
        moves.index(Move("pass"))


def test_forced_pass_is_accepted_but_no_legal_move():
    mated = Position.from_text(MATED)
    assert len(mated.legal_moves) == 0
    assert "pass" not in mated.legal_moves
    assert Move("pass") not in mated.legal_moves
    assert repr(mated.legal_moves) == "<LegalMoves: >"
    assert mated.after("pass") == mated.after(Move("pass"))


@pytest.mark.parametrize(
    ("start", "text", "reason"),
    [
        (START, "", "'' is not a move: write N1b2-1a4"),
        (START, "hello", "is not a move: write N1b2-1a4"),
        (START, "N1b2", "is not a move: write N1b2-1a4"),
        (START, "N1b2-1a9", "it does not end on a cell: cells are V and"),
        (START, "P1c3-1c4=K", "a pawn becomes one of Q, D, F, W, N, R, B"),
        (START, "P1c3-1c4=", "a pawn becomes one of Q, D, F, W, N, R, B"),
        (START, "P1c3-1c4!", "unexpected '!'"),
        (START, "P1c4-1c5", "there is no piece on 1c4; legal: P1a3-1a4"),
        (START, "1c4-1c5", "there is no piece on 1c4"),
        (START, "P2c3-2c4", "the piece on 2c3 is player 2's, and it is player 1's turn"),
        (START, "B1b2-1a4", "the piece on 1b2 is a N, not a B"),
        (START, "P3c3-3c4", "with 4 players there is no cell 3c3: its flap is folded"),
        (START, "R1a1-1a2", "there is a piece of player 1, of the same team, on 1a2"),
        (START, "N1b2-1b4", "the N on 1b2 does not reach 1b4"),
        (START, "P1c3-1c5", "the P on 1c3 does not reach 1c5"),
        (START, "P1a3-1a5", "the P on 1a3 does not reach 1a5 (2e5)"),
        (START, "P1a3-2e5", "the P on 1a3 does not reach 2e5"),
        (START, "P1b6-1a6", "there is no piece on 1b6 (2d6)"),
        ("4; 1:K1a1 P2e5; 2:K2a1; 3:K4a1; 4:K5a1; turn 1", "P1a5x1a6", "write 2e5-2d5"),
        (START, "P1c3x1c4", "there is nothing to capture: write 1c3-1c4"),
        (START, "P1c3-1c4=Q", "a pawn is promoted on V alone"),
        (START, "N1b2-1a4=Q", "only a pawn is promoted"),
        (START, "pass", "player 1 can move and must not pass"),
        (BUSY, "R1c1-1c4", "it captures: write 1c1x1c4"),
        (BUSY, "P1c6-V=R", "there is no R in the box of player 1, only Q"),
        (BUSY, "N1e3x1e1", "the N on 1e3 does not reach 1e1"),
        (PINNED, "N1c4-1a3", "it leaves the King of player 1 in check"),
        (MATED, "K1e1-1e2", "player 1 is mated and must pass; legal: pass"),
        (
            "4; 1:K1e1; 2:K2a1 Q1c2; 3:K4a1; 4:K5a1; turn 1",
            "K1e1-1e2",
            "player 1 is stalemated and must pass",
        ),
        (
            "4; 1:K1a1 R1a4; 2:K1e4; 3:K4a1; 4:K5a1; turn 1",
            "R1a4x1e4",
            "a King is never captured",
        ),
        (
            "4; 1:K1a1 P1c6; 2:K2a1; 3:K4a1; 4:K5a1; turn 1",
            "P1c6-V=Q",
            "there is no piece in the box of player 1",
        ),
    ],
)
def test_illegal_moves_are_refused_with_the_reason(start: str, text: str, reason: str):
    position = Position.from_text(start)
    with pytest.raises(IllegalMove) as refused:
        position.after(text)
    assert reason in str(refused.value)
    assert text not in position.legal_moves
    assert isinstance(refused.value, ValueError)


def test_illegal_move_objects_are_refused_too():
    with pytest.raises(IllegalMove, match="there is no piece on 1c4"):
        Position().after(Move("P1c4-1c5"))
    with pytest.raises(IllegalMove, match="the letter of the piece is missing"):
        Move("1c4-1c5")


@given(st.text())
def test_any_text_is_refused(text: str):
    with pytest.raises(IllegalMove):
        Position().parse_move(text)


CELLS = st.builds(
    "{}{}{}".format, st.integers(1, 6), st.sampled_from("abcde"), st.integers(1, 6)
) | st.just("V")


@given(
    st.sampled_from([*"KQDFWNRBP", ""]),
    CELLS,
    st.sampled_from("-x"),
    CELLS,
    st.sampled_from(["", "=Q", "=P"]),
)
def test_any_move_is_legal_or_refused(piece: str, start: str, sign: str, end: str, promotion: str):
    text = f"{piece}{start}{sign}{end}{promotion}"
    for before in map(Position.from_text, (START, BUSY, PINNED, MATED)):
        try:
            after = before.after(text)
        except IllegalMove:
            assert text not in before.legal_moves
            continue
        assert text in before.legal_moves
        assert after.turn == before.turn % before.players + 1


def test_surrogates_and_long_texts_are_refused_like_others():
    for text in ("\ud800", "N1b2-1a4\udcff", "x" * 1_000_000, "\0", "N1b2-1a4\0"):
        with pytest.raises(IllegalMove) as refused:
            Position().after(text)
        assert len(str(refused.value)) < 500
