"""Weighted sums of features, alone and in the search."""

from __future__ import annotations

import math
import pickle

import pytest
from random_boards import boards

from crossboard._core import draughts as core
from crossboard.draughts import DrawRules, Position
from crossboard.evaluators import Linear, Material, feature, features
from crossboard.players import Player, SearchSettings

DRAFT5 = tuple(f.name for f in features() if f.family == "draft5")
WEIGHTS = (1000, 1500, 40, 40, 60, 40, 60, 40, 200, 2, 60, 100)
PLAIN = SearchSettings(table_mb=0, draws=DrawRules(repetitions=0, quiet_plies=0))


def test_value_is_the_weighted_sum_for_the_side_to_move():
    linear = Linear(DRAFT5, WEIGHTS, man=1000)
    for position in boards(1, 2000):
        total = sum(
            weight * feature(name)(position) for name, weight in zip(DRAFT5, WEIGHTS, strict=True)
        )
        assert linear.evaluate(position) == -total / 1000 == linear(position), position.fen


def test_man_sets_the_unit():
    # White, to move, is a man behind.
    position = Position.from_fen("W:W30:B1,2")
    assert Linear(["draft5.piece"], [100], man=100).evaluate(position) == -1.0
    assert Linear(["draft5.piece"], [100], man=400).evaluate(position) == -0.25
    assert core.Linear(["draft5.piece"], [100], man=100).units == 1000
    assert core.Linear(["draft5.piece"], [100], man=100).evaluate(position) == -1000


def test_values_are_rounded_to_thousandths_and_held_within_bounds():
    position = Position.from_fen("W:W30:B1,2")
    assert Linear(["draft5.piece"], [1], man=3).evaluate(position) == -0.333
    assert Linear(["draft5.piece"], [1e300], man=1).evaluate(position) == -100_000
    assert Linear(["draft5.piece"], [-1e300], man=1).evaluate(position) == 100_000


def test_material_counts_a_king_as_one_and_a_half_men():
    assert Material().evaluate(Position.from_fen("B:W30:B1,K2")) == 1.5
    assert Material().arrays() == {}


def test_search_with_a_linear_evaluation_finds_what_the_same_function_finds():
    linear = Linear(DRAFT5, WEIGHTS, man=1000)
    core_player = Player("core", linear, search=PLAIN)
    python_player = Player("python", lambda position: linear.evaluate(position), search=PLAIN)
    position = Position()
    for _ in range(10):
        there = core_player.search(position, depth=4)
        back = python_player.search(position, depth=4)
        assert (there.move, there.value) == (back.move, back.value), position.fen
        position = position.after(there.move)


def test_engine_takes_descriptions_and_objects_of_the_core_alike():
    linear = Linear(DRAFT5, WEIGHTS, man=1000)
    value = core.Engine(linear.core).search(Position(), depth=5).best[0].value
    assert core.Engine(linear).search(Position(), depth=5).best[0].value == value
    material = core.Engine(None).search(Position(), depth=5).best[0].value
    assert core.Engine(Material()).search(Position(), depth=5).best[0].value == material
    assert core.Engine(core.Material()).units == 100


def test_several_threads_may_share_it():
    linear = Linear(DRAFT5, WEIGHTS, man=1000)
    settings = {"table_mb": 0, "draws": DrawRules(repetitions=0, quiet_plies=0)}
    one = Player("one", linear, search=SearchSettings(**settings)).search(Position(), depth=7)
    two = Player("two", linear, search=SearchSettings(threads=2, grain=2, **settings))
    assert two.search(Position(), depth=7).value == one.value


def test_descriptions_are_values():
    linear = Linear(["draft5.piece", "draft5.king"], [2, 3], man=2)
    assert linear == Linear(("draft5.piece", "draft5.king"), (2.0, 3.0), man=2.0)
    assert linear != Linear(["draft5.piece", "draft5.king"], [2, 3], man=1)
    assert len({linear, pickle.loads(pickle.dumps(linear))}) == 1
    assert Material() == pickle.loads(pickle.dumps(Material()))
    assert linear.arrays()["weights"].tolist() == [2.0, 3.0]


@pytest.mark.parametrize(
    ("names", "weights", "man", "complaint"),
    [
        (["draft5.mobb"], [1], 1, "there is no feature 'draft5.mobb'; draft5 has piece, king, mob"),
        (["mob"], [1], 1, "there is no feature 'mob'; the families are draft5, samuel"),
        (["draft5.mob"], [], 1, "1 features need as many weights, not 0"),
        (["draft5.mob"], [math.nan], 1, "the weight of draft5.mob is at most .* men, not nan"),
        (["draft5.mob"], [math.inf], 1, "the weight of draft5.mob is at most .* men, not inf"),
        # Two such terms could be endless, and together no number at all.
        (["draft5.piece", "draft5.king"], [1.7e305, -1.7e305], 1, "at most .* men, not 1.7e.305"),
        (["draft5.mob", "draft5.mob"], [1, 2], 1, "draft5.mob is named twice"),
        (["draft5.mob"], [1], 0, "the weight of a man must be a number above 0, not 0"),
        (["draft5.mob"], [1], -1, "the weight of a man must be a number above 0, not -1"),
        (["draft5.mob"], [1], math.nan, "the weight of a man must be a number above 0, not nan"),
        (["draft5.mob"], [1], math.inf, "the weight of a man must be a number above 0, not inf"),
        (["draft5.mob"], [1], 5e-324, "the weight of a man must be a number above 0"),
    ],
)
def test_nonsense_is_refused(names: list[str], weights: list[float], man: float, complaint: str):
    with pytest.raises(ValueError, match=complaint):
        Linear(names, weights, man=man)
