"""Draws, which need the past and so belong to the record of a game."""

from __future__ import annotations

import pytest

from crossboard.draughts import DrawRules, Outcome, Past, Position, Record, parse_pdn

THERE_AND_BACK = ("1-5", "32-28", "5-1", "28-32")
NONE = DrawRules(repetitions=0, quiet_plies=0, max_plies=0)


def shuffled(plies: int, fen: str = "B:WK32:BK1") -> Record:
    """Play kings to and fro: the position comes back every four plies."""
    record = Record(Position.from_fen(fen))
    for ply in range(plies):
        record.play(THERE_AND_BACK[ply % 4])
    return record


def test_third_standing_of_a_position_is_a_draw():
    assert shuffled(7).outcome() is None
    assert shuffled(8).outcome() == Outcome(winner=None, reason="repetition", plies=8)


def test_outcome_tells_the_first_moment_the_game_was_over():
    assert shuffled(30).outcome() == Outcome(None, "repetition", 8)


def test_number_of_repetitions_can_be_chosen():
    assert shuffled(30).outcome(DrawRules(repetitions=2)) == Outcome(None, "repetition", 4)
    assert shuffled(30).outcome(DrawRules(repetitions=5)) == Outcome(None, "repetition", 16)


def test_eighty_quiet_plies_are_a_draw():
    rules = DrawRules(repetitions=0)
    assert shuffled(79).outcome(rules) is None
    assert shuffled(80).outcome(rules) == Outcome(None, "quiet", 80)


def test_number_of_quiet_plies_can_be_chosen():
    rules = DrawRules(repetitions=0, quiet_plies=10)
    assert shuffled(9).outcome(rules) is None
    assert shuffled(30).outcome(rules) == Outcome(None, "quiet", 10)


def test_move_by_a_man_breaks_the_quiet():
    record = Record(Position.from_fen("B:WK32:BK1,12"))
    for move in (*THERE_AND_BACK[:3], "28-32", "12-16", "32-28", "1-5"):
        record.play(move)
    rules = DrawRules(repetitions=0, quiet_plies=5)
    assert record.outcome(rules) is None
    assert record.outcome(DrawRules(repetitions=0, quiet_plies=4)) == Outcome(None, "quiet", 4)


def test_capture_by_a_king_breaks_the_quiet():
    record = Record(Position.from_fen("B:WK32,6:BK1,K12"))
    for move in ("1x10", "32-28", "10-6", "28-32"):
        record.play(move)
    assert record.outcome(DrawRules(quiet_plies=4)) is None
    assert record.outcome(DrawRules(quiet_plies=3)) == Outcome(None, "quiet", 4)


def test_longest_game_can_be_limited():
    rules = DrawRules(repetitions=0, max_plies=12)
    assert shuffled(11).outcome(rules) is None
    assert shuffled(30).outcome(rules) == Outcome(None, "length", 12)
    assert shuffled(30).outcome(DrawRules(repetitions=0)) is None  # no limit unless asked for


def test_every_rule_can_be_switched_off():
    assert shuffled(200).outcome(NONE) is None
    assert shuffled(200).outcome(DrawRules(quiet_plies=0, max_plies=0)) is not None
    assert shuffled(200).outcome(DrawRules(repetitions=0, max_plies=0)) is not None
    rules = DrawRules(repetitions=0, quiet_plies=0, max_plies=1)
    assert shuffled(200).outcome(rules) is not None


def test_default_rules():
    rules = DrawRules()
    assert (rules.repetitions, rules.quiet_plies, rules.max_plies) == (3, 80, 0)
    assert repr(rules) == "DrawRules(repetitions=3, quiet_plies=80, max_plies=0)"


@pytest.mark.parametrize("name", ["repetitions", "quiet_plies", "max_plies"])
def test_negative_rule_is_refused(name: str):
    with pytest.raises(ValueError, match="0 switches it off"):
        DrawRules(**{name: -1})


def test_drawn_game_keeps_its_moves():
    record = shuffled(100)
    assert record.outcome() is not None
    position = record.position
    assert not position.is_over
    assert position.winner is None
    assert sorted(map(str, position.legal_moves)) == ["1-5", "1-6"]
    assert record.play("1-6").position.turn == "W"


def test_game_without_moves_left_has_a_winner():
    record = Record(Position.from_fen("B:W6:B1"))
    assert record.outcome() is None
    record.play("1x10")
    assert record.outcome() == Outcome(winner="B", reason="no move", plies=1)


def test_win_on_the_last_allowed_ply_is_a_win():
    record = Record(Position.from_fen("B:W6:B1"))
    record.play("1x10")
    assert record.outcome(DrawRules(max_plies=1)) == Outcome("B", "no move", 1)


def test_resignation_is_no_matter_of_the_rules():
    record = Record()
    record.play("11-15")
    record.result = "1-0"
    assert record.winner == "B"
    assert record.outcome() is None


def test_set_up_in_the_middle_begins_a_new_past():
    text = '[FEN "B:WK32:BK1"]\n1. 1-5 32-28 2. 5-1 28-32 3. 1-5 32-28 4. 5-1 28-32 *'
    assert next(parse_pdn(text)).outcome() == Outcome(None, "repetition", 8)
    interrupted = text.replace(" 4.", ' /FEN "B:WK28:BK5"/ 4.')
    assert next(parse_pdn(interrupted)).outcome() is None


def test_past_counts():
    start = Position.from_fen("B:WK32:BK1,12")
    past = Past(start)
    assert (past.plies, past.quiet_plies, past.repetitions) == (0, 0, 1)
    position = start
    for move in (*THERE_AND_BACK, "12-16"):
        legal = position.parse_move(move)
        past.add(position, legal)
        position = position.after(legal)
        if move == "28-32":
            assert (past.plies, past.quiet_plies, past.repetitions) == (4, 4, 2)
            assert past.draw(DrawRules(repetitions=2)) == "repetition"
            assert past.draw(DrawRules(repetitions=0, quiet_plies=4)) == "quiet"
            assert past.draw(DrawRules(repetitions=0, max_plies=4)) == "length"
            assert past.draw(DrawRules()) is None
    assert (past.plies, past.quiet_plies, past.repetitions) == (5, 0, 1)


def test_past_refuses_an_illegal_move():
    start = Position()
    past = Past(start)
    with pytest.raises(ValueError, match="there is no piece on 15"):
        past.add(start, Position().after("11-15").after("22-18").parse_move("15x22"))
    assert past.plies == 0


def test_past_refuses_a_move_from_another_position():
    start = Position()
    past = Past(start)
    past.add(start, start.parse_move("11-15"))
    with pytest.raises(ValueError, match="9-13 was not played in the last position"):
        past.add(start, start.parse_move("9-13"))
    assert past.plies == 1
