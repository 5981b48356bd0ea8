"""Every feature against its slow version, on both colours, within its bounds."""

from __future__ import annotations

import pytest
from random_boards import boards
from slow_features import SLOW, read

from crossboard.draughts import Position
from crossboard.evaluators import feature, features

NAMES = [f.name for f in features()]


def test_every_feature_has_a_slow_version():
    assert set(NAMES) == set(SLOW)
    assert len(NAMES) == len(set(NAMES))


def test_families_are_complete():
    sizes = {"draft5": 12, "samuel": 26, "printed": 1, "lynch": 12, "ufu": 28}
    assert {name.split(".")[0] for name in NAMES} == set(sizes)
    for family, size in sizes.items():
        assert sum(f.family == family for f in features()) == size
    assert sum(f.bits for f in features() if f.family == "lynch") == 38
    assert sum(f.bits for f in features() if f.family == "ufu") == 83


def test_features_agree_with_their_slow_versions():
    for position in boards(1, 2500):
        board = read(position.fen)
        fast = {f.name: f(position) for f in features()}
        slow = {name: int(function(board)) for name, function in SLOW.items()}
        assert fast == slow, position.fen


def test_features_know_no_colour():
    for position in boards(2, 4000):
        mirrored = position.mirrored
        for f in features():
            assert f(position) == f(mirrored), (f.name, position.fen)


def test_values_stay_within_their_bounds():
    for position in boards(3, 4000):
        for f in features():
            assert f.least <= f(position) <= f.most, (f.name, position.fen)


def test_features_are_found_by_name():
    for f in features():
        assert feature(f.name).name == f.name
        assert f.name.startswith(f.family + ".")
    assert repr(feature("samuel.adv")) == "<Feature samuel.adv>"
    with pytest.raises(ValueError, match="there is no feature 'adv'; the families are draft5"):
        feature("adv")


def test_second_names_of_a_feature_are_known():
    gap = feature("ufu.Gap")
    assert [f.name for f in features() if f.is_same_as(gap)] == ["samuel.gap", "ufu.Gap"]
    for position in boards(4, 500):
        for one in features():
            for other in features():
                if one.is_same_as(other):  # but for the bits that they are cut to
                    most = min(one.most, other.most)
                    assert min(one(position), most) == min(other(position), most), one.name


def test_bits_hold_what_they_have_to():
    for f in features():
        assert 2**f.bits > f.most - f.least, f.name


def test_features_look_from_the_side_that_has_just_moved():
    assert feature("draft5.piece")(Position.from_fen("W:W30:B1,2")) == 1
    assert feature("draft5.piece")(Position.from_fen("B:W30:B1,2")) == -1
