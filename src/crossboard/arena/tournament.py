"""A tournament: a match between every two players, or of one against all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from itertools import combinations, zip_longest
from typing import Any

from crossboard.arena.halt import Halt
from crossboard.arena.match import MatchResult, Terms, play_match
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

        The order of games matters to it, so the matches take turns, pair by pair: nobody is rated
        by all of one match before another one begins.
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
    """Return who meets whom: everybody everybody, or the first of them all others.

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
    """Play all matches, one after the other, all from the same openings.

    `into` collects the results, for those who may be interrupted.
    """
    result = into or TournamentResult(tuple(player.name for player in players))
    for number, (one, other) in enumerate(pairings(players, is_gauntlet=is_gauntlet)):
        if stop is not None and stop.is_set:
            break
        own = replace(terms, seed=terms.seed * 1_000_003 + number)
        match = MatchResult(one.name, other.name, sprt=terms.sprt)
        result.matches.append(match)
        play_match(
            one, other, own, executor, workers=workers, stop=stop, on_pair=on_pair, into=match
        )
    return result
