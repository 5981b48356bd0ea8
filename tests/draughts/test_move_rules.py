"""The rules of moving, one test each, with boards as FEN."""

from __future__ import annotations

import pytest
from slow_rules import NUMBERS, square_of

from crossboard.draughts import IllegalMove, Position


def moves_of(fen: str) -> list[str]:
    return sorted(map(str, Position.from_fen(fen).legal_moves))


def test_black_moves_first_from_1_to_12():
    start = Position()
    assert start.turn == "B"
    assert start.pieces("B") == tuple(range(1, 13))
    assert start.pieces("W") == tuple(range(21, 33))
    assert start.kings("B") == start.kings("W") == ()
    assert start == Position.from_fen("B:W21-32:B1-12")
    expected = ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]
    assert sorted(map(str, start.legal_moves)) == sorted(expected)


def test_sides_take_turns():
    after = Position().after("11-15")
    assert after.turn == "W"
    assert after.after("22-18").turn == "B"


@pytest.mark.parametrize(
    ("fen", "moves"), [("B:W:B14", ["14-17", "14-18"]), ("W:W14:B", ["14-10", "14-9"])]
)
def test_man_steps_forward_only(fen: str, moves: list[str]):
    assert moves_of(fen) == moves


@pytest.mark.parametrize("square", range(1, 33))
@pytest.mark.parametrize("colour", ["B", "W"])
def test_king_steps_to_the_diagonal_neighbours_on_the_board(colour: str, square: int):
    row, column = square_of(square)
    corners = [(row + down, column + right) for down in (1, -1) for right in (1, -1)]
    expected = [f"{square}-{NUMBERS[corner]}" for corner in corners if corner in NUMBERS]
    fens = {"B": f"B:W:BK{square}", "W": f"W:WK{square}:B"}
    assert moves_of(fens[colour]) == sorted(expected)


def test_king_does_not_fly():
    assert "1-10" not in moves_of("B:W32:BK1")
    assert moves_of("B:W15:BK1") == ["1-5", "1-6"]  # 15 is far away on the king's diagonal


def test_occupied_square_cannot_be_entered():
    assert moves_of("B:W:B14,17") == ["14-18", "17-21", "17-22"]


def test_jump_is_compulsory_even_if_it_loses():
    # After 14x23 White takes the man, whichever way; the quiet 1-6 is not allowed all the same.
    fen = "B:W18,26,27,30,32:B1,14"
    assert moves_of(fen) == ["14x23"]
    assert Position.from_fen(fen).after("14x23").has_capture
    with pytest.raises(IllegalMove, match="capture is compulsory: 14x23"):
        Position.from_fen(fen).after("1-6")


def test_any_jump_will_do_not_only_the_longest():
    assert moves_of("B:W6,15,16:B1,12") == ["12x19", "1x10x19"]


def test_jump_must_go_on():
    position = Position.from_fen("B:W6,15:B1")
    assert moves_of(position.fen) == ["1x10x19"]
    with pytest.raises(IllegalMove, match="the jump must go on: 1x10x19"):
        position.after("1x10")


def test_jumped_pieces_are_removed():
    assert Position.from_fen("B:W6,K15:B1").after("1x10x19") == Position.from_fen("W:W:B19")


@pytest.mark.parametrize(
    ("fen", "moves"),
    [("B:W9,10,17,18:B14", ["14x21", "14x23"]), ("W:W14:B9,10,17,18", ["14x5", "14x7"])],
)
def test_man_jumps_forward_only(fen: str, moves: list[str]):
    assert moves_of(fen) == moves


def test_king_jumps_in_every_direction():
    assert moves_of("B:W9,10,17,18:BK14") == ["14x21", "14x23", "14x5", "14x7"]


def test_man_and_king_are_jumped_alike():
    assert moves_of("B:W18:B14") == moves_of("B:WK18:B14") == ["14x23"]


def test_piece_with_another_behind_it_cannot_be_jumped():
    assert moves_of("B:W18,23:B14") == ["14-17"]
    assert moves_of("B:W18:B14,23") == ["14-17", "23-26", "23-27"]


def test_own_piece_cannot_be_jumped():
    assert moves_of("B:W32:B14,18") == ["14-17", "18-22", "18-23"]


@pytest.mark.parametrize("fen", ["B:W5:BK1", "B:W12:BK8", "B:WK2:BK7", "W:WK24:B28"])
def test_no_jump_over_the_edge(fen: str):
    assert not Position.from_fen(fen).has_capture


def test_man_crowned_by_a_step():
    after = Position.from_fen("B:W32:B25").after("25-29")
    assert after.kings("B") == (29,)
    assert after.turn == "W"  # the crowning ends the move


