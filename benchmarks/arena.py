"""Matches: many short games, what Python costs, and farms beside threads."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from functools import partial
from io import StringIO
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, thread_time
from typing import Any, NamedTuple

from benchmarks.measure import Demand, MeasurementError, Row, Settings
from benchmarks.several_hosts import mpiexec
from crossboard._core import draughts as core
from crossboard._core.draughts import play_pairs
from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import openings
from crossboard.cli import match
from crossboard.evaluators import Linear
from crossboard.farm import mpi_job
from crossboard.farm.executors import Farm, dask_cluster, mpi_processes, threads
from crossboard.players import Player, SearchLimits, load_player

PAPER_GAMES = 45_000  # DRAFT5's evolution, about: a day of computing
PAPER_SECONDS = 86_400.0
DEMANDED_SECONDS = 60.0
WORKERS = 2
SEED = 1
OVERHEAD_DEPTH = 8
# What docs/arena.md sets by the environment.
QUIET_DASK = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
}


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
        before = process_time()
        seconds = _play(_terms(games, 2), farm)
        # What the clock would show if nobody else used the machine.
        own_seconds = (process_time() - before) / WORKERS
    share = games / PAPER_GAMES
    published = PAPER_SECONDS * share
    demand = Demand(DEMANDED_SECONDS * share)
    name = f"{games:,} games, depth 2"
    return [
        Row(name, seconds, "s", "published", published, demand=demand),
        Row(f"{name}, processor time / {WORKERS}", own_seconds, "s", "published", published),
    ]


@contextmanager
def _core_seconds() -> Iterator[Callable[[], float]]:
    """Add up the processor time spent in the core's games."""
    spent = [0.0]

    def timed(*arguments: Any, **options: Any) -> Any:
        start = thread_time()
        played = play_pairs(*arguments, **options)
        spent[0] += thread_time() - start
        return played

    # In the module where matches look for it.
    setattr(core, "play_pairs", timed)  # noqa: B010 - a name that mypy takes for fixed
    try:
        yield lambda: spent[0]
    finally:
        setattr(core, "play_pairs", play_pairs)  # noqa: B010


def match_overhead(settings: Settings) -> list[Row]:
    """The core's share of the processor time of `crossboard match --pdn` at depth 8.

    The rest is Python's: players, openings, batches, records, progress and the report.
    """
    games = settings.overhead_games
    names = {"plain lines": subprocess.DEVNULL, "a bar on a terminal": None}
    return [
        Row(
            f"crossboard match --pdn at depth 8, {games} games, {name}",
            _share_of_core(games, errors),
            "in the core",
            "whole command",
            1.0,
            demand=Demand(0.98),
        )
        for name, errors in names.items()
    ]


def _share_of_core(games: int, errors: int | None) -> float:
    """Play the match in a process of its own; `errors` is where progress goes, None a terminal."""
    program = f"import {__name__} as arena; arena.play_as_command({games})"
    with _terminal() as terminal:
        done = subprocess.run(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            stderr=terminal if errors is None else errors,
            text=True,
        )
    if done.returncode:
        raise MeasurementError(f"the match fails with exit code {done.returncode}")
    return float(done.stdout)


@contextmanager
def _terminal() -> Iterator[int]:
    """Give a terminal that is read, as somebody would who looks at it."""
    ours, theirs = pty.openpty()

    def look() -> None:
        with suppress(OSError):  # nobody writes any more
            while os.read(ours, 65_536):
                pass

    reader = threading.Thread(target=look)
    reader.start()
    try:
        yield theirs
    finally:
        os.close(theirs)
        reader.join()
        os.close(ours)


