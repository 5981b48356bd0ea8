"""How a player searches and when it stops."""

from __future__ import annotations

import math
import os
from dataclasses import asdict, dataclass, replace
from typing import Any

from crossboard._core import DrawRules

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """How to search; the defaults are the strongest. None of the switches prunes forward."""

    algorithm: str = "alphabeta"  # or "minimax"
    quiescence: bool = True
    deepening: bool = True
    # Moves of a ply that refuted another, 0 to 2; None: as many as pay, which depends on the table.
    killers: int | None = None
    history: bool = True
    pvs: bool = True
    aspiration: bool = True
    exact_depth_hits: bool = False
    order_only: bool = False  # the table's best moves come first, but its values answer nothing
    table_mb: int = 64  # of all agents together; 0: no table
    threads: int = 1
    grain: int = 8  # nodes of less depth are not shared between threads
    draws: DrawRules | None = None  # None: the game's own

    def __post_init__(self) -> None:
        # Numbers that the core's own cannot hold; the engine knows which of the others make sense.
        for name, most in (("table_mb", 2**62), ("threads", MAX_COUNT), ("grain", MAX_COUNT)):
            value = getattr(self, name)
            if not -most <= value <= most:
                raise ValueError(f"{name} is at most {most}, not {value}")

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


def _machine_mb() -> int | None:
    """Return how much memory there is, None where the system does not tell."""
    try:
        return (os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")) >> 20
    except (AttributeError, ValueError, OSError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits:
    """When a search ends: at the first limit it reaches. None is no limit."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    # Pairs of pieces and depth: with fewer pieces than that a search to a depth goes so deep.
    floors: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
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

    @property
    def is_none(self) -> bool:
        return self.depth is None and self.seconds is None and self.nodes is None

    def for_engine(self) -> dict[str, Any]:
        """The limits that are set, as the engine takes them."""
        found = {name: value for name, value in asdict(self).items() if value is not None}
        if self.depth is None or not self.floors:
            del found["floors"]
        return found

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
        return max(1, math.ceil(min(nodes * MOVES_KEPT / NODES_PER_MB, MAX_COUNT)))
