"""Curves of a run's metrics: in the terminal, as a figure, as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from crossboard.runs.metrics import SECONDS, STEP, Line, series

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLOCKS = " ▁▂▃▄▅▆▇█"
PLAIN_BLOCKS = " .:-=+*#@"  # for terminals that know no others
LEVELS = len(BLOCKS) - 1
COLUMNS_OF_FIGURE = 2


def plot(
    values: Sequence[float], width: int, height: int = 1, *, blocks: str = BLOCKS
) -> list[str]:
    """Draw values as so many lines of text, from the lowest to the highest of them.

    With more values than columns a column shows the mean of its share; with one line it is a
    sparkline. What does not change is drawn half-way up.
    """
    columns = _squeeze(values, width)
    low, high = min(columns, default=0.0), max(columns, default=0.0)
    levels = LEVELS * height
    heights = [
        1 + round((value - low) / (high - low) * (levels - 1)) if high > low else levels // 2
        for value in columns
    ]
    return [
        "".join(blocks[min(max(top - LEVELS * row, 0), LEVELS)] for top in heights)
        for row in reversed(range(height))
    ]


def _squeeze(values: Sequence[float], width: int) -> list[float]:
    count = len(values)
    if count <= width:
        return list(values)
    edges = [count * column // width for column in range(width + 1)]
    return [sum(values[begin:end]) / (end - begin) for begin, end in pairwise(edges)]


def format_csv(lines: Sequence[Line]) -> str:
    """Write metrics as a table: a column each, the step first, the clock last."""
    names = list(dict.fromkeys(key for line in lines for key in line))
    names = [STEP, *(name for name in names if name not in (STEP, SECONDS)), SECONDS]
    file = io.StringIO()
    table = csv.DictWriter(file, names, restval="", lineterminator="\n")
    table.writeheader()
    table.writerows(lines)
    return file.getvalue()


def draw_curves(lines: list[Line], title: str) -> Figure:
    """Draw each metric over the steps, side by side."""
    from matplotlib.figure import Figure

    curves = series(lines)
    columns = min(COLUMNS_OF_FIGURE, max(1, len(curves)))
    rows = max(1, -(-len(curves) // columns))
    figure = Figure(figsize=(5 * columns, 0.6 + 2.4 * rows), layout="constrained")
    figure.suptitle(title, parse_math=False)
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat[len(curves) :]:
        axes.set_axis_off()
    for axes, (name, (steps, values)) in zip(grid.flat, curves.items(), strict=False):
        axes.plot(steps, values, marker="." if len(steps) < 30 else "")
        axes.set_title(name, fontsize="medium", parse_math=False)
        axes.set_xlabel(STEP)
        axes.grid(alpha=0.3)
    return figure


def figure_bytes(figure: Figure, kind: str) -> bytes:
    """Return a figure as a PNG or SVG file; the same figure is the same file every time."""
    from matplotlib import rc_context

    file = io.BytesIO()
    with rc_context({"svg.hashsalt": "crossboard", "svg.fonttype": "none"}):
        figure.savefig(file, format=kind, metadata={"Date": None} if kind == "svg" else None)
    return file.getvalue()
