"""One test for each rule, boards written as text."""

from __future__ import annotations

import re

import pytest

from crossboard.duchess import IllegalMove, Position

KINGS = {1: "K1a1", 2: "K2a1", 3: "K4a1", 4: "K5a1"}


def board(turn: int = 1, box: str = "", **seats: str) -> Position:
    """A position of four; `p2="Q1c2"` adds pieces to a player's king, or replaces it with a K."""
    parts = []
    for seat, king in KINGS.items():
        pieces = seats.get(f"p{seat}", "")
        parts.append(f"{seat}:{pieces if 'K' in pieces else f'{king} {pieces}'}")
    return Position.from_text("; ".join(["4", *parts, f"turn {turn}", *filter(None, [box])]))


def moves(position: Position, piece: str) -> set[str]:
    """The ends of one piece's moves, as they are written."""
    texts = [str(move) for move in position.legal_moves]
    return {text[len(piece) :].lstrip("-") for text in texts if text.startswith(piece)}


def ends(text: str) -> set[str]:
    return set(text.split())


# ---- the start


@pytest.mark.parametrize("players", [4, 6])
def test_everybody_has_the_same_pieces_and_eight_first_moves(players: int):
    position = Position(players)
    for player in range(1, players + 1):
        assert len(position.pieces(player)) == 15
        assert position.turn == player
        texts = [str(move) for move in position.legal_moves]
        assert {re.sub("[1-6]([a-e])", r"\1", text) for text in texts} == ends(
            "Nb2-a4 Nb2-c4 De2-d4 Pa3-a4 Pb3-b4 Pc3-c4 Pd3-d4 Pe3-e4"
        )
        position = position.after(texts[-1])
    assert position.turn == 1


def test_players_three_and_four_sit_in_sectors_four_and_five():
    position = Position(4)
    assert [position.piece_at(cell) for cell in ("1c1", "2c1", "4c1", "5c1")] == [
        "1K",
        "2K",
        "3K",
        "4K",
    ]


# ---- pieces


def test_pawn_steps_over_any_edge_and_captures_over_any_corner():
    position = board(p1="P1c3", p2="P1d4 P1c2")
    assert moves(position, "P1c3") == ends("1b3 1d3 1c4 x1d4")


def test_pawn_on_the_vortex_steps_to_all_six_middle_files():
    assert moves(board(p1="PV"), "PV") == ends("1c6 2c6 3c6 4c6 5c6 6c6")


def test_pawn_on_the_vortex_attacks_the_cells_beyond_its_corners():
    assert board(p1="K1d6", p2="PV").flags == "c..."


def test_king_steps_over_edges_and_corners_and_has_twelve_neighbours_on_the_vortex():
    assert len(board(p1="KV").legal_moves) == 12


def test_lines_are_blocked_by_the_first_piece():
    position = board(p1="R1c1 P1c3", p3="K4a1 P1d1")
    assert moves(position, "R1c1") == ends("1b1 1c2")


def test_lines_pass_through_the_empty_vortex():
    assert "x4c6" in moves(board(p1="R1c6", p2="N4c6"), "R1c6")
    assert "x4c6" not in moves(board(p1="R1c6", p2="N4c6 PV"), "R1c6")


def test_knight_leaps_over_pieces():
    position = board(p1="N1b2 P1a3 P1b3 P1c3 P1b1 P1c2")
    assert moves(position, "N1b2") == ends("1a4 1c4 1d1 1d3")


def test_partners_and_kings_are_never_captured():
    position = board(p1="R1c1", p3="K4a1 N1c3", p2="K1e1")
    assert "x1c3" not in moves(position, "R1c1")
    assert "x1e1" not in moves(position, "R1c1")


# ---- promotion


def test_pawn_may_be_exchanged_on_the_vortex_for_what_is_in_its_box():
    position = board(p1="P1c6", box="box 1:Q,R,R,W,P")
    assert moves(position, "P1c6") == ends("1c5 1d6 2d6 V V=Q V=R V=W")
    assert len(position.legal_moves) == 10


