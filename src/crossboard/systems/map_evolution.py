"""Attributes of a map chosen by a genetic algorithm: the last wish of MP-Draughts 2009 (VI)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from crossboard.learn.evolution import Genetic, GeneticSettings, Optimiser
from crossboard.learn.genes import Box, Gene, Genes
from crossboard.learn.variation import draw_a_bit
from crossboard.systems.board_maps import Apply, MapOptions, explained_by
from crossboard.systems.endgame_boards import EndgameBoard

# Chosen: enough for the best subset to come again and again, with maps of a fifth of the epochs.
SIZE, GENERATIONS, MUTATIONS = 20, 12, 10
FAST_DECAY = 0.95


class ChosenAttributes(NamedTuple):
    """The attributes of the last winner, and the best fitness of each generation."""

    features: tuple[str, ...]
    best: list[float]


def choose_attributes(
    boards: Sequence[EndgameBoard],
    options: MapOptions,
    seed: int,
    apply: Apply = map,
    *,
    size: int = SIZE,
    generations: int = GENERATIONS,
) -> ChosenAttributes:
    """Evolve a subset of the features: fitness is the outcome variance that clusters explain."""
    names = options.features
    box = Box(*(Gene(name) for name in names))
    settings = GeneticSettings(size=size, mutations=MUTATIONS)
    optimiser = Optimiser(Genetic(box, settings, draw_a_bit), seed)
    fast = replace(options, training=replace(options.training, decay=FAST_DECAY))
    judge = partial(explained, boards, fast, seed)
    for _ in range(generations):
        subsets = [_chosen(names, one.genes) for one in optimiser.ask()]
        # Copies of the elite need no map of their own.
        distinct = list(dict.fromkeys(subsets))
        found = dict(zip(distinct, apply(judge, distinct), strict=True))
        optimiser.tell([found[subset] for subset in subsets])
    best = [max(each.fitness) for each in optimiser.history]
    return ChosenAttributes(_chosen(names, optimiser.best), best)


def explained(
    boards: Sequence[EndgameBoard], options: MapOptions, seed: int, features: tuple[str, ...]
) -> float:
    """Return the outcome variance that clusters by some features explain."""
    return explained_by(boards, replace(options, features=features), seed)


def _chosen(names: Sequence[str], genes: Genes) -> tuple[str, ...]:
    return tuple(name for name, bit in zip(names, genes, strict=True) if bit)
