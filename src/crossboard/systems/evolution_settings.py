"""What all systems that evolve have in common: a pool, its generations, and how it is bred."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from crossboard.arena.openings import Openings, openings
from crossboard.arena.pool import PoolTerms
from crossboard.learn.evolution import GeneticSettings
from crossboard.learn.genes import Genes
from crossboard.players import SearchLimits
from crossboard.systems.recipes import RecipeSettings

Selecting = Literal["truncation", "tournament", "rank", "roulette"]
Crossing = Literal["one-point", "uniform"]


@lru_cache(maxsize=8)
def draw_openings(source: str, seed: int) -> Openings:
    """Return a series of openings; one that is at hand need not be drawn again."""
    return openings(source, seed)


def fresh_terms(source: str, seed: int, generation: int, *, count: int, depth: int) -> PoolTerms:
    """Return the terms of a generation, with the next so many openings of its series."""
    found = draw_openings(source, seed).take(generation * count, count)
    return PoolTerms(openings=tuple(found), limits=SearchLimits(depth=depth), seed=generation)


class EvolutionSettings(RecipeSettings, ABC):
    """The keys of an evolution; the system says how many games a generation has."""

    generations: Annotated[int, Field(ge=0)] = 0  # 0: as many as the games fill
    pool: Annotated[int, Field(ge=2, le=1000)] = 30
    selection: Selecting = "truncation"
    crossover: Crossing = "one-point"
    mutations: Annotated[int, Field(ge=0, le=100_000)] = 10  # of the pool, in each generation
    elites: Annotated[int, Field(ge=0)] = 1

    @model_validator(mode="after")
    def _count_generations(self) -> Self:
        """Count the games of whole generations: of those given, or of all that the games fill."""
        if not self.generations and self.games < self.games_after(1):
            raise ValueError(
                f"games: a generation has {self.games_after(1)}, more than {self.games}"
            )
        count = self.generations or self.all_generations
        # No other code changes settings, which are frozen.
        object.__setattr__(self, "games", self.games_after(count))
        return self

    @abstractmethod
    def games_after(self, generations: int) -> int:
        """Return the games of so many generations."""

    def idle_keys(self) -> Mapping[str, str]:
        """Return the keys that have no effect, and why."""
        idle = dict(super().idle_keys())
        return idle | ({"games": "generations says how many"} if self.generations else {})

    @property
    def all_generations(self) -> int:
        """How many generations the games fill."""
        return self.games // self.games_after(1)

    def genetic(self, inoculated: tuple[Genes, ...] = ()) -> GeneticSettings:
        """Return how pools are bred; raise ValueError for what makes no sense."""
        return GeneticSettings(
            size=self.pool,
            selection=self.selection,
            crossover=self.crossover,
            mutations=self.mutations,
            elites=self.elites,
            inoculated=inoculated,
        )
