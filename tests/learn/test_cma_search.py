"""CMA-ES: fed with numbers of its own, told again what it was told, and missing."""

from __future__ import annotations

import sys
from random import Random

import numpy as np
import pytest

from crossboard.learn.cma_search import CmaSearch, NoCma
from crossboard.learn.evolution import Optimiser, find_winners
from crossboard.learn.genes import Box, Gene
from crossboard.learn.individuals import SAMPLED, History, Pool

BOX = Box(Gene("a", 100), Gene("b", 50, -50), Gene("c", 9))


def judge(pool: Pool) -> list[float]:
    return [-abs(one.genes[0] - 90) - abs(one.genes[1] + 40) / 3 for one in pool]


def searched(generations: int) -> Optimiser:
    optimiser = Optimiser(CmaSearch(BOX, 8, 5), 5)
    for _ in range(generations):
        optimiser.tell(judge(optimiser.ask()))
    return optimiser


def test_it_samples_points_of_the_box():
    pool = CmaSearch(BOX, 8).propose(History(), Random(1))
    assert len(pool) == 8
    assert {one.operator for one in pool} == {SAMPLED}
    assert all(BOX.check(one.genes) == one.genes for one in pool)


def test_numbers_of_the_process_are_neither_used_nor_set():
    np.random.seed(3)
    before = np.random.get_state()[1].tolist()
    one = searched(3).history.generations
    assert np.random.get_state()[1].tolist() == before
    np.random.seed(4)
    assert searched(3).history.generations == one


def test_a_search_that_knows_another_history_learns_this_one():
    optimiser = searched(6)
    search = CmaSearch(BOX, 8, 5)
    whole = optimiser.history
    start = History(whole.generations[:2])
    late = search.answer(whole)
    early = search.answer(start)  # it has to forget
    assert early != late
    assert early == CmaSearch(BOX, 8, 5).answer(start)
    assert search.answer(whole) == late == optimiser.best


def test_winners_are_the_means_that_it_had():
    optimiser = searched(5)
    assert find_winners(optimiser.strategy, optimiser.history) == [
        searched(n).best for n in range(1, 6)
    ]


def test_one_gene_is_refused():
    with pytest.raises(ValueError, match="CMA-ES needs two genes or more"):
        CmaSearch(Box(Gene("a", 4)))


def test_without_its_package_one_sentence_tells_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(NoCma) as told:
        CmaSearch(BOX)
    assert str(told.value) == (
        "CMA-ES needs the package cma: pip install cma, or choose another method"
    )
