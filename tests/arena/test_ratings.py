"""Ratings: closed forms for two, finite for all, intervals that hold what they promise."""

from __future__ import annotations

import io
import json
import math

import numpy as np
import pytest

from crossboard.arena import (
    Encounter,
    Rating,
    Tally,
    cross_table,
    draw_standings,
    elo_of,
    format_cross_table,
    rate,
)
from crossboard.arena.elo import POINTS
from crossboard.arena.ratings import dispersion, estimate

NO_PRIOR = 1e-7


def lead(encounter: Encounter) -> float:
    ratings = rate([encounter], prior_games=NO_PRIOR)
    return ratings[encounter.first].elo.elo - ratings[encounter.second].elo.elo


@pytest.mark.parametrize(("wins", "losses"), [(75, 25), (1, 9), (50, 50), (400, 3)])
def test_two_players_without_draws_differ_by_the_logistic_elo(wins: int, losses: int):
    expected = elo_of(wins / (wins + losses))
    assert lead(Encounter("a", "b", wins, 0, losses)) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(("wins", "draws", "losses"), [(35, 50, 15), (4, 90, 6), (60, 3, 37)])
def test_two_players_with_draws_have_davidsons_closed_form(wins: int, draws: int, losses: int):
    nu = draws / math.sqrt(wins * losses)
    expected = POINTS * math.log(wins / losses) * 2 / (2 + nu)
    encounter = Encounter("a", "b", wins, draws, losses)
    assert lead(encounter) == pytest.approx(expected, abs=1e-3)
    assert rate([encounter], prior_games=NO_PRIOR).drawishness == pytest.approx(nu)


def test_an_elo_point_means_what_it_means_in_a_match():
    for wins, draws, losses in ((35, 50, 15), (4, 90, 6), (60, 3, 37), (45, 20, 35)):
        expected = elo_of((wins + draws / 2) / (wins + draws + losses))
        assert lead(Encounter("a", "b", wins, draws, losses)) == pytest.approx(expected, rel=0.02)


def test_equal_points_are_equal_ratings_however_they_were_made():
    ratings = rate([Encounter("a", "c", 10, 0, 10), Encounter("b", "c", 0, 20, 0)])
    assert ratings["a"].elo.elo == pytest.approx(ratings["b"].elo.elo, abs=1e-6)


def test_the_average_is_zero_and_the_order_by_rating():
    ratings = rate(
        [Encounter("a", "b", 6, 2, 2), Encounter("c", "b", 9, 0, 1), Encounter("a", "c", 3, 3, 4)]
    )
    assert [player.name for player in ratings] == ["c", "a", "b"]
    assert sum(player.elo.elo for player in ratings) == pytest.approx(0, abs=1e-6)
    assert ratings["a"].tally == Tally(wins=9, draws=5, losses=6)
    assert ratings["b"].tally == Tally(wins=3, draws=2, losses=15)


def test_an_anchor_is_exactly_zero_and_changes_no_difference():
    table = [Encounter("a", "b", 6, 2, 2), Encounter("b", "c", 5, 1, 4)]
    free, anchored = rate(table), rate(table, anchor="b")
    assert anchored["b"].elo == (0, 0, 0)
    for name in "ac":
        difference = free[name].elo.elo - free["b"].elo.elo
        assert anchored[name].elo.elo == pytest.approx(difference)
    with pytest.raises(ValueError, match="'z' played no game"):
        rate(table, anchor="z")


@pytest.mark.parametrize(
    "table",
    [
        [Encounter("a", "b", 1, 0, 0)],
        [Encounter("a", "b", 1000, 0, 0), Encounter("b", "c", 1000, 0, 0)],
        [Encounter("a", "b", 0, 50, 0)],
        [Encounter("a", "b", 10_000, 1, 0)],
        [Encounter("a", "b", 0, 0, 0)],
        [Encounter("a", "b", 3, 0, 1), Encounter("c", "d", 2, 2, 2)],
    ],
    ids=["one game", "clean sweep", "draws only", "one draw", "no game", "groups never met"],
)
def test_ratings_and_intervals_are_finite(table: list[Encounter]):
    for player in rate(table):
        assert all(math.isfinite(x) for x in player.elo)
        assert player.elo.low < player.elo.elo < player.elo.high


