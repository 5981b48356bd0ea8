"""Intervals over seeds: how often they hold what they promise, and where they cannot be."""

from __future__ import annotations

import numpy as np
import pytest

from crossboard.arena.bootstrap import (
    _student,
    difference_over_seeds,
    mean_over_seeds,
    ratio_of_sums,
    score_over_seeds,
    share_of_seeds,
)

TRIALS = 100


@pytest.mark.parametrize("runs", [5, 20])
def test_the_mean_lies_inside_nineteen_times_of_twenty(runs: int):
    generator = np.random.default_rng(1)
    inside = 0
    for _ in range(TRIALS):
        found = mean_over_seeds(generator.normal(3.0, 2.0, runs).tolist())
        inside += found.low <= 3.0 <= found.high
    # 95 % of 100 is 95 with a deviation of 2.2.
    assert inside >= 88


def test_the_difference_lies_inside_nineteen_times_of_twenty():
    generator = np.random.default_rng(2)
    inside = 0
    for _ in range(TRIALS):
        one, other = generator.normal(1.0, 1.0, 5), generator.normal(0.0, 1.0, 5)
        found = difference_over_seeds(one.tolist(), other.tolist())
        inside += found.low <= 1.0 <= found.high
    assert inside >= 88


def test_the_value_is_that_of_the_runs():
    assert mean_over_seeds([1.0, 2.0, 6.0]).value == 3.0
    assert difference_over_seeds([1.0, 3.0], [5.0, 6.0]).value == -3.5
    assert share_of_seeds(3, 4).value == 0.75


def test_the_same_runs_give_the_same_interval_and_more_of_them_a_shorter_one():
    few, many = [0.1, 0.4, 0.5, 0.9], [0.1, 0.4, 0.5, 0.9] * 5
    assert mean_over_seeds(few) == mean_over_seeds(few)
    wide, narrow = mean_over_seeds(few), mean_over_seeds(many)
    assert narrow.high - narrow.low < 0.5 * (wide.high - wide.low)


def test_runs_that_agree_leave_no_doubt():
    assert mean_over_seeds([0.1] * 7) == (pytest.approx(0.1),) * 3
    found = mean_over_seeds([0.1] * 7)
    assert found.low <= found.value <= found.high


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (19, 2.093)]
)
def test_few_runs_are_widened_as_the_tables_of_student_say(freedom: int, quantile: float):
    assert _student(freedom) == pytest.approx(quantile, rel=0.01)


def test_a_ratio_is_not_below_0():
    found = ratio_of_sums([0.0, 0.0, 0.0, 0.0, 9.0], [1.0, 1.0, 1.0, 1.0, 1.0])
    assert found.low == 0.0 < found.value == 1.8 < found.high


def test_points_a_game_stay_where_points_can_be():
    few = [0.0, 0.0, 0.1, 0.0, 0.8]
    assert mean_over_seeds(few).low < 0.0
    assert score_over_seeds(few) == mean_over_seeds(few).within(0.0, 1.0)
    assert score_over_seeds(few).low == 0.0
    assert score_over_seeds([1 - points for points in few]).high == 1.0


def test_a_share_of_all_or_none_is_not_certain():
    found = share_of_seeds(20, 20)
    assert found.high == 1.0
    # Wilson's bound: 20 / (20 + 1.96^2).
    assert found.low == pytest.approx(0.8389, abs=1e-4)
    assert share_of_seeds(0, 20).low == 0.0


def test_too_few_runs():
    with pytest.raises(ValueError, match="two runs or more, not 1"):
        mean_over_seeds([1.0])
    with pytest.raises(ValueError, match="two runs or more, not 2 and 1"):
        difference_over_seeds([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="3 of 2 runs is no share"):
        share_of_seeds(3, 2)


def test_the_ratio_of_sums_lies_in_its_interval():
    generator = np.random.default_rng(5)
    slow = generator.lognormal(size=20)
    exactly = ratio_of_sums(3 * slow, slow)
    assert exactly.value == pytest.approx(3)
    assert exactly.high - exactly.low < 1e-9
    found = ratio_of_sums(slow * generator.uniform(2, 4, size=20), slow)
    assert found.low < found.value < found.high
    assert 2 < found.low < 3 < found.high < 4


def test_a_ratio_needs_as_many_of_both():
    with pytest.raises(ValueError, match="needs as many of both, two or more: 3, 2"):
        ratio_of_sums([1, 2, 3], [1, 2])
