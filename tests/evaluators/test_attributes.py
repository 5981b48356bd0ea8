"""Board attributes: against a slow version, seen by the side to move, of features that exist."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from random_boards import boards
from slow_features import SLOW, material, read

from crossboard.draughts import Position
from crossboard.evaluators import UFU_ATTRIBUTES, BoardAttributes, feature


def seen_by_the_mover(fen: str) -> str:
    """The board as if the side to move had just moved."""
    turn, rest = fen[0], fen[1:]
    return {"B": "W", "W": "B"}[turn] + rest


def slow_presence(name: str, value: int) -> float:
    return float(value == 0 if name == "samuel.apex" else value > 0)


def slow_count(name: str, value: int) -> float:
    bounds = feature(name)
    return value / max(-bounds.least, bounds.most)


def slow_vector(position: Position, names: tuple[str, ...], coding: str) -> list[float]:
    board = read(seen_by_the_mover(position.fen))
    code = {"presence": slow_presence, "counts": slow_count}[coding]
    vector = [code(name, int(SLOW[name](board))) for name in names]
    return [*vector, (material(board, "P") - material(board, "A")) / 24]


@pytest.mark.parametrize("coding", ["presence", "counts"])
def test_attributes_agree_with_their_slow_version(coding):
    names = (*UFU_ATTRIBUTES, "samuel.apex")
    attributes = BoardAttributes(names, coding=coding, with_material=True)
    positions = list(boards(4, 600))
    expected = [slow_vector(position, names, coding) for position in positions]
    assert np.array_equal(attributes.of(positions), np.array(expected))


@pytest.mark.parametrize("coding", ["presence", "counts"])
def test_attributes_know_no_colour(coding):
    attributes = BoardAttributes(UFU_ATTRIBUTES, coding=coding, with_material=True)
    positions = list(boards(5, 600))
    turned = [position.mirrored for position in positions]
    assert np.array_equal(attributes.of(positions), attributes.of(turned))


def test_attributes_look_from_the_side_to_move():
    attributes = BoardAttributes(["ufu.PieceAdvantage", "ufu.PieceDisadvantage"])
    ahead, behind = Position.from_fen("B:W30:B1,2"), Position.from_fen("W:W30:B1,2")
    assert attributes.of([ahead, behind]).tolist() == [[1, 0], [0, 1]]


def test_counts_and_material_stay_between_minus_one_and_one_where_sides_are_whole():
    attributes = BoardAttributes(UFU_ATTRIBUTES, coding="counts", with_material=True)
    rows = attributes.of([*boards(6, 500), Position.from_fen("B:W:B1,2,3,4,5,6,7,8,9,10,11,12")])
    assert np.abs(rows[:, :-1]).max() <= 1
    assert rows[-1, -1] == 1


def test_the_usual_attributes_are_those_of_mp_draughts():
    assert len(UFU_ATTRIBUTES) == len(set(UFU_ATTRIBUTES)) == 28
    assert UFU_ATTRIBUTES[4] == "samuel.adv"
    assert UFU_ATTRIBUTES[0] == "ufu.PieceAdvantage"
    assert UFU_ATTRIBUTES[27] == "ufu.Taken"


def test_attributes_are_values():
    attributes = BoardAttributes(["samuel.adv", "ufu.Gap"], coding="counts", with_material=True)
    assert attributes.size == 3
    assert attributes.features == ["samuel.adv", "ufu.Gap"]
    assert attributes.coding == "counts"
    assert attributes.with_material
    again = pickle.loads(pickle.dumps(attributes))
    assert again == attributes
    assert hash(again) == hash(attributes)
    position = [Position()]
    assert np.array_equal(again.of(position), attributes.of(position))
    others = [
        BoardAttributes(["ufu.Gap", "samuel.adv"], coding="counts", with_material=True),
        BoardAttributes(["samuel.adv", "ufu.Gap"], with_material=True),
        BoardAttributes(["samuel.adv", "ufu.Gap"], coding="counts"),
    ]
    assert all(other != attributes for other in others)
    assert attributes.of([]).shape == (0, 3)


@pytest.mark.parametrize(
    ("features", "coding", "message"),
    [
        ([], "presence", "board attributes need at least one feature"),
        (["ufu.Gap", "ufu.Nothing"], "presence", "there is no feature 'ufu.Nothing'; ufu has"),
        (["ufu.Gap", "ufu.Hole", "ufu.Gap"], "presence", "the feature ufu.Gap is named twice"),
        (["ufu.Gap"], "numbers", "the coding of board attributes is 'presence' or 'counts', not"),
    ],
)
def test_what_is_no_list_of_attributes_is_refused(features, coding, message):
    with pytest.raises(ValueError, match=message):
        BoardAttributes(features, coding=coding)
