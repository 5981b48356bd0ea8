"""Where work goes that fans out: threads here, processes of an MPI job, a Dask cluster."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager, suppress
from functools import partial
from importlib.metadata import version
from types import FrameType
from typing import NamedTuple, ParamSpec, TypeVar, cast

from crossboard.farm import mpi_job
from crossboard.farm.everywhere import Courier, calling_ranks

CONNECT_SECONDS = 10
DASK_STARTS = 3
HAS_MASKS = hasattr(signal, "pthread_sigmask")  # Windows has none

P = ParamSpec("P")
T = TypeVar("T")


class Farm(NamedTuple):
    """An executor, how many pieces of work it does at a time, and ways around it."""

    executor: Executor
    workers: int
    # Has a function called in all other processes, beside their work and as soon as may be; it
    # does not wait for that.
    everywhere: Callable[[Callable[[], None]], None] = lambda _: None
    # Ends all its processes with this code, for those who cannot wait for their work; where these
    # end by themselves nothing happens.
    abandon: Callable[[int], None] = lambda _: None
    # For work in Python, where threads would wait for each other; None: the executor does it.
    processes: Executor | None = None

    @property
    def learners(self) -> Executor:
        """Where learning fans out to."""
        return self.processes or self.executor


def count_cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Threads(ThreadPoolExecutor):
    """Threads whose locks Ctrl-C does not leave locked.

    It comes as an exception wherever the main thread is, and where that hands out work it may have
    just taken a lock that the threads need to end.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with _uninterrupted():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait for the end of this."""
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda *told: came.append(told))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if came:
            usual(*came[0])


@contextmanager
def threads(workers: int | None = None) -> Iterator[Farm]:
    """Give threads of this process, as many as there are processors if nobody says how many."""
    count = workers or count_cores()
    pool = _Threads(count, thread_name_prefix="crossboard")
    try:
        yield Farm(pool, count)
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def processes(workers: int | None = None) -> Iterator[Farm]:
    """Give processes for work in Python, where threads would wait for each other.

    They start when there is work. Ctrl-C, which a terminal sends to all of them, ends them, and so
    does the end of this process, whatever it dies of: what they do may take hours, and whoever goes
    on with this run would meet them at its files.
    """
    count = workers or count_cores()
    # A fork would copy locks that threads of this process may hold.
    context = multiprocessing.get_context("spawn")
    pool = _Processes(count, context, _begin_worker)
    try:
        yield Farm(pool, count)
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def with_learners(found: Farm, *, is_here: bool) -> Iterator[Farm]:
    """Give the farm with processes beside its threads, if its work is done here."""
    if not is_here:
        yield found
        return
    with processes(found.workers) as own:
        yield found._replace(processes=own.executor)


class LearnerKilled(ValueError):
    """A process that learns was killed; what it has written remains."""


@contextmanager
def naming_killed_learners(again: str) -> Iterator[None]:
    """Raise LearnerKilled where a process was killed; the text says what resumes its work."""
    try:
        yield
    except BrokenExecutor:
        raise LearnerKilled(
            f"a learning process was killed, perhaps for lack of memory; {again}"
        ) from None


class _Processes(ProcessPoolExecutor):
    """Processes that start with SIGINT blocked: it waits until `_begin_worker` says what it does.

    Before that Python would print the traceback of whatever was being imported. Here it waits until
    a process that is being started has been told what to do.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with _uninterrupted(), _blocked():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _blocked() -> Iterator[None]:
    """Block SIGINT in this thread, and in processes that it starts meanwhile."""
    if not HAS_MASKS:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if HAS_MASKS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None  # this is a worker
    parent.join()
    os._exit(1)  # not sys.exit, which would wait for the work


