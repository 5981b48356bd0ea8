"""Computers that play in a game in progress, and the one that gives hints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from crossboard.play.opponents import (
    RANDOM,
    USUAL_TABLES,
    Remark,
    TablesChoice,
    find_player,
    ignore,
    remark_damage,
)
from crossboard.play.wording import counted
from crossboard.players import (
    GameTime,
    LevelPlayer,
    Player,
    RandomPlayer,
    SearchLimits,
    SearchResult,
    SearchSettings,
)
from crossboard.players.games import AnyMove, AnyPosition, game_of

DEFAULT_LIMITS = SearchLimits(seconds=1.0)


class Thinker:
    """A player that searches to the same limits at every move; without any, to its own.

    The errors of a level depend on the `seed` and on how many moves came before.
    """

    takes_time = True

    def __init__(
        self,
        called: str,
        asked: SearchLimits | None = None,
        remark: Remark = ignore,
        tables: TablesChoice = USUAL_TABLES,
        *,
        seed: int = 0,
    ) -> None:
        self.called = called  # as people found it
        self.asked = asked or SearchLimits()
        self._remark = remark  # takes what should be known of a file that is read
        self._tables = tables
        self._seed = seed

    @cached_property
    def player(self) -> Player:
        """The player, made when it is first needed: its table takes memory."""
        return self._tables.apply(find_player(self.called, self._remark), self._remark)

    @property
    def name(self) -> str:
        """The player's own name."""
        return self.player.name

    @property
    def limits(self) -> SearchLimits:
        """How far it looks."""
        return self.player.limits_for(self.asked)

    @property
    def manner(self) -> str:
        """How far it looks, for people."""
        return describe_limits(self.limits)

    def take(self, player: Player) -> None:
        """Think with another player's evaluation from now on, in the same way."""
        self.player = player.with_settings(self.player.settings)

    def think(
        self, position: AnyPosition, history: Sequence[AnyPosition], time: GameTime | None = None
    ) -> SearchResult:
        """Search a position; of a game's time for a share of what is left."""
        self.player.clear()  # what it finds depends on the game alone, whatever was taken back
        if isinstance(self.player, LevelPlayer):
            self.player.reseed(f"{self._seed} move {len(history)}")
        asked = self.asked if time is None else replace(self.asked, time=time)
        found = self.player.search(position, limits=asked, history=history)
        remark_damage(self.player.tables, self._remark)
        return found

    def choose(
        self, position: AnyPosition, history: Sequence[AnyPosition], time: GameTime | None = None
    ) -> AnyMove:
        """Choose the best move; a forced one takes no time."""
        moves = game_of(position).moves(position)
        return moves[0] if len(moves) == 1 else self.think(position, history, time).move

    def stop(self) -> None:
        """End a search that another thread waits for."""
        if "player" in self.__dict__:
            self.player.stop()


class Dice:
    """A computer that draws its moves from a seed."""

    takes_time = False

    def __init__(self, name: str, game: str, seed: int) -> None:
        self.name = name
        self.seed = seed
        self._player = RandomPlayer(name, seed=seed, game=game)

    @property
    def manner(self) -> str:
        """The seed, for people."""
        return f"seed {self.seed}"

    def choose(
        self, position: AnyPosition, history: Sequence[AnyPosition], time: GameTime | None = None
    ) -> AnyMove:
        """Choose any legal move, each equally likely."""
        return self._player.choose(position)

    def stop(self) -> None:
        """Do nothing: it does not think."""


def find_computer(
    called: str,
    start: AnyPosition,
    asked: SearchLimits,
    seed: int,
    remark: Remark = ignore,
    tables: TablesChoice = USUAL_TABLES,
) -> Thinker | Dice:
    """Find a player that can play from a position; raise ValueError if there is none."""
    game = game_of(start).name
    if called == RANDOM:
        return Dice(RANDOM, game, seed)
    thinker = Thinker(called, asked, remark, tables, seed=seed)
    if isinstance(thinker.player, RandomPlayer):
        return Dice(thinker.name, game, seed)
    return thinker


def find_adviser(
    computer: Thinker | Dice,
    start: AnyPosition,
    tables: TablesChoice = USUAL_TABLES,
    remark: Remark = ignore,
) -> Thinker:
    """Return what gives hints: with the opponent's evaluation, if that is one of ours.

    It is never the opponent itself, whose play must not depend on what is asked.
    """
    game = game_of(start)
    usual, thinker = game.usual_player(start), computer if isinstance(computer, Thinker) else None
    if game.hint_depth is None:
        asked = replace(thinker.asked, time=None) if thinker else None
        return Thinker(usual, asked, remark, tables)
    # Good advice is worth most to those who play against a low level.
    is_full = thinker is not None and not isinstance(thinker.player, LevelPlayer)
    # A hint is no move of a game: it has no share of its time.
    limits = replace(thinker.limits, time=None) if thinker and is_full else DEFAULT_LIMITS
    limits = DEFAULT_LIMITS if limits.is_none else limits
    depth = limits.depth and max(limits.depth, game.hint_depth)
    adviser = Thinker(usual, replace(limits, depth=depth), remark, tables)
    if thinker and thinker.called != usual and type(thinker.player) is Player:
        adviser.player = thinker.player.with_settings(SearchSettings())
    return adviser


def describe_limits(limits: SearchLimits) -> str:
    """Say how far a player looks at each move."""
    plies = "ply" if limits.depth == 1 else "plies"
    depth = [f"{limits.depth} {plies} deep"] if limits.depth else []
    seconds = [f"{limits.seconds:g} s a move"] if limits.seconds else []
    nodes = [f"{counted(limits.nodes, 'position')} a move"] if limits.nodes else []
    time = [f"{limits.time} on the clock"] if limits.time else []
    return ", ".join(depth + seconds + nodes + time)
