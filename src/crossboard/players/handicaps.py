"""The levels of each game: how much less a player searches, and how it misjudges its best moves."""

from __future__ import annotations

from dataclasses import dataclass, replace

from crossboard.players.settings import SearchLimits

# Of moves to choose from: more than any position has.
EVERY_MOVE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Handicap:
    """What makes a level of a player weaker than the player."""

    depth: int | None = None
    nodes: int | None = None
    # It chooses among so many best moves, to whose values it adds errors of this standard
    # deviation, in hundredths of a man.
    moves: int = EVERY_MOVE
    noise: int = 0

    def within(self, limits: SearchLimits) -> SearchLimits:
        """Return limits that go no further than the level does."""
        floors = limits.floors if self.depth is None else ()
        return replace(
            limits,
            depth=_least(self.depth, limits.depth),
            nodes=_least(self.nodes, limits.nodes),
            floors=floors,
        )


def _least(one: int | None, other: int | None) -> int | None:
    return min((limit for limit in (one, other) if limit is not None), default=None)


# Chosen: beginner first; above the last of them is the player itself. Calibrated by tournaments
# (docs/arena.md).
DRAUGHTS_LEVELS = (
    Handicap(depth=1, noise=90),
    Handicap(depth=1, noise=40),
    Handicap(depth=2, noise=30),
    Handicap(depth=3, noise=25),
    Handicap(nodes=2_500, moves=6, noise=16),
    Handicap(nodes=10_000, moves=5, noise=12),
    Handicap(nodes=50_000, moves=4, noise=6),
)
DUCHESS_LEVELS = (
    Handicap(depth=1, noise=150),
    Handicap(depth=1, noise=50),
    Handicap(depth=1, noise=15),
    Handicap(depth=2, noise=25, moves=20),
    Handicap(depth=2, noise=10, moves=20),
    Handicap(depth=3, noise=10, moves=10),
    Handicap(depth=4, noise=5, moves=5),
)
