"""Matches: many short games, what Python costs, and farms beside threads."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from time import perf_counter
from typing import Any

from benchmarks.measure import Contender, Demand, MeasurementError, Row, Settings, best_figures
from benchmarks.several_hosts import mpiexec
from crossboard._core import draughts as core
from crossboard._core.draughts import play_games
from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import openings
from crossboard.evaluators import Linear
from crossboard.farm.executors import Farm, dask_cluster, threads
from crossboard.players import Player, SearchLimits, load_player

PAPER_GAMES = 45_000  # DRAFT5's evolution, about: a day of computing
PAPER_SECONDS = 86_400.0
DEMANDED_SECONDS = 60.0
WORKERS = 2
SEED = 1
OVERHEAD_DEPTH = 8


def _variation() -> Player:
    """DRAFT5 with every weight changed a little."""
    evaluator = load_player("draft5").evaluator
    assert isinstance(evaluator, Linear)
    random = Random(SEED)
    weights = [weight * random.uniform(0.9, 1.1) for weight in evaluator.weights]
    return Player("variation", Linear(evaluator.features, weights, man=evaluator.man))


def _terms(games: int, depth: int) -> Terms:
    limits = SearchLimits(depth=depth)
    return Terms(pairs=games // 2, openings=openings(seed=SEED), limits=limits, seed=SEED)


def _play(terms: Terms, farm: Farm) -> float:
    """Play draft5 against its variation; return the seconds it took."""
    # Loaded first: the packages that read folders are imported once, however long the match is.
    one, other = load_player("draft5"), _variation()
    start = perf_counter()
    play_match(one, other, terms, farm.executor, workers=farm.workers)
    return perf_counter() - start


def draft5_day(settings: Settings) -> list[Row]:
    """Seconds for the DRAFT5 paper's day of games: two plies and quiescence, two threads."""
    games = settings.match_games
    with threads(WORKERS) as farm:
        seconds = _play(_terms(games, 2), farm)
    share = games / PAPER_GAMES
    demand = Demand(DEMANDED_SECONDS * share)
    name = f"{games:,} games, depth 2"
    return [Row(name, seconds, "s", "published", PAPER_SECONDS * share, demand=demand)]


@contextmanager
def _core_seconds() -> Iterator[Callable[[], float]]:
    """Add up the time spent in the core's games."""
    spent = [0.0]

    def timed(*arguments: Any, **options: Any) -> Any:
        start = perf_counter()
        played = play_games(*arguments, **options)
        spent[0] += perf_counter() - start
        return played

    # In the module where matches look for it.
    setattr(core, "play_games", timed)  # noqa: B010 - a name that mypy takes for fixed
    try:
        yield lambda: spent[0]
    finally:
        setattr(core, "play_games", play_games)  # noqa: B010


def match_overhead(settings: Settings) -> list[Row]:
    """The core's share of a match at depth 8 on one worker; the rest is Python's."""
    with ThreadPoolExecutor(1) as pool, _core_seconds() as spent:
        seconds = _play(_terms(settings.overhead_games, OVERHEAD_DEPTH), Farm(pool, 1))
        share = spent() / seconds
    return [Row("match at depth 8", share, "in the core", "whole match", 1.0, demand=Demand(0.98))]


def farms(settings: Settings) -> list[Row]:
    """Games per second of Dask workers and of MPI processes, beside as many threads."""
    games, depth = settings.farm_games, settings.farm_depth
    terms = _terms(games, depth)
    with threads(WORKERS) as here, _dask_farm() as there:
        for farm in (here, there):
            _play(_terms(4 * WORKERS, 2), farm)  # every worker has its imports behind it
        contenders = [
            Contender("threads", lambda: games / _play(terms, here)),
            Contender("Dask", lambda: games / _play(terms, there)),
            Contender("MPI", lambda: games / _mpi_seconds(games, depth)),
        ]
        rounds = replace(settings, repeats=settings.farm_rounds)
        by_threads, *others = best_figures(contenders, rounds)
    assert by_threads is not None
    peer = f"threads, {WORKERS / by_threads:.2f} s a game"
    demand = Demand(0.9, on="ratio")
    return [
        Row(f"farm: {name}", rate, "games/s", peer, by_threads, demand=demand)
        for name, rate in zip(("Dask", "MPI"), others, strict=True)
        if rate is not None
    ]


@contextmanager
def _dask_farm() -> Iterator[Farm]:
    from distributed import LocalCluster

    with (
        LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        dask_cluster(cluster.scheduler_address) as farm,
    ):
        yield farm


def _mpi_seconds(games: int, depth: int) -> float:
    program = f"import {__name__} as arena; arena.play_as_rank({games}, {depth})"
    command = [*mpiexec(WORKERS + 1), sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise MeasurementError(f"the ranks fail:\n{done.stderr.strip()}")
    return float(json.loads(done.stdout))


def play_as_rank(games: int, depth: int) -> None:
    """Play the farms' match under mpiexec; rank 0 prints the seconds."""
    from crossboard.farm.executors import mpi_processes

    with mpi_processes() as farm:
        if farm is not None:
            _play(_terms(4 * WORKERS, 2), farm)
            print(_play(_terms(games, depth), farm))
