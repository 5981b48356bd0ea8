"""Games of a match, played in the core: a batch of pairs is one piece of work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crossboard._core.draughts import DrawRules, PlayedGame, StopFlag, play_games
from crossboard.arena.openings import Opening
from crossboard.draughts import Record
from crossboard.players import Player, SearchLimits

# How PDN writes who won, by the side that moves first in English draughts.
TOKENS = {"B": "1-0", "W": "0-1", None: "1/2-1/2"}


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
    limits: SearchLimits
    rules: DrawRules

    def play(self, stop: StopFlag | None = None) -> list[Pair]:
        """Play all pairs on the calling thread, or those that were done when the flag was set."""
        one, other = self.one.chooser(self.limits), self.other.chooser(self.limits)
        pairs = []
        for opening, seed in zip(self.openings, self.seeds, strict=True):
            start = [(opening.start, list(opening.moves))]
            games = [
                *play_games(one, other, openings=start, seeds=[seed], rules=self.rules, stop=stop),
                *play_games(other, one, openings=start, seeds=[seed], rules=self.rules, stop=stop),
            ]
            if len(games) < 2:
                break
            pairs.append(Pair(opening, (games[0], games[1])))
        return pairs


def winner_of(game: PlayedGame) -> str | None:
    """Return the colour that won: 'B', 'W' or None."""
    if game.winner is None:
        return None
    first = game.start.turn
    return first if game.winner == 0 else ("W" if first == "B" else "B")


def record_of(game: PlayedGame, first: str, second: str, tags: dict[str, str]) -> Record:
    """Write a game down; the players are named in the order in which they moved."""
    black, white = (first, second) if game.start.turn == "B" else (second, first)
    token = TOKENS[winner_of(game)]
    # PDN's customary order of tags.
    named = tags | {"White": white, "Black": black, "Result": token, "GameType": "21"}
    record = Record(game.start, tags=named)
    node = record.tree
    for move in game.moves:
        node = node.add(move)
    node.comments = [f"{game.ending}: {game.reason}" if game.reason else game.ending]
    record.result = token
    return record
