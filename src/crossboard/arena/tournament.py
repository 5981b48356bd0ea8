"""A tournament: a match between every two players, or of one against all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from itertools import combinations, zip_longest
from typing import Any

from crossboard.arena.halt import Halt
from crossboard.arena.match import Fixture, MatchResult, Terms, play_fixtures
from crossboard.arena.ratings import Encounter, Ratings, cross_table, rate
from crossboard.arena.score import Tally
from crossboard.arena.standings import Standings
from crossboard.arena.teams import TeamGame, TeamRating, rate_teams, team_standings
from crossboard.players import Player
from crossboard.players.games import game_of

# Of the two teams, by the first one's points.
PLACES = {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}


@dataclass
class TournamentResult:
    """The matches so far."""

    names: tuple[str, ...]
    matches: list[MatchResult] = field(default_factory=list)

    @classmethod
    def of(cls, fixtures: Sequence[Fixture]) -> TournamentResult:
        """Return what the matches of a tournament have brought, without those not begun."""
        names = dict.fromkeys(player.name for each in fixtures for player in (each.one, each.other))
        return cls(tuple(names), [each.result for each in fixtures if each.result.pairs])

    @property
    def encounters(self) -> list[Encounter]:
        """All results as ratings want them."""
        found = []
        for match in self.matches:
            score = match.score
            counts = (score.tally.wins, score.tally.draws, score.tally.losses)
            found.append(Encounter(match.one, match.other, *counts, score.pentanomial))
        return [one for one in found if one.wins + one.draws + one.losses]

    @property
    def has_teams(self) -> bool:
        """Whether teams of several seats play: then players are rated by OpenSkill, not by Elo."""
        played = next((match for match in self.matches if match.pairs), None)
        return played is not None and game_of(played.pairs[0].opening.start).has_teams

    @property
    def ratings(self) -> Ratings:
        return rate(self.encounters)

    @property
    def skills(self) -> list[TeamRating]:
        """What OpenSkill says of the same games.

        The order of games matters to it, so the matches take turns, pair by pair: no
        match is rated as a whole before another one begins.
        """
        rounds = zip_longest(*(match.pairs for match in self.matches))
        return rate_teams(
            TeamGame([[match.one], [match.other]], PLACES[points])
            for pairs in rounds
            for match, pair in zip(self.matches, pairs, strict=True)
            if pair is not None
            for points in pair.points
        )

    @property
    def standings(self) -> Standings:
        """Everybody's rating in the way of the game."""
        return team_standings(self.skills) if self.has_teams else self.ratings.standings

    def as_json(self) -> dict[str, Any]:
        """Give the figures under the names that `--json` uses."""
        table = cross_table(self.encounters)
        return {
            **(self._skills_as_json() if self.has_teams else self.ratings.as_json()),
            "cross_table": {
                name: {other: tally.as_json() for other, tally in row.items()}
                for name, row in table.items()
            },
            "matches": [match.as_json() for match in self.matches],
            "games": sum(2 * len(match.pairs) for match in self.matches),
        }

    def _skills_as_json(self) -> dict[str, Any]:
        table = cross_table(self.encounters)
        players = []
        for one in self.skills:
            tally = sum(table[one.name].values(), Tally())
            skill = {"name": one.name, "skill": one.skill, "skill_low": one.low}
            skill |= {"skill_high": one.high, "games": tally.games, "score": tally.score}
            players.append({**skill, **tally.as_json()})
        return {"players": players, "model": "openskill"}


def pairings(players: Sequence[Player], *, is_gauntlet: bool) -> list[tuple[Player, Player]]:
    """Return the pairings: round robin, or a gauntlet for the first player.

    Raises ValueError for fewer than two players or two of the same name.
    """
    names = [player.name for player in players]
    if len(players) < 2:
        raise ValueError("a tournament needs two players or more")
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(
            f"two players are called {min(twice)}: their results could not be told apart"
        )
    return [pair for pair in combinations(players, 2) if not is_gauntlet or pair[0] is players[0]]


def make_fixtures(
    players: Sequence[Player],
    terms: Terms,
    *,
    is_gauntlet: bool = False,
    begun: Sequence[MatchResult] = (),
) -> list[Fixture]:
    """Return the matches of a tournament; the first of them may have been begun.

    Raises ValueError as `pairings` does.
    """
    results = iter(begun)
    return [
        Fixture(
            one,
            other,
            replace(terms, seed=terms.seed * 1_000_003 + number),
            next(results, None) or MatchResult(one.name, other.name, sprt=terms.sprt),
        )
        for number, (one, other) in enumerate(pairings(players, is_gauntlet=is_gauntlet))
    ]


def play_tournament(
    players: Sequence[Player],
    terms: Terms,
    executor: Executor,
    *,
    is_gauntlet: bool = False,
    workers: int = 1,
    stop: Halt | None = None,
    on_pair: Callable[[MatchResult], None] | None = None,
    into: TournamentResult | None = None,
) -> TournamentResult:
    """Play all matches side by side, all from the same openings.

    Pairs come in the order of the matches, whichever were played first. `into` collects the
    results, for callers that may be interrupted; pairs that it holds already are not played again.
    """
    result = into or TournamentResult(tuple(player.name for player in players))

    def note(match: MatchResult) -> None:
        if not result.matches or result.matches[-1] is not match:
            result.matches.append(match)
        if on_pair is not None:
            on_pair(match)

    fixtures = make_fixtures(players, terms, is_gauntlet=is_gauntlet, begun=result.matches)
    play_fixtures(fixtures, executor, workers=workers, stop=stop, on_pair=note)
    return result
