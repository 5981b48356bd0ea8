"""An outside engine that speaks Hub as a player: asked for moves like our own."""

from __future__ import annotations

import secrets
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from crossboard._core import Forfeit
from crossboard._core.draughts import Chooser, IllegalMove, Move, Position
from crossboard.players import (
    GameTime,
    Line,
    Player,
    SearchLimits,
    SearchResult,
    SearchSettings,
)
from crossboard.players.settings import one_limits
from crossboard.protocols.hub_level import format_level
from crossboard.protocols.hub_process import HubFault, HubProcess
from crossboard.protocols.hub_text import (
    HubLine,
    HubSyntax,
    format_move,
    format_position,
    moves_between,
    parse_move,
    win_behind,
)

PREFIX = "hub:"
# Chosen: what an engine may take beyond its limits before it has hung.
GRACE_SECONDS = 20.0
TIMES_THE_SECONDS = 2.0
# Chosen: the speed of an engine that is slow but not hopeless, for limits that are no time.
SLOW_NODES_PER_SECOND = 10_000
LONGEST_SECONDS = 1e7


def patience(limits: SearchLimits) -> float:
    """Return for how many seconds to wait for a move before the engine counts as hung."""
    expected = LONGEST_SECONDS
    if limits.seconds is not None:
        expected = TIMES_THE_SECONDS * limits.seconds
    if limits.time is not None:
        expected = min(expected, TIMES_THE_SECONDS * max(0.0, limits.time.for_next_move))
    if limits.typical_nodes is not None:
        expected = min(expected, limits.typical_nodes / SLOW_NODES_PER_SECOND)
    return min(LONGEST_SECONDS, GRACE_SECONDS + expected)


class HubPlayer(Player):
    """Plays as the engine that a command starts; it can be sent to other processes.

    Nothing runs before the first move is asked for, and what runs ends with the player. Each
    chooser, and the player itself for `search`, has a process of its own; that of a chooser which
    is no more needed waits for the next one.
    """

    def __init__(self, command: str) -> None:
        # The name goes into tables and PDN tags, which are lines of text.
        words = " ".join(command.split())
        plain = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)
        super().__init__(PREFIX + plain, search=SearchSettings(table_mb=0))
        self.command = command
        self._token = secrets.token_hex(8)
        self._starter = HubStarter(command)
        self._own = HubSeat(self._starter)

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrive, (self.command, self._token)

    def check(self) -> None:
        """Start the engine once, to see whether it speaks the protocol; raise HubFault if not."""
        try:
            self._starter.start().end()
        except HubFault as fault:
            raise HubFault(f"{self.name}: {fault}") from None

    def search(
        self,
        position: Position,
        *,
        depth: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        limits: SearchLimits | None = None,
        history: Sequence[Position] = (),
        multipv: int = 1,
        trace: bool = False,
        **_: Any,
    ) -> SearchResult:
        """Ask the engine; raise HubFault if it does not answer as it should.

        An engine finds one best move and tells no trace: asked for more it raises ValueError.
        """
        if multipv > 1 or trace:
            raise ValueError(f"{self.name} finds one move and keeps no trace")
        if position.is_over:
            raise ValueError("the game is over: there is no move")
        limits = self.limits_for(one_limits(limits, depth=depth, seconds=seconds, nodes=nodes))
        try:
            return self._own.ask(position, history, limits)
        except HubFault as fault:
            raise HubFault(f"{self.name} {fault}") from None

    def chooser(self, limits: SearchLimits | None = None) -> Chooser:
        """Make what plays for this player in games of the core, in a process of its own."""
        seat = HubSeat(self._starter)
        chooser = HubChooser(seat, self.limits_for(limits))
        weakref.finalize(chooser, seat.leave)
        return Chooser.python(chooser)

    def stop(self) -> None:
        """End all processes at once: games that wait for them are lost, searches fail."""
        self._starter.stop()

    def clear(self) -> None:
        """Let the engine forget what earlier searches found."""
        self._own.begin_game()

    def with_settings(self, settings: SearchSettings, limits: SearchLimits | None = None) -> Player:
        """Refuse: how the engine searches is its own affair."""
        raise ValueError(f"{self.name} is somebody else's program and searches in its own way")

    def save(self, folder: str | Path) -> None:
        """Refuse: what the engine is lies elsewhere."""
        raise ValueError(f"{self.name} is somebody else's program and cannot be saved in {folder}")


class HubStarter:
    """Starts an engine as often as it is needed, and knows what runs."""

    def __init__(self, command: str) -> None:
        self.command = command
        self._lock = threading.Lock()
        self._processes: weakref.WeakSet[HubProcess] = weakref.WeakSet()
        self._idle: list[HubProcess] = []

    def start(self) -> HubProcess:
        """Start the engine and agree on the game; raise HubFault if that cannot be."""
        process = HubProcess(self.command)
        with self._lock:
            self._processes.add(process)
        process.introduce()
        return process

    def take(self) -> HubProcess:
        """Return a process that nobody uses, or start one."""
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.is_running:
                    return process
        return self.start()

    def give_back(self, process: HubProcess) -> None:
        """Keep a process, which must have answered what it was asked, for whoever takes it next."""
        with self._lock:
            self._idle.append(process)

    def stop(self) -> None:
        """End all that runs at once."""
        with self._lock:
            processes = list(self._processes)
        for process in processes:
            process.kill()


