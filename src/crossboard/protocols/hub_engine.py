"""Our engine in the Hub protocol: reads commands, searches beside, answers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import BinaryIO

from crossboard._core import StopFlag
from crossboard._core.draughts import Position
from crossboard.players import Player, SearchLimits, SearchResult, SearchSettings, load_player
from crossboard.players.settings import MAX_DEPTH
from crossboard.protocols.hub_game import continue_game
from crossboard.protocols.hub_level import Level
from crossboard.protocols.hub_text import (
    VARIANT,
    HubLine,
    HubSyntax,
    format_move,
    parse_position,
    play_moves,
    score_of,
    shown,
)

# Chosen: several times the longest game anybody sends.
MAX_LINE_BYTES = 100_000
MAX_THREADS = 256
MAX_TABLE_MB = 1_000_000
MODES = ("think", "ponder", "analyze")
WHILE_SEARCHING = ("ping", "ponder-hit", "stop")


class HubEngine:
    """Speaks for a player: one thread reads commands (`serve`), another one searches."""

    def __init__(
        self,
        player: str,
        write: Callable[[str], object],
        prepare: Callable[[Player], Player] = lambda player: player,
    ) -> None:
        """Begin with a player; `write` sends a line off at once.

        `prepare` takes each player that is loaded and returns the one that plays. Raises ValueError
        if there is no such player.
        """
        self._prepare = prepare
        self._output = _Output(write)
        self._changes: dict[str, int] = {}  # to the player's own way of searching
        self._become(player)
        self._is_mirrored = False
        self._level: Level | None = None  # as long as nobody has said
        self._line: Sequence[Position] = [Position()]  # that was sent; empty if it is not known
        self._game: list[Position] = []  # the line, and what came before it
        self._search: _Search | None = None
        self._after_hit: SearchLimits | None = None  # of a search in the other side's time

    def serve(self, source: BinaryIO) -> None:
        """Answer what comes until `quit` or the end; a search that goes on then is stopped."""
        try:
            for text in _lines(source):
                if text is None:
                    self._output.complain(f"a line has {MAX_LINE_BYTES} characters at most")
                elif not self.answer(text):
                    break
        finally:
            self._stop(None)

    def answer(self, text: str) -> bool:
        """Do what a line asks for, if it asks for anything; False after `quit`."""
        command = None
        try:
            line = HubLine.parse(text)
            if line.command == "quit":
                return False
            command = line.command
            # Commands that nobody knows are passed over: so the protocol can grow.
            if action := ACTIONS.get(command):
                if self._is_searching and command not in WHILE_SEARCHING:
                    raise HubSyntax(f"{command} must wait: a search goes on")
                action(self, line)
        except (ValueError, MemoryError) as error:
            self._output.complain(str(error) or "there is not enough memory")
            if command == "go" and not self._is_searching:
                self._output.say("done")  # nobody shall wait for a move that does not come
        return True

    @property
    def _is_searching(self) -> bool:
        return self._search is not None and not self._search.is_over

    def _introduce(self, _: HubLine) -> None:
        say, own = self._output.say, self._settings
        say("id", name="Crossboard", version=version("crossboard"), author="Crossboard")
        say("param", name="variant", value=VARIANT, type="enum", values=VARIANT)
        say("param", name="player", value=self._name, type="string")
        threads = {"min": 1, "max": MAX_THREADS}
        say("param", name="threads", value=own.threads, type="int", **threads)
        table = {"min": 0, "max": MAX_TABLE_MB}
        say("param", name="hash-mb", value=own.table_mb, type="int", **table)
        mirrored = "true" if self._is_mirrored else "false"
        say("param", name="mirrored", value=mirrored, type="bool")
        say("wait")

    def _set_param(self, line: HubLine) -> None:
        name, value = (line.arguments.get(key) or "" for key in ("name", "value"))
        match name:
            case "variant":
                _choice(name, value, (VARIANT,))
            case "player":
                self._become(value)
            case "threads":
                self._change("threads", _whole(name, value, 1, MAX_THREADS))
            case "hash-mb":
                self._change("table_mb", _whole(name, value, 0, MAX_TABLE_MB))
            case "mirrored":
                self._is_mirrored = _choice(name, value, ("true", "false")) == "true"
            case _:
                raise HubSyntax(f"there is no parameter {shown(name)}")

    def _change(self, setting: str, value: int) -> None:
        self._changes[setting] = value
        self._become(self._name)

    def _become(self, name: str) -> None:
        """Take a player's place; what was changed stays changed."""
        player = self._prepare(load_player(name))
        if player.game.hub_variant != VARIANT:
            raise HubSyntax(f"{name} plays {player.game.name}: Hub is for draughts")
        self._name, self._limits = name, player.limits
        self._settings = replace(player.settings, **self._changes)
        self._loaded: tuple[SearchSettings, Player] | None = None

    def _player(self, level: Level) -> Player:
        """Return the player as it plays games at this level, with what it remembers."""
        # Under a clock every move has limits of its own, but there is one table for all.
        settings = self._settings.fitting(SearchLimits() if level.is_clock else level.limits)
        if self._loaded is None or self._loaded[0] != settings:
            self._loaded = settings, self._prepare(load_player(self._name, search=settings))
        return self._loaded[1]

    def _init(self, _: HubLine) -> None:
        self._output.say("ready")

    def _new_game(self, _: HubLine) -> None:
        self._game = []
        if self._loaded is not None:
            self._loaded[1].clear()

    def _ping(self, _: HubLine) -> None:
        self._output.say("pong")

    def _set_position(self, line: HubLine) -> None:
        self._line = []  # better no answer than one to another question
        start = parse_position(line.arguments.get("pos") or "")
        # A board turned by 180 degrees with colours exchanged; the moves are not.
        start = start.mirrored if self._is_mirrored else start
        self._line = play_moves(start, line.arguments.get("moves") or "")
        self._game = continue_game(self._game, self._line)

    def _set_level(self, line: HubLine) -> None:
        self._level = Level.parse(line)

    def _go(self, line: HubLine) -> None:
        self._stop(None)  # it is over, but its answer may still be on its way
        mode = next((word for word in line.arguments if word in MODES), None)
        if mode is None:
            raise HubSyntax(f"go is followed by {', '.join(MODES)}")
        if not self._line:
            raise HubSyntax("there is no position to search")
        *history, position = self._line
        if position.is_over:
            raise HubSyntax(f"the game is over: there is no move in {position.fen}")
        level = self._level or Level(SearchLimits() if mode == "analyze" else self._limits)
        limits = level.for_move() if mode == "think" else level.limits
        if mode == "analyze":
            limits = limits.for_value()
        if mode == "ponder":  # time begins to count with ponder-hit
            limits = replace(limits, seconds=None)
        player = self._player(level)
        if player.specialists is not None:  # one may have been chosen before the line begins
            history = self._game[:-1]
        if mode == "think" and len(position.legal_moves) == 1 and not limits.is_none:
            self._output.say("done", move=format_move(position.legal_moves[0]))
            return
        self._after_hit = level.for_move() if mode == "ponder" else None
        self._search = _Search(player, position, history, limits, self._output)

    def _ponder_hit(self, _: HubLine) -> None:
        limits, self._after_hit = self._after_hit, None
        # Other limits than time were heeded from the beginning.
        has_time = limits is not None and not (limits.seconds is None and limits.time is None)
        if self._search is not None and limits is not None and has_time:
            self._search.begin_anew(limits)

    def _stop(self, _: HubLine | None) -> None:
        if self._search is not None:
            self._search.stop()
            self._search = None


