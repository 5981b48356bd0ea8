"""Games of a match, played in the core: a batch of pairs is one piece of work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from crossboard import duchess
from crossboard._core import DrawRules
from crossboard._core.draughts import PlayedGame
from crossboard.arena.halt import Halt
from crossboard.arena.openings import Opening
from crossboard.draughts import Record, result_for
from crossboard.players import Player, SearchLimits
from crossboard.players.games import game_of


class Pair(NamedTuple):
    """Two games from one opening: one player moves first in the one, the other in the other."""

    opening: Opening
    games: tuple[PlayedGame, PlayedGame]

    @property
    def points(self) -> tuple[float, float]:
        """The first player's points in the two games."""
        one, other = self.games
        return _points(one, 0), _points(other, 1)


def _points(game: PlayedGame, seat: int) -> float:
    return 0.5 if game.winner is None else float(game.winner == seat)


class Batch(NamedTuple):
    """Pairs to be played, with all that they depend on: it can be sent to another process."""

    one: Player
    other: Player
    openings: Sequence[Opening]
    seeds: Sequence[int]
    limits: SearchLimits | None  # None: each player's own
    rules: DrawRules

    def play(self, halt: Halt | None = None) -> list[Pair]:
        """Play all pairs on the calling thread, or those that were done when the halt was set."""
        with (halt or Halt()).watching(self.one, self.other) as stop:
            games = self.one.game.core.play_pairs(
                self.one.chooser(self.limits),
                self.other.chooser(self.limits),
                openings=[(opening.start, list(opening.moves)) for opening in self.openings],
                seeds=list(self.seeds),
                rules=self.rules,
                stop=stop,
            )
        # A halt leaves openings without games.
        return [Pair(*each) for each in zip(self.openings, games, strict=False)]


def winner_of(game: PlayedGame) -> str | None:
    """Return the side that won: 'B' or 'W', 'odd' or 'even' of Duchess, or None."""
    if game.winner is None:
        return None
    rules = game_of(game.start)
    first = rules.side_of(game.start)
    return first if game.winner == 0 else rules.other(first)


def text_of(game: Any, first: str, second: str, tags: dict[str, str]) -> str:
    """Write a game down as text: PDN, or a record of Duchess."""
    if isinstance(game.start, duchess.Position):
        return duchess_record_of(game, first, second, tags).text
    return record_of(game, first, second, tags).pdn


def duchess_record_of(game: Any, first: str, second: str, tags: dict[str, str]) -> duchess.Record:
    """Write a game of Duchess down; the players are named in the order in which they moved."""
    is_odd_first = game_of(game.start).side_of(game.start) == "odd"
    odd, even = (first, second) if is_odd_first else (second, first)
    token = duchess.result_for(winner_of(game))
    record = duchess.Record(game.start, tags=tags | {"Odd": odd, "Even": even, "Result": token})
    for move in game.moves:
        record.play(move)
    record.comments[len(game.moves)] = (
        f"{game.ending}: {game.reason}" if game.reason else game.ending
    )
    record.result = token
    return record


def record_of(game: PlayedGame, first: str, second: str, tags: dict[str, str]) -> Record:
    """Write a game down; the players are named in the order in which they moved."""
    black, white = (first, second) if game.start.turn == "B" else (second, first)
    token = result_for(winner_of(game))
    # PDN's customary order of tags.
    named = tags | {"White": white, "Black": black, "Result": token, "GameType": "21"}
    record = Record(game.start, tags=named)
    node = record.tree
    for move in game.moves:
        node = node.add(move)
    node.comments = [f"{game.ending}: {game.reason}" if game.reason else game.ending]
    record.result = token
    return record
