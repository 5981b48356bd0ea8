"""Optimisers by ask and tell: the paper's listing, known optima, noise, cycles, resuming."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from random import Random
from statistics import mean

import numpy as np
import pytest

from crossboard.arena.pool import Meeting, PoolTable
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.cma_search import CmaSearch
from crossboard.learn.evolution import (
    Genetic,
    GeneticSettings,
    HillClimbing,
    Optimiser,
    RandomSearch,
    Strategy,
    draw_pool,
    evolve,
    find_winners,
    gene_spread,
    measure_generation,
)
from crossboard.learn.genes import Box, Gene, Genes
from crossboard.learn.individuals import (
    CROSSOVER,
    INOCULATED,
    REPAIRED,
    Generation,
    History,
    Individual,
    Pool,
    hall_of_fame,
)

SMALL = Box(Gene("a", 9), Gene("b", 40, -3), Gene("c"), Gene("d", 140), Gene("e", 5))
STRATEGIES: dict[str, Callable[[Box, int, int], Strategy]] = {
    "genetic": lambda box, size, seed: Genetic(box, GeneticSettings(size=size, mutations=8)),
    "cma": lambda box, size, seed: CmaSearch(box, size, seed),
    "hill-climbing": lambda box, size, seed: HillClimbing(box, size),
    "random": lambda box, size, seed: RandomSearch(box, size),
}


def play(first: Genes, second: Genes) -> int:
    """A table of results that is fixed, and far from any order of strength: 0, 1 or -1."""
    return zlib.crc32(repr((first, second)).encode()) % 3 - 1


def judge(pool: Pool) -> list[float]:
    """Count wins as the arena does."""
    size = len(pool)
    pairs = [Meeting(i, j, 0) for i in range(size) for j in range(size) if i != j]
    winners = [play(pool[pair.first].genes, pool[pair.second].genes) for pair in pairs]
    return [float(one) for one in PoolTable.of(size, pairs, winners).points(of_draw=0)]


class Listing:
    """The paper's figure 2, list by list, with numbers from where the optimiser has its own."""

    def __init__(self, size: int, mutation_rate: int, seed: int) -> None:
        self.size, self.mutation_rate, self.seed, self.generation = size, mutation_rate, seed, 0
        random = Random(f"{seed} generation 0")
        self.pool = [[random.randint(g.least, g.most) for g in SMALL.genes] for _ in range(size)]
        self.fitness = [0] * size

    def hold_tournament(self) -> None:
        self.fitness = [0] * self.size  # which the listing forgets
        for i in range(self.size):
            for j in range(self.size):
                if i != j:
                    result = play(tuple(self.pool[i]), tuple(self.pool[j])) + 1
                    if result == 1:
                        self.fitness[i] += 1
                    if result == 2:
                        self.fitness[j] += 1

    def breed(self) -> None:
        self.generation += 1
        random = Random(f"{self.seed} generation {self.generation}")
        self.sort()
        elite = list(self.pool[0])
        self.cross(random)
        for _ in range(self.mutation_rate):
            place = 1 + random.randrange(self.size - 1)
            gene = random.randrange(len(SMALL))
            self.pool[place] = list(self.pool[place])
            self.pool[place][gene] = random.randint(SMALL.genes[gene].least, SMALL.genes[gene].most)
        self.pool[self.size - 1] = elite

    def sort(self) -> None:
        for at in range(1, self.size):  # by insertion: equals keep their order
            while at and self.fitness[at - 1] < self.fitness[at]:
                for column in (self.pool, self.fitness):
                    column[at - 1], column[at] = column[at], column[at - 1]  # type: ignore[index]
                at -= 1

    def cross(self, random: Random) -> None:
        """Each of the best half mates with the next that differs; its child replaces a loser."""
        half = self.size // 2
        children = []
        for rank in range(half):
            mate = rank + 1
            while mate < self.size and self.pool[mate] == self.pool[rank]:
                mate += 1
            if mate == self.size:
                mate = rank + 1
            cut = random.randrange(1, len(SMALL))
            children.append(self.pool[rank][:cut] + self.pool[mate][cut:])
        self.pool[self.size - half :] = children


@pytest.mark.parametrize(("size", "mutations"), [(2, 1), (7, 0), (12, 5), (30, 10)])
@pytest.mark.parametrize("seed", [1, 2])
def test_it_is_the_papers_algorithm_generation_by_generation(size: int, mutations: int, seed: int):
    slow = Listing(size, mutations, seed)
    settings = GeneticSettings(size=size, mutations=mutations)
    optimiser = Optimiser(Genetic(SMALL, settings), seed)
    for _ in range(15):
        pool = optimiser.ask()
        assert [list(one.genes) for one in pool] == slow.pool
        optimiser.tell(judge(pool))
        slow.hold_tournament()
        assert list(optimiser.history.last.fitness) == slow.fitness
        slow.breed()


