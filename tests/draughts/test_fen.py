"""Positions as FEN: what is read, what is written, what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import fen_like_texts, placements, positions

from crossboard.draughts import InvalidFen, Position


@pytest.mark.parametrize(
    "fen",
    [
        "B:W21-32:B1-12",
        "B:B1-12:W21-32",
        "B:W21-32:B1-12.",
        " B : W 21 - 32 : B 1 - 12 . ",
        "b:w21-32:b1-12",
        "B:W21,22,23-30,31,32:B1-4,5-8,9,10,11,12",
        "B:W21-32:B12,11,10,9,8,7,6,5,4,3,2,1",
        "B:W21-32:B01-12",
        "B:\nW21-32:\r\n\tB1-12\n",
    ],
)
def test_many_ways_to_write_the_start(fen: str):
    assert Position.from_fen(fen) == Position()


@pytest.mark.parametrize(
    ("fen", "written"),
    [
        ("W:W5:B", "W:W5:B"),
        ("W:B:W5.", "W:W5:B"),
        ("B:W:B", "B:W:B"),
        ("W:WK10,15:B1,K22", "W:WK10,15:B1,K22"),
        ("W:BK22,1:W15,K10", "W:WK10,15:B1,K22"),
        ("B:WK1-3,k9:BK29-32", "B:WK1,K2,K3,K9:BK29,K30,K31,K32"),
    ],
)
def test_written_sorted_white_first(fen: str, written: str):
    assert Position.from_fen(fen).fen == written


def test_start_is_written_in_full():
    numbers = [",".join(map(str, side)) for side in (range(21, 33), range(1, 13))]
    assert Position().fen == f"B:W{numbers[0]}:B{numbers[1]}"


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("X:W5:B1", "side to move, B or W"),
        ("?:W5:B1", "side to move, B or W"),
        ("B", "squares of Black are missing"),
        ("B:W5", "squares of Black are missing"),
        ("B:B5", "squares of White are missing"),
        ("B:W5:B1:B2", "squares of Black are given twice"),
        ("B:W5:W6", "squares of White are given twice"),
        ("B:X5:B1", "colour, B or W"),
        ("B:W5:B5", "two pieces stand on square 5"),
        ("B:W5,5:B1", "two pieces stand on square 5"),
        ("B:W5-8,K7:B1", "two pieces stand on square 7"),
        ("B:W33:B1", "no square 33: squares are 1 to 32"),
        ("B:W0:B1", "no square 0: squares are 1 to 32"),
        ("B:W30-33:B1", "no square 33: squares are 1 to 32"),
        ("B:W" + "9" * 30 + ":B1", "squares are 1 to 32"),
        ("B:W-5:B1", "a square number should stand"),
        ("B:W4:B1", "man of White stands on its crowning row, square 4"),
        ("B:W1-5:B10", "man of White stands on its crowning row, square 1"),
        ("B:W5:B29", "man of Black stands on its crowning row, square 29"),
        ("B:W8-5:B1", "range 8-5 runs backwards"),
        ("B:W13-25:B1", "White has more than 12 pieces"),
        ("B:W32:BK1-13", "Black has more than 12 pieces"),
        ("B:W5,:B1", "a square number should stand"),
        ("B:W5:B1,", "ends where a square number should stand"),
        ("B:W5:B1-", "ends where a square number should stand"),
        ("B:W5:BK", "ends where a square number should stand"),
        ("B:W5 6:B1", "unexpected '6:B1'"),
        ("B:W5:B1..", "unexpected '.'"),
        ("B:W5.:B1", "unexpected ':B1'"),
        ("B:W5:B1;", "unexpected ';'"),
        ("B:W5:BKK1", "a square number should stand"),
        ("B W5 B1", "unexpected"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "side to move"),
    ],
)
def test_refusal_says_what_was_given_and_why(fen: str, reason: str):
    with pytest.raises(InvalidFen) as refusal:
        Position.from_fen(fen)
    assert isinstance(refusal.value, ValueError)
    assert reason in str(refusal.value)
    assert fen[:50].strip() in str(refusal.value)


def test_refusal_of_a_man_on_its_crowning_row_says_how_to_write_a_king():
    with pytest.raises(InvalidFen, match="it would be a king, K4"):
        Position.from_fen("B:W4:B5")


@pytest.mark.parametrize("letter", ["a", "é", "♔", "\U0001f642"])
@pytest.mark.parametrize("before", range(4))  # a cut through the middle of a letter must not show
def test_refusal_of_long_rubbish_is_short_and_readable(letter: str, before: int):
    with pytest.raises(InvalidFen) as refusal:
        Position.from_fen("x" * before + letter * 100_000)
    assert letter in str(refusal.value)
    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("fen", ["\x00", "B:W5\x00:B1", "B:W5:B1\x00", "\ud800", "B:W5:B1\udcff"])
def test_binary_rubbish_is_refused(fen: str):
    with pytest.raises(InvalidFen):
        Position.from_fen(fen)


def test_refusal_shows_no_control_characters():
    with pytest.raises(InvalidFen) as refusal:
        Position.from_fen("B:W5\x1b[31m\x00:B1")
    assert str(refusal.value).isprintable()


@given(positions())
def test_every_position_reads_back(position: Position):
    assert Position.from_fen(position.fen) == position
    assert Position.from_fen(position.fen).fen == position.fen


@given(placements(), st.data())
def test_every_way_of_writing_reads_as_the_same_position(placement, data):
    turn, white, black = placement
    plain = Position.from_fen(f"{turn}:W{','.join(white)}:B{','.join(black)}")
    sides = [
        colour + ",".join(data.draw(st.permutations(with_ranges(words))))
        for colour, words in (("W", white), ("B", black))
    ]
    text = ":".join([turn, *data.draw(st.permutations(sides))])
    text += data.draw(st.sampled_from(["", ".", " . "]))
    if data.draw(st.booleans()):
        text = text.lower()
    blank = data.draw(st.sampled_from(["", " ", "\n", "\t "]))
    for mark in ":,-":
        text = text.replace(mark, blank + mark + blank)
    assert Position.from_fen(text) == plain


def with_ranges(words: list[str]) -> list[str]:
    """Write neighbours of the same kind as one range."""
    runs: list[tuple[str, int, int]] = []
    for word in words:
        king, square = ("K" if word[0] == "K" else ""), int(word.lstrip("K"))
        if runs and runs[-1][0] == king and runs[-1][2] == square - 1:
            runs[-1] = (king, runs[-1][1], square)
        else:
            runs.append((king, square, square))
    return [f"{king}{a}" if a == b else f"{king}{a}-{b}" for king, a, b in runs]


@given(fen_like_texts() | st.text(alphabet=st.characters()))
def test_any_text_is_a_position_or_refused(text: str):
    try:
        position = Position.from_fen(text)
    except InvalidFen:
        return
    assert Position.from_fen(position.fen) == position
    assert len(position.pieces("B")) <= 12
    assert len(position.pieces("W")) <= 12
    assert not set(position.pieces("B")) & set(position.pieces("W"))
