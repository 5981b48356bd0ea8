"""Blocks of training games as the papers draw them: moves, pieces, and where the net was cloned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = {
    "moves": ("moves of a side", "tab:blue"),
    "pieces": ("pieces ahead", "tab:pink"),
}


def draw_blocks(runs: Mapping[str, Sequence[Mapping[str, float]]]) -> Figure:
    """Draw averages of each run's blocks as in Lynch 1997, figures 7 to 9; clonings are dashed.

    A block has `games` played until its end, `moves`, `pieces`, and `cloned`, 1 or 0. What no
    block of a run has is left out.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 0.8 + 1.9 * len(runs)), layout="constrained")
    rows = figure.subplots(len(runs), len(SHOWN), squeeze=False, sharex=True)
    for row, (title, blocks) in zip(rows, runs.items(), strict=True):
        for axes, (key, (label, colour)) in zip(row, SHOWN.items(), strict=True):
            shown = [block for block in blocks if key in block]
            games = [block["games"] for block in shown]
            axes.plot(games, [block[key] for block in shown], color=colour, linewidth=1)
            for block in shown:
                if block.get("cloned"):
                    axes.axvline(block["games"], color="0.6", linestyle="--", linewidth=0.6)
            axes.set_ylabel(label, fontsize="small")
            axes.set_title(title, fontsize="medium")
    figure.supxlabel("training games (dashed: cloned; a man is 2 pieces, a king 3)")
    return figure
