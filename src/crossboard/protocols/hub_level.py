"""Hub's levels: how long to think, until a limit or so that a clock lasts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from crossboard.players import SearchLimits
from crossboard.players.settings import MAX_DEPTH
from crossboard.protocols.hub_text import HubLine, HubSyntax, shown

# Chosen: a clock is shared out over so many moves, fewer if somebody says so.
MOVES_TO_GO = 25
# Chosen: of a clock so much is not used up, for the way to the other side and back.
CLOCK_SHARE, CLOCK_MARGIN_SECONDS = 0.9, 0.05
LEAST_SECONDS = 0.01
KINDS = ("depth", "nodes", "move-time", "time", "infinite")


@dataclass(frozen=True)
class Level:
    """Limits as they are, or a clock as well; without either it lasts until somebody says stop."""

    limits: SearchLimits = field(default_factory=SearchLimits)
    time: float | None = None  # seconds on the clock
    moves: int = MOVES_TO_GO  # for which they must do
    inc: float = 0.0  # seconds that are added before every move

    @classmethod
    def parse(cls, line: HubLine) -> Level:
        """Read a level; raise ValueError if it is none."""
        if not any(kind in line.arguments for kind in KINDS):
            raise HubSyntax(f"a level is one of {', '.join(KINDS)}")
        if "infinite" in line.arguments:
            return cls()
        depth, nodes, moves = (_whole(line, name) for name in ("depth", "nodes", "moves"))
        seconds, time, inc = (_real(line, name) for name in ("move-time", "time", "inc"))
        if depth is not None:
            depth = min(depth, MAX_DEPTH)
        limits = SearchLimits(depth=depth, nodes=nodes, seconds=seconds)
        return cls(limits, time, max(1, moves or MOVES_TO_GO), inc or 0.0)

    def for_move(self) -> SearchLimits:
        """Return the limits of one move: a share of the clock, if there is one."""
        if self.time is None:
            return self.limits
        share = self.time / min(self.moves, MOVES_TO_GO) + self.inc
        most = CLOCK_SHARE * (self.time + self.inc) - CLOCK_MARGIN_SECONDS
        seconds = min(share, most, self.limits.seconds or math.inf)
        return replace(self.limits, seconds=max(LEAST_SECONDS, seconds))

    @property
    def is_clock(self) -> bool:
        return self.time is not None


def format_level(limits: SearchLimits) -> HubLine:
    """Write limits as a level."""
    named = {"depth": limits.depth, "nodes": limits.nodes, "move-time": limits.seconds}
    told: dict[str, str | None] = {
        name: f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in named.items()
        if value is not None
    }
    return HubLine("level", told or {"infinite": None})


def _whole(line: HubLine, name: str) -> int | None:
    text = line.arguments.get(name)
    try:
        return None if text is None else int(text)
    except ValueError:
        raise HubSyntax(f"{name}={shown(text or '')} is no whole number") from None


def _real(line: HubLine, name: str) -> float | None:
    text = line.arguments.get(name)
    try:
        number = None if text is None else float(text)
    except ValueError:
        number = math.nan
    if number is not None and not math.isfinite(number):
        raise HubSyntax(f"{name}={shown(text or '')} is no number of seconds")
    return number