@pytest.mark.parametrize(
    ("fen", "move", "after"),
    [("B:W26,27:B22", "22x31", "W:W27:BK31"), ("W:W11:B6,7", "11x2", "B:WK2:B6")],
)
def test_man_crowned_by_a_jump_stops(fen: str, move: str, after: str):
    # As a king it could jump back over the second piece.
    assert moves_of(fen) == [move]
    assert Position.from_fen(fen).after(move) == Position.from_fen(after)


def test_man_is_crowned_on_the_far_row_only():
    assert Position.from_fen("W:W5:BK32").after("5-1").kings("W") == (1,)
    assert Position.from_fen("B:W32:B1").kings("W") == ()
    assert Position.from_fen("B:W32:B1").kings("B") == ()


def test_king_stays_a_king():
    after = Position.from_fen("B:W32:BK29").after("29-25")
    assert after.kings("B") == (25,)


def test_king_may_jump_in_a_circle():
    position = Position.from_fen("B:W9,10,17,18,K30:BK6")
    assert moves_of(position.fen) == ["6x13x22x15x6", "6x15x22x13x6"]
    for move in position.legal_moves:
        assert move.start == move.end == 6
        assert position.after(move) == Position.from_fen("W:WK30:BK6")


def test_king_may_run_the_circle_or_go_straight_on():
    # From 15 the jump to 24 is there at once, or at the end of the way round.
    position = Position.from_fen("B:WK9,K10,K16,K17,K18,K19:BK22,K27")
    expected = ["22x13x6x15x22", "22x13x6x15x24", "22x15x24", "22x15x6x13x22"]
    assert moves_of(position.fen) == expected
    straight = next(move for move in position.legal_moves if str(move) == "22x15x24")
    assert position.after(straight) == Position.from_fen("W:WK9,K10,K16,K17:BK24,K27")


def test_king_may_pass_through_the_square_it_came_from():
    # The circle leads back to 15, where the jump over 19 is still to be taken.
    expected = ["15x22x13x6x15x24", "15x24", "15x6x13x22x15x24"]
    assert moves_of("B:W9,10,17,18,19:BK15") == expected


def test_no_piece_is_jumped_twice():
    # A second round of the circle would be open if the pieces still counted.
    for move in Position.from_fen("B:W9,10,17,18,K30:BK6").legal_moves:
        assert len(set(move.captured)) == len(move.path) - 1 == 4


def test_two_routes_are_two_moves():
    # Over 6 and 15 or over 7 and 14: other pieces fall.
    position = Position.from_fen("B:W6,7,14,15:B2")
    assert moves_of(position.fen) == ["2x11x18", "2x9x18"]
    assert len({position.after(move) for move in position.legal_moves}) == 2


def test_two_routes_over_the_same_pieces_are_two_moves_to_one_position():
    position = Position.from_fen("B:W9,10,17,18,K30:BK6")
    first, second = position.legal_moves
    assert first != second
    assert first.captured == second.captured == (9, 10, 17, 18)
    assert position.after(first) == position.after(second)
    assert position.perft(1) == len(position.legal_moves) == 2


def test_longest_jump_takes_nine():
    moves = Position.from_fen("B:W9,10,11,17,18,19,25,26,27:BK29").legal_moves
    assert max(len(move.captured) for move in moves) == 9


@pytest.mark.parametrize(
    ("fen", "winner"),
    [
        ("B:W32:B", "W"),  # no piece
        ("W:W:B1", "B"),
        ("W:W20:B11,16", "B"),  # no move
        ("B:W17,22:B13", "W"),
        ("B:W:B", "W"),
    ],
)
def test_side_that_cannot_move_has_lost(fen: str, winner: str):
    position = Position.from_fen(fen)
    assert position.is_over
    assert position.winner == winner
    assert list(position.legal_moves) == []
    with pytest.raises(IllegalMove, match="the game is over"):
        position.after("13-17")


def test_side_that_can_move_has_not_lost():
    position = Position.from_fen("B:W32:B1")
    assert not position.is_over
    assert position.winner is None


def test_position_has_no_past():
    # Two orders of the same moves, and a king that went and came back.
    one = Position().after("11-16").after("22-18").after("9-13")
    other = Position().after("9-13").after("22-18").after("11-16")
    assert one == other
    assert one.key == other.key
    position = start = Position.from_fen("B:WK32:BK1")
    for _ in range(50):
        for move in ("1-5", "32-28", "5-1", "28-32"):
            position = position.after(move)
    assert position == start
    assert not position.is_over
    assert len(position.legal_moves) == len(start.legal_moves) == 2
