"""Who thinks in a game in progress: the computer's player, and the one that gives hints."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from crossboard.draughts import Move, Position
from crossboard.play.contest import Opponent
from crossboard.play.opponents import RANDOM, Remark, find_player, ignore
from crossboard.play.wording import counted
from crossboard.players import Player, RandomPlayer, SearchLimits, SearchResult, SearchSettings
from crossboard.players.games import DRAUGHTS

DEFAULT_PLAYER = DRAUGHTS.usual_player(DRAUGHTS.start())
DEFAULT_LIMITS = SearchLimits(seconds=1.0)
HINT_DEPTH = 13  # at least: advice is worth little at the depth of an easy opponent


def choose_random(position: Position, _: Sequence[Position], rng: random.Random) -> Move:
    """Choose any legal move, each equally likely."""
    return rng.choice(position.legal_moves)


class Thinker:
    """A player that searches to the same limits at every move; without any, to its own."""

    def __init__(self, name: str, limits: SearchLimits, remark: Remark = ignore) -> None:
        self.name = name
        self.limits = limits
        self._remark = remark  # on what is found

    @cached_property
    def player(self) -> Player:
        """The player, made when it is first needed: its table takes memory."""
        return find_player(self.name, self._remark)

    def take(self, player: Player) -> None:
        """Think with another player's evaluation from now on, in the same way."""
        self.player = player.with_settings(self.player.settings)

    def think(self, position: Any, history: Sequence[Any]) -> SearchResult:
        """Search a position."""
        limits = self.limits
        self.player.clear()  # what it finds depends on the game alone, whatever was taken back
        return self.player.search(
            position,
            depth=limits.depth,
            seconds=limits.seconds,
            nodes=limits.nodes,
            history=history,
        )

    def choose(self, position: Position, history: Sequence[Position], _: random.Random) -> Move:
        """Choose the best move; a forced one takes no time."""
        moves = position.legal_moves
        return moves[0] if len(moves) == 1 else self.think(position, history).move


class Computer(NamedTuple):
    """Who plays for the computer, and who searches for it: nobody, if it plays at random."""

    opponent: Opponent
    thinker: Thinker | None


def find_computer(
    name: str,
    asked: SearchLimits,
    seed: int,
    *,
    learns: bool = False,
    remark: Remark = ignore,
) -> Computer:
    """Find the computer's player by its name; raise ValueError if there is none.

    Without limits that were asked for its own count.
    """
    named = [] if name == DEFAULT_PLAYER else ["--opponent", name]
    named += ["--learn"] if learns else []
    if name == RANDOM:
        return Computer(Opponent(name, choose_random, seed, options=tuple(named)), None)
    thinker, title, own = Thinker(name, asked, remark), name, DEFAULT_LIMITS
    if name != DEFAULT_PLAYER:  # which is there, and need not be loaded yet
        title, own = thinker.player.name, thinker.player.limits
        if isinstance(thinker.player, RandomPlayer):
            return Computer(Opponent(title, choose_random, seed, options=tuple(named)), None)
    if asked.is_none:
        thinker.limits = own
    options = () if thinker.limits == own else limit_options(thinker.limits)
    manner = describe_limits(thinker.limits)
    return Computer(Opponent(title, thinker.choose, seed, manner, (*named, *options)), thinker)


def limit_options(limits: SearchLimits) -> tuple[str, ...]:
    """Return the options that ask for these limits."""
    given = limits.for_engine()
    return tuple(word for limit, value in given.items() for word in (f"--{limit}", f"{value:g}"))


def describe_limits(limits: SearchLimits) -> str:
    """Say how long somebody thinks about a move."""
    depth = [f"{limits.depth} plies deep"] if limits.depth else []
    seconds = [f"{limits.seconds:g} s a move"] if limits.seconds else []
    nodes = [f"{counted(limits.nodes, 'position')} a move"] if limits.nodes else []
    return ", ".join(depth + seconds + nodes)


def adviser(computer: Computer) -> Thinker:
    """Return who gives hints: with the opponent's evaluation, if it is one of ours.

    It is never the opponent itself, whose play must not depend on what is asked.
    """
    thinker = computer.thinker
    limits = DEFAULT_LIMITS if thinker is None else thinker.limits
    depth = limits.depth and max(limits.depth, HINT_DEPTH)
    advises = Thinker(DEFAULT_PLAYER, replace(limits, depth=depth))
    if thinker is not None and thinker.name != DEFAULT_PLAYER and type(thinker.player) is Player:
        advises.player = thinker.player.with_settings(SearchSettings())
    return advises