@contextmanager
def mpi_processes() -> Iterator[Farm | None]:
    """Give the other processes of the MPI job to rank 0, and None to them, once they are done.

    Raises ValueError where there is no mpi4py or no other process.
    """
    # Rank 0 heeds Ctrl-C only between the moments when all have come and when the first leaves.
    with mpi_job.interrupts(signal.SIG_DFL) as before:
        world = mpi_job.world()
        if world.Get_size() < 2:
            raise ValueError(
                "MPI workers need two processes or more: mpiexec -n 3 crossboard ... --mpi"
            )
        from mpi4py.futures import MPICommExecutor

        with calling_ranks(world) as courier, MPICommExecutor(world, root=0) as found:
            if found is None:
                yield None
                return
            # The type that mpi4py declares is that of the `with`, not of what it gives.
            executor = cast(Executor, found)
            with mpi_job.interrupts(before), _cancelling(executor):
                yield Farm(
                    executor, world.Get_size() - 1, courier.take, partial(mpi_job.abandon, world)
                )


@contextmanager
def _cancelling(executor: Executor) -> Iterator[None]:
    """Begin no more work at the end."""
    try:
        yield
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def start_dask(start: Callable[[], T]) -> T:
    """Make something of Dask's that has a thread, again if the machine stood still meanwhile.

    Dask asserts that its thread runs after ten seconds, which on a very busy machine it may not.
    """
    for _ in range(DASK_STARTS - 1):
        with suppress(AssertionError):
            return start()
    return start()


@contextmanager
def dask_cluster(address: str) -> Iterator[Farm]:
    """Give the workers of a Dask cluster; raise ValueError if it cannot be reached or is lost."""
    try:
        from distributed import Client
        from distributed.comm.addressing import parse_address, parse_host_port
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise ValueError(
            "Dask needs the package distributed: pip install 'crossboard[dask]'"
        ) from None
    try:
        # A client that cannot even try would complain at length when it is thrown away.
        parse_host_port(parse_address(address)[1])
        client = start_dask(lambda: Client(address, timeout=CONNECT_SECONDS, set_as_default=False))
    except (OSError, TimeoutError, ValueError) as error:
        raise ValueError(f"there is no Dask scheduler at {address}: {error}") from None
    with _silent("distributed.client"), client:
        workers = sum(client.nthreads().values())
        if workers == 0:
            raise ValueError(f"the Dask scheduler at {address} has no workers")
        compare_versions(client.run(version, "crossboard", on_error="return"))
        # Dask gives a dead worker's work to another one by itself; results are kept till fetched.
        # Not pure: nobody needs a digest of each piece of work to find an equal one.
        executor = client.get_executor(pure=False)
        courier = Courier(partial(client.run, on_error="ignore"))
        try:
            yield Farm(executor, workers, courier.take)
        except CancelledError:
            raise ValueError(f"the Dask scheduler at {address} has gone") from None
        except KilledWorker as error:
            raise ValueError(f"workers of the Dask cluster at {address} die: {error}") from None
        finally:
            courier.return_home()


def compare_versions(found: dict[str, str | BaseException]) -> None:
    """Raise ValueError if a worker could not play: it would die of its first game, and the next."""
    own = version("crossboard")
    for worker, theirs in found.items():
        if theirs != own:
            has = theirs if isinstance(theirs, str) else "none"
            raise ValueError(f"the Dask worker {worker} needs crossboard {own} and has {has}")


@contextmanager
def _silent(name: str) -> Iterator[None]:
    """Keep a logger from telling at length what is told here in one sentence."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def farm(
    workers: int | None = None, *, mpi: bool = False, dask: str | None = None
) -> Iterator[Farm | None]:
    """Give what was asked for; None means that this process only helps, and is done."""
    if mpi and dask is not None:
        raise ValueError("say either MPI or Dask, not both")
    if workers is not None and workers < 1:
        raise ValueError(f"workers must be 1 or more, not {workers}")
    if workers is not None and (mpi or dask is not None):
        raise ValueError("workers are threads here: mpiexec or the Dask cluster has its own number")
    if mpi:
        with mpi_processes() as found:
            yield found
    elif dask is not None:
        with dask_cluster(dask) as found:
            yield found
    else:
        with threads(workers) as found:
            yield found
