"""Board files of NeuroDraughts: read, written, and every kind of damage named."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossboard.draughts import Position, StartBoard, format_boards, read_boards
from crossboard.draughts.words import WordError

# The paper's own example (9.1).
EXAMPLE = """2
1 1 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 2 2 2 2 2 2 2 2 2 2 2 2   -0.1 +0.1 4
0 0 0 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 3 0 3 0 0   -0.5 +0.5 3
"""
# On the second board Black's only man stands before others, and cannot jump them.
OVER = "\n".join([*EXAMPLE.splitlines()[:2], f"1 0 0 0 2 2 0 0 2 2{' 0' * 22}   -0.5 +0.5 3"])
BOARDS = [
    StartBoard(Position(), -0.1, 0.1, 4),
    StartBoard(Position.from_fen("B:WK4:BK28,K30"), -0.5, 0.5, 3),
]


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "some.brd"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def test_the_example_of_the_paper(tmp_path: Path):
    assert read_boards(written(tmp_path, EXAMPLE)) == BOARDS
    assert format_boards(BOARDS) == EXAMPLE


def test_remarks_behind_the_count_are_skipped(tmp_path: Path):
    _, first, second = EXAMPLE.splitlines()
    # As the paper prints it, with headings over the columns.
    heading = f"  The Board             Params\n\n/{'-' * 77}\\   /-------------\\\n"
    for remarks in (" - How many boards are in the file\n", f" - How many boards\n{heading}"):
        text = f"2{remarks}\n{first}\n\n{second}\n"
        assert read_boards(written(tmp_path, text)) == BOARDS
    with pytest.raises(WordError, match="line 2: expected square 1 of board 1 of 1, 0 to 4, not"):
        read_boards(written(tmp_path, f"1 board\nx{first[1:]}\n"))


def test_lines_do_not_matter(tmp_path: Path):
    assert read_boards(written(tmp_path, " ".join(EXAMPLE.split()))) == BOARDS
    assert read_boards(written(tmp_path, "\r\n\n".join(EXAMPLE.split()))) == BOARDS


def test_rewards_are_written_exactly(tmp_path: Path):
    boards = [StartBoard(Position(), -1 / 3, 0.1 + 0.2, 2.5)]
    assert read_boards(written(tmp_path, format_boards(boards))) == boards


def test_black_is_to_move():
    with pytest.raises(ValueError, match="in a board file Black is to move, not as in W:WK32:BK1"):
        format_boards([StartBoard(Position.from_fen("W:WK32:BK1"))])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: expected the number of boards, not the end of the file"),
        ("two", "line 1: expected the number of boards, not 'two'"),
        ("-1", "line 1: expected the number of boards, not '-1'"),
        ("1_0", "line 1: expected the number of boards, not '1_0'"),
        ("99999999999999999999 0", "line 1: expected the number of boards, not '999"),
        ("1\n1 1 1\n", "line 2: expected square 4 of board 1 of 1, 0 to 4, not the end of the"),
        (EXAMPLE.replace("2\n", "3\n", 1), "line 3: expected square 1 of board 3 of 3, 0 to 4"),
        (EXAMPLE.replace("2\n", "1\n", 1), "line 3: expected the end of the file, not '0'"),
        (EXAMPLE.replace("4 0", "7 0"), "line 3: expected square 4 of board 2 of 2, 0 to 4, not"),
        (EXAMPLE.replace("4 0", "x 0"), "not 'x'"),
        (EXAMPLE.replace("+0.1", "nan"), "line 2: expected the reward of board 1 of 2 for a draw"),
        (EXAMPLE.replace("+0.1", "inf"), "with red, -1 to 1, not 'inf'"),
        (EXAMPLE.replace("-0.1", "-5"), "with black, -1 to 1, not '-5'"),
        (EXAMPLE.replace("+0.5 3", "+0.5 5"), "line 3: expected the points to clone of board 2"),
        (EXAMPLE.replace("+0.5 3", "+0.5"), "line 3: expected the points to clone of board 2"),
        (f"1\n{'0 ' * 28}1 1 1 1 0 0 0", "line 2: expected a board that can be ("),
        (OVER, "line 3: expected a move for Black on board 2 of 2, not a board on which the game"),
        (b"2\n\0\xfe", "line 2: expected text, and this is none"),
    ],
)
def test_damage_is_named_in_one_sentence(tmp_path: Path, text: str | bytes, told: str):
    with pytest.raises(WordError) as caught:
        read_boards(written(tmp_path, text))
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'some.brd'}, line ")
    assert told in message
    assert "\n" not in message
