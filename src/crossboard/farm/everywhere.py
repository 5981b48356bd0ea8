"""Functions called in all other processes of a farm, beside the work that they do."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mpi4py import MPI

# Chosen: soon enough for whoever waits, and no load.
PAUSE_SECONDS = 0.05
# How long those who leave wait for a call that is on its way.
LAST_SECONDS = 1.0

Function = Callable[[], None]


class Courier:
    """Takes functions to a place that may keep it waiting; those that come meanwhile get lost."""

    def __init__(self, deliver: Callable[[Function], object]) -> None:
        self._deliver = deliver
        self._thread: threading.Thread | None = None

    def take(self, function: Function) -> None:
        """Set out, unless still on the way."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._go, args=(function,), daemon=True)
            self._thread.start()

    def _go(self, function: Function) -> None:
        # Whoever is not there any more has no work to stop.
        with suppress(OSError, RuntimeError, CancelledError):
            self._deliver(function)

    def return_home(self) -> None:
        """Wait for the last call, but not for ever."""
        if self._thread is not None:
            self._thread.join(LAST_SECONDS)


@contextmanager
def calling_ranks(world: MPI.Comm) -> Iterator[Courier]:
    """Let rank 0 call functions at all other ranks, while these use the `with` too.

    Ctrl-C reaches every rank; only rank 0 decides what comes of it.
    """
    comm = world.Dup()
    ranks = range(1, comm.Get_size())

    def send(function: Function | None) -> None:
        for rank in ranks:
            comm.send(function, rank)
        time.sleep(PAUSE_SECONDS)

    courier = Courier(send)
    if comm.Get_rank() == 0:
        try:
            yield courier
        finally:
            courier.return_home()
            send(None)
            comm.Free()
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    listener = threading.Thread(target=_listen, args=(comm,), daemon=True)
    listener.start()
    try:
        yield courier
    finally:
        listener.join()
        comm.Free()
        signal.signal(signal.SIGINT, before)


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
