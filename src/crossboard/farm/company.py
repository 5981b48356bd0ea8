"""Processes that do the same work in step, and search every position of it together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from crossboard.farm import mpi_search
from crossboard.players.games import AnyMove, AnyPosition

if TYPE_CHECKING:
    from mpi4py import MPI

T = TypeVar("T")


class Company:
    """The ranks of an MPI job that train one player.

    Every rank runs the same learner with the same seed, so all have the same weights without
    being sent any; only the move that a shared search finds goes from rank 0 to the others.
    """

    def __init__(self, comm: MPI.Comm, *, grain: int = mpi_search.DEFAULT_GRAIN) -> None:
        self._comm = comm
        self._grain = grain
        self.is_leader = comm.Get_rank() == 0

    def ask(
        self,
        engine: mpi_search.Engine,
        position: AnyPosition,
        history: Sequence[AnyPosition],
        depth: int,
        seed: int | None,
    ) -> AnyMove:
        """Search a position on all ranks; each gets the move that rank 0 found."""
        found = mpi_search.search(
            self._comm,
            engine,
            lambda: engine.search(position, depth=depth, history=list(history), tie_seed=seed),
            grain=self._grain,
        )
        move = self.share(None if found is None else found.answer.best[0].move)
        assert move is not None  # rank 0 has one
        return move

    def share(self, value: T) -> T:
        """Return what rank 0 has."""
        shared: T = self._comm.bcast(value)
        return shared

    def abandon(self, code: int) -> None:
        """End all ranks: the others would wait for this one for ever."""
        self._comm.Abort(code)
