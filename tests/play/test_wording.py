"""Small rules for sentences."""

from __future__ import annotations

import pytest

from crossboard.play.wording import counted, format_clock, one_line


def test_one_line_shows_control_characters() -> None:
    assert one_line("a\n  b\x1b[31m\tc\x00") == "a b\\x1b[31m c\\x00"


def test_counted() -> None:
    assert [counted(n, "game") for n in (0, 1, 1200)] == ["0 games", "1 game", "1,200 games"]


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (303.9, "5:03"),
        (10.0, "0:10"),
        (9.87, "0:09.8"),
        (-0.1, "0:00.0"),
        (3903.0, "1:05:03"),
    ],
)
def test_clocks_round_down(seconds: float, shown: str) -> None:
    assert format_clock(seconds) == shown
