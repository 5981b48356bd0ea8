"""Evolution by ask and tell: a pool is proposed, judged as a whole, and the next one made of it.

Every optimiser is a strategy that proposes the next pool from the history of all judged ones; so
what has to be kept is the history, whichever strategy is at work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from crossboard.learn.genes import Box, Genes
from crossboard.learn.individuals import (
    CROSSED_AND_MUTATED,
    CROSSOVER,
    DRAWN,
    INOCULATED,
    MUTATION,
    REPAIRED,
    STEP,
    Generation,
    History,
    Individual,
    Pool,
)
from crossboard.learn.ranges import check_counts, check_word
from crossboard.learn.schooling import Schooling
from crossboard.learn.selection import SELECTIONS
from crossboard.learn.snapshot import Snapshot
from crossboard.learn.variation import CROSSOVERS, mutate, step

# The fitness of each individual of a pool, which may depend on all of them and on what came before.
Judge = Callable[[Pool, History], Sequence[float]]


class Strategy(Protocol):
    """How an optimiser makes the next pool of those that were judged."""

    @property
    def box(self) -> Box:
        """The genes and their ranges."""

    def with_seed(self, seed: int) -> Strategy:
        """Return the strategy of a seed: itself, unless it draws numbers that must be repeated."""

    def propose(self, history: History, random: Random) -> Pool:
        """Return the pool that is to be judged next; of an empty history the first one."""

    def answer(self, history: History) -> Genes:
        """Return what the strategy takes for the best after what was judged so far."""


class Optimiser:
    """Asks a strategy for pools and tells it their fitness.

    Pools depend on the seed and on the fitness so far, so an optimiser with the history of another
    one continues as that would.
    """

    def __init__(
        self, strategy: Strategy, seed: int = 1, *, history: History | None = None
    ) -> None:
        self.strategy = strategy.with_seed(seed)
        self.seed = seed
        self.history = History() if history is None else history
        self._check_history()
        self._asked: Pool | None = None

    def _check_history(self) -> None:
        """Raise ValueError for a history of other genes."""
        for generation in self.history:
            for one in generation.pool:
                self.strategy.box.check(one.genes)

    def ask(self) -> Pool:
        """Return the pool to be judged; asked again before it is told, the same."""
        if self._asked is None:
            random = Random(f"{self.seed} generation {len(self.history)}")
            self._asked = self.strategy.propose(self.history, random)
        return self._asked

    def tell(self, fitness: Iterable[float]) -> None:
        """Take the fitness of the pool that was asked for, more being better.

        Raises ValueError if that is not a number for each individual.
        """
        pool, found = self.ask(), tuple(map(float, fitness))
        if len(found) != len(pool):
            raise ValueError(f"a pool of {len(pool)} needs as many numbers, not {len(found)}")
        if wrong := [one for one in found if not abs(one) < float("inf")]:
            raise ValueError(f"fitness must be a number, not {wrong[0]}")
        self.history.generations.append(Generation(pool, found))
        self._asked = None

    @property
    def best(self) -> Genes:
        """What is taken for the best so far; raise ValueError before anything was told."""
        if not self.history:
            raise ValueError("there is no best yet: no pool was judged")
        return self.strategy.answer(self.history)


@dataclass(frozen=True, kw_only=True)
class GeneticSettings:
    """Every part of the genetic algorithm; the defaults are the paper's, or chosen for it.

    Raises ValueError for what makes no sense.
    """

    size: int = 30
    selection: str = "truncation"
    crossover: str = "one-point"
    mutations: int = 10  # of the pool, in each generation
    elites: int = 1
    inoculated: tuple[Genes, ...] = ()  # known points that the first pool begins with

    def __post_init__(self) -> None:
        check_size(self.size)
        check_word("selection", self.selection, list(SELECTIONS))
        check_word("crossover", self.crossover, list(CROSSOVERS))
        check_counts(self, "mutations", "elites", least=0)
        if self.elites > self.size // 2:
            raise ValueError(f"elites are at most half of a pool of {self.size}, not {self.elites}")
        if len(self.inoculated) > self.size:
            raise ValueError(
                f"a pool of {self.size} has no room for {len(self.inoculated)} known points"
            )


def check_size(size: int) -> None:
    """Raise ValueError for a pool in which nothing can be compared."""
    if size < 2:
        raise ValueError(f"a pool needs two individuals or more, not {size}")


@dataclass(frozen=True)
class Genetic:
    """The genetic algorithm of Chisholm and Bradbeer 1997, figure 2, with exchangeable operators.

    Chosen: the best half of the pool stays, a child of each of its members takes the place of the
    worse half, mutation never changes the elite, and the elite takes the last places too.
    """

    box: Box
    settings: GeneticSettings = field(default_factory=GeneticSettings)
    # Makes a point that may be judged of one that may not, and leaves others alone.
    repair: Callable[[Genes, Random], Genes] = lambda genes, _: genes

    def __post_init__(self) -> None:
        for genes in self.settings.inoculated:
            self.box.check(genes)

    def with_seed(self, seed: int) -> Genetic:
        """Return the strategy itself: all its numbers come with each pool."""
        return self

    def propose(self, history: History, random: Random) -> Pool:
        """Return the first pool, drawn, or the next one, bred."""
        size, known = self.settings.size, self.settings.inoculated
        if not history:
            return self._repaired(draw_pool(self.box, size, random, known), random)
        ranked = history.last.ranked()
        bred = self._cross(ranked, random, history)
        self._mutate(bred, random, history)
        elites = self.settings.elites
        return self._repaired((*bred[: size - elites], *ranked.pool[:elites]), random)

    def _repaired(self, pool: Pool, random: Random) -> Pool:
        found = []
        for one in pool:
            genes = self.repair(one.genes, random)
            is_same = genes == one.genes
            found.append(one if is_same else one._replace(genes=genes, operator=REPAIRED))
        return tuple(found)

    def answer(self, history: History) -> Genes:
        """Return the winner of the last generation."""
        return history.last.best.genes

    def _cross(self, ranked: Generation, random: Random, history: History) -> list[Individual]:
        """Return the best half and its children."""
        pool, fitness = ranked.pool, ranked.fitness
        children = len(pool) // 2
        select = SELECTIONS[self.settings.selection]
        cross = CROSSOVERS[self.settings.crossover]
        pairs = select([one.genes for one in pool], fitness, children, random)
        bred = list(pool[: len(pool) - children])
        for id_, (one, other) in enumerate(pairs, history.next_id):
            genes = cross(pool[one].genes, pool[other].genes, random)
            ids = (pool[one].id, pool[other].id)
            bred.append(Individual(id_, genes, CROSSOVER, len(history), ids))
        return bred

    def _mutate(self, bred: list[Individual], random: Random, history: History) -> None:
        """Mutate members of a pool in their places; what was just born keeps its parents."""
        now, next_id = len(history), 1 + max(history.next_id - 1, *(one.id for one in bred))
        for _ in range(self.settings.mutations):
            place = random.randrange(self.settings.elites, len(bred))
            one = bred[place]
            genes = mutate(one.genes, self.box, random)
            if one.generation == now:
                operator = CROSSED_AND_MUTATED if one.operator == CROSSOVER else one.operator
                bred[place] = one._replace(genes=genes, operator=operator)
            else:
                bred[place] = Individual(next_id, genes, MUTATION, now, (one.id,))
                next_id += 1


@dataclass(frozen=True)
class HillClimbing:
    """Steps from the best point of the last pool, which stays in the pool to be judged again."""

    box: Box
    size: int = 30

    def __post_init__(self) -> None:
        check_size(self.size)

    def with_seed(self, seed: int) -> HillClimbing:
        """Return the strategy itself: all its numbers come with each pool."""
        return self

    def propose(self, history: History, random: Random) -> Pool:
        """Return the best of the last pool and steps away from it."""
        if not history:
            return draw_pool(self.box, self.size, random)
        best, now, next_id = history.last.best, len(history), history.next_id
        steps = (
            Individual(id_, step(best.genes, self.box, random), STEP, now, (best.id,))
            for id_ in range(next_id, next_id + self.size - 1)
        )
        return (best, *steps)

    def answer(self, history: History) -> Genes:
        """Return the best of the last pool."""
        return history.last.best.genes


@dataclass(frozen=True)
class RandomSearch:
    """Draws every pool anew, but for the best of the last one: it has to defend itself."""

    box: Box
    size: int = 30

    def __post_init__(self) -> None:
        check_size(self.size)

    def with_seed(self, seed: int) -> RandomSearch:
        """Return the strategy itself: all its numbers come with each pool."""
        return self

    def propose(self, history: History, random: Random) -> Pool:
        """Return the best of the last pool, if there is one, and points drawn from the box."""
        if not history:
            return draw_pool(self.box, self.size, random)
        now, next_id = len(history), history.next_id
        drawn = (
            Individual(id_, self.box.draw(random), DRAWN, now)
            for id_ in range(next_id, next_id + self.size - 1)
        )
        return (history.last.best, *drawn)

    def answer(self, history: History) -> Genes:
        """Return the best of the last pool."""
        return history.last.best.genes


def draw_pool(box: Box, size: int, random: Random, known: Sequence[Genes] = ()) -> Pool:
    """Return a first pool: points drawn from the box, after known ones (inoculation)."""
    given = [Individual(n, tuple(genes), INOCULATED, 0) for n, genes in enumerate(known)]
    drawn = (Individual(n, box.draw(random), DRAWN, 0) for n in range(len(given), size))
    return (*given, *drawn)


def evolve(
    optimiser: Optimiser,
    judge: Judge,
    generations: int,
    games_after: Callable[[int], int],
    schooling: Schooling,
) -> Iterator[Snapshot]:
    """Judge so many generations and yield a snapshot after each.

    `games_after` returns the games of so many generations. `schooling.start` is where it resumes:
    all that a snapshot holds is the history, and the seed of the optimiser. `measured` has
    the best and the mean fitness, how many individuals were different, and the mean over the genes
    of their standard deviation as a share of the range.
    """
    if schooling.start is not None:
        optimiser.history = History.of(schooling.start.arrays)
    history = optimiser.history
    while len(history) < generations:
        optimiser.tell(judge(optimiser.ask(), history))
        measured = measure_generation(history.last, optimiser.strategy.box)
        plain = {"seed": optimiser.seed}
        yield Snapshot(games_after(len(history)), history.arrays(), plain, measured)


def find_winners(strategy: Strategy, history: History) -> list[Genes]:
    """Return what the strategy took for the best after each generation."""
    generations = history.generations
    return [strategy.answer(History(generations[: n + 1])) for n in range(len(generations))]


def measure_generation(generation: Generation, box: Box) -> dict[str, float]:
    """Return the fitness and the diversity of a generation."""
    fitness = generation.fitness
    return {
        "best": max(fitness),
        "mean": sum(fitness) / len(fitness),
        "distinct": float(len({one.genes for one in generation.pool})),
        "spread": gene_spread(generation.pool, box),
    }


def gene_spread(pool: Pool, box: Box) -> float:
    """Return the standard deviation of genes as a share of their ranges, averaged over genes."""
    import numpy as np

    genes = np.array([one.genes for one in pool], dtype=float)
    widths = np.array([max(1, gene.width) for gene in box.genes], dtype=float)
    return float((genes.std(axis=0) / widths).mean())
