"""Individuals, and the history of an evolution: every pool that was judged, as plain arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from crossboard.learn.genes import Genes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[np.float64]]

# What made an individual, in the order in which arrays number them.
DRAWN, INOCULATED, CROSSOVER, MUTATION, CROSSED_AND_MUTATED, SAMPLED, STEP, REPAIRED = OPERATORS = (
    "drawn",
    "inoculated",
    "crossover",
    "mutation",
    "crossover and mutation",
    "sampled",
    "step",
    "repaired",
)
NO_PARENT = -1


class Individual(NamedTuple):
    """A point of the box, and where it comes from. Copies of an individual share its id."""

    id: int
    genes: Genes
    operator: str
    generation: int
    parents: tuple[int, ...] = ()  # at most two ids


Pool: TypeAlias = tuple[Individual, ...]


@dataclass(frozen=True)
class Generation:
    """A pool and the fitness of each of its individuals."""

    pool: Pool
    fitness: tuple[float, ...]

    def ranked(self) -> Generation:
        """Return the same with the fittest first; equals stay in their order."""
        order = sorted(range(len(self.pool)), key=lambda place: -self.fitness[place])
        return Generation(
            tuple(self.pool[place] for place in order), tuple(self.fitness[n] for n in order)
        )

    @property
    def best(self) -> Individual:
        """The fittest individual, of equals the first."""
        return self.ranked().pool[0]


class History:
    """The generations that were judged so far; arrays hold it without a loss."""

    def __init__(self, generations: Sequence[Generation] = ()) -> None:
        self.generations = list(generations)

    def __len__(self) -> int:
        return len(self.generations)

    def __iter__(self) -> Iterator[Generation]:
        return iter(self.generations)

    @property
    def last(self) -> Generation:
        return self.generations[-1]

    @property
    def next_id(self) -> int:
        """The id of the next individual that is new."""
        return 1 + max((one.id for each in self.generations for one in each.pool), default=-1)

    def arrays(self) -> Arrays:
        """Return it as arrays: a row for each generation, a column for each individual."""
        import numpy as np

        pools = [each.pool for each in self.generations]
        return {
            "genes": np.array([[one.genes for one in pool] for pool in pools], dtype=float),
            "fitness": np.array([each.fitness for each in self.generations], dtype=float),
            "ids": np.array([[one.id for one in pool] for pool in pools], dtype=float),
            "parents": np.array(
                [[_two(one.parents) for one in pool] for pool in pools], dtype=float
            ),
            "operators": np.array(
                [[OPERATORS.index(one.operator) for one in pool] for pool in pools], dtype=float
            ),
            "born": np.array([[one.generation for one in pool] for pool in pools], dtype=float),
        }

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[np.float64]]) -> History:
        """Return the history that arrays hold."""
        names = ("genes", "fitness", "ids", "parents", "operators", "born")
        rows = zip(*(arrays[name].tolist() for name in names), strict=True)
        return cls([_generation(*row) for row in rows])


def _generation(
    genes: list[list[float]],
    fitness: list[float],
    ids: list[float],
    parents: list[list[float]],
    operators: list[float],
    born: list[float],
) -> Generation:
    columns = zip(ids, genes, operators, born, parents, strict=True)
    pool = tuple(
        Individual(
            int(id_),
            tuple(map(int, values)),
            OPERATORS[int(operator)],
            int(generation),
            tuple(int(parent) for parent in both if parent != NO_PARENT),
        )
        for id_, values, operator, generation, both in columns
    )
    return Generation(pool, tuple(fitness))


def _two(parents: tuple[int, ...]) -> tuple[int, ...]:
    return (*parents, NO_PARENT, NO_PARENT)[:2]


def hall_of_fame(winners: Sequence[Genes], size: int) -> list[Genes]:
    """Return so many past winners at most, spread evenly from the first to the last."""
    if size >= len(winners):
        return list(winners)
    if size < 2:
        return list(winners[len(winners) - size :])
    places = (round(n * (len(winners) - 1) / (size - 1)) for n in range(size))
    return [winners[place] for place in places]


def ancestors(history: History, id_: int) -> dict[int, Individual]:
    """Return an individual with all that it descends from, by id: its family tree."""
    known = {one.id: one for each in history for one in each.pool}
    found: dict[int, Individual] = {}
    waiting = [id_]
    while waiting:
        one = known[waiting.pop()]
        if one.id not in found:
            found[one.id] = one
            waiting += one.parents
    return found