# Chosen: longer than between two batches of one match, shorter than anybody misses the memory.
KEPT_SECONDS = 60.0
_kept: dict[str, tuple[HubPlayer, threading.Timer]] = {}
_keeping = threading.Lock()


def _arrive(command: str, token: str) -> HubPlayer:
    """Return the player that came with an earlier batch, whose engines run already, or a new one.

    It is kept for a while, since it may come again, and then forgotten.
    """
    timer = threading.Timer(KEPT_SECONDS, _forget, (token,))
    timer.daemon = True
    with _keeping:
        player, earlier = _kept.get(token, (None, None))
        if earlier is not None:
            earlier.cancel()
        player = player or HubPlayer(command)
        _kept[token] = player, timer
    timer.start()
    return player


def _forget(token: str) -> None:
    with _keeping:
        forgotten = _kept.pop(token, None)
    del forgotten  # which ends its processes, and may take a moment


class HubSeat:
    """One process of an engine, started when it is needed and again after a fault."""

    def __init__(self, starter: HubStarter) -> None:
        self._starter = starter
        self._process: HubProcess | None = None
        self._is_new_game = True

    def leave(self) -> None:
        """Leave the process to others."""
        process, self._process = self._process, None
        if process is not None and process.is_running:
            self._starter.give_back(process)

    def begin_game(self) -> None:
        """Let the next question be the first of a game."""
        self._is_new_game = True

    def ask(
        self, position: Position, history: Sequence[Position], limits: SearchLimits
    ) -> SearchResult:
        """Ask for a move; raise HubFault, after which the process has ended."""
        process = self._ready()
        start, moves = moves_between([*history, position])
        asked: dict[str, str | None] = {"pos": format_position(start)}
        if moves:
            asked["moves"] = " ".join(map(format_move, moves))
        process.forget_answers()
        process.send(HubLine("pos", asked))
        process.send(format_level(limits))
        process.send(HubLine("go", {"think": None}))
        began = time.monotonic()
        deadline, info = began + patience(limits), HubLine("info")
        while (line := process.receive(deadline, {"info", "done"})).command == "info":
            info = line
        move = self._move(process, position, line)
        return _result(position, move, info, time.monotonic() - began)

    def _ready(self) -> HubProcess:
        if self._process is None or not self._process.is_running:
            self._process = None
            self._process = self._starter.take()
            self._is_new_game = True
        if self._is_new_game:
            self._process.send(HubLine("new-game"))
            self._is_new_game = False
        return self._process

    @staticmethod
    def _move(process: HubProcess, position: Position, line: HubLine) -> Move:
        text = line.arguments.get("move")
        if not text:
            process.fail("gave no move")
        try:
            return parse_move(position, text)
        except HubSyntax as error:
            process.fail(f"gave a move that is none: {error}")
        except IllegalMove:
            process.fail(f"played {text}, which is illegal in {position.fen}")


class HubChooser:
    """Plays games of the core; what the engine does wrong loses the game."""

    def __init__(self, seat: HubSeat, limits: SearchLimits) -> None:
        self._seat, self._limits = seat, limits

    def begin_game(self, seed: int) -> None:
        """Forget earlier games; an engine has no use for a seed."""
        self._seat.begin_game()

    def choose(
        self,
        position: Position,
        history: Sequence[Position],
        left: tuple[float, float, int] | None = None,
    ) -> Move:
        """Return the engine's move; raise Forfeit with the reason if there is none.

        `left` is what a game with a clock leaves: seconds, increment and moves.
        """
        limits = self._limits if left is None else replace(self._limits, time=GameTime(*left))
        try:
            move: Move = self._seat.ask(position, history, limits).move
            return move
        except HubFault as fault:
            raise Forfeit(str(fault)) from None


def _result(position: Position, move: Move, info: HubLine, seconds: float) -> SearchResult:
    """Put together what the engine told; what it did not tell, or not well, is nothing."""
    pv = _variation(position, info.arguments.get("pv") or "")
    if not pv or pv[0] != move:
        pv = [move]
    score = _number(info, "score")
    win_in = win_behind(score)
    return SearchResult(
        move=move,
        value=score,
        pv=pv,
        depth=int(_number(info, "depth")),
        nodes=int(_number(info, "nodes")),
        seconds=seconds,
        win_in=win_in,
        selective_depth=int(_number(info, "depth")),
        stopped=False,
        lines=[Line(move, score, win_in, pv)],
        trace=[],
    )


def _variation(position: Position, text: str) -> list[Move]:
    moves: list[Move] = []
    for word in text.split():
        try:
            moves.append(parse_move(position, word))
        except ValueError:
            break
        position = position.after(moves[-1])
    return moves


def _number(info: HubLine, name: str) -> float:
    try:
        number = float(info.arguments.get(name) or 0)
    except ValueError:
        return 0.0
    return number if abs(number) < 1e18 else 0.0
