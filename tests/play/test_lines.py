"""Lines of play, values and speeds as people read them."""

from __future__ import annotations

from crossboard.draughts import Move, Position
from crossboard.play.lines import format_line, format_speed, format_value


def test_a_line_is_written_as_people_write_it() -> None:
    position = Position.from_fen("B:W18,26,32:B14")
    assert format_line(position, [Move("14x23x30"), Move("32-28")]) == "14x30 32-28"
    assert format_line(position, [Move("14x23x30"), Move("32-28")], most=1) == "14x30 ..."


def test_values_and_speeds_are_written_for_people() -> None:
    assert format_value(0.0, None) == format_value(-0.001, None) == "0.00"
    assert format_value(1.5, None) == "+1.50"
    assert format_value(100.0, 1) == "wins in 1 ply"
    assert format_value(-100.0, -2) == "loses in 2 plies"
    assert format_speed(1_500_000, 0.5) == "1,500,000 in 0.50 s, 3.0 million/s"
    assert format_speed(1, 0.0) == "1 in 0.00 s, 1,000.0 million/s"
