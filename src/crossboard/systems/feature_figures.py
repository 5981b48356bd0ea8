"""Figures of features that were chosen: which survive, and what subsets of every size score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from crossboard.learn.genes import Genes
from crossboard.learn.individuals import History
from crossboard.systems.evolution_figures import count_generations
from crossboard.systems.feature_nets import Features, features_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Chosen: nearer to 0 or 1 points have no odds that could be compared.
EDGE = 0.01


class Subset(NamedTuple):
    """A subset of features: how large it is, and its points a game as if in the last pool."""

    features: int
    bits: int
    score: float


def subsets_of(history: History, offered: Features) -> list[Subset]:
    """Return every subset that was judged, once."""
    return [
        Subset(sum(genes), sum(bits for _, bits in features_of(genes, offered)), score)
        for genes, score in compare_pools(history).items()
    ]


def compare_pools(history: History) -> dict[Genes, float]:
    """Return what each subset would score in the last pool.

    Later pools are stronger, so points of different pools cannot be compared. Subsets that were in
    several pools link them: by least squares, the logarithm of the odds to win is by how much a
    subset is better than the mean of its pool.
    """
    import numpy as np

    judged = dict.fromkeys(one.genes for each in history for one in each.pool)
    places = {genes: place for place, genes in enumerate(judged)}
    pools = [np.eye(len(places))[[places[one.genes] for one in each.pool]] for each in history]
    leads = np.concatenate([pool - pool.mean(axis=0) for pool in pools])
    points = np.concatenate([each.fitness for each in history]).clip(EDGE, 1 - EDGE)
    found = np.linalg.lstsq(leads, np.log(points / (1 - points)), rcond=None)[0]
    in_last = 1 / (1 + np.exp((pools[-1] @ found).mean() - found))
    return {genes: float(in_last[place]) for genes, place in places.items()}


def pareto_front(points: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return the points that score more than all smaller and all equally large ones, by size."""
    front: list[tuple[int, float]] = []
    for size, score in sorted(points, key=lambda point: (point[0], -point[1])):
        if not front or score > front[-1][1]:
            front.append((size, score))
    return front


def draw_sizes(history: History, offered: Features) -> Figure:
    """Draw what the subsets of an evolution score by their size."""
    kept = features_of(history.last.best.genes, offered)
    bits = sum(bits for _, bits in kept)
    figure = draw_fronts([subsets_of(history, offered)], [(len(kept), bits)])
    figure.suptitle(f"last winner: {len(kept)} features, {bits} bits", fontsize="medium")
    return figure


def draw_fronts(runs: Sequence[Sequence[Subset]], winners: Sequence[tuple[int, int]]) -> Figure:
    """Draw scores by features and by bits; a line joins those that no smaller one equals.

    Each run has a front of its own, since scores are those of its own last pool. `winners` are the
    features and the bits of each run's last winner.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.5), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for number, (found, (features, bits)) in enumerate(zip(runs, winners, strict=True)):
        name = "Pareto front" if len(runs) == 1 else f"run {number + 1}"
        colour = f"C{number}"
        draw_front(left, [(one.features, one.score) for one in found], name, colour)
        draw_front(right, [(one.bits, one.score) for one in found], name, colour)
        for axes, size in ((left, features), (right, bits)):
            axes.axvline(size, color=colour, linewidth=0.8, linestyle="--")
    left.set_xlabel("features")
    right.set_xlabel("bits")
    left.set_ylabel("points a game, as in the last pool")
    left.legend(fontsize="small", title="dashed: last winners", title_fontsize="small")
    return figure


def draw_front(axes: Axes, points: Sequence[tuple[int, float]], name: str, colour: str) -> None:
    """Draw sizes and scores with their Pareto front."""
    sizes, scores = zip(*points, strict=True)
    axes.plot(sizes, scores, ".", color=colour, alpha=0.3, markersize=4)
    front_sizes, front_scores = zip(*pareto_front(points), strict=True)
    axes.step(
        front_sizes, front_scores, where="post", color=colour, marker="o", markersize=4, label=name
    )


def draw_features(history: History, offered: Features) -> Figure:
    """Draw which share of each pool has a feature; dots are those of the fittest."""
    import numpy as np
    from matplotlib.figure import Figure

    shares = np.array(
        [np.mean([one.genes for one in each.pool], axis=0) for each in history], dtype=float
    )
    figure = Figure(figsize=(8, 1.2 + 0.22 * len(offered)), layout="constrained")
    axes = figure.subplots()
    extent = (0.5, len(history) + 0.5, len(offered) - 0.5, -0.5)
    image = axes.imshow(shares.T, aspect="auto", cmap="Blues", vmin=0, vmax=1, extent=extent)
    for generation, each in enumerate(history, start=1):
        kept = [place for place, bit in enumerate(each.best.genes) if bit]
        axes.plot([generation] * len(kept), kept, ".", color="tab:orange", markersize=4)
    axes.set_yticks(range(len(offered)), labels=[name for name, _ in offered], fontsize="small")
    count_generations(axes)
    axes.set_xlabel("generation (dots: features of the fittest)")
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


def draw_removals(worths: Mapping[str, Sequence[float]]) -> Figure:
    """Draw what each feature is worth in the runs that keep it: dots, and their mean."""
    from matplotlib.figure import Figure

    means = {name: sum(found) / len(found) for name, found in worths.items()}
    ordered = sorted(means, key=lambda name: means[name])
    figure = Figure(figsize=(7, 1 + 0.22 * len(ordered)), layout="constrained")
    axes = figure.subplots()
    axes.barh(ordered, [means[name] for name in ordered], color="tab:blue", alpha=0.5)
    for place, name in enumerate(ordered):
        axes.plot(worths[name], [place] * len(worths[name]), ".", color="tab:orange")
    axes.axvline(0, color="0.4", linewidth=0.8)
    axes.tick_params(axis="y", labelsize="small")
    axes.set_xlabel("points a game above one half against a net without it")
    return figure
