"""Ratings of many players from all their results, by Bradley and Terry's model with draws.

Draws are modelled as Davidson (1970) does. With strengths a and b (log units, z = a - b) and one
number nu >= 0 for how drawish the game is between these players,

    win : draw : loss  =  exp(z/2) : nu : exp(-z/2).

Chosen over Rao and Kupper's model because a player's points are then all that its strength depends
on, as everyone expects of a tournament, and a draw counts as half a win and half a loss.

An Elo point must mean the same here as in a match. Between nearly equal players the score of
Davidson's model rises by 1/(2 (2 + nu)) for each unit of z, that of the logistic curve by 1/4;
so ratings are z times 2/(2 + nu) in logistic units. Without draws that is the logistic curve
itself, and at nu = 2 it is so again, exactly.

Who moves first is left out: games come in pairs with colours swapped.

The two games of a pair are not independent, so the likelihood of all games says too much or too
little. Where the pairs are known it is divided by how much more they vary than two independent
games would (`dispersion`): the quasi-likelihood of McCullagh and Nelder (1989, chapter 9). Ratings
stay what they are, intervals become as wide as the pairs allow, as in a match.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from crossboard.arena.confidence import Z
from crossboard.arena.elo import POINTS, Elo
from crossboard.arena.likelihood import HALF_PAIR, NO_PAIRS, PAIR_SCORES, Counts, mean_score
from crossboard.arena.score import Tally
from crossboard.arena.standings import Standing, Standings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

# Chosen: each player has half a pair behind it, one game against an average opponent, half won and
# half lost. It keeps those finite who won or lost everything, and joins groups that never met.
PRIOR_GAMES = 1.0

MAX_STEPS = 100
PRECISION_ELO = 0.01


class Encounter(NamedTuple):
    """Games between two players, as the first of them saw them."""

    first: str
    second: str
    wins: int
    draws: int
    losses: int
    pentanomial: Counts = NO_PAIRS  # of those games that came in pairs, if anybody knows


class Rating(NamedTuple):
    """A player's place: Elo points above the average, or above the anchor, and its games."""

    name: str
    elo: Elo
    tally: Tally


@dataclass(frozen=True)
class Ratings:
    """All players, the best first, and how drawish their games are."""

    players: tuple[Rating, ...]
    drawishness: float  # nu: between equals, draws are nu / (2 + nu) of all games
    anchor: str | None = None
    dispersion: float = 1.0  # of pairs: 1 where the games are independent

    def __iter__(self) -> Iterator[Rating]:
        return iter(self.players)

    def __getitem__(self, name: str) -> Rating:
        return {player.name: player for player in self.players}[name]

    @property
    def standings(self) -> Standings:
        """The ratings alone, to be shown."""
        rows = tuple(Standing(player.name, *player.elo) for player in self.players)
        return Standings(rows, f"Elo above {self.anchor or 'the average'}", "+.0f", middle=0)

    def as_json(self) -> dict[str, Any]:
        """Give the figures under the names that `--json` uses."""
        players = [
            {
                "name": player.name,
                "elo": player.elo.elo,
                "elo_low": player.elo.low,
                "elo_high": player.elo.high,
                "games": player.tally.games,
                "score": player.tally.score,
                **player.tally.as_json(),
            }
            for player in self.players
        ]
        told = {"players": players, "drawishness": self.drawishness, "anchor": self.anchor}
        return told | {"dispersion": self.dispersion, "model": "bradley-terry"}


def rate(
    encounters: Iterable[Encounter], *, anchor: str | None = None, prior_games: float = PRIOR_GAMES
) -> Ratings:
    """Rate everyone who played; the average is 0, or the anchor is, if one is named.

    Intervals hold 95 %: of the difference to the average, or to the anchor; they are those of the
    profile likelihood, with nu's scale and the dispersion taken as known. Raise ValueError for
    what is no result.
    """
    table = list(encounters)
    names = _names(table)
    spread = dispersion(table)
    fit, best = _fitted(table, names, anchor, prior_games, spread)
    nu = fit.drawishness(best)
    points = POINTS * 2 / (2 + nu)
    players = []
    for place, name in enumerate(names):
        contrast = fit.contrast(place, None if anchor is None else names.index(anchor))
        elo = Elo(*(points * z for z in fit.interval(best, contrast, PRECISION_ELO / points)))
        players.append(Rating(name, elo, _tally_of(name, table)))
    players.sort(key=lambda player: (-player.elo.elo, player.name))
    return Ratings(tuple(players), nu, anchor, spread)


