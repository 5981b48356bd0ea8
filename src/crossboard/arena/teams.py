"""Ratings where teams play: Duchess, rated by OpenSkill's Plackett-Luce model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from crossboard.arena.confidence import Z
from crossboard.arena.standings import Standing, Standings

BEGINNER = 25.0  # OpenSkill's


class TeamGame(NamedTuple):
    """One game: who sat in each team, and each team's place, 1 for the winner; ties are equal."""

    teams: Sequence[Sequence[str]]
    places: Sequence[int]


class TeamRating(NamedTuple):
    """A player's skill in OpenSkill's units (a beginner has 25) and its 95 % interval."""

    name: str
    skill: float
    low: float
    high: float
    games: int


def rate_teams(games: Iterable[TeamGame]) -> list[TeamRating]:
    """Rate players by their teams' places, the best first.

    The games are taken in order, and the order matters a little: each changes what was known
    before it. Raise ValueError for a game without two teams, or a player who sits in both.
    """
    from openskill.models import PlackettLuce, PlackettLuceRating

    model = PlackettLuce(mu=BEGINNER)
    skills: dict[str, PlackettLuceRating] = {}
    played: dict[str, int] = {}
    for game in games:
        _check(game)
        seats = [[skills.get(name) or model.rating(name=name) for name in t] for t in game.teams]
        for team in model.rate(seats, ranks=[float(place) for place in game.places]):
            for skill in team:
                assert skill.name is not None  # as given above
                skills[skill.name] = skill
                played[skill.name] = played.get(skill.name, 0) + 1
    ratings = [
        TeamRating(name, s.mu, s.mu - Z * s.sigma, s.mu + Z * s.sigma, played[name])
        for name, s in skills.items()
    ]
    return sorted(ratings, key=lambda one: (-one.skill, one.name))


def team_standings(ratings: Iterable[TeamRating]) -> Standings:
    """Return skills to be shown."""
    rows = tuple(Standing(one.name, one.skill, one.low, one.high) for one in ratings)
    return Standings(rows, f"OpenSkill (a beginner has {BEGINNER:g})", ".1f", middle=BEGINNER)


def _check(game: TeamGame) -> None:
    if len(game.teams) < 2 or not all(game.teams):
        raise ValueError(f"a game needs two teams or more with somebody in each: {game.teams}")
    if len(game.places) != len(game.teams):
        raise ValueError(f"{len(game.teams)} teams cannot share the places {game.places}")
    names = [name for team in game.teams for name in team]
    if len(set(names)) < len(names):
        raise ValueError(f"a player cannot sit at the board twice: {game.teams}")
