"""Figures of an evolution: weights and diversity by generation, and the winner's family tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from crossboard.learn.evolution import gene_spread
from crossboard.learn.genes import Box, Genes
from crossboard.learn.individuals import History, ancestors

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = 4
# Chosen: more ancestors than that are no picture any more.
MOST_ANCESTORS = 400
# Thousands of dots as shapes of their own would make a figure of megabytes.
DOTS: dict[str, Any] = {"color": "0.6", "markersize": 2, "rasterized": True}
COLOURS = {
    "drawn": "0.5",
    "inoculated": "tab:purple",
    "crossover": "tab:blue",
    "mutation": "tab:red",
    "crossover and mutation": "tab:orange",
    "sampled": "tab:green",
    "step": "tab:green",
    "repaired": "tab:brown",
}


def draw_weights(history: History, box: Box, winners: Sequence[Genes]) -> Figure:
    """Draw each gene of all individuals by generation; the line is that of the winners."""
    from matplotlib.figure import Figure

    rows = -(-len(box) // COLUMNS)
    figure = Figure(figsize=(10, 0.6 + 1.7 * rows), layout="constrained")
    grid = figure.subplots(rows, COLUMNS, squeeze=False, sharex=True)
    generations = range(1, 1 + len(history))
    for axes in grid.flat[len(box) :]:
        axes.set_visible(False)
    for place, (axes, gene) in enumerate(zip(grid.flat, box.genes, strict=False)):
        for number, each in zip(generations, history, strict=True):
            values = [one.genes[place] for one in each.pool]
            axes.plot([number] * len(values), values, ".", **DOTS)
        best = [genes[place] for genes in winners]
        axes.plot(generations, best, color="tab:blue", linewidth=1)
        margin = 0.03 * max(1, gene.width)
        axes.set_ylim(gene.least - margin, gene.most + margin)
        axes.set_title(gene.name, fontsize="small")
        axes.tick_params(labelsize="x-small")
    count_generations(grid[0][0])
    figure.supxlabel("generation (dots: all individuals, line: the winner)")
    return figure


def draw_fitness(history: History, box: Box) -> Figure:
    """Draw fitness and diversity by generation."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    generations = range(1, 1 + len(history))
    left.plot(generations, [max(each.fitness) for each in history], label="best")
    means = [sum(each.fitness) / len(each.fitness) for each in history]
    left.plot(generations, means, label="mean")
    left.set_title("fitness", fontsize="medium")
    left.legend(fontsize="small")
    distinct = [len({one.genes for one in each.pool}) for each in history]
    middle.plot(generations, distinct)
    middle.set_ylim(bottom=0)
    middle.set_title("different individuals", fontsize="medium")
    right.plot(generations, [gene_spread(each.pool, box) for each in history])
    right.set_ylim(bottom=0)
    right.set_title("spread of genes, of their ranges", fontsize="medium")
    for axes in (left, middle, right):
        count_generations(axes)
    figure.supxlabel("generation")
    return figure


def draw_ratio(
    history: History, numerator: int, denominator: int, label: str, winners: Sequence[Genes]
) -> Figure:
    """Draw the ratio of two genes of all individuals by generation, on a scale of logarithms."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.2), layout="constrained")
    axes = figure.subplots()
    for number, each in enumerate(history, start=1):
        found = [one.genes[numerator] / max(1, one.genes[denominator]) for one in each.pool]
        axes.plot([number] * len(found), found, ".", **DOTS)
    line = [genes[numerator] / max(1, genes[denominator]) for genes in winners]
    axes.plot(range(1, 1 + len(history)), line, color="tab:blue", label="winner")
    axes.axhline(1.5, color="0.4", linestyle="--", linewidth=0.8, label="1.5")
    count_generations(axes)
    axes.set_yscale("log")
    axes.set_xlabel("generation")
    axes.set_ylabel(label)
    axes.legend()
    return figure


def has_family(history: History) -> bool:
    """Return whether an individual of the last pool has parents; samples have none."""
    return any(one.parents for one in history.last.pool)


def draw_family(history: History) -> Figure:
    """Draw the ancestors of the last winner: a row for each generation of birth, oldest last."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    family = ancestors(history, history.last.best.id)
    newest = sorted(family.values(), key=lambda one: -one.id)[:MOST_ANCESTORS]
    places = _columns([one.generation for one in newest])
    # Readers count generations from 1, as in all figures.
    at = {one.id: (x, one.generation + 1) for one, x in zip(newest, places, strict=True)}
    for one in newest:
        for parent in one.parents:
            if parent in at:
                (x0, y0), (x1, y1) = at[one.id], at[parent]
                axes.plot([x0, x1], [y0, y1], color="0.8", linewidth=0.6, zorder=1)
    for operator, colour in COLOURS.items():
        points = [at[one.id] for one in newest if one.operator == operator]
        if points:
            xs, ys = zip(*points, strict=True)
            axes.scatter(xs, ys, s=14, color=colour, label=operator, zorder=2)
    axes.set_xticks([])
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel("generation of birth")
    axes.set_title(f"the last winner and its {len(family) - 1} ancestors", fontsize="medium")
    axes.legend(fontsize="small")
    return figure


def count_generations(axes: Axes) -> None:
    """Mark whole generations only."""
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _columns(generations: Sequence[int]) -> list[float]:
    """Return a place beside each other for individuals of one generation, centred at 0."""
    counts = {each: generations.count(each) for each in set(generations)}
    seen = dict.fromkeys(counts, 0)
    places = []
    for each in generations:
        places.append(seen[each] - (counts[each] - 1) / 2)
        seen[each] += 1
    return places
