"""Who stands where, on whichever scale: as lines of text and as a figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Standing(NamedTuple):
    """A player's figure and its 95 % interval."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Standings:
    """All players, the best first, and what their figures mean."""

    players: tuple[Standing, ...]
    scale: str
    style: str  # how a figure is written: ".1f"
    middle: float  # where an average player stands

    def __str__(self) -> str:
        width = max(len(one.name) for one in self.players)
        lines = [f"{self.scale}, with 95 % intervals"]
        for one in self.players:
            value, low, high = (format(figure, self.style) for figure in one[1:])
            lines.append(f"  {one.name:<{width}} {value:>6}  {low} to {high}")
        return "\n".join(lines)


def draw_standings(standings: Standings) -> Figure:
    """Draw everybody's figure with its interval, the best on top."""
    from matplotlib.figure import Figure

    players = standings.players[::-1]
    figure = Figure(figsize=(7, 1.2 + 0.35 * len(players)), layout="constrained")
    axes = figure.subplots()
    reach = [[one.value - one.low for one in players], [one.high - one.value for one in players]]
    axes.axvline(standings.middle, color="0.8", zorder=0)
    values = [one.value for one in players]
    axes.errorbar(values, range(len(players)), xerr=reach, fmt="o", capsize=3)
    axes.set_yticks(range(len(players)), [one.name for one in players], parse_math=False)
    axes.margins(y=0.5 / len(players))
    axes.set_xlabel(f"{standings.scale}, with 95 % intervals", parse_math=False)
    return figure