def estimate(
    encounters: Iterable[Encounter], *, anchor: str | None = None, prior_games: float = PRIOR_GAMES
) -> dict[str, float]:
    """Return the Elo of `rate` without intervals: those take nearly all of its time."""
    table = list(encounters)
    names = _names(table)
    fit, best = _fitted(table, names, anchor, prior_games, 1.0)
    points = POINTS * 2 / (2 + fit.drawishness(best))
    zero = None if anchor is None else names.index(anchor)
    return {
        name: points * float(fit.contrast(place, zero) @ best) for place, name in enumerate(names)
    }


def _fitted(
    table: Sequence[Encounter],
    names: list[str],
    anchor: str | None,
    prior_games: float,
    spread: float,
) -> tuple[_Fit, Array]:
    """Return the likelihood and its peak; raise ValueError for an anchor or prior that is wrong."""
    import numpy as np

    if anchor is not None and anchor not in names:
        raise ValueError(f"the anchor {anchor!r} played no game")
    if not prior_games > 0:
        raise ValueError(f"prior_games must be more than 0, not {prior_games}")
    fit = _Fit(table, names, prior_games, spread)
    return fit, fit.maximise(np.zeros(fit.size))


def dispersion(table: Iterable[Encounter]) -> float:
    """Return how much more pairs vary than two independent games would; 1 if there are no pairs.

    About each encounter's own mean, all encounters together, and with the half pair that every
    score has. It is below 1 where openings favour a side, who then wins one game of the pair each,
    and 2 where both games of a pair always end the same way.
    """
    paired = [one for one in table if sum(one.pentanomial) > 1]
    if not paired:
        return 1.0
    half = sum(HALF_PAIR)
    # The half pair is lost or won twice, by 1 point off its mean; a fair game's variance is 1/4.
    seen, expected = half, half * 2 / 4
    for one in paired:
        pairs, tally = sum(one.pentanomial), Tally(one.wins, one.draws, one.losses)
        # Points of a pair are twice its score.
        squares = [(2 * (s - mean_score(one.pentanomial))) ** 2 for s in PAIR_SCORES]
        off = sum(n * square for n, square in zip(one.pentanomial, squares, strict=True))
        seen += off * pairs / (pairs - 1)
        variance = (tally.wins + tally.draws / 4) / tally.games - tally.score**2
        expected += 2 * pairs * variance * tally.games / (tally.games - 1)
    return seen / expected


