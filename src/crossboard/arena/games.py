"""Games of a match, played in the core: a batch of pairs is one piece of work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from crossboard._core import DrawRules
from crossboard._core.draughts import EndgameTables, PlayedGame
from crossboard.arena.halt import Halt
from crossboard.arena.openings import Opening
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
        timing: dict[str, Any] = {}
        if self.limits is not None and self.limits.time is not None:
            timing = {"time": self.limits.time, "clock": self.limits.clock}
        with (halt or Halt()).watching(self.one, self.other) as stop:
            games = self.one.game.core.play_pairs(
                self.one.chooser(self.limits),
                self.other.chooser(self.limits),
                openings=[(opening.start, list(opening.moves)) for opening in self.openings],
                seeds=list(self.seeds),
                rules=self.rules,
                stop=stop,
                **timing,
            )
        # A halt leaves openings without games.
        return [Pair(*each) for each in zip(self.openings, games, strict=False)]

    def take_damage(self) -> list[str]:
        """Return, once in this process, what proved damaged in the players' endgame tables."""
        every = (one.tables.take_warning() for one in (self.one, self.other) if one.tables)
        return [damage for damage in every if damage is not None]


def winner_of(game: PlayedGame) -> str | None:
    """Return the side that won: 'B' or 'W', 'odd' or 'even' of Duchess, or None."""
    if game.winner is None:
        return None
    rules = game_of(game.start)
    first = rules.side_of(game.start)
    return first if game.winner == 0 else rules.other(first)


def seats_that_missed_wins(game: PlayedGame, tables: EndgameTables) -> list[int]:
    """Return the seats (0: moved first) that were winning by endgame tables, but did not win."""
    missed = []
    for seat in (0, 1):
        # Behind a seat's move the other one is to move.
        own = (tables.probe(board) == -1 for board in game.boards_after(seat))
        others = (tables.probe(board) == 1 for board in game.boards_after(1 - seat))
        if game.winner != seat and (any(own) or any(others)):
            missed.append(seat)
    return missed


def text_of(game: PlayedGame, first: str, second: str, tags: dict[str, str]) -> str:
    """Write a game down as text, as its game does."""
    return game_of(game.start).format_record(record_of(game, first, second, tags))


def record_of(game: PlayedGame, first: str, second: str, tags: dict[str, str]) -> Any:
    """Return a game's record; the players are named in the order in which they moved."""
    rules = game_of(game.start)
    begins = rules.side_of(game.start)
    names = {begins: first, rules.other(begins): second}
    named = {tag: names[side] for side, tag in rules.side_tags.items()}
    result = rules.result_for(winner_of(game))
    ending = f"{game.ending}: {game.reason}" if game.reason else game.ending
    every = {**tags, **named, "Result": result, **rules.record_tags}
    record = rules.record(game.start, game.moves, tags=every, comment=ending)
    record.result = result
    return record
