"""Histories as arrays, the hall of fame, family trees; boxes of genes."""

from __future__ import annotations

from random import Random

import pytest

from crossboard.learn.evolution import Genetic, GeneticSettings, Optimiser
from crossboard.learn.genes import MAX_GENES, Box, Gene
from crossboard.learn.individuals import (
    OPERATORS,
    Generation,
    History,
    Individual,
    ancestors,
    hall_of_fame,
)

BOX = Box(Gene("a", 1000), Gene("b", 5, -5), Gene("c"))


def bred(generations: int) -> History:
    optimiser, random = Optimiser(Genetic(BOX, GeneticSettings(size=8, mutations=5))), Random(1)
    for _ in range(generations):
        optimiser.tell([random.random() for _ in optimiser.ask()])
    return optimiser.history


def test_arrays_hold_a_history_without_loss():
    pool = tuple(
        Individual(2**40 + n, (n, -5, 1), operator, n, tuple(range(n % 3)))
        for n, operator in enumerate(OPERATORS)
    )
    odd = Generation(pool, tuple(1 / (n + 3) for n in range(len(pool))))
    for history in (bred(6), History([odd, odd])):
        again = History.of(history.arrays())
        assert again.generations == history.generations
        assert again.next_id == history.next_id


def test_the_arrays_of_nothing_are_no_history():
    assert len(History.of(History().arrays())) == 0


def test_ids_go_on_behind_those_that_have_died():
    history = History(
        [
            Generation((Individual(9, (0,), "drawn", 0),), (1.0,)),
            Generation((Individual(3, (0,), "drawn", 0),), (1.0,)),
        ]
    )
    assert history.next_id == 10
    assert History().next_id == 0


def test_of_equals_the_first_is_the_best():
    pool = tuple(Individual(n, (n,), "drawn", 0) for n in range(4))
    generation = Generation(pool, (1.0, 7.0, 7.0, 3.0))
    assert generation.best.id == 1
    assert [one.id for one in generation.ranked().pool] == [1, 2, 3, 0]
    assert generation.ranked().fitness == (7.0, 7.0, 3.0, 1.0)


def test_the_hall_of_fame_is_spread_from_the_first_to_the_last():
    winners = [(n,) for n in range(11)]
    assert hall_of_fame(winners, 3) == [(0,), (5,), (10,)]
    assert hall_of_fame(winners, 11) == hall_of_fame(winners, 50) == winners
    assert hall_of_fame(winners, 1) == [(10,)]
    assert hall_of_fame(winners, 0) == hall_of_fame([], 5) == []


def test_a_family_tree_has_all_ancestors_and_nobody_else():
    history = bred(8)
    found = ancestors(history, history.last.best.id)
    for one in found.values():
        assert set(one.parents) <= found.keys()
    children = {parent for one in found.values() for parent in one.parents}
    assert children | {history.last.best.id} == found.keys()
    assert any(one.generation == 0 for one in found.values())


def test_families_that_meet_again_are_told_once():
    pool = (
        Individual(0, (0,), "drawn", 0),
        Individual(1, (1,), "crossover", 1, (0, 0)),
        Individual(2, (2,), "crossover", 2, (1, 0)),
        Individual(3, (3,), "drawn", 0),
    )
    assert ancestors(History([Generation(pool, (0.0,) * 4)]), 2).keys() == {0, 1, 2}


@pytest.mark.parametrize(
    ("genes", "words"),
    [
        ([], f"a box has 1 to {MAX_GENES} genes, not 0"),
        ([Gene(str(n)) for n in range(MAX_GENES + 1)], f"1 to {MAX_GENES} genes, not 10001"),
        ([Gene("a"), Gene("b"), Gene("a", 4)], "two genes are called 'a': each needs a name"),
    ],
)
def test_boxes_have_genes_with_names_of_their_own(genes: list[Gene], words: str):
    with pytest.raises(ValueError, match=words):
        Box(*genes)


def test_a_range_goes_upwards():
    with pytest.raises(ValueError, match=r"gene king: a range goes from .* not from 0 to -1"):
        Gene("king", -1)


def test_a_point_is_drawn_from_all_of_the_box_and_clipped_into_it():
    drawn = [BOX.draw(Random(seed)) for seed in range(400)]
    assert {genes[1] for genes in drawn} == {*range(-5, 6)}
    assert {genes[2] for genes in drawn} == {0, 1}
    assert BOX.clipped([1e9, -5.6, 0.4]) == (1000, -5, 0)
