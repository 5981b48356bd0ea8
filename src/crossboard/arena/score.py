"""The score of a match: points, Elo with its interval, likelihood of superiority."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from crossboard.arena.elo import Elo, elo_of
from crossboard.arena.likelihood import (
    NO_PAIRS,
    Counts,
    count_pairs,
    elo_interval,
    mean_score,
    regularise,
    superiority,
)

OUTCOMES = (0, 0.5, 1)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many games were won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """Points per game, 0 to 1; one half before the first game."""
        return self.points / self.games if self.games else 0.5

    def as_json(self) -> dict[str, int]:
        return asdict(self)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


@dataclass(frozen=True, slots=True)
class Score:
    """What a match of colour-swapped pairs says about its first player.

    Wins, draws and losses count every game. What is estimated (`elo`, `superiority`) takes the
    pair as its unit, since the two games of one opening are not independent; a pair of which one
    game is missing does not count there. So that it is always finite, half a pair is added to
    the pairs played: a quarter of a pair that brought 0 points and a quarter that brought 2.
    """

    moving_first: Tally = field(default_factory=Tally)
    moving_second: Tally = field(default_factory=Tally)
    pentanomial: Counts = NO_PAIRS

    @property
    def tally(self) -> Tally:
        """All games together."""
        return self.moving_first + self.moving_second

    @property
    def score(self) -> float:
        """Points per game, 0 to 1, as played; one half before the first game."""
        return self.tally.score

    @property
    def pairs(self) -> int:
        return sum(self.pentanomial)

    @property
    def elo(self) -> Elo:
        """The Elo difference of the mean pair (with the half pair) and its 95 % interval.

        The interval is that of the profile likelihood, not symmetrical: after wins alone it is
        long upwards, where nothing is known, and short downwards, where much is.
        """
        weights = regularise(self.pentanomial)
        return Elo(elo_of(mean_score(weights)), *elo_interval(weights))

    @property
    def superiority(self) -> float:
        """The likelihood, 0 to 1, that the first player is the stronger one."""
        return superiority(regularise(self.pentanomial))

    def as_json(self) -> dict[str, Any]:
        """Give the figures under the names that `--json` uses."""
        elo, tally = self.elo, self.tally
        return {
            **tally.as_json(),
            "games": tally.games,
            "moving_first": self.moving_first.as_json(),
            "moving_second": self.moving_second.as_json(),
            "pentanomial": list(self.pentanomial),
            "score": self.score,
            "elo": elo.elo,
            "elo_low": elo.low,
            "elo_high": elo.high,
            "superiority": self.superiority,
        }


def score_pairs(pairs: Iterable[tuple[float | None, float | None]]) -> Score:
    """Add up pairs of games: a player's points when it moved first, and when it moved second.

    None is a game that was not played. Raise ValueError for points other than 0, ½ and 1.
    """
    kept = list(pairs)
    both = (one + other for one, other in kept if one is not None and other is not None)
    return Score(
        _tally(first for first, _ in kept),
        _tally(second for _, second in kept),
        count_pairs(both),
    )


def _tally(points: Iterable[float | None]) -> Tally:
    counts = dict.fromkeys(OUTCOMES, 0)
    for one in points:
        if one is None:
            continue
        if one not in counts:
            raise ValueError(f"a game brings 0, 0.5 or 1 point, not {one}")
        counts[one] += 1
    return Tally(wins=counts[1], draws=counts[0.5], losses=counts[0])
