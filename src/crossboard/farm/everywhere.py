"""Functions called in all other processes of a farm, beside the work that they do."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from crossboard.farm.mpi_job import interrupts

if TYPE_CHECKING:
    from mpi4py import MPI

# Chosen: soon enough for whoever waits, and no load.
PAUSE_SECONDS = 0.05
# How long those who leave wait for a call that is on its way.
LAST_SECONDS = 1.0

Function = Callable[[], None]


class Courier:
    """Takes functions, one after the other, to a place that may keep it waiting."""

    def __init__(self, deliver: Callable[[Function], object]) -> None:
        self._deliver = deliver
        self._lock = threading.Lock()
        self._waiting: deque[Function] = deque()
        self._thread: threading.Thread | None = None

    def take(self, function: Function) -> None:
        """Have a function delivered, unless the same one still waits for that."""
        with self._lock:
            if function not in self._waiting:
                self._waiting.append(function)
            if self._thread is None:
                self._thread = threading.Thread(target=self._go, daemon=True)
                self._thread.start()

    def _go(self) -> None:
        while (function := self._next()) is not None:
            # Whoever is not there any more has no work to stop.
            with suppress(OSError, RuntimeError, CancelledError, asyncio.CancelledError):
                self._deliver(function)

    def _next(self) -> Function | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._thread = None
            return None

    def return_home(self) -> None:
        """Wait until all is delivered, but not for ever."""
        if (thread := self._thread) is not None:
            thread.join(LAST_SECONDS)


@contextmanager
def calling_ranks(world: MPI.Intracomm) -> Iterator[Courier]:
    """Let rank 0 call functions at all other ranks, while these use the `with` too.

    Ctrl-C reaches every rank; only rank 0 decides what comes of it.
    """
    if world.Get_rank() == 0:
        with _calling(world.Dup()) as courier:
            yield courier
        return
    # Before rank 0 can go on from Dup.
    with interrupts(signal.SIG_IGN), _listening(world.Dup()):
        yield Courier(lambda _: None)


@contextmanager
def _calling(comm: MPI.Comm) -> Iterator[Courier]:
    ranks = range(1, comm.Get_size())

    def send(function: Function | None) -> None:
        for rank in ranks:
            comm.send(function, rank)
        time.sleep(PAUSE_SECONDS)

    courier = Courier(send)
    try:
        yield courier
    finally:
        courier.return_home()
        send(None)
        comm.Free()


@contextmanager
def _listening(comm: MPI.Comm) -> Iterator[None]:
    listener = threading.Thread(target=_listen, args=(comm,), daemon=True)
    listener.start()
    try:
        yield
    finally:
        listener.join()
        comm.Free()


def _listen(comm: MPI.Comm) -> None:
    """Call what rank 0 sends, until it sends nothing."""
    while True:
        # Not recv alone: it would turn round and round on a processor that has work to do.
        if not comm.Iprobe(0):
            time.sleep(PAUSE_SECONDS)
            continue
        function = comm.recv(None, 0)
        if function is None:
            return
        function()
