"""Positions as text: what is read, what is written, and what is refused with which reason."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossboard.duchess import InvalidPosition, Position

SMALL = "4; 1:K1a1 P1c6; 2:K2a1; 3:K4a1; 4:K5a1; turn 1; box 1:Q,R"


def test_pieces_are_written_in_the_order_of_cells_and_boxes_sorted():
    text = "6;4:K4a1;3:K3a1;2:K2a1;1:NV B6e6 R1b5 K1c1 ; 5:K5a1;6:K6a1; box 2:R,Q,P,B;turn 3;"
    assert Position.from_text(text).text == (
        "6; 1:K1c1 R2e6 B6e6 NV; 2:K2a1; 3:K3a1; 4:K4a1; 5:K5a1; 6:K6a1; turn 3; box 2:B,P,Q,R"
    )


def test_small_position():
    position = Position.from_text(SMALL)
    assert position.text == SMALL
    assert position.pieces(1) == ("K1a1", "P1c6")
    assert position.box(1) == "QR"
    assert position.box(2) == ""
    assert (position.players, position.turn) == (4, 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "begins with the number of players"),
        ("5; 1:K1a1", "begins with the number of players, 4; or 6;, not '5'"),
        ("4", "player 1 has no king"),
        (SMALL.replace("turn 1", "turn 5"), "there is no player '5': players are 1 to 4"),
        (SMALL.replace("turn 1; ", ""), "whose turn"),
        (SMALL + "; turn 2", "turn is given twice"),
        (SMALL.replace("K5a1", "Q5a1"), "player 4 has no king"),
        (
            SMALL.replace("K5a1", "K5a1 K5b1"),
            "player 4 has more than 1 K, board and box together: on 5a1, 5b1",
        ),
        (
            SMALL.replace("P1c6", "Q1c6"),
            "player 1 has more than 1 Q, board and box together: on 1c6",
        ),
        (SMALL + "; box 2:W,W", "player 2 has more than 1 W, board and box together: all in the"),
        (SMALL.replace("P1c6", "X1c6"), "'X1c6' does not begin with a piece, one of KQDFWNRBP"),
        (SMALL.replace("P1c6", "P1c7"), "'P1c7' does not stand on a cell: cells are V and"),
        (SMALL.replace("P1c6", "P7c1"), "does not stand on a cell"),
        (SMALL.replace("P1c6", "P1f1"), "does not stand on a cell"),
        (SMALL.replace("P1c6", "P1c6x"), "does not stand on a cell"),
        (SMALL.replace("P1c6", "P3c1"), "with 4 players there is no cell 3c1: its flap is folded"),
        (SMALL.replace("P1c6", "P2a1"), "two pieces stand on 2a1"),
        (SMALL.replace("2:K2a1", "1:N2a1"), "the list of pieces of player 1 is given twice"),
        (SMALL.replace("2:K2a1", "K2a1"), "unexpected 'K2a1'"),
        (SMALL.replace("2:K2a1", "7:K2a1"), "there is no player '7'"),
        (SMALL + "; box 1:B", "the box of player 1 is given twice"),
        (SMALL + "; box 2:K", "there is no 'K' in a box"),
        (SMALL + "; box 2:Q,", "there is no '' in a box"),
        (SMALL + "; box 2:Q R", "there is no 'Q R' in a box"),
        (SMALL + "; box 2", "unexpected '2'"),
        (SMALL + "; hello", "unexpected 'hello'"),
    ],
)
def test_bad_positions_are_refused_with_the_reason(text: str, reason: str):
    with pytest.raises(InvalidPosition) as refused:
        Position.from_text(text)
    assert reason in str(refused.value)
    assert str(refused.value).startswith(f"position '{text[:50]}")
    assert isinstance(refused.value, ValueError)


@given(st.text())
def test_any_text_is_read_or_refused(text: str):
    with pytest.raises(InvalidPosition):
        Position.from_text(text)


@given(st.lists(st.sampled_from([*"46;:, 123456KQPVabce", "turn ", "box ", "K1a1", "; 2:"])))
def test_texts_of_the_right_letters_are_read_or_refused(parts: list[str]):
    try:
        position = Position.from_text("4; " + "".join(parts))
    except InvalidPosition:
        return
    assert Position.from_text(position.text) == position


@given(st.integers(0, len(SMALL) - 1), st.sampled_from("0123456789abcdeKQRPV;:, x"), st.booleans())
def test_small_mistakes_are_refused_or_mean_another_position(at: int, letter: str, replaces: bool):
    try:
        position = Position.from_text(SMALL[:at] + letter + SMALL[at + replaces :])
    except InvalidPosition:
        return
    assert Position.from_text(position.text) == position


def test_surrogates_and_long_texts_are_refused_like_others():
    for text in ("\ud800", "4; \udcff", "x" * 1_000_000, "\0"):
        with pytest.raises(InvalidPosition) as refused:
            Position.from_text(text)
        assert len(str(refused.value)) < 200


@pytest.mark.parametrize("players", [0, 2, 3, 5, 8, -4])
def test_only_four_or_six_play(players: int):
    with pytest.raises(ValueError, match=f"4 or 6 players, not {players}"):
        Position(players)


def test_positions_are_values():
    position = Position()
    after = position.after("N1b2-1a4")
    assert position == Position(4) != after
    assert hash(position) == hash(Position())
    assert position != Position(6)
    assert position != "4"
    assert pickle.loads(pickle.dumps(after)) == after
    assert eval(repr(after), {"Position": Position}) == after
    with pytest.raises(AttributeError):
        position.turn = 2  # type: ignore[misc]


def test_boxes_belong_to_the_position():
    with_box, without = Position.from_text(SMALL), Position.from_text(SMALL.split("; box")[0])
    assert with_box != without
    assert with_box.key != without.key


def test_cells_between_two_sectors_have_two_names():
    position = Position()
    assert [position.cell(name) for name in ("1a5", "2e5", "1c3", "V")] == [
        "2e5",
        "2e5",
        "1c3",
        "V",
    ]
    with pytest.raises(ValueError, match="no cell '1f1' with 4 players: cells are V and sector"):
        position.cell("1f1")


def test_unknown_cells_and_players_are_refused():
    with pytest.raises(ValueError, match="there is no cell '3a1' with 4 players"):
        Position().piece_at("3a1")
    with pytest.raises(ValueError, match="there is no cell ''"):
        Position(6).piece_at("")
    with pytest.raises(ValueError, match="there is no player 5"):
        Position().pieces(5)
    with pytest.raises(ValueError, match="there is no player 0"):
        Position().box(0)
