"""Records: read, written, streamed, and what is told about mistakes."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossboard.duchess import (
    IllegalMove,
    Move,
    Position,
    Record,
    RecordError,
    parse_records,
    read_records,
    result_for,
)

from .random_positions import random_move

GAME = """[Event "Friendly \\"match\\""]
[Site "A \\\\ B"]
[Players "4"]
[Result "1-0"]

{before all} 1. P1c3-1c4 {good} P2b3-2b4 P4e3-4e4 ; to the end of the line
N5b2-5a4 2. N1b2-1a4 {two
lines} 1-0
"""


def one(text: str) -> Record:
    (record,) = parse_records(text)
    return record


def random_record(random: Random, players: int, plies: int) -> Record:
    record = Record(Position(players), tags={"Round": str(plies)})
    for _ in range(plies):
        if record.position.is_over:
            break
        comment = random.choice(["", "", "", "a comment", "of\nlines", "ünïcode [x] (y) ;z"])
        record.play(random_move(record.position, random), comment)
    return record


def test_game_is_read():
    record = one(GAME)
    assert record.errors == []
    assert record.tags["Event"] == 'Friendly "match"'
    assert record.tags["Site"] == "A \\ B"
    assert [str(move) for move in record.moves] == [
        "P1c3-1c4",
        "P2b3-2b4",
        "P4e3-4e4",
        "N5b2-5a4",
        "N1b2-1a4",
    ]
    assert record.comments == {
        0: "before all",
        1: "good",
        3: "to the end of the line",
        5: "two\nlines",
    }
    assert (record.result, record.winner) == ("1-0", "odd")
    assert record.position == list(record.positions())[-1]
    assert repr(record) == "<Record 4 players, 5 moves, 1-0>"


def test_what_is_read_is_what_is_written():
    record = one(GAME)
    assert one(record.text) == record
    assert one(record.text).text == record.text


@pytest.mark.parametrize("players", [4, 6])
@pytest.mark.parametrize("seed", range(10))
def test_random_records_come_back(players: int, seed: int):
    record = random_record(Random(seed), players, 40 * seed)
    assert one(record.text) == record
    assert all(len(line) <= 80 for line in record.text.splitlines() if not line.startswith("["))


def test_game_from_another_position_and_turn():
    start = Position.from_text("6; 1:K1a1; 2:K2a1; 3:K3a1; 4:K4a1; 5:K5a1; 6:K6a1; turn 5")
    record = Record(start)
    record.play("K5a1-5a2")
    record.play("K6a1-6a2")
    record.play("K1a1-1a2")
    assert "1... K5a1-5a2 K6a1-6a2 2. K1a1-1a2 *" in record.text
    assert f'[Position "{start.text}"]' in record.text
    assert one(record.text).start == start
    assert one(record.text).moves == record.moves


def test_six_players_are_told_by_a_tag():
    record = Record(Position(6))
    assert '[Players "6"]' in record.text
    assert one(record.text).start == Position(6)
    assert Record(tags={"Players": "6"}).start == Position(6)
    assert Record().text == "*\n"


def test_skipped_turns_are_written():
    record = Record(Position.from_text("4; 1:K1e1; 2:K2a1 Q1c2; 3:K4a1; 4:K5a1; turn 1"))
    record.play("pass", "stalemate")
    assert "1. pass {stalemate} *" in record.text
    assert one(record.text).moves == [Move("pass")]


def test_moves_may_be_written_carelessly():
    for text in ("1.P1c3-1c4 P2b3-2b4", "1c3-1c4 2b3-2b4", "1 P1c3-1c4\r\n1... 2b3-2b4 *\r\n"):
        record = one(text)
        assert record.errors == []
        assert [str(move) for move in record.moves] == ["P1c3-1c4", "P2b3-2b4"]


def test_several_games():
    text = 'P1c3-1c4 1-0\n[Event "b"]\n1. P1d3-1d4\n[Event "c"]\n0-1 {d} 1/2-1/2'
    records = list(parse_records(text))
    assert [record.result for record in records] == ["1-0", "*", "0-1", "1/2-1/2"]
    assert [record.tags.get("Event") for record in records] == [None, "b", "c", None]
    assert [len(record.moves) for record in records] == [1, 1, 0, 0]
    assert not any(record.errors for record in records)


def test_nothing_is_no_game():
    for text in ("", "\n \n", "; only a remark\n", "{only a remark}"):
        assert list(parse_records(text)) == []


@pytest.mark.parametrize(
    ("text", "line", "move", "reason"),
    [
        ("1. P1c3-1c4\nP2c3-2c5 P4c3-4c4 *", 2, "P2c3-2c5", "the P on 2c3 does not reach 2c5"),
        ("1. P1c3-1c4 hello *", 1, "hello", "is not a move"),
        ("1. P1c3-1c4 P1d3-1d4 *", 1, "P1d3-1d4", "it is player 2's turn"),
        ("\n\npass *", 3, "pass", "must not pass"),
        ('[Players "5"]\n1. P1c3-1c4 *', 2, "", "the tag Players is 4 or 6, not '5'"),
        ('[Position "4; 1:K"]\n*', 2, "", "does not stand on a cell"),
        ("1. P1c3-1c4 {never\nclosed", 1, "", "the comment is not closed"),
        ('[Event "a"]\n[Event "b"]\n*', 2, "", "the tag Event is given twice"),
        ("[Event]\n*", 1, "[Event]", "is not a move"),
    ],
)
def test_mistakes_are_told_with_line_and_reason(text: str, line: int, move: str, reason: str):
    behind = '\n[Event "next"]\n1. P1b3-1b4 1-0\n' if "never" not in text else ""
    _, bad, *others = parse_records(f"P1a3-1a4 *\n{text}{behind}")
    (error,) = bad.errors
    assert (error.game, error.line, error.move) == (2, line + 1, move)
    assert reason in error.reason
    assert str(error).startswith(f"game 2, line {line + 1}")
    assert [(other.errors, other.result) for other in others] == [([], "1-0")] * bool(behind)


def test_mistakes_of_tags_are_told_without_moves_too():
    record = one('[Event "x"]\n[Players "5"]\n')
    assert [str(error) for error in record.errors] == [
        "game 1, line 2: the tag Players is 4 or 6, not '5'"
    ]


def test_moves_before_a_mistake_are_kept():
    record = one("1. P1c3-1c4 {here} P2c3-2c5 P4c3-4c4 {there} 1-0")
    assert [str(move) for move in record.moves] == ["P1c3-1c4"]
    assert record.result == "1-0"


@pytest.mark.parametrize(
    ("tags", "reason"),
    [
        ({"Players": "4", "Position": Position(6).text}, "the tag Players says 4"),
        ({"Players": "x"}, "4 or 6, not 'x'"),
        ({"Position": "rubbish"}, "begins with the number of players"),
    ],
)
def test_bad_tags_are_refused(tags: dict[str, str], reason: str):
    with pytest.raises(ValueError, match=reason):
        Record(tags=tags)


def test_what_a_record_cannot_hold_is_refused():
    record = Record()
    record.comments[0] = "a } b"
    with pytest.raises(ValueError, match="cannot hold the comment"):
        _ = record.text
    record = Record(tags={"Event": "a\nb"})
    with pytest.raises(ValueError, match="control characters"):
        _ = record.text
    record = Record(tags={"two words": "a"})
    with pytest.raises(ValueError, match="name of a tag"):
        _ = record.text
    with pytest.raises(ValueError, match="'2-0' is no result"):
        record.result = "2-0"
    with pytest.raises(IllegalMove):
        record.play("P1c3-1c5")
    assert record.moves == []


def test_result_may_stand_in_the_tag():
    record = one('[Result "0-1"]\n1. P1c3-1c4 *')
    assert record.result == "0-1"
    record.result = "1-0"
    assert record.tags["Result"] == "1-0"
    assert "1. P1c3-1c4 1-0" in record.text


class Endless(io.TextIOBase):
    """A file of games without end."""

    def __init__(self) -> None:
        self.lines = 0

    def __iter__(self) -> Endless:
        return self

    def __next__(self) -> str:
        self.lines += 1
        return f'[Round "{self.lines}"] 1. P1c3-1c4 *\n'


def test_games_come_before_the_file_is_read():
    file = Endless()
    records = read_records(file)
    assert next(records).tags["Round"] == "1"
    assert next(records).tags["Round"] == "2"
    assert file.lines <= 3


def test_files_of_all_kinds(tmp_path: Path):
    path = tmp_path / "games.txt"
    path.write_text(GAME * 3, encoding="utf-8-sig")
    assert len(list(read_records(path))) == 3
    with path.open("rb") as binary:
        assert [record.moves for record in read_records(binary)] == [one(GAME).moves] * 3
    with path.open(encoding="utf-8-sig") as text:
        assert len(list(read_records(text))) == 3
    assert list(parse_records(path.read_bytes())) == list(parse_records(GAME * 3))
    with pytest.raises(FileNotFoundError):
        read_records(tmp_path / "none.txt")


@given(st.text() | st.binary())
def test_any_text_is_read_without_failing(text: str | bytes):
    for record in parse_records(text):
        assert all(isinstance(error, RecordError) for error in record.errors)


PIECES = ["{", "}", "[", "]", '"', "\\", ";", "\n", " ", "1.", "*", "1-0", "P1c3-1c4", "pass"]


@given(st.lists(st.sampled_from([*PIECES, '[Players "6"]', '[Position "x"]', "Event", "P2c3-2c4"])))
def test_texts_of_the_right_pieces_come_back(pieces: list[str]):
    for record in parse_records(" ".join(pieces)):
        if record.errors:
            continue
        again = one(record.text)
        assert (again.moves, again.comments) == (record.moves, record.comments)


@pytest.mark.parametrize("winner", ["odd", "even", None])
def test_a_result_names_its_winner(winner: str | None):
    record = Record(Position())
    record.result = result_for(winner)
    assert record.winner == winner
    assert record.result != "*"
