"""One search on the processes of an MPI job: Young Brothers Wait with messages.

Rank 0 leads the search; every rank, in need of work, asks another for a young brother. The tree
and its bounds are in the core (core/search/exchange.h); this module carries the messages, called by
the search itself.
"""

from __future__ import annotations

import random
import time
from array import array
from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from crossboard.farm.mpi_job import end_job

if TYPE_CHECKING:
    from mpi4py import MPI

# Of the game that is searched: each has its own in the core.
Engine: TypeAlias = Any
Border: TypeAlias = Any
Answer: TypeAlias = Any

# Brothers whose parent has less depth than this stay at home: a message costs more.
DEFAULT_GRAIN = 8

# How long a process that has stopped searching sleeps between looks at its messages.
WAITING_SECONDS = 0.0001


class Tag(IntEnum):
    """The kinds of messages."""

    REQUEST = 1  # the ticket below which help is offered, or None: work, please
    NOWORK = 2
    TASK = 3  # number, parcel, and the brother of the asker's that it comes from below of
    RESULT = 4  # number, outcome
    BOUND = 5  # number, alpha, beta
    ABORT = 6  # number
    STOP = 7


class SharedAnswer(NamedTuple):
    """What the processes found together, and what it took."""

    answer: Answer
    nodes: list[int]  # searched by each rank
    tasks: list[int]  # young brothers that each rank gave away
    messages: list[int]  # that each rank sent


class Carrier:
    """Carries messages between this rank's side of the border and all others."""

    def __init__(self, comm: MPI.Comm, border: Border, grain: int, seed: int) -> None:
        self.comm = comm
        self.rank: int = comm.Get_rank()
        self.size: int = comm.Get_size()
        self.border = border
        self.grain = grain
        self.random = random.Random(seed * self.size + self.rank)
        self.holders: dict[int, int] = {}  # number of a lent brother: the rank that has it
        self.tickets: dict[tuple[int, int], int] = {}  # (rank, its number): ticket of our guest
        self.guests: dict[int, tuple[int, int]] = {}  # and the way back
        self.next_ticket = 0
        self.has_asked = False
        self.is_stopped = False
        self.pending: list[MPI.Request] = []
        self.sent = array("q", [0] * self.size)  # messages, to each rank
        self.received = array("q", [0] * self.size)
        self.tasks = 0

    def send(self, rank: int, tag: Tag, content: Any = None) -> None:
        self.sent[rank] += 1
        self.pending = [request for request in self.pending if not request.Test()]
        self.pending.append(self.comm.isend(content, rank, tag))

    def carry(self) -> None:
        """Deliver what has come and send what is due."""
        while self.comm.iprobe():
            self.deliver()
        windows, departures, idle, awaited = self.border.news()
        for number, alpha, beta, is_useless in windows:
            if is_useless:
                self.send(self.holders[number], Tag.ABORT, number)
            else:
                self.send(self.holders[number], Tag.BOUND, (number, alpha, beta))
        for ticket, outcome in departures:
            rank, number = self.guests.pop(ticket)
            del self.tickets[rank, number]
            self.send(rank, Tag.RESULT, (number, outcome))
        if not self.has_asked and not self.is_stopped:
            self.ask(idle, awaited)

    def ask(self, idle: int, awaited: list[int]) -> None:
        """Ask for work: those who hold what a worker here waits for, or anybody."""
        if awaited:
            number = self.random.choice(awaited)
            self.has_asked = True
            self.send(self.holders[number], Tag.REQUEST, number)
        elif idle:
            rank = self.random.randrange(self.size - 1)
            self.has_asked = True
            self.send(rank + (rank >= self.rank), Tag.REQUEST)

    def deliver(self) -> None:
        from mpi4py import MPI

        status = MPI.Status()
        content = self.comm.recv(status=status)
        rank = status.Get_source()
        self.received[rank] += 1
        match Tag(status.Get_tag()):
            case Tag.REQUEST:
                self.answer_request(rank, content)
            case Tag.NOWORK:
                self.has_asked = False
            case Tag.TASK:
                self.has_asked = False
                self.take_guest(rank, *content)
            case Tag.RESULT:
                number, outcome = content
                del self.holders[number]
                self.border.settle(number, outcome)
            case Tag.BOUND:
                number, alpha, beta = content
                if (ticket := self.tickets.get((rank, number))) is not None:
                    self.border.narrow(ticket, alpha, beta)
            case Tag.ABORT:
                if (ticket := self.tickets.get((rank, content))) is not None:
                    self.border.abort(ticket)
            case Tag.STOP:
                self.is_stopped = True

    def part(self) -> None:
        """Take in all that was sent in this search, and wait until what we sent is.

        And nothing more: whoever is ready sooner may have sent requests of the next search, and
        would wait for ever for an answer to one that is thrown away here.
        """
        expected = array("q", self.sent)
        counting = self.comm.Ialltoall(self.sent, expected)
        while not counting.Test():
            time.sleep(WAITING_SECONDS)
        for rank in range(self.size):
            for _ in range(expected[rank] - self.received[rank]):
                self.comm.recv(source=rank)  # in the order in which they were sent
        while not all(request.Test() for request in self.pending):
            time.sleep(WAITING_SECONDS)

    def answer_request(self, rank: int, number: int | None) -> None:
        """Lend a brother; with a number, one from below the guest that has it at the asker's."""
        ticket = None if number is None else self.tickets.get((rank, number))
        is_useless = number is not None and ticket is None
        lent = None if is_useless else self.border.lend(self.grain, ticket)
        if lent is None:
            self.send(rank, Tag.NOWORK)
            return
        self.tasks += 1
        self.holders[lent[0]] = rank
        self.send(rank, Tag.TASK, (*lent, number))

    def take_guest(self, rank: int, number: int, parcel: bytes, lent: int | None) -> None:
        ticket = self.next_ticket
        self.next_ticket += 1
        self.tickets[rank, number] = ticket
        self.guests[ticket] = rank, number
        self.border.receive(ticket, parcel, lent)


def search(
    comm: MPI.Comm,
    engine: Engine,
    lead: Callable[[], Answer],
    *,
    grain: int = DEFAULT_GRAIN,
    seed: int = 0,
) -> SharedAnswer | None:
    """Run a search together; every rank of the communicator calls this with an engine alike.

    `lead` is called at rank 0 and runs the engine's search; only rank 0 gets the answer.
    An error at any rank ends the whole job.
    """
    try:
        return _search(comm, engine, lead, grain, seed)
    except BaseException:
        end_job(comm)


def _search(
    comm: MPI.Comm, engine: Engine, lead: Callable[[], Answer], grain: int, seed: int
) -> SharedAnswer | None:
    carrier = Carrier(comm, engine.border, grain, seed)
    is_leader = carrier.rank == 0

    def carry() -> None:
        try:
            carrier.carry()
        except BaseException:  # nothing may be raised through the search
            end_job(comm)
        if carrier.is_stopped:
            engine.stop()

    engine.border.set_carrier(carry)
    try:
        result = lead() if is_leader else engine.serve()
    finally:
        engine.border.set_carrier(None)
    if is_leader:
        for rank in range(1, carrier.size):
            carrier.send(rank, Tag.STOP)
    carrier.part()
    nodes = comm.gather(result.nodes if is_leader else result)
    tasks, messages = comm.gather(carrier.tasks), comm.gather(sum(carrier.sent))
    if not is_leader:
        return None
    return SharedAnswer(result, nodes or [], tasks or [], messages or [])
