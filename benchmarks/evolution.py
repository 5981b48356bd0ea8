"""Evolutions: what a published one takes, beside the day that it took in 1997."""

from __future__ import annotations

from time import perf_counter, process_time

from benchmarks.measure import Demand, Row, Settings
from crossboard.farm.executors import threads
from crossboard.learn import Schooling
from crossboard.systems.draft5_ga import GENERATIONS, PUBLISHED
from crossboard.systems.recipes import find_recipe

# DRAFT5-GA 1997, 4: two seconds a game of its 43,500.
PUBLISHED_SECONDS = 2.0 * PUBLISHED.games
DEMANDED_PROCESSOR_SECONDS, DEMANDED_SECONDS = 20.0, 12.0
WORKERS = 2
SEED = 1


def draft5_evolution(settings: Settings) -> list[Row]:
    """Seconds of one published evolution of DRAFT5-GA, by both clocks, on two threads."""
    generations = settings.evolution_generations
    games = PUBLISHED.games_after(generations)
    evolution = PUBLISHED.model_copy(update={"games": games})
    recipe = find_recipe("draft5-ga")
    clock, processor = [], []
    for _ in range(min(settings.repeats, 3)):
        began, used = perf_counter(), process_time()
        with threads(WORKERS) as farm:
            schooling = Schooling(SEED, farm.executor, farm.workers)
            *_, last = recipe.learn(evolution, schooling)
        clock.append(perf_counter() - began)
        processor.append(process_time() - used)
        assert last.games == games
    share = generations / GENERATIONS
    name = f"draft5-ga published, {games:,} games"
    published = PUBLISHED_SECONDS * share
    demands = Demand(DEMANDED_PROCESSOR_SECONDS * share), Demand(DEMANDED_SECONDS * share)
    return [
        Row(f"{name}, processor", min(processor), "s", "published", published, demand=demands[0]),
        Row(f"{name}, two cores", min(clock), "s", "published", published, demand=demands[1]),
    ]
