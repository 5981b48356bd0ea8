"""The three-move openings."""

from __future__ import annotations

import pytest

from crossboard.draughts import Ballot, Position, ballots

KINDS = ("crossboard", "mail", "barred")


@pytest.mark.parametrize(("kind", "count"), [("crossboard", 144), ("mail", 12), ("barred", 18)])
def test_number_of_openings_of_a_kind(kind: str, count: int):
    assert len(ballots(kind)) == count
    assert {ballot.kind for ballot in ballots(kind)} == {kind}


def test_openings_in_use_over_the_board_by_default():
    assert ballots() == ballots("crossboard")


def test_kinds_can_be_put_together():
    every = ballots(*KINDS)
    assert [ballot.number for ballot in every] == list(range(1, 175))
    assert len({ballot.moves for ballot in every}) == 174
    assert ballots("mail", "barred") == ballots("barred", "mail")
    assert ballots("mail", "mail") == ballots("mail")


@pytest.mark.parametrize("ballot", ballots(*KINDS), ids=lambda ballot: str(ballot.number))
def test_opening_can_be_played(ballot: Ballot):
    position = Position()
    for move in ballot.moves:
        assert str(position.parse_move(move)) == move  # written in full
        position = position.after(move)
    assert ballot.position == position
    assert position.turn == "W"
    assert not position.is_over


def test_known_openings():
    by_moves = {ballot.moves: ballot for ballot in ballots(*KINDS)}
    assert by_moves["9-13", "21-17", "10-14"].kind == "barred"
    assert by_moves["11-15", "23-18", "8-11"].kind == "crossboard"


def test_some_openings_have_a_name():
    names = {ballot.number: ballot.name for ballot in ballots(*KINDS)}
    assert names[5] == "Dreaded Edinburgh"
    assert names[1] == ""
    assert all(name == name.strip() for name in names.values())


@pytest.mark.parametrize("kind", ["", "all", "Crossboard", "crossboard "])
def test_unknown_kind_is_refused(kind: str):
    with pytest.raises(ValueError, match="crossboard, mail, barred") as refusal:
        ballots("mail", kind)
    assert repr(kind) in str(refusal.value)


def test_caller_may_change_the_list():
    ballots().clear()
    assert len(ballots()) == 144
