"""Small rules for sentences."""

from __future__ import annotations

from crossboard.play.wording import counted, one_line


def test_one_line_shows_control_characters() -> None:
    assert one_line("a\n  b\x1b[31m\tc\x00") == "a b\\x1b[31m c\\x00"


def test_counted() -> None:
    assert [counted(n, "game") for n in (0, 1, 1200)] == ["0 games", "1 game", "1,200 games"]