@pytest.mark.parametrize("crossover", ["one-point", "uniform"])
@pytest.mark.parametrize("selection", ["truncation", "tournament", "rank", "roulette"])
def test_genes_stay_in_range_and_the_elite_in_the_pool(selection: str, crossover: str):
    settings = GeneticSettings(
        size=9, selection=selection, crossover=crossover, mutations=20, elites=2
    )
    optimiser = Optimiser(Genetic(SMALL, settings))
    elite: list[Individual] = []
    for _ in range(12):
        pool = optimiser.ask()
        assert [*pool[len(pool) - len(elite) :]] == elite
        assert all(SMALL.check(one.genes) == one.genes for one in pool)
        optimiser.tell(judge(pool))
        elite = list(optimiser.history.last.ranked().pool[:2])


@pytest.mark.parametrize("name", STRATEGIES)
def test_equal_individuals_do_not_hang(name: str):
    point = Box(Gene("a", 3, 3), Gene("b", 0))
    optimiser = Optimiser(STRATEGIES[name](point, 6, 1))
    for _ in range(5):
        pool = optimiser.ask()
        assert {one.genes for one in pool} == {(3, 0)}
        optimiser.tell([1.0] * 6)
    assert optimiser.best == (3, 0)
    assert gene_spread(optimiser.history.last.pool, point) == 0


def test_a_pool_that_has_become_equal_is_mutated_on():
    settings = GeneticSettings(size=4, mutations=1, inoculated=((1, 2, 0, 4, 5),) * 4)
    optimiser = Optimiser(Genetic(SMALL, settings))
    assert len({one.genes for one in optimiser.ask()}) == 1
    for _ in range(10):
        optimiser.ask()
        optimiser.tell([0.0] * 4)
    assert optimiser.ask()[-1].genes == (1, 2, 0, 4, 5)
    assert any(len({one.genes for one in each.pool}) > 1 for each in optimiser.history)


# ---- finding optima

HILL = Box(Gene("x", 7), Gene("y", 27, 20), Gene("z", 5))
TOP = (6, 21, 3)


def height(genes: Genes) -> float:
    """A hill with one top, at TOP."""
    return -float(sum(abs(one - top) for one, top in zip(genes, TOP, strict=True)))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", STRATEGIES)
def test_each_finds_the_top_of_a_hill(name: str, seed: int):
    optimiser = Optimiser(STRATEGIES[name](HILL, 30, seed), seed)
    for _ in range(60):  # 30 of 384 points each
        optimiser.tell([height(one.genes) for one in optimiser.ask()])
    assert optimiser.best == TOP


WIDE = Box(*(Gene(f"gene {n}", 200) for n in range(10)))
FAR_TOP = tuple(20 * n + 5 for n in range(10))
NOISE = 1.0  # of fitness that goes from about -10 to 0


def noisy(genes: Genes, random: Random) -> float:
    return far_height(genes) + random.gauss(0, NOISE)


def far_height(genes: Genes) -> float:
    return -sum(abs(one - top) / 100 for one, top in zip(genes, FAR_TOP, strict=True))


def found_under_noise(name: str, seed: int) -> float:
    """Return how high the point really is that was taken for the best."""
    optimiser, random = Optimiser(STRATEGIES[name](WIDE, 30, seed), seed), Random(f"noise {seed}")
    for _ in range(30):
        optimiser.tell([noisy(one.genes, random) for one in optimiser.ask()])
    return far_height(optimiser.best)


def test_each_beats_random_search_under_noise():
    seeds = range(1, 7)
    found = {name: [found_under_noise(name, seed) for seed in seeds] for name in STRATEGIES}
    by_chance = found.pop("random")
    for name, heights in found.items():
        higher = [height > chance for height, chance in zip(heights, by_chance, strict=True)]
        assert sum(higher) >= len(seeds) - 1, (name, heights, by_chance)
        assert mean(heights) > mean(by_chance) + NOISE, (name, heights, by_chance)


# ---- fitness of the whole pool

HANDS = Box(Gene("hand", 2))  # rock, paper, scissors: each loses to the next


def beats(one: Genes, other: Genes) -> bool:
    return (one[0] - other[0]) % 3 == 1


