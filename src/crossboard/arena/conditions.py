"""What a match is asked for, and the terms that this comes to between given players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from crossboard._core import DrawRules
from crossboard.arena.match import Terms
from crossboard.arena.openings import openings
from crossboard.arena.sprt import Sprt
from crossboard.players import GameTime, LevelPlayer, Player, RandomPlayer, SearchLimits
from crossboard.players.games import Game

DEFAULT_GAMES = 100
LIMITS = ("depth", "seconds", "nodes", "time")
# A depth beside a time makes a player weaker, as in `play`.
LIMITS_AGAINST_TIME = ("seconds", "nodes")
# Chosen: the MP-Draughts laboratory's number in matches between agents.
UFU_LOOP_MOVES = 5


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """The wishes for a match or tournament; what is left out has its usual value."""

    games: int = DEFAULT_GAMES  # of each match; rounded up to pairs
    opening_source: str | None = None
    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    time: str | None = None  # of the game, for each side, as in '5+3'
    own_limits: bool = False
    clock: str = "wall"  # or "cpu": what seconds are
    seed: int = 0
    sprt: str | None = None  # as in '0,10'
    max_plies: int = 0
    loop_rule: str = "none"
    quiescence: bool | None = None  # None: as each player does anyway

    def prepare(self, players: Sequence[Player]) -> list[Player]:
        """Return the players with the way to search that is asked for, and with its clock."""
        found = list(players)
        if self.quiescence is not None:
            found = [
                one.with_settings(replace(one.settings, quiescence=self.quiescence))
                for one in found
            ]
        if self.own_limits and self.clock != "wall":
            found = [
                one.with_settings(one.settings, replace(one.limits, clock=self.clock))
                for one in found
            ]
        return found

    def terms(self, players: Sequence[Player], seats: int) -> Terms:
        """Return the terms of matches between these players, so many of them at one board.

        Raises ValueError for what makes no sense, alone or together.
        """
        game = players[0].game
        return Terms(
            pairs=(self.games + 1) // 2,
            openings=openings(self.openings_of(game, seats), self.seed, game, seats),
            limits=self._limits(players),
            rules=self._rules(game),
            seed=self.seed,
            sprt=None if self.sprt is None else Sprt.from_text(self.sprt),
        )

    def openings_of(self, game: Game, seats: int) -> str:
        """Return the openings asked for, or the game's usual ones."""
        return self.opening_source or game.usual_openings(seats)

    def _limits(self, players: Sequence[Player]) -> SearchLimits | None:
        """Return the limits of every move: those given, or else the usual ones; None: each its own.

        Usual is the game's depth, or else the limits of the first player that searches; but with a
        level in the match each player keeps its own, since that is what levels are.
        """
        given = SearchLimits(
            depth=self.depth,
            seconds=self.seconds,
            nodes=self.nodes,
            clock=self.clock,
            time=None if self.time is None else GameTime.from_text(self.time),
        )
        has_seconds = self.seconds is not None or self.time is not None or self.own_limits
        if self.clock != "wall" and not has_seconds:
            raise ValueError(
                f"--clock {self.clock} counts seconds: give --seconds, --time or --own-limits"
            )
        if self.own_limits:
            self._refuse(LIMITS, "--own-limits keeps each player's own limits")
            return None
        if self.time is not None:
            self._refuse(LIMITS_AGAINST_TIME, "--time is shared out over the moves of a game")
        if not given.is_none:
            return given
        if any(isinstance(one, LevelPlayer) for one in players):
            return None
        if (depth := players[0].game.match_depth) is not None:
            return SearchLimits(depth=depth)
        searching = (one for one in players if not isinstance(one, RandomPlayer))
        return next(searching, players[0]).limits

    def _refuse(self, names: Sequence[str], why: str) -> None:
        """Raise ValueError if one of these options is given."""
        given = ", ".join(f"--{name}" for name in names if getattr(self, name) is not None)
        if given:
            raise ValueError(f"{why}: it cannot be combined with {given}")

    def _rules(self, game: Game) -> DrawRules:
        """Return the rules of draws: the game's own, and those asked for."""
        if self.loop_rule not in ("none", "ufu"):
            raise ValueError(f"--loop-rule is none or ufu, not {self.loop_rule!r}")
        is_ufu = self.loop_rule == "ufu"
        if is_ufu and not game.draws.repetitions:
            raise ValueError("--loop-rule ufu is a rule of draughts")
        return DrawRules(
            # The laboratory's rule replaces repetition, which would always come first.
            repetitions=0 if is_ufu else game.draws.repetitions,
            quiet_plies=game.draws.quiet_plies,
            max_plies=self.max_plies,
            loop_moves=UFU_LOOP_MOVES if is_ufu else 0,
        )

    def as_json(self, terms: Terms, game: Game, seats: int) -> dict[str, Any]:
        """Give what was asked for, and what became of it, under the names that `--json` uses."""
        return {
            "seed": self.seed,
            "limits": None if terms.limits is None else terms.limits.as_json(),
            "openings": self.openings_of(game, seats),
            "quiescence": self.quiescence,
            "games_asked": self.games,
            "loop_rule": self.loop_rule,
            "max_plies": self.max_plies,
        }
