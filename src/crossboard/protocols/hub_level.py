"""Hub's levels: how long to think, until a limit or so that a clock lasts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from crossboard.players import GameTime, SearchLimits
from crossboard.players.settings import MAX_COUNT, MAX_DEPTH
from crossboard.protocols.hub_text import HubLine, HubSyntax, shown

KINDS = ("depth", "nodes", "move-time", "time", "infinite")


@dataclass(frozen=True)
class Level:
    """Limits as they are, or a clock as well; without either it lasts until somebody says stop."""

    limits: SearchLimits = field(default_factory=SearchLimits)
    time: GameTime | None = None  # on the clock

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
        if time is None:
            return cls(limits)
        moves = min(max(0, moves or 0), MAX_COUNT)
        return cls(limits, GameTime(time, max(0.0, inc or 0.0), moves))

    def for_move(self) -> SearchLimits:
        """Return the limits of one move, with the clock if there is one."""
        return replace(self.limits, time=self.time)

    @property
    def is_clock(self) -> bool:
        return self.time is not None


def format_level(limits: SearchLimits) -> HubLine:
    """Write limits as a level."""
    named = {"depth": limits.depth, "nodes": limits.nodes, "move-time": limits.seconds}
    if limits.time is not None:
        seconds, increment, moves = limits.time
        named |= {"time": seconds, "inc": increment, "moves": moves or None}
    told: dict[str, str | None] = {
        name: f"{value:.9g}" if isinstance(value, float) else str(value)
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
