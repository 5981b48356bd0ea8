"""A player: whoever chooses moves, by search."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

from crossboard._core.draughts import Answer, DrawRules, Engine, Move, Position, RankedMove

# What a forced win counts where values are men: more than any board can hold.
WIN_IN_MEN = 100.0

# As in the core, whose numbers are no larger.
MAX_DEPTH = 200
MAX_NODES = 2**63
MAX_COUNT = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """How to search; the defaults are the strongest. None of the switches prunes forward."""

    algorithm: str = "alphabeta"  # or "minimax"
    quiescence: bool = True
    deepening: bool = True
    killers: bool = True
    history: bool = True
    pvs: bool = True
    aspiration: bool = True
    exact_depth_hits: bool = False
    table_mb: int = 64  # 0: no table
    threads: int = 1
    grain: int = 8  # nodes of less depth are not shared between threads
    draws: DrawRules = field(default_factory=DrawRules)

    def __post_init__(self) -> None:
        # Numbers that the core's own cannot hold; the engine knows which of the others make sense.
        for name, most in (("table_mb", 2**62), ("threads", MAX_COUNT), ("grain", MAX_COUNT)):
            value = getattr(self, name)
            if not -most <= value <= most:
                raise ValueError(f"{name} is at most {most}, not {value}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits:
    """When a search ends: at the first limit it reaches. None is no limit."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not (self.seconds > 0 and math.isfinite(self.seconds)):
            raise ValueError(f"seconds must be more than 0, not {self.seconds}")
        if self.depth is not None and not 1 <= self.depth <= MAX_DEPTH:
            raise ValueError(f"depth must be 1 to {MAX_DEPTH}, not {self.depth}")
        if self.nodes is not None and not 1 <= self.nodes <= MAX_NODES:
            raise ValueError(f"nodes must be 1 to {MAX_NODES}, not {self.nodes}")

    @property
    def is_none(self) -> bool:
        return self.depth is None and self.seconds is None and self.nodes is None

    def for_engine(self) -> dict[str, int | float]:
        """The limits that are set, as the engine takes them."""
        return {name: value for name, value in asdict(self).items() if value is not None}


class Line(NamedTuple):
    """A move, its value for the side to move, and the play expected after it."""

    move: Move
    value: float  # in men
    win_in: int | None  # plies to a forced win, negative for a forced loss
    pv: list[Move]


class SearchResult(NamedTuple):
    """What a search found: the best move first of all."""

    move: Move
    value: float
    pv: list[Move]
    depth: int
    nodes: int
    seconds: float
    win_in: int | None
    selective_depth: int
    stopped: bool  # before a depth that was asked for
    lines: list[Line]  # the n best moves, if more than one was asked for
    trace: list[tuple[Position, float, str, int, int]]


class Player:
    """Chooses moves by search with an evaluation.

    Without an evaluator it counts material. An evaluator may be any function from a position to
    a number of men for the side to move: slow, but good for trying things out.
    """

    def __init__(
        self,
        name: str,
        evaluator: Callable[[Position], float] | None = None,
        *,
        search: SearchSettings | None = None,
        limits: SearchLimits | None = None,
    ) -> None:
        self.name = name
        self.settings = search or SearchSettings()
        self.limits = limits or SearchLimits(seconds=1.0)
        settings = {name: getattr(self.settings, name) for name in self.settings.__slots__}
        self.engine = Engine(evaluator, **settings)

    def __repr__(self) -> str:
        return f"<Player {self.name}>"

    def search(
        self,
        position: Position,
        *,
        depth: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        history: Sequence[Position] = (),
        multipv: int = 1,
        trace: bool = False,
    ) -> SearchResult:
        """Search a position to the given limits, or to the player's own if none is given.

        `history` are earlier positions of the game, oldest first: repeating one is a draw.
        Raises ValueError if the game is over or a limit makes no sense.
        """
        limits = SearchLimits(depth=depth, seconds=seconds, nodes=nodes)
        if limits.is_none:
            limits = self.limits
        answer = self.engine.search(
            position,
            multipv=min(multipv, MAX_COUNT),
            history=list(history),
            trace=trace,
            **limits.for_engine(),  # type: ignore[arg-type]
        )
        return self.result(answer, is_depth_asked=limits.depth is not None)

    def choose(
        self,
        position: Position,
        *,
        depth: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        history: Sequence[Position] = (),
    ) -> Move:
        """Return the best move; arguments as for `search`."""
        return self.search(
            position, depth=depth, seconds=seconds, nodes=nodes, history=history
        ).move

    def stop(self) -> None:
        """End a search that goes on in another thread or under a signal handler."""
        self.engine.stop()

    def clear(self) -> None:
        """Forget what earlier searches found."""
        self.engine.clear()

    def result(self, answer: Answer, *, is_depth_asked: bool = True) -> SearchResult:
        """Put an engine's answer into men."""
        lines = [self._line(ranked) for ranked in answer.best]
        best = lines[0]
        return SearchResult(
            move=best.move,
            value=best.value,
            pv=best.pv,
            depth=answer.depth,
            nodes=answer.nodes,
            seconds=answer.seconds,
            win_in=best.win_in,
            selective_depth=answer.selective_depth,
            stopped=answer.stopped and is_depth_asked,
            lines=lines,
            trace=[
                (position, self._men(value), bound, depth, ply)
                for position, value, bound, depth, ply in answer.trace
            ],
        )

    def _line(self, ranked: RankedMove) -> Line:
        return Line(ranked.move, self._men(ranked.value), ranked.win_in, ranked.pv)

    def _men(self, value: int) -> float:
        men = value / self.engine.units
        return min(WIN_IN_MEN, max(-WIN_IN_MEN, men))


def load_player(name: str, *, search: SearchSettings | None = None) -> Player:
    """Return a shipped player by its name; raise ValueError if there is none of that name."""
    if name != "material":
        raise ValueError(f"there is no player {name!r}: the shipped one is material")
    return Player(name, search=search)
