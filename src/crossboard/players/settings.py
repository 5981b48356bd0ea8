"""How a player searches and when it stops."""

from __future__ import annotations

import math
import os
from dataclasses import Field, asdict, dataclass, fields, make_dataclass, replace
from typing import Any, ClassVar

from crossboard import _core
from crossboard.players.game_time import GameTime

# As in the core, whose numbers are no larger.
MAX_DEPTH = 200
MAX_NODES = 2**63
MAX_COUNT = 2**31 - 1

# Roughly: nodes of a middlegame search to this depth, how many more a ply makes them, nodes that
# leave a megabyte of entries, and nodes in a second.
TYPICAL_DEPTH, TYPICAL_NODES = 14, 500_000
GROWTH = 1.9
NODES_PER_MB = 300_000
NODES_PER_SECOND = 10_000_000
# Without a table searches of so few plies are faster, and a game begins sooner.
DEPTH_WITHOUT_TABLE = 4
# What is found stays useful for some moves of the game.
MOVES_KEPT = 4
# Over so many moves the time of a game is shared out, as in the core (`core/search/move_time.h`).
MOVES_OF_A_GAME = 25

# Whose seconds a limit counts.
CLOCKS = ("wall", "cpu")

# What the core lists, by name and in its order.
SETTINGS = {setting.name: setting for setting in _core.search_settings()}


class SearchSettings(_core.SearchSettings):
    """How to search; the defaults are the strongest.

    The keywords, and what each does, are those of the core (`core/search/settings.h`). A value, and
    a dataclass to `replace`, `asdict` and `fields`.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]] = {
        field.name: field for field in fields(make_dataclass("SearchSettings", SETTINGS))
    }

    @classmethod
    def selective(cls) -> SearchSettings:
        """Return the strongest settings where values need not be minimax's: the champion's."""
        return cls(**SELECTIVE)

    def full_width(self) -> SearchSettings:
        """Return the same without the selective settings, so that values are minimax's."""
        return replace(self, **SELECTIVE_OFF)

    def check_memory(self) -> None:
        """Raise ValueError for a table that this machine could not hold, were it ever so idle."""
        if self.table_mb < 0:
            raise ValueError(f"table_mb: a table cannot have {self.table_mb} MB")
        memory = _machine_mb()
        if memory is not None and self.table_mb > memory:
            raise ValueError(
                f"table_mb: a table of {self.table_mb} MB does not fit into a machine with "
                f"{memory} MB of memory"
            )

    def fitting(self, limits: SearchLimits) -> SearchSettings:
        """Return the same with a table no larger than a game with these limits can fill."""
        is_short = limits.depth is not None and limits.depth <= DEPTH_WITHOUT_TABLE
        return replace(self, table_mb=0 if is_short else min(self.table_mb, limits.table_mb))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SearchSettings):
            return NotImplemented
        return asdict(self) == asdict(other)

    def __hash__(self) -> int:
        return hash(tuple(asdict(self).values()))

    def __repr__(self) -> str:
        # A selective setting that is off is not written: digests of older results stay the same.
        told = ", ".join(
            f"{name}={value!r}"
            for name, value in asdict(self).items()
            if value or not SETTINGS[name].is_selective
        )
        return f"SearchSettings({told})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (asdict(self),)


def _restored(values: dict[str, Any]) -> SearchSettings:
    return SearchSettings(**values)


# Tuned by matches (docs/results.md).
SELECTIVE: dict[str, Any] = {
    "reductions": True,
    "verified_cuts": 10,
    "only_replies": True,
    "threats": True,
    "kept_history": True,
    "tree_repetitions": True,
}
# False and 0 switch a selective setting off.
SELECTIVE_OFF = {
    name: type(getattr(SearchSettings(), name))()
    for name, setting in SETTINGS.items()
    if setting.is_selective
}