def play_as_command(games: int) -> None:
    """Do what `crossboard match --pdn` does, and print the core's share of it."""
    with TemporaryDirectory() as folder:
        rival = f"{folder}/variation"
        _variation().save(rival)
        command = partial(match.run, "draft5", rival, depth=OVERHEAD_DEPTH, seed=SEED, workers=1)
        with redirect_stdout(StringIO()):
            command(games=2, pdn=os.devnull)  # imports come once, however long the match is
            with _core_seconds() as spent:
                start = process_time()
                command(games=games, pdn=f"{folder}/games.pdn")
                share = spent() / (process_time() - start)
    print(share)


class Cost(NamedTuple):
    """What a match took: time on the clock, and of all processors."""

    seconds: float
    processor_seconds: float


def farms(settings: Settings) -> list[Row]:
    """Games per second of Dask workers and of MPI processes, beside as many threads.

    Where others use the machine too, games per second of processor time say more.
    """
    games, depth = settings.farm_games, settings.farm_depth
    measures = {
        "threads": _cost_of_threads,
        "Dask": _cost_of_dask,
        "Dask, watching itself": _cost_of_watchful_dask,
        "MPI": _cost_of_mpi,
    }
    costs: dict[str, list[Cost]] = {name: [] for name in measures}
    for _ in range(settings.farm_rounds):
        for name, measure in measures.items():
            costs[name].append(measure(games, depth))
    # The least of each, as far as others let it come.
    rates = {
        name: [games / min(figures) for figures in zip(*rounds, strict=True)]
        for name, rounds in costs.items()
    }
    by_threads, by_processor = rates["threads"]
    peer = f"threads, {1 / by_processor:.2f} s a game"
    demand = Demand(0.9, on="ratio")
    rows = []
    for name in list(measures)[1:]:
        rate, of_processor = rates[name]
        demanded = demand if name in ("Dask", "MPI") else None
        rows.append(Row(f"farm: {name}", rate, "games/s", peer, by_threads, demand=demanded))
        label = f"farm: {name}, processor time"
        rows.append(Row(label, of_processor, "games/s", peer, by_processor))
    return rows


def _cost_of_threads(games: int, depth: int) -> Cost:
    with threads(WORKERS) as farm:
        return _cost(games, depth, farm, [os.getpid()])


def _cost_of_dask(games: int, depth: int) -> Cost:
    """Of a cluster set up as docs/arena.md advises."""
    import dask
    import distributed  # noqa: F401 - has settings of its own, which must be there first

    with dask.config.set(dict(QUIET_DASK)):
        return _cost_of_watchful_dask(games, depth)


def _cost_of_watchful_dask(games: int, depth: int) -> Cost:
    """Of a cluster as Dask makes it if nobody says anything."""
    from distributed import LocalCluster

    with (
        LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        dask_cluster(cluster.scheduler_address) as farm,
    ):
        # The scheduler is in this process.
        workers = [worker.process.pid for worker in cluster.workers.values()]
        return _cost(games, depth, farm, [os.getpid(), *workers])


def _cost_of_mpi(games: int, depth: int) -> Cost:
    program = f"import {__name__} as arena; arena.play_as_rank({games}, {depth})"
    command = [*mpiexec(WORKERS + 1), sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise MeasurementError(f"the ranks fail:\n{done.stderr.strip()}")
    return Cost(*json.loads(done.stdout))


def play_as_rank(games: int, depth: int) -> None:
    """Play the farms' match under mpiexec; rank 0 prints what it took."""
    processes = mpi_job.world().allgather(os.getpid())
    with mpi_processes() as farm:
        if farm is not None:
            print(json.dumps(_cost(games, depth, farm, processes)))


def _cost(games: int, depth: int, farm: Farm, processes: list[int]) -> Cost:
    """Play the farms' match in a farm of these processes."""
    from psutil import Process

    def spent() -> float:
        times = [Process(process).cpu_times() for process in processes]
        return float(sum(time.user + time.system for time in times))

    _play(_terms(4 * WORKERS, 2), farm)  # every worker has its imports behind it
    before = spent()
    seconds = _play(_terms(games, depth), farm)
    return Cost(seconds, spent() - before)
