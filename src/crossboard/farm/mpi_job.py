"""A command that `mpiexec` has started several times: who we are, and how we start together."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from crossboard._core import free_megabytes

if TYPE_CHECKING:
    from mpi4py import MPI

# How the launchers tell a process its place: MPICH and its relatives, Open MPI, MVAPICH.
SIZES = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE")
RANKS = ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "PMIX_RANK")
# What mpiexec needs to pass on the last words of a process before it ends the job.
WORDS_SECONDS = 0.2

Made = TypeVar("Made")


def rank() -> int:
    """Return this process's rank as its launcher tells it, 0 without one."""
    ranks = [os.environ[name] for name in RANKS if name in os.environ]
    return int(ranks[0]) if ranks and ranks[0].isdecimal() else 0


def is_under_mpiexec() -> bool:
    """Say whether this process is one of several."""
    sizes = [os.environ[name] for name in SIZES if name in os.environ]
    # PMIx tells no size, so one process alone may start MPI for nothing.
    return sizes[0] != "1" if sizes else "PMIX_RANK" in os.environ


@contextmanager
def interrupts(action: Any) -> Iterator[Any]:
    """Have Ctrl-C do something else; give what it did before.

    While processes wait for each other in MPI it must be the system's own SIG_DFL or SIG_IGN: a
    function of Python's would not be called before that wait ends, and it need not end once one
    of them has left.
    """
    before = signal.signal(signal.SIGINT, action)
    try:
        yield before
    finally:
        signal.signal(signal.SIGINT, before)


def world() -> MPI.Intracomm:
    """Start MPI; raise ValueError if that cannot be."""
    try:
        with interrupts(signal.SIG_DFL):
            from mpi4py import MPI
    except ImportError as error:
        raise ValueError("MPI needs the package mpi4py: pip install 'crossboard[mpi]'") from error
    except RuntimeError as error:
        raise ValueError(
            f"mpi4py finds no MPI ({error}): pip install 'crossboard[mpi]' brings one"
        ) from error
    comm = MPI.COMM_WORLD
    if comm.Get_size() == 1 and any(os.environ.get(name, "1") != "1" for name in SIZES):
        raise ValueError(
            "mpiexec and mpi4py belong to different MPIs: use the mpiexec of 'crossboard[mpi]'"
        )
    return comm


def make_everywhere(comm: MPI.Comm, make: Callable[[], Made]) -> Made:
    """Make something at every rank; where one cannot, all raise the same ValueError.

    It names the rank, unless all of them have the same reason.
    """
    made: Made | None = None
    failure = ""
    try:
        made = make()
    except (ValueError, OSError) as error:
        failure = str(error) or type(error).__name__
    except MemoryError:
        failure = "there is not enough memory"
    except BaseException:
        end_job(comm)
    # One that leaves alone would let the others wait for it.
    if failure := _first_failure(comm.allgather(failure)):
        raise ValueError(failure)
    return cast(Made, made)


def _first_failure(failures: list[str]) -> str:
    if len(set(failures)) == 1:
        return failures[0]
    return next(f"rank {rank}: {failure}" for rank, failure in enumerate(failures) if failure)


def check_memory(comm: MPI.Intracomm, megabytes: int) -> None:
    """Raise ValueError at all ranks if those of one host want more memory than is free there.

    Each would find enough for itself, as long as the others have not taken theirs.
    """
    from mpi4py import MPI

    host = comm.Split_type(MPI.COMM_TYPE_SHARED)
    ranks, asked = host.Get_size(), host.allreduce(megabytes)
    free = host.allreduce(free_megabytes(), MPI.MIN)
    host.Free()

    def check() -> None:
        if asked > free:
            raise ValueError(
                f"{ranks} tables of {megabytes} MB, one for each rank of a host, do not fit into "
                f"the {free} MB of memory that are free there"
            )

    make_everywhere(comm, check)


def end_job(comm: MPI.Comm) -> NoReturn:
    """Print the error and end all ranks: the others would wait for this one for ever."""
    print(traceback.format_exc(), file=sys.stderr)
    abandon(comm, 1)


def abandon(comm: MPI.Comm, code: int) -> NoReturn:
    """End all ranks at once, whatever they do."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    time.sleep(WORDS_SECONDS)
    comm.Abort(code)
    os._exit(code)  # it may return before mpiexec comes to end this process
