"""The board on a terminal of any kind."""

from __future__ import annotations

import pytest
from rich.console import Console

from crossboard.cli.board import (
    COLOURS,
    LETTERS,
    PLAIN,
    SIXTEEN_COLOURS,
    Look,
    choose_look,
    draw,
)
from crossboard.draughts import Move, Position

SOME = Position.from_fen("W:W18,K5:B14,K31")


def lines_of(position: Position, **options: object) -> list[str]:
    return draw(position, PLAIN, **options).plain.split("\n")  # type: ignore[arg-type]


def test_the_start_as_white_sees_it() -> None:
    lines = lines_of(Position())
    assert lines[:4] == [
        ":::::1    :::::2    :::::3    :::::4    ",
        ":::::  b  :::::  b  :::::  b  :::::  b  ",
        "5    :::::6    :::::7    :::::8    :::::",
        "  b  :::::  b  :::::  b  :::::  b  :::::",
    ]
    assert lines[-2:] == [
        "29   :::::30   :::::31   :::::32   :::::",
        "  w  :::::  w  :::::  w  :::::  w  :::::",
    ]
    assert len(lines) == 16


def test_flipped_black_sits_below() -> None:
    lines = lines_of(Position(), flipped=True)
    assert lines[:2] == [
        ":::::32   :::::31   :::::30   :::::29   ",
        ":::::  w  :::::  w  :::::  w  :::::  w  ",
    ]
    assert lines[-2:] == [
        "4    :::::3    :::::2    :::::1    :::::",
        "  b  :::::  b  :::::  b  :::::  b  :::::",
    ]


@pytest.mark.parametrize("flipped", [False, True])
def test_every_square_shows_its_number_above_its_piece(flipped: bool) -> None:
    lines = lines_of(SOME, flipped=flipped)
    found = {}
    for numbers, pieces in zip(lines[::2], lines[1::2], strict=True):
        for column in range(0, 40, 5):
            if (number := numbers[column : column + 5].strip()) != ":::::":
                found[int(number)] = pieces[column + 2].strip() or None
    assert found == {square: SOME.piece_at(square) for square in range(1, 33)}


def test_the_last_move_is_marked_without_colours() -> None:
    after = Position().after("11-15")
    text = "\n".join(lines_of(after, last_move=Move("11-15")))
    assert text.count("[b]") == 1
    assert text.count("[ ]") == 1


@pytest.mark.parametrize("look", [COLOURS, SIXTEEN_COLOURS])
def test_colours_tell_sides_and_the_last_move_apart(look: Look) -> None:
    drawn = draw(SOME, look, last_move=Move("9-14"))
    styles: dict[str, list[str]] = {}
    for span in drawn.spans:
        styles.setdefault(drawn.plain[span.start : span.end].strip(), []).append(str(span.style))
    assert styles["14"] == [f"{look.number} {look.last_move}"]
    assert styles["18"] == [f"{look.number} {look.dark}"]
    assert styles["●"] == [f"{look.black} {look.last_move}", f"{look.white} {look.dark}"]
    assert styles["♛"] == [f"{look.white} {look.dark}", f"{look.black} {look.dark}"]


def console(**options: object) -> Console:
    return Console(**{"force_terminal": True, "color_system": "truecolor"} | options)  # type: ignore[arg-type]


def test_the_look_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert choose_look(console()) == COLOURS
    assert choose_look(console(color_system="256")) == COLOURS
    assert choose_look(console(color_system="standard")) == SIXTEEN_COLOURS
    assert choose_look(console(no_color=True)) == PLAIN
    assert choose_look(console(force_terminal=False, color_system="auto")) == PLAIN


def test_no_color_is_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert choose_look(console()) == PLAIN


def test_a_linux_console_gets_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "linux")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert choose_look(console(color_system="standard")).pieces == LETTERS
