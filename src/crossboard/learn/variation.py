"""How new individuals come of old ones: crossover and mutation, as plain functions."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from crossboard.learn.genes import Box, Genes

Crossover: TypeAlias = Callable[[Genes, Genes, Random], Genes]

# Chosen: of a gene's range, one standard deviation of a step in hill climbing.
STEP = 0.1


def cross_at_one_point(one: Genes, other: Genes, random: Random) -> Genes:
    """Take the first genes from one parent and the rest from the other."""
    cut = random.randrange(1, len(one)) if len(one) > 1 else 1
    return one[:cut] + other[cut:]


def cross_uniformly(one: Genes, other: Genes, random: Random) -> Genes:
    """Take each gene from either parent."""
    return tuple(random.choice(pair) for pair in zip(one, other, strict=True))


CROSSOVERS: dict[str, Crossover] = {"one-point": cross_at_one_point, "uniform": cross_uniformly}


def mutate(genes: Genes, box: Box, random: Random) -> Genes:
    """Draw one gene anew from its range."""
    place = random.randrange(len(genes))
    return (*genes[:place], box.genes[place].draw(random), *genes[place + 1 :])


def step(genes: Genes, box: Box, random: Random) -> Genes:
    """Move each gene with a chance of one half, at least one of them, by a small step."""
    moved = [n for n in range(len(genes)) if random.random() < 0.5]
    moved = moved or [random.randrange(len(genes))]
    values = list(genes)
    for place in moved:
        gene = box.genes[place]
        far = random.gauss(0.0, STEP * gene.width)
        # A step of nothing would be none.
        values[place] = gene.clipped(values[place] + far + (0.5 if far > 0 else -0.5))
    return tuple(values)


def draw_a_bit(genes: Genes, random: Random) -> Genes:
    """Return bits of which one is set at least: of none, one that is drawn."""
    if any(genes):
        return genes
    place = random.randrange(len(genes))
    return tuple(int(n == place) for n in range(len(genes)))