def _machine_mb() -> int | None:
    """Return how much memory there is, None where the system does not tell."""
    try:
        return (os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")) >> 20
    except (AttributeError, ValueError, OSError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits:
    """When a search ends: at the first limit it reaches. None is no limit.

    The clock of `seconds` is "wall", or "cpu": the time that a processor works for the thread that
    searches, so that a busy machine takes nothing away. Of the `time` that is left of a game a
    search takes a share, on the same clock; in games each move has a share of what is left then.
    """

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    clock: str = "wall"
    # Pairs of pieces and depth: with fewer pieces than that a search to a depth goes so deep.
    floors: tuple[tuple[int, int], ...] = ()
    time: GameTime | None = None

    def __post_init__(self) -> None:
        if self.clock not in CLOCKS:
            raise ValueError(f"the clock is {' or '.join(CLOCKS)}, not {self.clock!r}")
        for pieces, deep in self.floors:
            if not (1 <= deep <= MAX_DEPTH and 0 <= pieces <= MAX_COUNT):
                raise ValueError(
                    f"a floor is pieces and a depth of 1 to {MAX_DEPTH}, not {pieces}, {deep}"
                )
        if self.seconds is not None and not (self.seconds > 0 and math.isfinite(self.seconds)):
            raise ValueError(f"seconds must be a finite number above 0, not {self.seconds}")
        if self.depth is not None and not 1 <= self.depth <= MAX_DEPTH:
            raise ValueError(f"depth must be 1 to {MAX_DEPTH}, not {self.depth}")
        if self.nodes is not None and not 1 <= self.nodes <= MAX_NODES:
            raise ValueError(f"nodes must be 1 to {MAX_NODES}, not {self.nodes}")
        if self.time is not None:
            self.time.check()

    @property
    def is_none(self) -> bool:
        limits = (self.depth, self.seconds, self.nodes, self.time)
        return all(limit is None for limit in limits)

    def for_value(self) -> SearchLimits:
        """The same where the value is wanted: a single legal move is not answered at once."""
        if self.seconds is None or self.nodes is not None:
            return self
        return replace(self, nodes=MAX_NODES)

    def for_engine(self) -> dict[str, Any]:
        """The limits that are set, as the engine takes them."""
        found = {name: value for name, value in asdict(self).items() if value is not None}
        if self.depth is None or not self.floors:
            del found["floors"]
        if self.clock == "wall":
            del found["clock"]
        return found

    def as_json(self) -> dict[str, Any]:
        """The limits that are set, as files and `--json` show them."""
        return self.for_engine() | ({} if self.time is None else {"time": str(self.time)})

    @property
    def typical_nodes(self) -> float | None:
        """About how many positions a search with these limits looks at; None: until time is up."""
        found = [] if self.nodes is None else [float(self.nodes)]
        if self.depth is not None:
            found.append(TYPICAL_NODES * GROWTH ** (self.depth - TYPICAL_DEPTH))
        return min(found, default=None)

    @property
    def table_mb(self) -> int:
        """The size of a table that a game played with these limits can fill."""
        nodes = math.inf if self.typical_nodes is None else self.typical_nodes
        if self.seconds is not None:
            nodes = min(nodes, self.seconds * NODES_PER_SECOND)
        if self.time is not None:
            seconds = self.time.seconds / MOVES_OF_A_GAME + self.time.increment
            nodes = min(nodes, seconds * NODES_PER_SECOND)
        return max(1, math.ceil(min(nodes * MOVES_KEPT / NODES_PER_MB, MAX_COUNT)))


def one_limits(given: SearchLimits | None, **single: Any) -> SearchLimits:
    """Return limits that were given in one or singly; raise ValueError if both were."""
    limits = SearchLimits(**single)
    if given is None:
        return limits
    if not limits.is_none:
        told = ", ".join(f"{name}={value}" for name, value in single.items() if value is not None)
        raise ValueError(f"limits or {told}: give one of them")
    return given
