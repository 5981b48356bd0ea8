"""Levels of a player, from beginner to full strength: NAME@1 to NAME@8."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from crossboard.players.errors import PlayerError
from crossboard.players.handicaps import Handicap
from crossboard.players.player import Player, RandomPlayer
from crossboard.players.settings import SearchLimits, SearchSettings

# Each game has as many handicaps as there are levels below the last one, which has none.
LEVELS = 8
SIGN = "@"


class LevelPlayer(Player):
    """A player with a handicap: it searches less, and misjudges its best moves.

    Limits that are asked for can only make it weaker. Its errors are drawn from the seed of the
    game in games of the core, elsewhere from its own generator. It searches with one thread and
    without endgame tables.
    """

    def __init__(
        self, player: Player, name: str, handicap: Handicap, *, seed: int | None = None
    ) -> None:
        super().__init__(
            name,
            player.evaluator,
            phases=player.phases,
            specialists=player.specialists,
            names=player.evaluators,
            search=replace(player.settings, threads=1, tables=False),
            # Without seconds, so that a seed gives the same game on a busy machine.
            limits=replace(handicap.within(player.limits), seconds=None),
            about=player.about,
            game=player.game.name,
        )
        self.handicap = handicap
        self.noise = (handicap.moves, handicap.noise)
        self.random = Random(seed)

    def reseed(self, seed: int | str) -> None:
        """Draw the errors of the moves to come from a seed."""
        self.random.seed(seed)

    def limits_for(self, asked: SearchLimits | None) -> SearchLimits:
        """Return the limits asked for, but none beyond the level's own."""
        return self.handicap.within(super().limits_for(asked))

    def with_settings(self, settings: SearchSettings, limits: SearchLimits | None = None) -> Player:
        """Return the same level with another way to search, and with other limits if given."""
        return LevelPlayer(super().with_settings(settings, limits), self.name, self.handicap)

    def save(self, folder: str | Path) -> None:
        """Raise PlayerError: a level is made of its player whenever it is loaded."""
        raise PlayerError(f"{self.name} is a level of a player, which cannot be saved by itself")

    def _draw_noise_seed(self) -> int:
        return self.random.getrandbits(63)


def make_level(player: Player, level: int) -> Player:
    """Return a player as one of its levels, which bears the number in its name.

    Raises PlayerError for a player that does not search.
    """
    name = f"{player.name}{SIGN}{level}"
    if isinstance(player, RandomPlayer):
        raise PlayerError(f"{name}: {player.name} does not search, so it has no levels")
    if level < LEVELS:
        return LevelPlayer(player, name, player.game.levels[level - 1])
    player.name = name
    return player


def read_level(text: str, name: str) -> int:
    """Return the level that stands behind the sign; raise PlayerError if there is none such."""
    if text not in map(str, range(1, LEVELS + 1)):
        raise PlayerError(
            f"there is no level {text!r} of {name}: levels are {name}{SIGN}1, for beginners, to "
            f"{name}{SIGN}{LEVELS}, the full strength"
        )
    return int(text)
