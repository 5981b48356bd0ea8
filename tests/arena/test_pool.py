"""Round robins and knock-outs of pools: counted from single games, wherever they are played."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest

from crossboard._core import draughts as core
from crossboard.arena.openings import Opening, openings
from crossboard.arena.pool import (
    Meeting,
    PoolTable,
    PoolTerms,
    play_knock_out,
    play_meetings,
    play_round_robin,
)
from crossboard.draughts import Position
from crossboard.evaluators import Linear
from crossboard.farm.executors import farm, start_dask
from crossboard.players import Player, SearchLimits, load_player

SEED = 5
TIME_OUT = 300.0  # a hang, not a slow machine


def make_pool() -> list[Player]:
    """Some that think, and two that draw their moves, so that seeds matter."""
    weighed = [
        Player("weighed", Linear(("draft5.piece", "draft5.adv1"), weights, man=1000.0))
        for weights in ((1000, 30), (1000, -30))
    ]
    return [*weighed, load_player("random"), load_player("draft5"), load_player("random")]


def make_terms() -> PoolTerms:
    start = Opening("start", Position())
    return PoolTerms(
        openings=(start, *openings("ballots", 1).take(0, 2)),
        limits=SearchLimits(depth=2),
        seed=SEED,
    )


def arrays_of(table: PoolTable) -> list[list[list[int]]]:
    return [each.tolist() for each in (table.wins, table.draws, table.losses)]


def round_robin(workers: int = 1, *, keep_games: bool = False) -> PoolTable:
    with ThreadPoolExecutor(workers) as executor:
        return play_round_robin(
            make_pool(), make_terms(), executor, workers=workers, keep_games=keep_games
        )


@pytest.fixture(scope="module")
def table() -> PoolTable:
    return round_robin()


def test_the_table_is_that_of_single_games(table: PoolTable):
    pool, terms = make_pool(), make_terms()
    counted, number = np.zeros((3, len(pool), len(pool)), dtype=int), 0
    for opening in terms.openings:
        for i, first in enumerate(pool):
            for j, second in enumerate(pool):
                if i == j:
                    continue
                (game,) = core.play_games(
                    first.chooser(terms.limits),
                    second.chooser(terms.limits),
                    openings=[(opening.start, list(opening.moves))],
                    seeds=[Random(f"{SEED} game {number}").getrandbits(63)],
                    rules=terms.rules,
                )
                counted[{0: 0, None: 1, 1: 2}[game.winner], i, j] += 1
                number += 1
    assert arrays_of(table) == counted.tolist()
    assert (counted.sum(axis=(1, 2)) > 0).all()  # all results came up
    assert (table.played == 2 * (len(pool) - 1) * len(terms.openings)).all()


def test_points_count_both_colours(table: PoolTable):
    for of_draw in (0.0, 0.5):
        points = table.points(of_draw=of_draw)
        for place in range(5):
            expected = 0.0
            for other in range(5):
                expected += table.wins[place, other] + table.losses[other, place]
                expected += of_draw * (table.draws[place, other] + table.draws[other, place])
            assert points[place] == expected
    assert table.points().sum() == table.played.sum() / 2


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_make_no_difference(workers: int, table: PoolTable):
    assert arrays_of(round_robin(workers)) == arrays_of(table)


def test_games_come_back_if_they_are_asked_for(table: PoolTable):
    kept = round_robin(2, keep_games=True)
    assert arrays_of(kept) == arrays_of(table)
    assert table.games == ()
    assert len(kept.games) == 60
    starts = [
        game.moves[: len(opening.moves)]
        for game, opening in zip(kept.games[::20], make_terms().openings, strict=True)
    ]
    assert starts == [list(opening.moves) for opening in make_terms().openings]
    assert sum(game.winner == 0 for game in kept.games) == table.wins.sum()


def test_some_meetings_are_counted_alone():
    with ThreadPoolExecutor(1) as executor:
        found = play_meetings(
            make_pool(), [Meeting(3, 2, 0), Meeting(3, 2, 1)], make_terms(), executor
        )
    assert found.played.tolist() == [0, 0, 2, 2, 0]
    assert (found.wins + found.draws + found.losses)[3, 2] == 2


def test_a_pool_of_one_net_draws_no_lots():
    """Players that draw no moves play the same game from the same opening."""
    pool = [make_pool()[0]] * 3
    with ThreadPoolExecutor(1) as executor:
        found = play_round_robin(pool, make_terms(), executor)
    off_diagonal = ~np.eye(3, dtype=bool)
    for each in (found.wins, found.draws, found.losses):
        assert len(set(each[off_diagonal].tolist())) == 1


# ---- knock-out


def test_a_knock_out_gives_the_rounds_that_each_has_won(monkeypatch: pytest.MonkeyPatch):
    strengths, met = [3, 5, 1, 7, 4], []

    def by_strength(_: object, meetings: list[Meeting], *__: object, **___: object) -> PoolTable:
        met.append([each[:2] for each in meetings])
        winners = [int(strengths[each.first] < strengths[each.second]) for each in meetings]
        return PoolTable.of(len(strengths), meetings, winners)

    monkeypatch.setattr("crossboard.arena.pool.play_meetings", by_strength)
    terms = PoolTerms(openings=[Opening("start", Position())])
    with ThreadPoolExecutor(1) as executor:
        won = play_knock_out([make_pool()[0]] * 5, terms, executor)
    assert won == [0, 1, 0, 3, 0]
    assert met == [[(0, 1), (1, 0), (2, 3), (3, 2)], [(1, 3), (3, 1)], [(3, 4), (4, 3)]]


def test_a_knock_out_does_not_depend_on_workers():
    found = []
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as executor:
            found.append(play_knock_out(make_pool(), make_terms(), executor, workers=workers))
    assert found[0] == found[1]
    assert sum(found[0]) == 4  # every pairing has a winner


def test_of_two_with_equal_points_the_earlier_goes_through():
    pool = [make_pool()[0]] * 2
    with ThreadPoolExecutor(1) as executor:
        assert play_knock_out(pool, make_terms(), executor) == [1, 0]


# ---- refusals


@pytest.mark.parametrize("play", [play_round_robin, play_knock_out])
@pytest.mark.parametrize("size", [0, 1])
def test_a_pool_has_two_players_or_more(play: Callable[..., object], size: int):
    with (
        ThreadPoolExecutor(1) as executor,
        pytest.raises(ValueError, match=f"a pool needs two players or more, not {size}"),
    ):
        play(make_pool()[:size], make_terms(), executor)


def test_a_pool_needs_an_opening():
    with pytest.raises(ValueError, match="a pool needs an opening to play from"):
        PoolTerms(openings=())


# ---- elsewhere

UNDER_MPI = """
import json, sys
sys.path.insert(0, sys.argv[1])
from arena.test_pool import arrays_of, make_pool, make_terms
from crossboard.arena.pool import play_round_robin
from crossboard.farm.executors import farm

with farm(mpi=True) as found:
    if found is not None:
        table = play_round_robin(make_pool(), make_terms(), found.executor, workers=found.workers)
        print(json.dumps(arrays_of(table)))
"""


def test_mpi_processes_count_what_threads_count(table: PoolTable):
    pytest.importorskip("mpi4py")
    program = shutil.which("mpiexec", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("needs the mpiexec of the extra [mpi]")
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [program, "-n", "3", sys.executable, "-c", UNDER_MPI, tests],
        capture_output=True,
        text=True,
        timeout=TIME_OUT,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.replace(" ", "").strip() == str(arrays_of(table)).replace(" ", "")


def test_dask_workers_count_what_threads_count(table: PoolTable):
    distributed = pytest.importorskip("distributed")
    start = partial(
        distributed.LocalCluster,
        n_workers=1,
        threads_per_worker=2,
        processes=True,
        dashboard_address=":0",
    )
    with start_dask(start) as cluster, farm(dask=cluster.scheduler_address) as found:
        assert found is not None
        terms = make_terms()
        elsewhere = play_round_robin(make_pool(), terms, found.executor, workers=found.workers)
    assert arrays_of(elsewhere) == arrays_of(table)
