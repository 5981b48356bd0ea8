"""The map: equal to the paper's loop, the same from the same seed, and what is measured of it."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from crossboard.draughts import Position
from crossboard.evaluators import UFU_ATTRIBUTES, BoardAttributes
from crossboard.learn.minisom_map import NoMiniSom, train_map_by_minisom
from crossboard.learn.som import (
    MapSettings,
    UnfitData,
    effective_units,
    errors_of,
    nearest_units,
    predicted_variance,
    shares_of,
    train_map,
    variance_explained,
)

SHORT = MapSettings(units=7, decay=0.8)
# Boards of twelve pieces that `visiondraughts` came to, as a training collects them.
BOARDS = Path(__file__).parents[1] / "data" / "endgame_boards.fen"


def bits(rows: int = 120, columns: int = 6, seed: int = 3):
    generator = np.random.default_rng(seed)
    return (generator.random((rows, columns)) < generator.random(columns)).astype(float)


def slow_map(data, settings, seed):
    """The Kohonen algorithm of MP-Draughts 2009, IV.B.2, line by line, on lists of numbers."""
    generator = np.random.default_rng(seed)
    w = generator.random((settings.units, len(data[0]))).tolist()  # w[j][i]
    alpha = settings.rate
    while alpha > settings.last_rate:
        for k in generator.permutation(len(data)):
            a = [float(number) for number in data[k]]
            d = [sum((w[j][i] - a[i]) ** 2 for i in range(len(a))) for j in range(len(w))]
            winner = d.index(min(d))
            for j in (winner - 1, winner, winner + 1):
                if 0 <= j < len(w):
                    for i in range(len(a)):
                        w[j][i] = w[j][i] + alpha * (a[i] - w[j][i])
        alpha *= settings.decay
    return np.array(w)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("units", [1, 2, 7])
def test_it_is_the_loop_of_the_paper(units: int, seed: int) -> None:
    settings = MapSettings(units=units, decay=0.8)
    found = train_map(bits(), settings, seed=seed).prototypes
    np.testing.assert_allclose(found, slow_map(bits(), settings, seed), rtol=0, atol=1e-12)


def test_minisom_makes_the_same_map() -> None:
    pytest.importorskip("minisom")
    own, theirs = (train(bits(), SHORT, seed=2) for train in (train_map, train_map_by_minisom))
    np.testing.assert_allclose(theirs.prototypes, own.prototypes, rtol=0, atol=1e-9)
    np.testing.assert_allclose(theirs.quantisation, own.quantisation, rtol=0, atol=1e-9)


def test_without_minisom_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "minisom", None)
    with pytest.raises(NoMiniSom, match="needs the package minisom: pip install"):
        train_map_by_minisom(bits(), SHORT, seed=2)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_map_of_real_boards_is_as_good_as_it_has_to_be(seed: int) -> None:
    boards = [Position.from_fen(line.split()[0]) for line in BOARDS.read_text().splitlines()]
    data = BoardAttributes(UFU_ATTRIBUTES).of(boards)
    found = train_map(data, MapSettings(), seed=seed)
    first, last = found.quantisation[:20].mean(), found.quantisation[-20:].mean()
    assert last <= 0.88 * first
    shares = shares_of(nearest_units(found.prototypes, data), 25)
    assert effective_units(shares) >= 18
    assert found.topographic[-1] <= 0.2


def test_the_same_seed_gives_the_same_clusters_and_another_seed_others() -> None:
    one, again, other = (train_map(bits(), SHORT, seed=seed) for seed in (4, 4, 5))
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert not np.array_equal(
        nearest_units(one.prototypes, bits()), nearest_units(other.prototypes, bits())
    )


def test_rates_fall_each_epoch_while_they_are_above_the_last() -> None:
    rates = list(MapSettings().rates())
    assert len(rates) == 219
    assert rates[0] == 0.9
    assert rates[-1] > 0.1 >= rates[-1] * 0.99
    assert len(train_map(bits(), SHORT, seed=1).quantisation) == len(list(SHORT.rates()))


def test_groups_that_lie_apart_get_units_of_their_own() -> None:
    centres = np.repeat(np.eye(3), 20, axis=0)
    found = train_map(centres, MapSettings(units=9), seed=2)
    units = nearest_units(found.prototypes, centres).reshape(3, 20)
    assert all(len(set(row)) == 1 for row in units.tolist())
    assert len({row[0] for row in units.tolist()}) == 3


def test_neighbours_are_drawn_along() -> None:
    # One epoch of rows that are all alike: the winner comes near, and who is beside it, no others.
    data = np.full((9, 4), 0.5)
    found = train_map(data, MapSettings(units=9, decay=0.1), seed=3)
    apart = np.abs(found.prototypes - 0.5).max(axis=1)
    winner = int(nearest_units(found.prototypes, data)[0])
    near = [unit for unit in range(9) if abs(unit - winner) <= 1]
    assert len(near) == 3
    assert apart[near].max() < 1e-8
    assert np.delete(apart, near).min() > 0.01


def test_errors_are_those_of_units_and_data_that_were_worked_out_by_hand() -> None:
    prototypes = np.array([[0.0], [1.0], [5.0], [0.2]])
    rows = np.array([[0.1], [1.0], [4.0]])
    quantisation, topographic = errors_of(prototypes, rows)
    assert quantisation == pytest.approx((0.1 + 0 + 1) / 3)
    # Nearest, then next: 0 and 3 are apart, 1 and 3 are apart, 2 and 1 are neighbours.
    assert topographic == pytest.approx(2 / 3)
    assert errors_of(prototypes[:1], rows)[1] == 0


def test_shares_and_how_many_units_they_are_worth() -> None:
    units = np.array([0, 0, 2, 2])
    assert shares_of(units, 4).tolist() == [0.5, 0, 0.5, 0]
    assert effective_units(shares_of(units, 4)) == pytest.approx(2)
    mixed = effective_units(np.array([0.7, 0.2, 0.1]))
    entropy = -(0.7 * math.log(0.7) + 0.2 * math.log(0.2) + 0.1 * math.log(0.1))
    assert mixed == pytest.approx(math.exp(entropy))


def test_clusters_explain_what_differs_between_them() -> None:
    outcomes, units = [1, 1, -1, -1, 0, 0], np.array([0, 0, 1, 1, 2, 2])
    assert variance_explained(outcomes, units) == 1
    assert variance_explained(outcomes, np.zeros(6, int)) == pytest.approx(0)
    assert variance_explained([1, 1, 1], np.array([0, 1, 1])) == 0
    # Means 1/3 and -1/3 of [1, 1, -1] and [-1, -1, 1].
    mixed = variance_explained([1, 1, -1, -1, -1, 1], np.array([0, 0, 0, 1, 1, 1]))
    assert mixed == pytest.approx(1 / 9)


def test_means_predict_data_that_they_were_not_made_of() -> None:
    known, units = [1, 1, -1, -1], np.array([0, 0, 1, 1])
    assert predicted_variance(known, units, [1, -1], np.array([0, 1])) == 1
    assert predicted_variance(known, units, [1, -1], np.array([1, 0])) == -3
    # Of a cluster that nothing is known of, the mean of all is all there is.
    assert predicted_variance(known, units, [1, -1], np.array([7, 7])) == 0


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"units": 0}, "units must be 1 to 10000, not 0"),
        ({"units": 10**9}, "units must be 1 to 10000, not 1000000000"),
        ({"rate": 1.5}, "rate must be 0 to 1, not 1.5"),
        ({"rate": math.nan}, "rate must be 0 to 1, not nan"),
        ({"decay": 1.0}, "decay must be above 0 and below 1, not 1.0"),
        ({"last_rate": 0.0}, "last_rate must be above 0 and below the rate of 0.9, not 0.0"),
        ({"last_rate": 0.95}, "last_rate must be above 0 and below the rate of 0.9, not 0.95"),
    ],
)
def test_settings_that_make_no_sense_are_refused(values: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        MapSettings(**values)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([[0.0, 1.0]] * 6, "a map of 7 units needs as many rows, not 6"),
        ([0.0] * 9, "a map is made of rows of finite numbers, as many in each"),
        ([[0.0, math.nan]] * 9, "a map is made of rows of finite numbers, as many in each"),
        (np.empty((9, 0)), "a map is made of rows of finite numbers, as many in each"),
    ],
)
def test_data_that_make_no_map_are_refused(data, message: str) -> None:
    with pytest.raises(UnfitData, match=f"^{message}$"):
        train_map(data, SHORT, seed=1)
