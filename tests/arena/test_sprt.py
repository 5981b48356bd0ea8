"""The sequential test: closed forms, and errors no more often than it promises."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from crossboard.arena import Decision, Sprt, expected_score
from crossboard.arena.likelihood import PAIR_SCORES

# How pairs end between equals: few draws, and many.
LIVELY = (0.18, 0.14, 0.36, 0.14, 0.18)
DRAWISH = (0.01, 0.09, 0.8, 0.09, 0.01)


def with_lead(chances: tuple[float, ...], elo: float) -> np.ndarray:
    """Tilt the chances of pairs so that their mean is what a lead is worth."""
    low, high = -20.0, 20.0
    scores = np.array(PAIR_SCORES)
    for _ in range(100):
        tilt = (low + high) / 2
        tilted = np.array(chances) * np.exp(tilt * scores)
        tilted /= tilted.sum()
        low, high = (tilt, high) if tilted @ scores < expected_score(elo) else (low, tilt)
    return tilted


def decide(test: Sprt, chances: np.ndarray, rng: np.random.Generator) -> Sprt:
    while test.decision is Decision.GO_ON:
        for points in rng.choice(5, p=chances, size=50) / 2:
            test = test.after(float(points))
    return test


def error_rate(test: Sprt, chances: np.ndarray, right: Decision, tests: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    return sum(decide(test, chances, rng).decision is not right for _ in range(tests)) / tests


def test_bounds_are_walds():
    test = Sprt(0, 10)
    assert test.upper == pytest.approx(math.log(19))
    assert test.lower == pytest.approx(-math.log(19))
    uneven = Sprt(0, 10, alpha=0.01, beta=0.1)
    assert uneven.upper == pytest.approx(math.log(0.9 / 0.01))
    assert uneven.lower == pytest.approx(math.log(0.1 / 0.99))


def test_ratio_of_won_and_lost_pairs_is_the_binomial_one():
    test = Sprt(-5, 30, pentanomial=(12, 0, 0, 0, 17))
    p0, p1 = expected_score(-5), expected_score(30)
    expected = 17.25 * math.log(p1 / p0) + 12.25 * math.log((1 - p1) / (1 - p0))
    assert test.llr == pytest.approx(expected)


def test_ratio_of_many_pairs_is_that_of_the_normal_distribution():
    counts = (100, 300, 700, 330, 120)
    chances = np.array(counts) / sum(counts)
    mean = chances @ PAIR_SCORES
    variance = chances @ (np.array(PAIR_SCORES) - mean) ** 2
    s0, s1 = expected_score(0), expected_score(5)
    expected = sum(counts) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(0, 5, pentanomial=counts).llr == pytest.approx(expected, rel=0.02)


def test_swapped_players_have_the_opposite_ratio():
    ours = Sprt(-3, 8, pentanomial=(4, 9, 30, 14, 6))
    theirs = Sprt(-8, 3, pentanomial=(6, 14, 30, 9, 4))
    assert ours.llr == pytest.approx(-theirs.llr)


def test_a_test_is_a_value():
    test = Sprt(0, 10)
    assert test.after(2).after(0.5).pentanomial == (0, 1, 0, 0, 1)
    assert test.pentanomial == (0, 0, 0, 0, 0)
    assert test.llr == pytest.approx(test.after(2).after(0).llr, abs=0.01)


def test_wins_decide_for_elo1_and_losses_for_elo0():
    for points, decision in ((2.0, Decision.ELO1), (0.0, Decision.ELO0)):
        test = Sprt(0, 50)
        while test.decision is Decision.GO_ON:
            test = test.after(points)
        assert test.decision is decision
        assert not test.lower < test.llr < test.upper


def test_a_decision_stands():
    decided = Sprt(0, 50, pentanomial=(0, 0, 0, 0, 100))
    assert decided.decision is Decision.ELO1
    assert decided.after(0) == decided


def test_pairs_that_are_always_even_decide_against_a_lead():
    test = Sprt(0, 10, pentanomial=(0, 0, 400, 0, 0))
    assert test.decision is Decision.ELO0


def test_json_has_the_test_and_where_it_stands():
    told = json.loads(json.dumps(Sprt(0, 10, pentanomial=(0, 0, 400, 0, 0)).as_json()))
    assert (told["elo0"], told["elo1"], told["alpha"]) == (0, 10, 0.05)
    assert told["pentanomial"] == [0, 0, 400, 0, 0]
    assert told["llr"] <= told["lower"] < told["upper"]
    assert told["decision"] == "elo0"


def test_text():
    assert Sprt.from_text("0,10") == Sprt(0, 10)
    assert Sprt.from_text(" -2.5, 2.5") == Sprt(-2.5, 2.5)


@pytest.mark.parametrize(
    "text", ["", "1", "1,2,3", "a,b", "5,5", "10,0", "0,inf", "nan,1", "0,5000"]
)
def test_wrong_text(text: str):
    with pytest.raises(ValueError, match=r"SPRT|elo0"):
        Sprt.from_text(text)


@pytest.mark.parametrize("wrong", [{"alpha": 0}, {"beta": 0.5}, {"alpha": math.nan}])
def test_wrong_chances(wrong: dict[str, float]):
    with pytest.raises(ValueError, match="must be between 0 and"):
        Sprt(0, 1, **wrong)


@pytest.mark.parametrize("points", [3, -1, 0.25, math.nan])
def test_wrong_points(points: float):
    with pytest.raises(ValueError, match="a pair of games brings"):
        Sprt(0, 1).after(points)


@pytest.mark.parametrize("chances", [LIVELY, DRAWISH], ids=["lively", "drawish"])
@pytest.mark.parametrize("right", [Decision.ELO0, Decision.ELO1])
def test_errors_are_rare(chances: tuple[float, ...], right: Decision):
    test = Sprt(0, 40)
    truth = with_lead(chances, 0 if right is Decision.ELO0 else 40)
    # Of 300 tests 15 may go wrong, and three standard errors more by chance.
    assert error_rate(test, truth, right, tests=300, seed=11) <= 0.05 + 0.038


@pytest.mark.slow
@pytest.mark.parametrize("chances", [LIVELY, DRAWISH], ids=["lively", "drawish"])
@pytest.mark.parametrize("right", [Decision.ELO0, Decision.ELO1])
def test_errors_are_rare_in_long_tests(chances: tuple[float, ...], right: Decision):
    test = Sprt(0, 10)
    truth = with_lead(chances, 0 if right is Decision.ELO0 else 10)
    assert error_rate(test, truth, right, tests=1000, seed=12) <= 0.05 + 0.021