def test_promotion_by_capture():
    position = board(p1="P1d6", p2="NV", box="box 1:Q")
    assert moves(position, "P1d6") == ends("1d5 1c6 1e6 6c6 xV xV=Q")
    after = position.after("P1d6xV=Q")
    assert after.piece_at("V") == "1Q"
    assert after.box(1) == "P"
    assert after.box(2) == "N"


def test_pawn_does_not_capture_on_the_vortex_over_an_edge():
    position = board(p1="P1c6", p2="NV", box="box 1:Q")
    assert len(position.legal_moves) == 6


def test_pawn_on_the_vortex_must_leave_and_come_back_to_be_promoted():
    position = board(p1="PV", box="box 1:Q")
    assert len(position.legal_moves) == 9
    assert not any(move.promotion for move in position.legal_moves)


def test_promotion_is_optional_and_impossible_with_pawns_alone_in_the_box():
    assert moves(board(p1="P1c6", box="box 1:P,P"), "P1c6") == ends("1c5 1d6 2d6 V")


def test_enemies_and_partners_boxes_do_not_help():
    position = board(p1="P1c6", box="box 2:Q; box 3:R")
    assert moves(position, "P1c6") == ends("1c5 1d6 2d6 V")


# ---- teleportation


def test_any_piece_next_to_a_wizard_goes_next_to_any_wizard_of_the_team():
    position = board(p1="P1b1 W1a2", p3="K4a1 W3c6", box="box 1:F")
    assert len(position.legal_moves) == 35
    onto = [str(move) for move in position.legal_moves if move.end == "V"]
    assert set(onto) == ends("K1a1-V P1b1-V P1b1-V=F W1a2-V")


def test_teleports_capture():
    position = board(p1="K1e1 W1b1 P1a1", p2="K2a1 N4b4", p3="K4e1 W4b3")
    assert len(position.legal_moves) == 27
    assert len(moves(position, "P1a1")) == 12
    assert "x4b4" in moves(position, "P1a1")


def test_king_teleports_out_of_check():
    position = board(p1="W1b2", p2="K2c1 R1e1", p3="K4c1 W4b3", p4="K5c1")
    assert position.flags == "c..."
    assert len(position.legal_moves) == 15
    king = moves(position, "K1a1")
    assert len(king) == 13
    assert len([end for end in king if end.startswith("4")]) == 8


def test_king_does_not_teleport_onto_an_attacked_cell():
    position = board(p1="W1b2", p3="K4c1 W4b3", p2="K2c1 R4a4")
    assert "x4a4" in moves(position, "K1a1")
    assert not moves(position, "K1a1") & ends("4b4 4c4 4a3 4a2")


def test_enemy_wizards_do_not_help():
    position = board(p1="N1c3", p2="K2a1 W1c4")
    assert moves(position, "N1c3") == ends("1a2 1a4 1b1 1d1 1d5 1e2 1e4 2e6")


def test_wizard_goes_next_to_a_partners_wizard_from_anywhere_but_not_next_to_itself_by_magic():
    position = board(p1="W1c3", p3="K4a1 W5c3")
    reached = moves(position, "W1c3")
    assert ends("5b2 5b3 5b4 5c2 5c4 5d2 5d3 5d4") <= reached
    assert len(reached) == 16


def test_partner_teleports_next_to_the_vacated_cell():
    position = Position().after("N1b2-1c4").after("P2a3-2a4")
    assert len(position.legal_moves) == 14
    assert sum(move.end == "1b2" for move in position.legal_moves) == 6


# ---- check


def test_pin_through_the_vortex():
    position = board(p1="K1c1 N1c4", p2="K2a1 R4c3")
    assert len(position.legal_moves) == 5
    assert moves(position, "N1c4") == set()


def test_pinned_piece_may_move_along_the_line():
    position = board(p1="K1c1 R1c4", p2="K2a1 R4c3")
    assert moves(position, "R1c4") == ends("1c2 1c3 1c5 1c6 V 4c6 4c5 4c4 x4c3")


def test_player_may_expose_a_partner():
    position = board(p1="R4c3", p2="K2a1 Q4c5", p3="K4c1")
    assert len(position.legal_moves) == 10
    assert position.after("R4c3-4a3").flags == "..c."