def test_more_games_make_shorter_intervals():
    def width(times: int) -> float:
        elo = rate([Encounter("a", "b", 5 * times, 3 * times, 4 * times)])["a"].elo
        return elo.high - elo.low

    assert width(16) == pytest.approx(width(4) / 2, rel=0.1)


def test_an_encounter_may_be_told_from_either_side_and_in_parts():
    whole = rate([Encounter("a", "b", 7, 3, 5)])
    parts = rate([Encounter("a", "b", 4, 1, 2), Encounter("b", "a", 3, 2, 3)])
    assert parts["a"].elo == pytest.approx(whole["a"].elo, abs=0.02)
    assert parts["a"].tally == whole["a"].tally


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ([], "nobody to rate"),
        ([Encounter("a", "a", 1, 0, 0)], "against itself"),
        ([Encounter("a", "b", -1, 0, 0)], "below 0"),
    ],
)
def test_what_is_no_result(table: list[Encounter], told: str):
    with pytest.raises(ValueError, match=told):
        rate(table)


def simulate(strengths: dict[str, float], nu: float, games: int, rng) -> list[Encounter]:
    """Draw a round robin's results from the model; strengths are z, in log units."""
    table = []
    names = list(strengths)
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            half = (strengths[first] - strengths[second]) / 2
            chances = np.array([math.exp(half), nu, math.exp(-half)])
            results = rng.multinomial(games, chances / chances.sum())
            table.append(Encounter(first, second, *map(int, results)))
    return table


def coverage(tournaments: int, seed: int) -> float:
    strengths, nu = {"a": 1.0, "b": 0.3, "c": -0.4, "d": -0.9}, 0.8
    rng = np.random.default_rng(seed)
    held = 0
    for _ in range(tournaments):
        for player in rate(simulate(strengths, nu, 30, rng)):
            truth = strengths[player.name] * POINTS * 2 / (2 + nu)
            held += player.elo.low <= truth <= player.elo.high
    return held / (tournaments * len(strengths))


def test_the_interval_holds_the_truth_as_often_as_it_says():
    assert 0.90 <= coverage(tournaments=60, seed=5) <= 0.995


@pytest.mark.slow
def test_the_interval_holds_the_truth_in_many_tournaments():
    assert 0.935 <= coverage(tournaments=1500, seed=6) <= 0.965


