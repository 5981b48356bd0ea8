"""What evolution changes: a box of named genes, each a whole number within a range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

Genes: TypeAlias = tuple[int, ...]

# Chosen: far more than any evaluation of ours has weights.
MAX_GENES = 10_000


@dataclass(frozen=True)
class Gene:
    """A number from `least` to `most`; a bit goes from 0 to 1."""

    name: str
    most: int = 1
    least: int = 0

    def __post_init__(self) -> None:
        if not (isinstance(self.least, int) and isinstance(self.most, int)):
            raise ValueError(
                f"gene {self.name}: its ends are whole numbers, not {self.least} and {self.most}"
            )
        if self.most < self.least:
            raise ValueError(
                f"gene {self.name}: a range goes from the least to the most, "
                f"not from {self.least} to {self.most}"
            )

    @property
    def width(self) -> int:
        """The distance between its ends."""
        return self.most - self.least

    def draw(self, random: Random) -> int:
        """Return a number of its range, all equally likely."""
        return random.randint(self.least, self.most)

    def clipped(self, value: float) -> int:
        """Return the nearest whole number within the range."""
        return min(self.most, max(self.least, round(value)))


@dataclass(frozen=True, init=False)
class Box:
    """Genes by their names; raise ValueError for none, too many, or two of one name."""

    genes: tuple[Gene, ...]

    def __init__(self, *genes: Gene) -> None:
        object.__setattr__(self, "genes", genes)
        names = [gene.name for gene in genes]
        if not 1 <= len(genes) <= MAX_GENES:
            raise ValueError(f"a box has 1 to {MAX_GENES} genes, not {len(genes)}")
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"two genes are called {twice[0]!r}: each needs a name of its own")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(gene.name for gene in self.genes)

    def __len__(self) -> int:
        return len(self.genes)

    def draw(self, random: Random) -> Genes:
        """Return a point of the box, all equally likely."""
        return tuple(gene.draw(random) for gene in self.genes)

    def clipped(self, values: Sequence[float]) -> Genes:
        """Return the nearest point of the box."""
        return tuple(gene.clipped(value) for gene, value in zip(self.genes, values, strict=True))

    def check(self, genes: Sequence[int]) -> Genes:
        """Return the genes; raise ValueError if they are not a point of the box."""
        if len(genes) != len(self.genes):
            raise ValueError(f"{len(self.genes)} genes are needed, not {len(genes)}")
        for gene, value in zip(self.genes, genes, strict=True):
            if not gene.least <= value <= gene.most:
                raise ValueError(
                    f"gene {gene.name} is {value}: it goes from {gene.least} to {gene.most}"
                )
        return tuple(genes)
