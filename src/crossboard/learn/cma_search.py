"""CMA-ES as a strategy of evolution: the package `cma`, fed with our own random numbers.

Its state is not kept: the history holds all it was told, and can be told again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any

from crossboard.learn.evolution import check_size
from crossboard.learn.genes import Box, Genes
from crossboard.learn.individuals import SAMPLED, Generation, History, Individual, Pool

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Chosen: the first pool spreads over the middle of the box, each gene on a scale from 0 to 1.
START, SIGMA = 0.5, 0.3


class NoCma(ValueError):
    """The package `cma` is not installed."""


@dataclass(frozen=True)
class CmaSearch:
    """Covariance matrix adaptation; its answer is the mean of the distribution, not a sample.

    Raises NoCma where the package is missing.
    """

    box: Box
    size: int = 30
    # Of its normal numbers, which must be the same again when it is resumed: the optimiser's.
    seed: int = 1
    _told: list[_Told] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_size(self.size)
        if len(self.box) < 2:
            raise ValueError("CMA-ES needs two genes or more")
        _import_cma()

    def with_seed(self, seed: int) -> CmaSearch:
        """Return the search with the normal numbers of a seed."""
        return self if seed == self.seed else replace(self, seed=seed)

    def propose(self, history: History, random: Random) -> Pool:
        """Return samples of the distribution, rounded to whole numbers."""
        samples = self._after(history).ask()
        now = len(history)
        return tuple(
            Individual(id_, self._genes(sample), SAMPLED, now)
            for id_, sample in enumerate(samples, history.next_id)
        )

    def answer(self, history: History) -> Genes:
        """Return the mean of the distribution."""
        return self._genes(self._after(history).mean)

    def _after(self, history: History) -> _Told:
        """Return the search that was told the history: the one at hand, if it knows the start."""
        if not self._told or not self._told[0].knows_start_of(history):
            self._told[:] = [_Told(self)]
        self._told[0].tell(history)
        return self._told[0]

    def _genes(self, point: NDArray[np.float64]) -> Genes:
        return self.box.clipped(
            [gene.least + gene.width * x for gene, x in zip(self.box.genes, point, strict=True)]
        )


class _Told:
    """The package's search, and the generations it was told."""

    def __init__(self, search: CmaSearch) -> None:
        import numpy as np

        random = np.random.Generator(np.random.PCG64(search.seed))
        options: dict[str, Any] = {
            "popsize": search.size,
            "bounds": [0, 1],
            "verbose": -9,
            "seed": np.nan,  # it would set numpy's numbers for the whole process
            "randn": lambda *shape: random.standard_normal(shape),
            # A stop of its own would end a run that was asked to go on.
            "maxiter": np.inf,
            "tolfun": 0,
            "tolx": 0,
            "tolflatfitness": np.inf,
            "tolstagnation": np.inf,
        }
        start = np.full(len(search.box), START)
        self._cma = _import_cma().CMAEvolutionStrategy(start, SIGMA, options)
        self._generations: list[Generation] = []
        self._samples: list[NDArray[np.float64]] = []  # asked for and not told yet

    def knows_start_of(self, history: History) -> bool:
        """Whether all it was told is the start of a history."""
        told = self._generations
        return history.generations[: len(told)] == told

    def tell(self, history: History) -> None:
        """Tell it what it has not been told of a history."""
        for generation in history.generations[len(self._generations) :]:
            # It minimises.
            self._cma.tell(self.ask(), [-fitness for fitness in generation.fitness])
            self._generations.append(generation)
            self._samples = []

    def ask(self) -> list[NDArray[np.float64]]:
        """Return the samples of this generation, the same until they are told."""
        self._samples = self._samples or self._cma.ask()
        return self._samples

    @property
    def mean(self) -> NDArray[np.float64]:
        """The mean of its distribution."""
        found: NDArray[np.float64] = self._cma.result.xfavorite
        return found


def _import_cma() -> Any:
    try:
        import cma
    except ImportError:
        raise NoCma(
            "CMA-ES needs the package cma: pip install cma, or choose another method"
        ) from None
    return cma
