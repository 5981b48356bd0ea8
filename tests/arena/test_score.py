"""The score of a match: closed forms, intervals that are finite and hold what they promise."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crossboard.arena import Score, Tally, elo_of, expected_score, score_pairs
from crossboard.arena.confidence import CONFIDENCE, Z
from crossboard.arena.likelihood import PAIR_SCORES, log_likelihood, regularise

COUNTS = st.tuples(*[st.integers(0, 10) | st.integers(0, 10**9)] * 5)


def normal(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def test_the_deviations_hold_what_they_say():
    assert normal(Z) - normal(-Z) == pytest.approx(CONFIDENCE, abs=1e-15)


def test_elo_and_score_are_inverse():
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of(10 / 11) == pytest.approx(400)
    for elo in (-3000, -12.5, 0, 7, 800):
        assert elo_of(expected_score(elo)) == pytest.approx(elo)
        assert expected_score(elo) + expected_score(-elo) == pytest.approx(1)
    assert expected_score(1e9) == 1
    assert expected_score(-1e9) == 0
    assert expected_score(-4000) == pytest.approx(1e-10, rel=1e-9)


@pytest.mark.parametrize("score", [0, 1, -0.1, 1.1, math.nan])
def test_no_elo_without_a_score_between_0_and_1(score: float):
    with pytest.raises(ValueError, match="has no Elo"):
        elo_of(score)


def test_games_are_counted_by_colour_and_by_pair():
    score = score_pairs([(1, 1), (1, 0), (0.5, 0.5), (0, 0.5), (0, 0), (1, 0.5)])
    assert score.moving_first == Tally(wins=3, draws=1, losses=2)
    assert score.moving_second == Tally(wins=1, draws=3, losses=2)
    assert score.tally == Tally(wins=4, draws=4, losses=4)
    assert score.pentanomial == (1, 1, 2, 1, 1)
    assert score.score == 6 / 12
    assert score.pairs == 6


def test_a_pair_with_a_game_missing_counts_as_a_game_but_not_as_a_pair():
    score = score_pairs([(1, None), (None, 0), (1, 0.5)])
    assert score.tally == Tally(wins=2, draws=1, losses=1)
    assert score.pentanomial == (0, 0, 0, 1, 0)


@pytest.mark.parametrize("pair", [(2, 0), (0.25, 1), (math.nan, 0), (-1, None)])
def test_points_of_a_game_are_0_half_or_1(pair: tuple[float, float | None]):
    with pytest.raises(ValueError, match="a game brings"):
        score_pairs([pair])


def test_before_the_first_game_nothing_is_known():
    score = Score()
    assert score.score == 0.5
    assert score.superiority == 0.5
    assert score.elo.elo == 0
    assert score.elo.low == -score.elo.high
    assert score.elo.high > 1000


@given(COUNTS)
@example((3, 3, 149_882_867, 7, 8))  # all of the interval is shorter than 1e-4 points
def test_estimates_are_finite_and_in_order(counts: tuple[int, int, int, int, int]):
    score = Score(pentanomial=counts)
    low, elo, high = score.elo.low, score.elo.elo, score.elo.high
    assert all(math.isfinite(x) for x in (low, elo, high))
    assert low < elo < high
    assert 0 <= score.superiority <= 1
    assert (score.superiority > normal(Z)) == (low > 0)


@given(COUNTS)
def test_the_other_player_has_the_mirrored_estimate(counts: tuple[int, int, int, int, int]):
    a, b, c, d, e = counts
    ours, theirs = Score(pentanomial=counts), Score(pentanomial=(e, d, c, b, a))
    assert ours.elo.elo == pytest.approx(-theirs.elo.elo, abs=1e-6)
    assert ours.elo.low == pytest.approx(-theirs.elo.high, abs=1e-4)
    assert ours.superiority == pytest.approx(1 - theirs.superiority, abs=1e-9)


def test_likelihood_of_won_and_lost_pairs_is_the_binomial_one():
    lost, won = 30.25, 50.25
    for mean in (0.01, 0.4, 0.5, 0.62, 0.99):
        share = won / (won + lost)
        expected = won * math.log(mean / share) + lost * math.log((1 - mean) / (1 - share))
        assert log_likelihood(regularise((30, 0, 0, 0, 50)), elo_of(mean)) == pytest.approx(
            expected
        )


def test_likelihood_with_three_outcomes_is_the_trinomial_one():
    # With three outcomes Lagrange's equation is a quadratic one.
    lost, even, won = 10.25, 40.0, 25.25
    for mean in (0.3, 0.5, 0.55, 0.8):
        d = [score - mean for score in (0, 0.5, 1)]
        weights = (lost, even, won)
        constant = sum(w * x for w, x in zip(weights, d, strict=True))
        linear = sum(w * x * (sum(d) - x) for w, x in zip(weights, d, strict=True))
        square = sum(weights) * d[0] * d[1] * d[2]
        roots = np.roots([square, linear, constant]).real
        (t,) = [r for r in roots if all(1 + r * x > 0 for x in d)]
        expected = -sum(w * math.log(1 + t * x) for w, x in zip(weights, d, strict=True))
        counts = regularise((10, 0, 40, 0, 25))
        assert log_likelihood(counts, elo_of(mean)) == pytest.approx(expected)


def test_no_distribution_with_the_same_mean_is_likelier():
    counts, mean = regularise((3, 10, 20, 14, 6)), 0.47
    best = log_likelihood(counts, elo_of(mean))
    share = np.array(counts) / sum(counts)
    rng = np.random.default_rng(1)
    close = 0
    for _ in range(2000):
        tilt = rng.normal(scale=0.3, size=5)
        chances = share * np.exp(tilt)
        # Mixed with an end of the scale so that the mean is right.
        chances /= chances.sum()
        now = chances @ PAIR_SCORES
        end = np.eye(5)[0 if now > mean else 4]
        weight = (now - mean) / (now - end @ PAIR_SCORES)
        chances = (1 - weight) * chances + weight * end
        value = float(np.sum(counts * np.log(chances / share)))
        assert value <= best + 1e-9
        close += value > best - 1
    assert close


def test_superiority_is_nearly_that_of_the_normal_distribution():
    score = Score(pentanomial=(40, 0, 0, 0, 60))
    assert score.superiority == pytest.approx(normal(20 / 10), abs=0.002)


def test_many_pairs_have_the_interval_of_the_normal_distribution():
    counts = (1000, 2000, 4000, 2500, 1500)
    chances = np.array(counts) / sum(counts)
    mean = chances @ PAIR_SCORES
    error = math.sqrt(chances @ (np.array(PAIR_SCORES) - mean) ** 2 / sum(counts))
    elo = Score(pentanomial=counts).elo
    assert elo.elo == pytest.approx(elo_of(mean), abs=0.1)
    assert elo.low == pytest.approx(elo_of(mean - Z * error), abs=0.1)
    assert elo.high == pytest.approx(elo_of(mean + Z * error), abs=0.1)


def test_wins_alone_are_known_well_downwards_only():
    elo = score_pairs([(1, 1)] * 10).elo
    assert elo.low > 150
    assert elo.high - elo.elo > elo.elo - elo.low


def test_pairs_that_mirror_each_other_are_known_better_than_games():
    # One opening won by whoever has Black: the pair is even each time.
    assert score_pairs([(1, 0)] * 50).elo.high < score_pairs([(1, 1), (0, 0)] * 25).elo.high / 5


@pytest.mark.parametrize(
    ("pairs", "chances"),
    [
        (10, (0.1, 0.2, 0.4, 0.2, 0.1)),
        (40, (0.02, 0.1, 0.5, 0.3, 0.08)),
        (40, (0.0, 0.02, 0.2, 0.38, 0.4)),
        (200, (0.3, 0.1, 0.2, 0.1, 0.3)),
    ],
)
def test_the_interval_holds_the_truth_as_often_as_it_says(pairs: int, chances: tuple[float, ...]):
    truth = elo_of(float(np.dot(chances, PAIR_SCORES)))
    matches = 1500
    held = 0
    for counts in np.random.default_rng(7).multinomial(pairs, chances, size=matches):
        elo = Score(pentanomial=tuple(int(n) for n in counts)).elo
        held += elo.low <= truth <= elo.high
    # Three standard errors of 1500 matches, and one per cent for the smallness of a match.
    assert 0.925 <= held / matches <= 0.985


def test_json_has_the_names_of_the_command_line():
    told = json.loads(json.dumps(score_pairs([(1, 0.5), (0, 1)]).as_json()))
    assert told["wins"] == 2
    assert told["games"] == 4
    assert told["moving_first"] == {"wins": 1, "draws": 0, "losses": 1}
    assert told["elo_low"] < told["elo"] < told["elo_high"]
    assert {"draws", "losses", "score", "superiority", "pentanomial"} <= told.keys()
