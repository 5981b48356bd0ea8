"""The other draughts libraries for Python, all asked the same questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import repeat
from random import Random
from typing import Any, Protocol

from benchmarks.measure import Contender


class Peer(Protocol):
    """A library that knows the rules. The sizes are what it does in about a second."""

    name: str
    module: str
    perft_depth: int
    games: int

    def list_moves(self, times: int) -> None:
        """Ask for the legal moves of the start position so many times."""

    def perft(self, depth: int) -> int:
        """Count the leaves from the start position."""

    def play_random_game(self, rng: Random) -> None:
        """Play to the end by the library's own rules, its draws included."""


class Pydraughts:
    """Pure Python, every variant of draughts."""

    name = "pydraughts"
    module = "draughts"
    perft_depth = 4
    games = 8

    def __init__(self) -> None:
        self._board: Callable[..., Any] = import_module(self.module).Board

    def list_moves(self, times: int) -> None:
        board = self._board(variant="english")
        for _ in repeat(None, times):
            board.legal_moves()

    def perft(self, depth: int) -> int:
        return self._leaves(self._board(variant="english"), depth)

    def _leaves(self, board: Any, depth: int) -> int:
        moves = board.legal_moves()
        if depth == 1:
            return len(moves)
        leaves = 0
        for move in moves:
            leaves += self._leaves(board.push(move), depth - 1)
            board.pop()
        return leaves

    def play_random_game(self, rng: Random) -> None:
        board = self._board(variant="english")
        while not board.is_over():
            board.push(rng.choice(board.legal_moves()))


class OpenSpiel:
    """A C++ core under Python. Each jump of a multi-jump is a ply of its own."""

    name = "OpenSpiel"
    module = "pyspiel"
    perft_depth = 6  # from 7 on its leaves are others: the first multi-jumps come
    games = 2_000

    def __init__(self) -> None:
        self._game = import_module(self.module).load_game("checkers")

    def list_moves(self, times: int) -> None:
        state = self._game.new_initial_state()
        for _ in repeat(None, times):
            state.legal_actions()

    def perft(self, depth: int) -> int:
        return self._leaves(self._game.new_initial_state(), depth)

    def _leaves(self, state: Any, depth: int) -> int:
        actions = state.legal_actions()
        if depth == 1:
            return len(actions)
        return sum(self._leaves(state.child(action), depth - 1) for action in actions)

    def play_random_game(self, rng: Random) -> None:
        state = self._game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))


PEERS: tuple[type[Peer], ...] = (Pydraughts, OpenSpiel)


def contenders(
    enter: Callable[[Peer], Contender], peers: Sequence[type[Peer]] = PEERS
) -> list[Contender]:
    """Return what `enter` makes of each peer that is installed, and a note for the others."""
    return [
        enter(peer())
        if find_spec(peer.module)
        else Contender(peer.name, None, note="not installed")
        for peer in peers
    ]
