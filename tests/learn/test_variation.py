"""Crossover, mutation and steps, one by one."""

from __future__ import annotations

from random import Random

import pytest

from crossboard.learn.genes import Box, Gene
from crossboard.learn.variation import (
    CROSSOVERS,
    STEP,
    cross_at_one_point,
    cross_uniformly,
    mutate,
    step,
)

BOX = Box(Gene("a", 9), Gene("b", 3, -3), Gene("c"), Gene("wide", 10_000))
ONE, OTHER = (1, 1, 1, 1), (0, 0, 0, 0)


def test_one_point_takes_the_beginning_of_one_and_the_end_of_the_other():
    children = {cross_at_one_point(ONE, OTHER, Random(seed)) for seed in range(50)}
    assert children == {(1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0)}


def test_uniform_takes_each_gene_of_either():
    children = {cross_uniformly(ONE, OTHER, Random(seed)) for seed in range(300)}
    assert len(children) == 16


@pytest.mark.parametrize("name", CROSSOVERS)
def test_a_single_gene_can_be_crossed(name: str):
    assert CROSSOVERS[name]((1,), (0,), Random(1)) in {(0,), (1,)}


def test_a_mutation_draws_one_gene_anew():
    start = (5, 0, 1, 77)
    drawn: list[set[int]] = [set() for _ in BOX.genes]
    random = Random(1)
    for _ in range(2000):
        genes = mutate(start, BOX, random)
        BOX.check(genes)
        changed = [n for n, pair in enumerate(zip(genes, start, strict=True)) if len({*pair}) > 1]
        assert len(changed) <= 1
        for place in changed:
            drawn[place].add(genes[place])
    assert drawn[0] == {*range(10)} - {5}
    assert drawn[1] == {*range(-3, 4)} - {0}
    assert drawn[2] == {0}
    assert max(drawn[3]) > 9_000


def test_steps_stay_in_the_box_and_near():
    start, random = (5, 0, 1, 5000), Random(2)
    found = [step(start, BOX, random) for _ in range(2000)]
    for genes in found:
        BOX.check(genes)
    far = [genes[3] - 5000 for genes in found if genes[3] != 5000]
    assert len(far) / len(found) == pytest.approx(0.5, abs=0.05)
    mean = sum(one * one for one in far) / len(far)
    assert mean**0.5 == pytest.approx(STEP * 10_000, rel=0.1)


def test_a_step_in_a_narrow_range_moves_too():
    narrow, random = Box(Gene("a", 4)), Random(4)
    assert {step((2,), narrow, random) for _ in range(500)} >= {(1,), (3,)}
    assert all(step((2,), narrow, random) != (2,) for _ in range(500))


def test_a_step_from_the_middle_of_a_range_moves():
    wide = Box(*(Gene(name, 1000) for name in "ab"))
    random = Random(3)
    assert all(step((500, 500), wide, random) != (500, 500) for _ in range(500))