class _Fit:
    """The log-likelihood of strengths and ln nu (last, if there was a draw), and its peak."""

    def __init__(
        self, table: Sequence[Encounter], names: list[str], prior_games: float, spread: float
    ) -> None:
        import numpy as np

        self._allowed = spread * Z * Z / 2
        self._players = len(names)
        self.has_draws = any(one.draws for one in table)
        self.size = self._players + self.has_draws
        # (encounters + one prior game for each player, players): what z is made of.
        rows = len(table) + self._players
        self._sides = np.zeros((rows, self._players))
        self._results = np.zeros((rows, 3))
        for row, one in enumerate(table):
            self._sides[row, names.index(one.first)] = 1
            self._sides[row, names.index(one.second)] = -1
            self._results[row] = one.wins, one.draws, one.losses
        self._sides[len(table) :] = np.eye(self._players)
        self._results[len(table) :] = prior_games / 2, 0, prior_games / 2
        self._games = self._results.sum(axis=1)

    def drawishness(self, at: Array) -> float:
        return math.exp(at[-1]) if self.has_draws else 0.0

    def contrast(self, place: int, anchor: int | None) -> Array:
        """Return the row that takes a player's difference to the average or the anchor."""
        import numpy as np

        row = np.zeros(self.size)
        if anchor is None:
            row[: self._players] = -1 / self._players
        else:
            row[anchor] = -1
        row[place] += 1
        return row

    def _log_chances(self, at: Array) -> Array:
        import numpy as np

        half = self._sides @ at[: self._players] / 2
        draw = np.full_like(half, at[-1] if self.has_draws else -np.inf)
        weights = np.stack([half, draw, -half], axis=1)
        return weights - np.logaddexp.reduce(weights, axis=1, keepdims=True)

    def value(self, at: Array) -> float:
        import numpy as np

        logs = self._log_chances(at)
        return float(np.sum(self._results * np.where(self._results > 0, logs, 0.0)))

    def _slopes(self, at: Array) -> tuple[Array, Array]:
        """Return the gradient and the negative Hessian.

        The model is an exponential family in (z, ln nu) with the statistics (win - loss)/2 and
        draw, so these are what was seen less what was expected, and games times covariance.
        """
        import numpy as np

        win, draw, loss = np.exp(self._log_chances(at)).T
        seen_win, seen_draw, seen_loss = self._results.T
        games, sides = self._games, self._sides
        over_z = (seen_win - seen_loss - games * (win - loss)) / 2
        zz = games * (win + loss - (win - loss) ** 2) / 4
        gradient = sides.T @ over_z
        curvature = sides.T @ (zz[:, None] * sides)
        if not self.has_draws:
            return gradient, curvature
        zn = sides.T @ (games * -(win - loss) * draw / 2)
        nn = np.sum(games * draw * (1 - draw))
        over_nu = np.sum(seen_draw - games * draw)
        return np.append(gradient, over_nu), np.block([[curvature, zn[:, None]], [zn[None, :], nn]])

    def maximise(self, at: Array, contrast: Array | None = None) -> Array:
        """Climb to the peak by Newton's steps, with `contrast @ at` kept where it is."""
        import numpy as np

        value = self.value(at)
        for _ in range(MAX_STEPS):
            gradient, curvature = self._slopes(at)
            if contrast is not None:
                curvature = np.block(
                    [[curvature, contrast[:, None]], [contrast[None, :], np.zeros((1, 1))]]
                )
                gradient = np.append(gradient, 0.0)
            step = np.linalg.solve(curvature, gradient)[: self.size]
            # Concave, so some part of the step climbs; far from the peak not all of it does.
            while (following := self.value(at + step)) < value and np.max(abs(step)) > 1e-9:
                step = step / 2
            at, value = at + step, following
            if np.max(abs(step)) <= 1e-9:
                return at
        return at

    def interval(self, best: Array, contrast: Array, precision: float) -> tuple[float, ...]:
        """Return `contrast @ best` and the ends of what is not ruled out at 95 %."""
        middle = float(contrast @ best)
        if not contrast.any():  # the anchor itself
            return 0.0, 0.0, 0.0
        peak = self.value(best)
        return (middle, *(self._edge(best, peak, contrast, side, precision) for side in (-1, 1)))

    def _edge(
        self, best: Array, peak: float, contrast: Array, side: int, precision: float
    ) -> float:
        unit = contrast / (contrast @ contrast)
        inside, reach = best, 1.0
        while self._drop(moved := self.maximise(best + side * reach * unit, contrast), peak) < 1:
            inside, reach = moved, reach * 2
        low, high = float(contrast @ inside), float(contrast @ moved)
        while abs(high - low) > precision:
            middle = (low + high) / 2
            moved = self.maximise(inside + (middle - low) * unit, contrast)
            if self._drop(moved, peak) < 1:
                inside, low = moved, middle
            else:
                high = middle
        return low

    def _drop(self, at: Array, peak: float) -> float:
        """Return how far below the peak a point is, in units of what 95 % allow."""
        return (peak - self.value(at)) / self._allowed


def _names(table: Sequence[Encounter]) -> list[str]:
    for one in table:
        if one.first == one.second:
            raise ValueError(f"{one.first!r} cannot be rated by games against itself")
        if min(one.wins, one.draws, one.losses) < 0:
            raise ValueError(f"{one.first!r} against {one.second!r}: a number of games below 0")
    names = list(dict.fromkeys(name for one in table for name in one[:2]))
    if not names:
        raise ValueError("there is nobody to rate: no games")
    return names


def _seen_by(name: str, one: Encounter) -> Tally:
    tally = Tally(one.wins, one.draws, one.losses)
    if name == one.first:
        return tally
    return Tally(tally.losses, tally.draws, tally.wins) if name == one.second else Tally()


def _tally_of(name: str, table: Sequence[Encounter]) -> Tally:
    return sum((_seen_by(name, one) for one in table), Tally())


def cross_table(encounters: Iterable[Encounter]) -> dict[str, dict[str, Tally]]:
    """Return for each player, the best score first, what it did against each other player."""
    table = list(encounters)
    names = sorted(_names(table), key=lambda name: (-_tally_of(name, table).score, name))
    return {
        name: {
            other: sum(
                (_seen_by(name, one) for one in table if {name, other} == set(one[:2])), Tally()
            )
            for other in names
            if other != name
        }
        for name in names
    }


def format_cross_table(encounters: Iterable[Encounter]) -> str:
    """Write the cross table for people: points against each, and of all games."""
    table = cross_table(encounters)
    numbers = {name: str(place) for place, name in enumerate(table, 1)}
    lines = [["", "", *numbers.values(), "points", "games", "score"]]
    for name, row in table.items():
        cells = [_format_points(row[other]) if other != name else "-" for other in table]
        total = sum(row.values(), Tally())
        ends = [_format_points(total), str(total.games), f"{total.score:.3f}"]
        lines.append([numbers[name], name, *cells, *ends])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _format_points(tally: Tally) -> str:
    return f"{tally.points:g}" if tally.games else "."