def in_pairs(table: list[Encounter], together: float, rng) -> list[Encounter]:
    """Play the encounters again; in a share of the pairs the second game ends like the first."""
    found = []
    for one in table:
        chances = np.array(one[2:5]) / sum(one[2:5])
        pairs = [0] * 5
        points = []
        for _ in range(sum(one[2:5]) // 2):
            first = rng.choice([1, 0.5, 0], p=chances)
            second = first if rng.random() < together else rng.choice([1, 0.5, 0], p=chances)
            points += [first, second]
            pairs[round(2 * (first + second))] += 1
        counts = [points.count(each) for each in (1, 0.5, 0)]
        found.append(Encounter(one.first, one.second, *counts, tuple(pairs)))
    return found


def coverage_of_pairs(tournaments: int, together: float, *, is_told: bool) -> float:
    strengths, nu = {"a": 0.8, "b": 0.1, "c": -0.9}, 0.8
    exact = simulate(strengths, nu, 200, Exactly())
    rng = np.random.default_rng(8)
    held = 0
    for _ in range(tournaments):
        table = in_pairs(exact, together, rng)
        if not is_told:
            table = [one._replace(pentanomial=(0, 0, 0, 0, 0)) for one in table]
        for player in rate(table):
            truth = strengths[player.name] * POINTS * 2 / (2 + nu)
            held += player.elo.low <= truth <= player.elo.high
    return held / (tournaments * len(strengths))


class Exactly:
    """Draws what is expected, as nearly as whole numbers allow."""

    def multinomial(self, games: int, chances) -> list[int]:
        return [round(games * chance) for chance in chances]


@pytest.mark.slow
@pytest.mark.parametrize("together", [0.0, 0.8])
def test_the_interval_holds_the_truth_however_pairs_end(together: float):
    assert 0.93 <= coverage_of_pairs(300, together, is_told=True) <= 0.97


@pytest.mark.slow
def test_pairs_that_end_alike_are_not_so_many_games():
    assert coverage_of_pairs(100, 0.8, is_told=False) < 0.90


@pytest.mark.parametrize(
    ("games", "pairs", "expected"),
    [
        ((100, 0, 100), (0, 0, 100, 0, 0), 0.0),  # each wins one
        ((100, 0, 100), (25, 0, 50, 0, 25), 1.0),  # as chance would have it
        ((50, 100, 50), (6, 25, 38, 25, 6), 1.0),  # the same with draws
        ((100, 0, 100), (50, 0, 0, 0, 50), 2.0),  # one wins both
        ((200, 0, 0), (0, 0, 0, 0, 100), 2.0),  # nothing is known but that
    ],
)
def test_dispersion_of_pairs(
    games: tuple[int, int, int], pairs: tuple[int, int, int, int, int], expected: float
):
    encounter = Encounter("a", "b", *games, pairs)
    assert dispersion([encounter]) == pytest.approx(expected, abs=0.03)
    assert rate([encounter]).dispersion == dispersion([encounter])


def test_games_without_pairs_count_as_independent():
    assert rate([Encounter("a", "b", 6, 2, 2)]).dispersion == 1


def test_dispersion_moves_no_rating_but_the_ends_of_its_interval():
    kinds = [(50, 0, 0, 0, 50), (25, 0, 50, 0, 25), (0, 0, 100, 0, 0)]
    alike, chance, opposed = (
        rate([Encounter("a", "b", 100, 0, 100, pairs)])["a"].elo for pairs in kinds
    )
    assert alike.elo == chance.elo == opposed.elo
    assert alike.high / chance.high == pytest.approx(math.sqrt(2), rel=0.02)
    assert opposed.high < chance.high / 5


def test_cross_table():
    table = [Encounter("ann", "bob", 3, 1, 0), Encounter("bob", "cy", 2, 0, 2)]
    crossed = cross_table(table)
    assert list(crossed) == ["ann", "cy", "bob"]
    assert crossed["bob"]["ann"] == Tally(losses=3, draws=1)
    assert crossed["ann"]["cy"] == Tally()
    assert format_cross_table(table).splitlines() == [
        "          1  2    3  points  games  score",
        "1  ann    -  .  3.5     3.5      4  0.875",
        "2  cy     .  -    2       2      4  0.500",
        "3  bob  0.5  2    -     2.5      8  0.312",
    ]


def test_figure_shows_every_player():
    ratings = rate([Encounter("ann", "bob", 3, 1, 0), Encounter("bob", "$cy^$", 2, 0, 2)])
    file = io.BytesIO()
    draw_standings(ratings.standings).savefig(file, format="svg")
    for name in ("ann", "bob", "$cy^$", "Elo above the average"):
        assert f"<!-- {name}" in file.getvalue().decode()


def test_a_rating_is_found_by_name():
    ratings = rate([Encounter("a", "b", 1, 0, 0)])
    assert isinstance(ratings["a"], Rating)
    with pytest.raises(KeyError):
        ratings["z"]


def test_json():
    told = json.loads(json.dumps(rate([Encounter("a", "b", 6, 2, 2)], anchor="b").as_json()))
    best = told["players"][0]
    assert (best["name"], best["games"], best["wins"], best["score"]) == ("a", 10, 6, 0.7)
    assert best["elo_low"] < best["elo"] < best["elo_high"]
    assert told["anchor"] == "b"


def test_estimates_are_the_ratings_without_their_intervals():
    table = [
        Encounter("a", "b", 6, 3, 1),
        Encounter("b", "c", 5, 0, 5),
        Encounter("a", "c", 4, 4, 2),
    ]
    for anchor in (None, "c"):
        rated = {one.name: one.elo.elo for one in rate(table, anchor=anchor)}
        assert estimate(table, anchor=anchor) == pytest.approx(rated)
        assert len({round(elo, 3) for elo in rated.values()}) == 3
    with pytest.raises(ValueError, match="the anchor 'd' played no game"):
        estimate(table, anchor="d")