ACTIONS: dict[str, Callable[[HubEngine, HubLine], None]] = {
    "hub": HubEngine._introduce,
    "set-param": HubEngine._set_param,
    "init": HubEngine._init,
    "pos": HubEngine._set_position,
    "level": HubEngine._set_level,
    "go": HubEngine._go,
    "ponder-hit": HubEngine._ponder_hit,
    "stop": HubEngine._stop,
    "ping": HubEngine._ping,
    "new-game": HubEngine._new_game,
}


class _Output:
    """Where the answers of both threads go, a line at a time."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._lock = threading.Lock()

    def say(self, command: str, **arguments: str | int) -> None:
        line = HubLine(command, {name: str(value) for name, value in arguments.items()})
        with self._lock:
            self._write(f"{line}\n")

    def complain(self, message: str) -> None:
        # Whatever was quoted in it, it is one line that any terminal can show.
        self.say("error", message=" ".join(message.split()).encode("ascii", "replace").decode())


class _Search:
    """A search in a thread of its own, which says what it finds and at the end `done`."""

    def __init__(
        self,
        player: Player,
        position: Position,
        history: list[Position],
        limits: SearchLimits,
        output: _Output,
    ) -> None:
        self._player, self._output = player, output
        self._told_nodes = -1
        self._is_done = threading.Event()
        self._failure: OSError | None = None
        self._first, self._second = StopFlag(), StopFlag()
        self._next: SearchLimits | None = None
        asked = SearchLimits(depth=MAX_DEPTH) if limits.is_none else limits
        self._thread = threading.Thread(
            target=self._run, args=(position, history, asked), daemon=True
        )
        self._thread.start()

    @property
    def is_over(self) -> bool:
        return self._is_done.is_set()

    def stop(self) -> None:
        """End the search and wait for its answer; raise OSError if that could not be sent."""
        self._first.set()
        self._second.set()
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    def begin_anew(self, limits: SearchLimits) -> None:
        """End the search without an answer and search again; what was found is in the table."""
        self._next = limits
        self._first.set()

    def _run(self, position: Position, history: list[Position], asked: SearchLimits) -> None:
        try:
            try:
                found = self._find(position, history, asked, self._first)
                if self._next is not None:
                    found = self._find(position, history, self._next, self._second)
            except (ValueError, MemoryError) as error:
                self._output.complain(str(error) or "there is not enough memory")
                found = {}
            # Who reads the answer may ask the next question at once.
            self._is_done.set()
            self._output.say("done", **found)
        except OSError as error:  # nobody reads any more
            self._failure = error
        finally:
            self._is_done.set()

    def _find(
        self, position: Position, history: list[Position], asked: SearchLimits, stop: StopFlag
    ) -> dict[str, str]:
        """Search, and return what `done` tells of it."""
        result = self._player.search(
            position, limits=asked, history=history, on_depth=self._tell, stop=stop
        )
        tables = self._player.tables
        if tables is not None and (damage := tables.take_warning()):
            self._output.complain(damage)
        if result.nodes > self._told_nodes:
            self._tell(result, are_all_nodes=True)
        expected = {"ponder": format_move(result.pv[1])} if len(result.pv) > 1 else {}
        return {"move": format_move(result.move), **expected}

    def _tell(self, result: SearchResult, are_all_nodes: bool = False) -> None:
        score = score_of(result.value, result.win_in)
        told: dict[str, str] = {"depth": str(result.depth), "score": f"{score:.2f}"}
        # While several threads search, each knows its own nodes only.
        if are_all_nodes or self._player.settings.threads == 1:
            self._told_nodes = result.nodes
            speed = result.nodes / max(result.seconds, 1e-6) / 1e6
            told |= {"nodes": str(result.nodes), "nps": f"{speed:.2f}"}
        line = " ".join(map(format_move, result.pv))
        self._output.say("info", **told, time=f"{result.seconds:.3f}", pv=line)


def _choice(name: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise HubSyntax(f"{name} is {' or '.join(allowed)}, not {shown(value)}")
    return value


def _whole(name: str, value: str, least: int, most: int) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 20):
        raise HubSyntax(f"{name} is a whole number, not {shown(value)}")
    if not least <= int(value) <= most:
        raise HubSyntax(f"{name} is {least} to {most}, not {int(value)}")
    return int(value)


def _lines(source: BinaryIO) -> Iterator[str | None]:
    """Yield the lines of a stream, whatever it holds; None for one that is too long."""
    while piece := source.readline(MAX_LINE_BYTES):
        if len(piece) < MAX_LINE_BYTES or piece.endswith(b"\n"):
            yield piece.decode("utf-8", "replace")
            continue
        while piece and not piece.endswith(b"\n"):
            piece = source.readline(MAX_LINE_BYTES)
        yield None
