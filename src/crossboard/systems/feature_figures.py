"""Figures of features that were chosen: which survive, and what subsets of every size score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from crossboard.learn.individuals import History
from crossboard.systems.feature_nets import Features, features_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Subset(NamedTuple):
    """A subset of features: how large it is, and its points a game in its pools."""

    features: int
    bits: int
    score: float


def subsets_of(history: History, offered: Features) -> list[Subset]:
    """Return every subset that was judged, once, with its mean over the pools it was in."""
    scores: dict[tuple[int, ...], list[float]] = {}
    for each in history:
        for one, fitness in zip(each.pool, each.fitness, strict=True):
            scores.setdefault(one.genes, []).append(fitness)
    return [
        Subset(
            sum(genes),
            sum(bits for _, bits in features_of(genes, offered)),
            sum(found) / len(found),
        )
        for genes, found in scores.items()
    ]


def pareto_front(points: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return the points that score more than all smaller and all equally large ones, by size."""
    front: list[tuple[int, float]] = []
    for size, score in sorted(points, key=lambda point: (point[0], -point[1])):
        if not front or score > front[-1][1]:
            front.append((size, score))
    return front


def draw_sizes(history: History, offered: Features) -> Figure:
    """Draw what subsets score by their size; the line joins those that no smaller one equals."""
    from matplotlib.figure import Figure

    found, last = subsets_of(history, offered), history.last.best.genes
    bits = sum(bits for _, bits in features_of(last, offered))
    figure = Figure(figsize=(9, 3.5), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    draw_front(left, [(one.features, one.score) for one in found], "features")
    draw_front(right, [(one.bits, one.score) for one in found], "bits")
    for axes, size in ((left, sum(last)), (right, bits)):
        axes.axvline(size, color="tab:red", linewidth=0.8, linestyle="--", label="last winner")
    figure.suptitle(f"last winner: {sum(last)} features, {bits} bits", fontsize="medium")
    left.set_ylabel("points a game in its pools")
    left.legend(fontsize="small")
    return figure


def draw_front(axes: Axes, points: Sequence[tuple[int, float]], label: str) -> None:
    """Draw sizes and scores with their Pareto front."""
    sizes, scores = zip(*points, strict=True)
    axes.plot(sizes, scores, ".", color="0.6", markersize=4)
    front_sizes, front_scores = zip(*pareto_front(points), strict=True)
    axes.step(
        front_sizes, front_scores, where="post", color="tab:blue", marker="o", label="Pareto front"
    )
    axes.set_xlabel(label)


def draw_features(history: History, offered: Features) -> Figure:
    """Draw which share of each pool has a feature; dots are those of the fittest."""
    import numpy as np
    from matplotlib.figure import Figure

    shares = np.array(
        [np.mean([one.genes for one in each.pool], axis=0) for each in history], dtype=float
    )
    figure = Figure(figsize=(8, 1.2 + 0.22 * len(offered)), layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(shares.T, aspect="auto", cmap="Blues", vmin=0, vmax=1)
    for generation, each in enumerate(history):
        kept = [place for place, bit in enumerate(each.best.genes) if bit]
        axes.plot([generation] * len(kept), kept, ".", color="tab:orange", markersize=4)
    axes.set_yticks(range(len(offered)), labels=[name for name, _ in offered], fontsize="small")
    axes.set_xlabel("generation, from 0")
    figure.colorbar(image, label="share of the pool")
    return figure


def draw_survival(survived: Mapping[str, float], runs: int) -> Figure:
    """Draw in which share of several runs each feature is kept, the most frequent first."""
    from matplotlib.figure import Figure

    ordered = sorted(survived.items(), key=lambda each: each[1])
    figure = Figure(figsize=(7, 1 + 0.22 * len(ordered)), layout="constrained")
    axes = figure.subplots()
    axes.barh([name for name, _ in ordered], [share for _, share in ordered], color="tab:blue")
    axes.set_xlim(0, 1)
    axes.tick_params(axis="y", labelsize="small")
    axes.set_xlabel(f"share of {runs} runs that keep it")
    return figure
