"""Ratings of players in teams."""

from __future__ import annotations

import numpy as np
import pytest

from crossboard.arena import TeamGame, rate_teams


def test_winners_rise_and_partners_rise_together():
    ratings = rate_teams([TeamGame([["a", "b"], ["c", "d"]], [1, 2])] * 3)
    assert [one.name for one in ratings] == ["a", "b", "c", "d"]
    a, b, c, d = ratings
    assert a.skill == b.skill > 25 > c.skill == d.skill
    assert a.low < a.skill < a.high
    assert a.games == 3


def test_a_tie_between_equals_changes_nothing():
    one, other = rate_teams([TeamGame([["a"], ["b"]], [1, 1])])
    assert one.skill == other.skill == pytest.approx(25)


def test_more_games_make_shorter_intervals():
    game = TeamGame([["a", "b"], ["c", "d"]], [1, 1])
    few, many = rate_teams([game] * 2)[0], rate_teams([game] * 50)[0]
    assert many.high - many.low < few.high - few.low


def test_three_teams_of_two_find_the_order_of_their_skills():
    rng = np.random.default_rng(3)
    skill = {name: 1.5 * place for place, name in enumerate("fedcba")}
    games = []
    for _ in range(400):
        seats = rng.permutation(list(skill)).reshape(3, 2).tolist()
        shown = [sum(skill[n] for n in team) + rng.normal(scale=2) for team in seats]
        places = [1 + sum(other > one for other in shown) for one in shown]
        games.append(TeamGame(seats, places))
    assert [one.name for one in rate_teams(games)] == list("abcdef")


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (TeamGame([["a"]], [1]), "two teams"),
        (TeamGame([["a"], []], [1, 2]), "two teams"),
        (TeamGame([["a"], ["b"]], [1]), "2 teams cannot share"),
        (TeamGame([["a"], ["a"]], [1, 2]), "twice"),
    ],
)
def test_what_is_no_game(game: TeamGame, told: str):
    with pytest.raises(ValueError, match=told):
        rate_teams([game])


def test_nobody_played():
    assert rate_teams([]) == []
