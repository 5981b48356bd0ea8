"""How both versions of VisionDraughts search, and how long ways of searching take."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from crossboard.draughts import Position, middlegames
from crossboard.experiments.experiment import Lab
from crossboard.players import Player, SearchSettings, load_player
from crossboard.systems import visiondraughts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLAYER = "visiondraughts"
# Version 1: depth-limited alpha-beta, nothing else. Version 2: deepening, a table, its ordering.
# The same as in training, but with draws as in any game, and a table for deeper searches.
VERSION_1 = replace(visiondraughts.VERSION_1.make_search(), draws=None)
VERSION_2 = replace(visiondraughts.VERSION_2.make_search(), draws=None, table_mb=64)

Times = Mapping[str, Sequence[float]]  # seconds for each position, by way of searching


def search_all(
    lab: Lab, ways: Mapping[str, SearchSettings], depth: int, clock: Callable[[], float]
) -> Times:
    """Search each position in every way before the next, so that all meet the same load."""
    evaluator = load_player(PLAYER).evaluator
    times: dict[str, list[float]] = {way: [] for way in ways}
    for number, position in enumerate(middlegames(), start=1):
        for way, search in ways.items():
            player = Player(way, evaluator, search=search)
            times[way].append(_seconds(player, position, depth, clock))
        lab.tell(f"position {number} searched to depth {depth}")
    return times


def _seconds(player: Player, position: Position, depth: int, clock: Callable[[], float]) -> float:
    player.search(position, depth=1)  # what is made once, like the table, takes its time here
    began = clock()
    player.search(position, depth=depth)
    return clock() - began


def draw_times(times: Times) -> Figure:
    """Draw the seconds of each position, by way of searching."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    for way, seconds in times.items():
        axes.plot(range(1, len(seconds) + 1), seconds, marker="o", linestyle="", label=way)
    axes.set_yscale("log")
    axes.set_xlabel("position")
    axes.set_ylabel("seconds")
    axes.legend(fontsize="small")
    return figure