def judge_hands(pool: Sequence[Genes]) -> list[float]:
    return [float(sum(beats(one, other) for other in pool)) for one in pool]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_under_rock_paper_scissors_the_hall_of_fame_goes_round(seed: int):
    settings = GeneticSettings(size=12, mutations=3)
    optimiser = Optimiser(Genetic(HANDS, settings), seed)
    for _ in range(60):
        optimiser.tell(judge_hands([one.genes for one in optimiser.ask()]))
    winners = find_winners(optimiser.strategy, optimiser.history)
    changes = [pair for pair in pairwise(winners) if pair[0] != pair[1]]
    assert len(changes) >= 9
    # Each new kind of winner beats the last one, so that two changes later it would lose.
    assert sum(beats(new, old) for old, new in changes) >= 0.9 * len(changes)
    hall = hall_of_fame(winners, 20)
    assert {genes[0] for genes in hall} == {0, 1, 2}
    # Relative progress without absolute progress: against the whole hall late winners are no
    # better than early ones.
    points = np.array(judge_hands(hall)) / len(hall)
    assert abs(points[10:].mean() - points[:10].mean()) < 0.2


# ---- the border


@pytest.mark.parametrize(
    ("fitness", "words"),
    [
        ([1.0], "a pool of 4 needs as many numbers, not 1"),
        ([1.0, 2.0, float("nan"), 4.0], "fitness must be a number, not nan"),
        ([1.0, 2.0, float("inf"), 4.0], "fitness must be a number, not inf"),
    ],
)
def test_fitness_is_a_number_for_each(fitness: list[float], words: str):
    optimiser = Optimiser(RandomSearch(SMALL, 4))
    pool = optimiser.ask()
    with pytest.raises(ValueError, match=words):
        optimiser.tell(fitness)
    assert optimiser.ask() is pool


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"size": 1}, "a pool needs two individuals or more, not 1"),
        ({"size": 0}, "a pool needs two individuals or more, not 0"),
        ({"mutations": -1}, "mutations must be 0 or more, not -1"),
        ({"elites": -1}, "elites must be 0 or more, not -1"),
        ({"size": 2, "inoculated": ((1,),) * 3}, "a pool of 2 has no room for 3 known points"),
        ({"size": 7, "elites": 4}, "elites are at most half of a pool of 7, not 4"),
        (
            {"selection": "best"},
            "selection is truncation, tournament, rank or roulette, not 'best'",
        ),
        ({"crossover": "two-point"}, "crossover is one-point or uniform, not 'two-point'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], words: str):
    with pytest.raises(ValueError, match=words):
        GeneticSettings(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("size", [0, 1])
def test_a_pool_has_two_individuals_or_more(name: str, size: int):
    with pytest.raises(ValueError, match=f"a pool needs two individuals or more, not {size}"):
        STRATEGIES[name](SMALL, size, 1)


@pytest.mark.parametrize(
    ("genes", "words"),
    [
        ((10, 0, 0, 0, 0), "gene a is 10: it goes from 0 to 9"),
        ((0, -4, 0, 0, 0), "gene b is -4: it goes from -3 to 40"),
        ((1, 2), "5 genes are needed, not 2"),
    ],
)
def test_known_points_must_be_in_the_box(genes: Genes, words: str):
    with pytest.raises(ValueError, match=words):
        Genetic(SMALL, GeneticSettings(inoculated=(genes,)))


# ---- operators in the pool


def test_inoculation_gives_the_first_pool_known_points():
    known = ((1, 2, 0, 4, 5), (9, 40, 1, 140, 0))
    pool = draw_pool(SMALL, 5, Random(1), known)
    assert [one.genes for one in pool[:2]] == list(known)
    assert [one.operator for one in pool] == [INOCULATED] * 2 + ["drawn"] * 3
    assert [one.id for one in pool] == list(range(5))


def test_every_individual_has_an_id_parents_operator_and_generation():
    optimiser = Optimiser(Genetic(SMALL, GeneticSettings(size=8, mutations=6)), 3)
    for _ in range(12):
        optimiser.tell(judge(optimiser.ask()))
    known: dict[int, Individual] = {}
    for number, generation in enumerate(optimiser.history):
        before = dict(known)
        for one in generation.pool:
            assert known.setdefault(one.id, one) == one  # copies are equal in all
            if one.id not in before:
                assert one.generation == number
                assert len(one.parents) == {"drawn": 0, "mutation": 1}.get(one.operator, 2)
                assert all(parent in before for parent in one.parents)
    made = {one.operator for one in known.values()}
    assert made == {"drawn", "crossover", "mutation", "crossover and mutation"}


def test_what_may_not_be_judged_is_repaired():
    bits = Box(*(Gene(name) for name in "abc"))

    def repair(genes: Genes, random: Random) -> Genes:
        return genes if any(genes) else (1, 0, 0)

    settings = GeneticSettings(size=6, mutations=9)
    optimiser = Optimiser(Genetic(bits, settings, repair), 5)
    for _ in range(20):
        pool = optimiser.ask()
        assert all(any(one.genes) for one in pool)
        optimiser.tell([-float(sum(one.genes)) for one in pool])
    repaired = [one for each in optimiser.history for one in each.pool if one.operator == REPAIRED]
    assert {one.genes for one in repaired} == {(1, 0, 0)}


def test_children_take_genes_of_both_parents():
    optimiser = Optimiser(Genetic(SMALL, GeneticSettings(size=10, mutations=0)), 2)
    for _ in range(4):
        optimiser.tell(judge(optimiser.ask()))
    known = {one.id: one for each in optimiser.history for one in each.pool}
    children = [one for one in known.values() if one.operator == CROSSOVER]
    assert children
    for child in children:
        one, other = (known[parent].genes for parent in child.parents)
        cuts = range(1, len(SMALL))
        assert any(child.genes == one[:cut] + other[cut:] for cut in cuts)


def test_the_genetic_algorithm_takes_the_last_winner_for_the_best():
    optimiser = Optimiser(STRATEGIES["genetic"](SMALL, 6, 1))
    optimiser.tell([0, 1, 5, 5, 2, 3])
    assert optimiser.best == optimiser.history.last.pool[2].genes
    optimiser.ask()
    optimiser.tell([0, 1, 2, 2, 3, 2])  # lower, but of another pool
    assert optimiser.best == optimiser.history.last.pool[4].genes


def test_hill_climbing_and_random_search_keep_the_best_of_the_last_pool():
    for name in ("hill-climbing", "random"):
        optimiser = Optimiser(STRATEGIES[name](SMALL, 6, 1))
        optimiser.tell([0, 1, 5, 5, 2, 3])
        best = optimiser.history.last.pool[2]
        assert optimiser.best == best.genes
        assert optimiser.ask()[0] == best
        assert len({one.id for one in optimiser.ask()}) == 6


def test_a_generation_is_measured():
    pool = (Individual(0, (0, 0), "drawn", 0), Individual(1, (10, 0), "drawn", 0))
    box = Box(Gene("a", 10), Gene("b", 4))
    found = measure_generation(Generation((*pool, pool[0], pool[1]), (1, 2, 3, 6)), box)
    assert found == {"best": 6, "mean": 3, "distinct": 2, "spread": 0.25}


# ---- resuming


def evolved(strategy: Strategy, start: Snapshot | None, generations: int = 9) -> list[Snapshot]:
    with ThreadPoolExecutor(1) as executor:
        schooling = Schooling(4, executor, start=start)
        optimiser = Optimiser(strategy, 4)
        return list(
            evolve(optimiser, lambda pool, _: judge(pool), generations, lambda n: 90 * n, schooling)
        )


@pytest.mark.parametrize("name", STRATEGIES)
def test_resumed_anywhere_it_is_the_unbroken_one_bit_for_bit(name: str):
    whole = evolved(STRATEGIES[name](SMALL, 10, 4), None)
    assert [snapshot.games for snapshot in whole] == [90 * n for n in range(1, 10)]
    for stopped in range(1, 9):
        rest = evolved(STRATEGIES[name](SMALL, 10, 4), whole[stopped - 1])
        assert len(rest) == 9 - stopped
        for one, other in zip(rest, whole[stopped:], strict=True):
            assert one.arrays.keys() == other.arrays.keys()
            for key, array in one.arrays.items():
                assert array.tobytes() == other.arrays[key].tobytes(), key
            assert (one.plain, one.measured) == (other.plain, other.measured)


@pytest.mark.parametrize("name", STRATEGIES)
def test_other_seeds_are_other_evolutions(name: str):
    first, same, other = (Optimiser(STRATEGIES[name](SMALL, 10, seed), seed) for seed in (1, 1, 2))
    for optimiser in (first, same, other):
        for _ in range(3):
            optimiser.tell(judge(optimiser.ask()))
    assert first.history.generations == same.history.generations
    assert first.history.generations != other.history.generations


def test_an_optimiser_continues_from_the_history_of_another():
    one = Optimiser(Genetic(SMALL), 7)
    for _ in range(3):
        one.tell(judge(one.ask()))
    other = Optimiser(Genetic(SMALL), 7, history=History(list(one.history)))
    assert other.ask() == one.ask()


def test_the_optimisers_seed_is_that_of_all_its_numbers():
    for strategy in (CmaSearch(WIDE), Genetic(WIDE), RandomSearch(WIDE), HillClimbing(WIDE)):
        first, same, other = (Optimiser(strategy, seed).ask() for seed in (1, 1, 2))
        assert first == same
        assert first != other
