"""Lines, positions and moves as Hub writes them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossboard.draughts import IllegalMove, Position
from crossboard.protocols.hub_text import (
    HubLine,
    HubSyntax,
    format_move,
    format_position,
    moves_between,
    parse_move,
    parse_position,
    play_moves,
    score_of,
    shown,
    win_behind,
)

START = "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", HubLine("")),
        ("  go   think ", HubLine("go", {"think": None})),
        ("level time=1.5 inc=0", HubLine("level", {"time": "1.5", "inc": "0"})),
        ('pos pos=W moves="1-5 32-28"', HubLine("pos", {"pos": "W", "moves": "1-5 32-28"})),
        ('a b="" c=', HubLine("a", {"b": "", "c": ""})),
        ("a b = 2", HubLine("a", {"b": "2"})),
        ("id author=a=b", HubLine("id", {"author": "a=b"})),
    ],
)
def test_lines_are_read(text: str, line: HubLine) -> None:
    assert HubLine.parse(text) == line


@pytest.mark.parametrize("text", ['a b="c', '"', "= 3", 'pos "x"'])
def test_signs_out_of_place_are_refused(text: str) -> None:
    with pytest.raises(HubSyntax, match="makes no sense at"):
        HubLine.parse(text)


@given(st.dictionaries(st.sampled_from("abcd"), st.none() | st.text("xy =-1", max_size=8)))
def test_what_is_written_is_read(arguments: dict[str, str | None]) -> None:
    line = HubLine("command", arguments)
    assert HubLine.parse(str(line)) == line


@given(st.text())
def test_any_text_is_a_line_or_refused(text: str) -> None:
    try:
        HubLine.parse(text)
    except HubSyntax as error:
        assert str(error).isascii()  # noqa: PT017 - either way is right


def test_quotes_cannot_be_quoted() -> None:
    assert str(HubLine("error", {"message": 'a "b"'})) == "error message=\"a 'b'\""


def test_what_others_wrote_is_shown_short_and_plain() -> None:
    assert shown("x" * 1000) == f"'{'x' * 57}...'"
    assert shown('é{"}\x1b') == "'\\xe9(')\\x1b'"


def test_positions_and_moves_of_random_games_survive() -> None:
    random = Random(5)
    for _ in range(20):
        line = [Position()]
        moves = []
        while not line[-1].is_over and len(line) < 150:
            move = random.choice(list(line[-1].legal_moves))
            moves.append(format_move(move))
            assert line[-1].after(parse_move(line[-1], moves[-1])) == line[-1].after(move)
            line.append(line[-1].after(move))
            assert parse_position(format_position(line[-1])) == line[-1]
        assert play_moves(Position(), " ".join(moves)) == line
        start, between = moves_between(line)
        assert start == Position()
        assert play_moves(start, " ".join(map(format_move, between))) == line


def test_start_position() -> None:
    assert format_position(Position()) == START


@pytest.mark.parametrize("text", ["", "B", START + "e", "X" + START[1:], "Bx" + START[2:]])
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(HubSyntax, match="position"):
        parse_position(text)


def test_men_that_stand_on_the_back_row_are_refused() -> None:
    with pytest.raises(HubSyntax, match="position"):
        parse_position("Bw" + "e" * 31)


def test_captures_name_what_they_take_in_any_order() -> None:
    position = Position.from_fen("B:W18,26,27:B15")
    assert [format_move(move) for move in position.legal_moves] == ["15x31x18x26"]
    for text in ("15x31x18x26", "15x31x26x18", "15x31"):
        assert str(parse_move(position, text)) == "15x22x31"


@pytest.mark.parametrize("text", ["1-32", "15-31", "15x31x18", "15x22x18", "99x98"])
def test_illegal_moves_say_what_is_allowed(text: str) -> None:
    with pytest.raises(IllegalMove, match="15x31x18x26"):
        parse_move(Position.from_fen("B:W18,26,27:B15"), text)


@pytest.mark.parametrize("text", ["", "banana", "1", "1-", "1-2-3", "111-5", "\uff11-5", "-1-5"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(HubSyntax, match="is no move"):
        parse_move(Position(), text)


def test_a_line_with_a_gap_begins_after_it() -> None:
    here = Position.from_fen("B:WK32:BK1")
    line = play_moves(here, "1-5 32-28")
    assert moves_between([Position(), *line])[0] == here
    assert moves_between([here]) == (here, [])


@pytest.mark.parametrize("win_in", [1, 2, 199, -1, -2, -200])
def test_wins_come_back_from_their_score(win_in: int) -> None:
    assert win_behind(score_of(100.0 if win_in > 0 else -100.0, win_in)) == win_in


@pytest.mark.parametrize(("value", "score"), [(1.5, 1.5), (-3.0, -3.0), (500.0, 90.0)])
def test_men_are_no_win(value: float, score: float) -> None:
    assert score_of(value, None) == score
    assert win_behind(score) is None
