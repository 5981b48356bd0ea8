"""A match: pairs of games between two players, and what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import Any

from crossboard._core import DrawRules
from crossboard._core.draughts import EndgameTables, PlayedGame
from crossboard.arena.games import Batch, Pair, seats_that_missed_wins, winner_of
from crossboard.arena.halt import Halt
from crossboard.arena.openings import Openings
from crossboard.arena.schedule import play_series, warn
from crossboard.arena.score import Score, Tally, score_pairs
from crossboard.arena.sprt import Decision, Sprt
from crossboard.players import Player, SearchLimits, material_balance
from crossboard.players.games import game_of

# What sides are called in results.
NAMES = {"B": "black", "W": "white", "odd": "odd", "even": "even"}


@dataclass(frozen=True)
class Terms:
    """What two players agree on before a match. Nothing else has a part in its games."""

    pairs: int
    openings: Openings
    limits: SearchLimits | None = None  # None: each player keeps its own
    rules: DrawRules = field(default_factory=DrawRules)
    seed: int = 0
    sprt: Sprt | None = None  # ends the match as soon as it is decided
    # Pairs before this one, which `pairs` counts too, were played before: no result has them.
    first: int = 0

    def __post_init__(self) -> None:
        if self.first and self.sprt is not None:
            raise ValueError("SPRT needs all pairs: it cannot begin with a later one")

    def batch(self, one: Player, other: Player, numbers: range) -> Batch:
        """Return the pairs of these numbers."""
        seeds = [Random(f"{self.seed} pair {n}").getrandbits(63) for n in numbers]
        openings = self.openings.take(numbers.start, len(numbers))
        return Batch(one, other, openings, seeds, self.limits, self.rules)


@dataclass
class MatchResult:
    """What came out so far, for the first player."""

    one: str
    other: str
    pairs: list[Pair] = field(default_factory=list)
    sprt: Sprt | None = None
    tables: EndgameTables | None = None  # that judge the endgames
    seconds: float = 0.0
    resumed: int = 0  # of the pairs those that an earlier process played

    def add(self, pair: Pair) -> None:
        self.pairs.append(pair)
        if self.sprt is not None:
            self.sprt = self.sprt.after(sum(pair.points))

    @property
    def is_decided(self) -> bool:
        return self.sprt is not None and self.sprt.decision is not Decision.GO_ON

    @property
    def speed(self) -> float:
        """Games a second, of those that this process played."""
        return 2 * (len(self.pairs) - self.resumed) / max(self.seconds, 1e-9)

    @property
    def games(self) -> Iterator[PlayedGame]:
        return chain.from_iterable(pair.games for pair in self.pairs)

    @property
    def score(self) -> Score:
        return score_pairs(pair.points for pair in self.pairs)

    @property
    def sides(self) -> tuple[str, str]:
        """The sides of the game that was played."""
        return game_of(self.pairs[0].opening.start if self.pairs else None).sides

    @property
    def by_colour(self) -> dict[str, Tally]:
        """The first player's games with the black pieces and with the white ones, or by teams."""
        counts = {side: [0, 0, 0] for side in self.sides}
        for pair in self.pairs:
            for seat, game in enumerate(pair.games):
                rules = game_of(game.start)
                first = rules.side_of(game.start)
                colour = first if seat == 0 else rules.other(first)
                winner = winner_of(game)
                counts[colour][1 if winner is None else 0 if winner == colour else 2] += 1
        return {colour: Tally(*three) for colour, three in counts.items()}

    @property
    def loops(self) -> list[PlayedGame]:
        """The draws that are loops: the same position, or the same moves, again and again."""
        return [game for game in self.games if game.ending in ("repetition", "loop")]

    @property
    def missed_wins(self) -> dict[str, int]:
        """The games that each player did not win after a position won by the tables."""
        counts, tables = [0, 0], self.tables
        if tables is not None:
            for pair in self.pairs:
                for number, game in enumerate(pair.games):
                    for seat in seats_that_missed_wins(game, tables):
                        counts[seat ^ number] += 1
        return {"one": counts[0], "other": counts[1]}

    def _forfeits(self) -> Iterator[str]:
        """Yield who lost a game without having lost it on the board, and why."""
        for pair in self.pairs:
            for seat, game in enumerate(pair.games):
                if game.reason:
                    loser = self.other if game.winner == seat else self.one
                    yield f"{loser}: {game.reason}"

    def as_json(self) -> dict[str, Any]:
        """Give the figures under the names that `--json` uses."""
        games = list(self.games)
        loops = self.loops
        endings = sorted({game.ending for game in games})
        colours = self.by_colour
        result = {
            "one": self.one,
            "other": self.other,
            **self.score.as_json(),
            **{f"as_{NAMES[side]}": tally.as_json() for side, tally in colours.items()},
            "loops": len(loops),
            "loops_unequal": sum(material_balance(game.last) != 0 for game in loops),
            "endings": {name: sum(game.ending == name for game in games) for name in endings},
            "reasons": dict(Counter(self._forfeits())),
            "distinct_games": len(set(games)),
            "average_plies": sum(game.plies for game in games) / len(games) if games else 0.0,
            "seconds": self.seconds,
        }
        result["tables"] = 0 if self.tables is None else self.tables.pieces
        if self.tables is not None:
            result["missed_wins"] = self.missed_wins
        if self.sprt is not None:
            result["sprt"] = self.sprt.as_json()
        return result


@dataclass(frozen=True)
class Fixture:
    """A match to be played: the players, their terms, and the result that collects the pairs.

    What the result holds already is not played again.
    """

    one: Player
    other: Player
    terms: Terms
    result: MatchResult

    @property
    def missing(self) -> range:
        if self.is_decided:
            return range(0)
        return range(self.terms.first + len(self.result.pairs), self.terms.pairs)

    @property
    def is_decided(self) -> bool:
        return self.result.is_decided

    def batch(self, numbers: range) -> Batch:
        return self.terms.batch(self.one, self.other, numbers)


def play_match(
    one: Player,
    other: Player,
    terms: Terms,
    executor: Executor,
    *,
    workers: int = 1,
    stop: Halt | None = None,
    on_pair: Callable[[MatchResult], None] | None = None,
    into: MatchResult | None = None,
) -> MatchResult:
    """Play a match; the result does not depend on the executor or the number of workers.

    `on_pair` sees the result after every pair, in their order. `into` collects the pairs, for
    callers that may be interrupted; pairs that it holds already are not played again. Setting
    `stop` ends the match with what was played.
    """
    result = into or MatchResult(one.name, other.name, sprt=terms.sprt)
    fixture = Fixture(one, other, terms, result)
    play_fixtures([fixture], executor, workers=workers, stop=stop, on_pair=on_pair)
    return result


def play_fixtures(
    fixtures: Sequence[Fixture],
    executor: Executor,
    *,
    workers: int = 1,
    stop: Halt | None = None,
    on_pair: Callable[[MatchResult], None] | None = None,
    on_damage: Callable[[str], None] = warn,
) -> None:
    """Play matches side by side; their pairs come in the order of the matches.

    `on_damage` gets a sentence from each process that found a damaged endgame table. Otherwise as
    play_match.
    """
    halt = (stop or Halt()).inner()
    for fixture, pair, seconds in play_series(fixtures, executor, workers, halt, on_damage):
        fixture.result.add(pair)
        fixture.result.seconds = seconds
        if on_pair is not None:
            on_pair(fixture.result)
