"""A command that `mpiexec` has started several times: who we are, and one search on all ranks."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mpi4py import MPI

# How the launchers tell a process its place: MPICH and its relatives, Open MPI, MVAPICH.
SIZES = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE")
RANKS = ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "PMIX_RANK")

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


def world() -> MPI.Comm:
    """Start MPI; raise ValueError if that cannot be."""
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise ValueError(
            "under mpiexec a search needs mpi4py: pip install 'crossboard[mpi]'"
        ) from error
    except RuntimeError as error:
        raise ValueError(
            f"mpi4py finds no MPI ({error}): pip install 'crossboard[mpi]' brings one"
        ) from error
    comm = MPI.COMM_WORLD
    if comm.Get_size() == 1 and any(name in os.environ for name in SIZES):
        raise ValueError(
            "mpiexec and mpi4py belong to different MPIs: use the mpiexec of 'crossboard[mpi]'"
        )
    return comm


def make_everywhere(comm: MPI.Comm, make: Callable[[], Made]) -> Made:
    """Make something at every rank; where one cannot, all raise the same ValueError."""
    made: Made | None = None
    try:
        made, failure = make(), ""
    except ValueError as error:
        failure = str(error)
    except MemoryError:
        failure = "there is not enough memory"
    # One that leaves alone would let the others wait for it.
    failures = comm.allgather(failure)
    if any(failures):
        raise ValueError(next(filter(None, failures)))
    assert made is not None
    return made
