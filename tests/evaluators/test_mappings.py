"""What a network sees of a board."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from random_boards import boards
from slow_features import QUIRKS, SLOW, read

from crossboard.draughts import Position
from crossboard.evaluators import (
    Mapping,
    binary_mapping,
    count_mapping,
    direct_mapping,
    feature,
    feature_mapping,
    features,
    joined_mapping,
    material_mapping,
    mirror_image,
    pattern_mapping,
    piece_mapping,
)

LYNCH = [f for f in features() if f.family == "lynch"]


def bits_of(code: int, width: int) -> list[float]:
    """Least significant first, on 1 and off -1."""
    return [1.0 if code >> place & 1 else -1.0 for place in range(width)]


def test_sizes():
    assert binary_mapping().size == 96
    assert direct_mapping().size == 32
    assert feature_mapping("lynch").size == feature_mapping().size == 38
    assert feature_mapping("ufu").size == 83


def test_binary_map_has_three_inputs_a_square_most_significant_first():
    inputs = binary_mapping().inputs(Position.from_fen("W:W30,K31:B1,K2")).reshape(32, 3)
    assert inputs[0].tolist() == [-1, -1, 1]  # own man
    assert inputs[1].tolist() == [-1, 1, 1]  # own king
    assert inputs[29].tolist() == [-1, 1, -1]  # other's man
    assert inputs[30].tolist() == [1, -1, -1]  # other's king
    assert (np.delete(inputs, [0, 1, 29, 30], axis=0) == -1).all()


def test_direct_map_has_one_input_a_square():
    inputs = direct_mapping().inputs(Position.from_fen("W:W30,K31:B1,K2"))
    assert inputs[[0, 1, 29, 30]].tolist() == [0.25, 0.75, 0.5, 1.0]
    assert np.count_nonzero(inputs) == 4


def test_direct_map_of_1997_divides_in_whole_numbers():
    mapping = direct_mapping(quirks="lynch")
    inputs = mapping.inputs(Position.from_fen("W:W30,K31:B1,K2"))
    assert inputs[30] == 1.0  # other's king alone is as much as the divisor
    assert np.count_nonzero(inputs) == 1
    assert mapping != direct_mapping()
    assert pickle.loads(pickle.dumps(mapping)) == mapping
    with pytest.raises(ValueError, match="quirks is None or 'lynch', not 'ufu'"):
        direct_mapping(quirks="ufu")


def test_board_is_turned_so_that_the_last_mover_is_black():
    inputs = direct_mapping().inputs(Position.from_fen("B:W30,K31:B1,K2"))
    assert inputs[[2, 1, 31, 30]].tolist() == [0.25, 0.75, 0.5, 1.0]
    for position in boards(1, 500):
        for mapping in (binary_mapping(), direct_mapping(), feature_mapping("ufu")):
            assert (mapping.inputs(position) == mapping.inputs(position.mirrored)).all()


def test_features_come_in_order_least_significant_bit_first():
    mapping = feature_mapping("ufu")
    for position in boards(2, 1000):
        board = read(position.fen)
        expected: list[float] = []
        for name, width in mapping.features:
            expected += bits_of(int(SLOW[name](board)), width)
        assert mapping.inputs(position).tolist() == expected, position.fen


def test_quirks_are_those_of_1997():
    mapping = feature_mapping("lynch", quirks="lynch")
    assert mapping.quirks
    for position in boards(3, 2000):
        board = read(position.fen)
        expected: list[float] = []
        for f in LYNCH:
            code = int(QUIRKS[f.name.removeprefix("lynch.")](board, f.bits))
            expected += bits_of(code, f.bits)
        assert mapping.inputs(position).tolist() == expected, position.fen


def test_values_below_zero_are_moved_up_and_large_ones_cut_off():
    position = Position.from_fen("W:W32:B9,10")  # ADV is -2, that is 6 of 16
    exact = feature_mapping(["samuel.adv"])
    assert exact.inputs(position).tolist() == bits_of(6, 5)
    narrow = feature_mapping([("samuel.adv", 2)])
    assert narrow.inputs(position).tolist() == bits_of(3, 2)


def test_lists_may_mix_families_and_set_bits():
    mapping = feature_mapping(["samuel.adv", ("lynch.PieceThreat", 2), "draft5.king"])
    assert mapping.features == [
        ("samuel.adv", feature("samuel.adv").bits),
        ("lynch.PieceThreat", 2),
        ("draft5.king", feature("draft5.king").bits),
    ]


def test_level_of_off_can_be_set():
    on_and_off = feature_mapping("lynch").inputs(Position())
    ones_and_zeros = feature_mapping("lynch", off=0).inputs(Position())
    assert (ones_and_zeros == (on_and_off + 1) / 2).all()
    assert set(binary_mapping(off=0).inputs(Position())) == {0.0, 1.0}


def test_batch_has_a_row_for_each_board():
    positions = list(boards(4, 20))
    mapping = feature_mapping("lynch")
    batch = mapping.batch(positions)
    assert batch.shape == (20, 38)
    assert all((row == mapping.inputs(p)).all() for row, p in zip(batch, positions, strict=True))
    assert mapping.batch([]).shape == (0, 38)


def test_mappings_are_values():
    made = [
        binary_mapping(),
        binary_mapping(off=0),
        direct_mapping(),
        feature_mapping("lynch"),
        feature_mapping("ufu"),
        feature_mapping("lynch", quirks="lynch"),
        feature_mapping([("lynch.PieceThreat", 2)]),
    ]
    assert len(set(made)) == len(made)
    for mapping in made:
        copy = pickle.loads(pickle.dumps(mapping))
        assert copy == mapping
        assert hash(copy) == hash(mapping)
        assert (copy.inputs(Position()) == mapping.inputs(Position())).all()
    assert repr(binary_mapping()) == "<Mapping: 96 inputs, binary>"


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="there is no family 'lunch' of features: the families"):
        feature_mapping("lunch")
    with pytest.raises(ValueError, match=r"there is no feature 'lynch.Mobility'; lynch has Piece"):
        feature_mapping(["lynch.Mobility"])
    with pytest.raises(ValueError, match=r"samuel.adv can have 1 to 10 bits, not 0"):
        feature_mapping([("samuel.adv", 0)])
    with pytest.raises(ValueError, match=r"samuel.adv can have 1 to 10 bits, not 11"):
        feature_mapping([("samuel.adv", 11)])
    with pytest.raises(ValueError, match=r"samuel.adv is named twice"):
        feature_mapping(["samuel.adv", "samuel.adv"])
    with pytest.raises(ValueError, match="at least one feature"):
        feature_mapping([])
    with pytest.raises(ValueError, match="quirks is None or 'lynch', not 'samuel'"):
        feature_mapping(quirks="samuel")
    for off in (float("nan"), 1.0, -1.1, 1e300):
        with pytest.raises(ValueError, match="off is -1 or more, below 1"):
            Mapping.binary(off=off)
    large = pattern_mapping([range(1, 11)] * 64)
    with pytest.raises(ValueError, match="a mapping has at most 1000000000 inputs"):
        joined_mapping(*[large] * (10**9 // large.size + 1))


def test_material_has_one_input_for_each_balance():
    mapping = material_mapping()
    assert mapping.size == (13 * 4) ** 2
    shown: dict[int, tuple[int, ...]] = {}
    for position in boards(6, 300):
        inputs = mapping.inputs(position)
        assert sorted(inputs)[-2:] == [0, 1]
        pieces = [str(position.piece_at(square)) for square in range(1, 33)]
        own, other = ("bB", "wW") if position.turn == "W" else ("wW", "bB")
        men_and_kings = [pieces.count(piece) for piece in own + other]
        balance = tuple(
            min(count, 12 if k % 2 == 0 else 3) for k, count in enumerate(men_and_kings)
        )
        assert shown.setdefault(int(inputs.argmax()), balance) == balance
    assert len(set(shown.values())) == len(shown) > 50


TURNED = [
    count_mapping(),
    piece_mapping(),
    pattern_mapping(),
    material_mapping(),
    pattern_mapping([[1, 2, 6], [31, 27, 32]], states=5),
    joined_mapping(piece_mapping(), count_mapping(), pattern_mapping([[5], [28]])),
]


@pytest.mark.parametrize("mapping", TURNED, ids=repr)
def test_mirror_image_shows_the_same_with_the_sides_changed(mapping: Mapping):
    image, sign = mirror_image(mapping)
    assert (image[image] == np.arange(mapping.size)).all()
    for position in boards(5, 100):
        turn = "W" if position.turn == "B" else "B"
        other = Position.from_fen(turn + position.fen[1:])
        assert (mapping.inputs(other) == sign * mapping.inputs(position)[image]).all()


def test_what_has_no_mirror_image_is_refused():
    with pytest.raises(ValueError, match="a mapping of features has no mirror image"):
        mirror_image(joined_mapping(count_mapping(), feature_mapping("ufu")))
    with pytest.raises(ValueError, match=r"no mirror image of the pattern \[1, 2\]"):
        mirror_image(pattern_mapping([[1, 2], [5, 6]]))


@pytest.mark.parametrize(("bits", "code"), [(3, 7), (4, 15), (5, 22), (7, 22)])
def test_more_bits_than_usual_tell_more(bits: int, code: int):
    ahead = Position.from_fen("W:W32:B1-12")  # by eleven men, of which each counts two
    inputs = feature_mapping([("lynch.PieceAdvantage", bits)], off=0).inputs(ahead)
    assert sum(int(on) << place for place, on in enumerate(inputs)) == code