def test_king_does_not_hide_behind_himself():
    position = board(p1="K1c2", p2="K2a1 R1c5")
    assert "1c1" not in moves(position, "K1c2")


def test_check_is_answered_by_blocking_or_capturing():
    position = board(p1="K1c1 R1a3 N4a2", p2="K2a1 R4c3")
    texts = {str(move) for move in position.legal_moves}
    assert {"R1a3-1c3", "N4a2x4c3"} <= texts
    assert "R1a3-1b3" not in texts


def test_pieces_of_a_mated_player_still_give_check():
    position = board(p1="K1e1 R4c3", p2="K4e3 Q1d2 R1b2")
    assert position.flags[0] == "m"
    assert position.flags[1] == "c"


# ---- mate, stalemate, passing


def test_stalemated_player_is_skipped_and_the_game_goes_on():
    position = board(p1="K1e1", p2="K2a1 Q1c2")
    assert position.flags == "s..."
    assert len(position.legal_moves) == 0
    assert position.must_pass
    assert not position.is_over
    after = position.after("pass")
    assert after.turn == 2
    assert after.pieces(1) == position.pieces(1)


def test_mated_player_is_skipped_while_a_partner_is_not_mated():
    position = board(p1="K1e1", p2="K2a1 Q1d2 R1b2")
    assert position.flags == "m..."
    assert list(position.legal_moves) == []
    assert (position.is_over, position.winner) == (False, None)
    assert position.after("pass").turn == 2


def test_mated_player_is_released_and_must_move_again():
    position = board(p1="K1e1", p2="K2a1 Q1d2 R1b2").after("pass").after("R1b2-1b4")
    assert position.flags == "c..."
    position = position.after("K4a1-4a2").after("K5a1-5a2")
    assert [str(move) for move in position.legal_moves] == ["K1e1x1d2"]
    with pytest.raises(IllegalMove, match="must not pass"):
        position.after("pass")


def test_team_wins_when_all_opponents_are_mated_at_once():
    position = board(p1="K1e1", p2="K2a1 Q1d2 R1b2", p3="K4e1", p4="K5a1 Q4d2 R4b2")
    assert position.flags == "m.m."
    assert (position.is_over, position.winner) == (True, "even")
    assert not position.must_pass
    with pytest.raises(IllegalMove, match="the game is over: the even team has won"):
        position.after("pass")


def test_mate_and_stalemate_are_no_win():
    position = board(p1="K1e1", p2="K2a1 Q1d2 R1b2", p3="K4e1", p4="K5a1 Q4c2")
    assert position.flags == "m.s."
    assert (position.is_over, position.winner) == (False, None)


def test_stalemate_of_a_whole_team_is_no_end():
    position = board(p1="K1e1", p2="K2a1 Q1c2", p3="K4e1", p4="K5a1 Q4c2")
    assert position.flags == "s.s."
    assert (position.is_over, position.winner, position.must_pass) == (False, None, True)


def test_nobody_at_all_can_move_is_a_draw():
    # Player 1 is stalemated and the three others mated by pieces that may not move either.
    dead = "4; 1:K1e1; 2:K2e1 Q1c2; 3:K4e1 Q2d2 B2b4 R5e3 R5d3; 4:K5e1 Q4d2 R4b2; turn 1"
    position = Position.from_text(dead)
    assert position.flags == "smmm"
    assert (position.is_over, position.winner, position.must_pass) == (True, None, False)
    assert position.perft(1) == 0
    with pytest.raises(IllegalMove, match="the game is over: nobody can move"):
        position.after("pass")
    # With the mated team to move it would be lost.
    lost = Position.from_text(dead.replace("turn 1", "turn 2"))
    assert (lost.is_over, lost.winner) == (True, "odd")


def test_positions_have_no_past():
    there = Position().after("N1b2-1a4").after("N2b2-2a4").after("N4b2-4a4").after("N5b2-5a4")
    back = there.after("N1a4-1b2").after("N2a4-2b2").after("N4a4-4b2").after("N5a4-5b2")
    assert back == Position()
