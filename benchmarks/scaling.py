"""How far one search would scale: our schedule simulated on up to 1,000 processors.

Simulated is the schedule of core/search/split.h and farm/mpi_search.py, one worker a process:
eldest brother first, young brothers given away nearest to the root first to whoever asks by chance,
the owner working too and then helping its helpers, cut-offs that end what others do below. Trees,
the time of a node and the time of a message are measured. What is simpler than reality:

- A subtree has the size it had in the serial search, whatever window and whatever experience with
  moves it is searched with: work that is saved or wasted by those is not seen.
- Brothers behind a cut-off, which the serial search never saw, are copies of seen ones, drawn by
  chance: also of the one that cut off, and such a copy cuts off too.
- A cut-off ends work below it when the piece being searched is done, instead of by a message.
- Larger searches are the measured trees with all pieces made larger by one factor. A deeper search
  would have more nodes to share as well.
- Processors are alike and never disturbed. A message takes time on its way, but none of the
  processor's, and no network is ever congested.
"""

from __future__ import annotations

import gc
import heapq
import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from operator import truediv
from random import Random
from statistics import fmean, median
from time import process_time
from typing import Any, NamedTuple

from benchmarks.measure import MeasurementError
from benchmarks.several_hosts import mpiexec, run_ranks
from crossboard._core.draughts import Engine
from crossboard.draughts import Position, middlegames
from crossboard.farm.mpi_search import DEFAULT_GRAIN

PROCESSORS = (1, 2, 10, 50, 100, 500, 1000)
# Chosen: some of the 20 middlegames, 15 to 19 million nodes each, whose traces fit into memory.
POSITIONS = (1, 6, 16)
DEPTH = 16
# Seconds on one processor, none for as measured; and from which depth on nodes are shared.
# Chosen: finer where the pieces are made larger, so that they stay near a millisecond.
SIZES = ((None, DEFAULT_GRAIN), (60.0, 6), (600.0, 4))
CHECKED_DEPTH = 14
CHECKED_RANKS = (2, 10)
CHECKED_RUNS = 1
# The longest that a message waits for its receiver's next look: of one that searches
# (core/engine/engine.h) and of one that waits for work, asleep between looks (core/search/split.h).
BUSY_SECONDS = 0.0002
WAITING_SECONDS = 0.0001
# Processes on one machine would otherwise talk through its memory.
TCP_ONLY = {"UCX_TLS": "tcp", "MPIR_CVAR_NOLOCAL": "1"}


class Tree(NamedTuple):
    """A searched node: its brothers can be shared, or without any it is one piece of work."""

    nodes: int
    brothers: list[Brother]


class Brother(NamedTuple):
    """A move of a node: its child, more than once if it was searched again."""

    visits: list[Tree]
    cuts: bool


def rebuild(trace: Iterable[tuple[Position, int, str, int, int]], grain: int) -> list[Tree]:
    """Put finished inner nodes, children before parents, together: a tree for each iteration."""
    rng = Random(0)
    sizes: dict[int, int] = {}  # by ply, of the children that wait for their parent
    children: dict[int, list[tuple[Position, list[Tree]]]] = {0: []}
    for position, _, bound, depth, ply in trace:
        size = 1 + sizes.pop(ply + 1, 0)
        sizes[ply] = sizes.get(ply, 0) + size
        if depth < grain - 1 and ply > 0:
            continue
        brothers = [Brother(visits, False) for _, visits in children.pop(ply + 1, [])]
        if bound == "lower" and brothers:
            brothers[-1] = brothers[-1]._replace(cuts=True)
            unseen = len(position.legal_moves) - len(brothers)
            brothers += rng.choices(brothers, k=max(0, unseen))
        siblings = children.setdefault(ply, [])
        if ply > 0 and siblings and siblings[-1][0] == position:
            siblings[-1][1].append(Tree(size, brothers))
        else:
            siblings.append((position, [Tree(size, brothers)]))
    return [tree for _, visits in children[0] for tree in visits]


class Frame:
    """A node whose brothers are being searched. From here on, names are as in split.h."""

    def __init__(self, owner: Worker, brothers: list[Brother], parent: Frame | None) -> None:
        self.owner, self.brothers, self.parent = owner, brothers, parent
        self.next = 0
        self.holders: list[Worker] = []  # of brothers that are lent
        self.is_cut = False

    def has_more(self) -> bool:
        return self.next < len(self.brothers) and not self.is_dead()

    def is_dead(self) -> bool:
        return self.is_cut or (self.parent is not None and self.parent.is_dead())

    def is_below(self, other: Frame) -> bool:
        return self is other or (self.parent is not None and self.parent.is_below(other))

    def take(self) -> Brother:
        self.next += 1
        return self.brothers[self.next - 1]


Task = tuple[Frame, Brother]
Steps = Generator[float | None, None, None]  # seconds to work, or None: sleep until woken


class Worker:
    """One process. Its search is a generator that the cluster drives."""

    def __init__(self, cluster: Cluster, trees: Sequence[Tree]) -> None:
        self.cluster = cluster
        self.steps = self.lead(trees) if trees else self.serve()
        self.is_asleep = self.has_asked = False
        self.victims: list[Worker] = []  # whom to ask for work, while there is none
        self.below: Frame | None = None  # only for work from there
        self.guests: list[Task] = []  # have come, not begun
        self.open: list[Frame] = []  # with brothers to give, nearest to the root first

    def lead(self, trees: Sequence[Tree]) -> Steps:
        for tree in trees:
            yield from self.search(tree, None)

    def serve(self) -> Steps:
        while True:
            yield from self.rest(self.cluster.workers)

    def search(self, tree: Tree, parent: Frame | None) -> Steps:
        if not tree.brothers:
            self.cluster.nodes += tree.nodes
            yield tree.nodes * self.cluster.node_seconds
            return
        frame = Frame(self, tree.brothers, parent)
        yield from self.search_brother(frame, frame.take())  # the eldest, alone
        self.open.append(frame)
        while frame.has_more():
            yield from self.search_brother(frame, frame.take())
        self.open.remove(frame)
        while frame.holders:
            yield from self.rest([] if frame.is_dead() else frame.holders, frame)

    def rest(self, victims: list[Worker], below: Frame | None = None) -> Steps:
        """Sleep until something happens, and ask for work meanwhile."""
        self.victims, self.below = victims, below
        if not self.has_asked:
            self.cluster.after(self.cluster.ask_seconds, self.ask)
            self.has_asked = True
        yield None
        self.victims = []
        if self.guests:
            yield from self.search_brother(*self.guests.pop())

    def ask(self) -> None:
        self.has_asked = bool(self.victims)
        if self.victims and not self.cluster.rng.choice(self.victims).lend(self, self.below):
            self.cluster.after(self.cluster.ask_seconds, self.ask)

    def search_brother(self, frame: Frame, brother: Brother) -> Steps:
        for visit in brother.visits:
            if not frame.is_dead():
                yield from self.search(visit, frame)
        if frame.owner is self:
            frame.is_cut |= brother.cuts
        else:
            self.cluster.send((BUSY_SECONDS,), frame.owner.settle, self, frame, brother)

    def lend(self, holder: Worker, below: Frame | None) -> bool:
        for frame in self.open:
            if frame.has_more() and (below is None or frame.is_below(below)):
                frame.holders.append(holder)
                self.cluster.tasks += 1
                self.cluster.send((WAITING_SECONDS,), holder.receive, (frame, frame.take()))
                return True
        return False

    def receive(self, task: Task) -> None:
        self.has_asked = False
        self.guests.append(task)
        self.cluster.wake(self)

    def settle(self, holder: Worker, frame: Frame, brother: Brother) -> None:
        frame.holders.remove(holder)
        frame.is_cut |= brother.cuts
        self.cluster.wake(self)


class Cluster:
    """Processors that search together: clock, messages, and the chance by which they meet."""

    def __init__(self, size: int, trees: Sequence[Tree], node: float, message: float) -> None:
        self.node_seconds, self.message_seconds, self.rng = node, message, Random(size)
        # A request is seen when its receiver looks, the answer when the asker does.
        self.ask_seconds = 2 * message + (BUSY_SECONDS + WAITING_SECONDS) / 2
        self.now = 0.0
        self.nodes = self.tasks = 0
        self.events: list[tuple[float, int, Callable[..., None], tuple[Any, ...]]] = []
        self.numbers = count()
        self.workers = [Worker(self, () if i else trees) for i in range(size)]
        for worker in self.workers:
            self.resume(worker)
        with suppress(StopIteration):  # the leader's
            while True:
                self.now, _, function, arguments = heapq.heappop(self.events)
                function(*arguments)

    def after(self, seconds: float, function: Callable[..., None], *arguments: Any) -> None:
        heapq.heappush(self.events, (self.now + seconds, next(self.numbers), function, arguments))

    def resume(self, worker: Worker) -> None:
        step = next(worker.steps)
        worker.is_asleep = step is None
        if step is not None:
            self.after(step, self.resume, worker)

    def wake(self, worker: Worker) -> None:
        if worker.is_asleep:
            self.resume(worker)

    def send(self, polls: Iterable[float], function: Callable[..., None], *content: Any) -> None:
        """Send a message that waits for processes which look that often."""
        waits = sum(self.rng.uniform(0, poll) for poll in polls)
        self.after(self.message_seconds + waits, function, *content)


def measure(position: Position, depth: int, *grains: int) -> tuple[int, dict[int, list[Tree]]]:
    """Search serially without a table; return all nodes, and trees of inner nodes by grain."""
    answer = Engine(table_mb=0).search(position, depth=depth, trace=True)
    trace = answer.trace
    return answer.nodes, {grain: rebuild(trace, grain) for grain in grains}


def measure_node() -> float:
    """Return the processor's seconds for a node."""
    start = process_time()
    nodes = sum(Engine(table_mb=0).search(p, depth=CHECKED_DEPTH).nodes for p in middlegames())
    return (process_time() - start) / nodes


def check_simulator() -> None:
    """Check what must come out, whatever is measured."""
    piece = Tree(1, [])
    flat = Tree(101, [Brother([piece], False)] * 101)
    for size, tree, seconds in ((1, flat, 101), (10, piece, 1), (10, flat, 11)):
        assert abs(Cluster(size, [tree], 1.0, 0.0).now / seconds - 1) < 0.01


def compare_ranks(node: float, message: float) -> Iterator[dict[str, float]]:
    """Set all nodes of real ranks beside those of simulated ones, per node of a serial search."""
    searches = [measure(position, CHECKED_DEPTH, DEFAULT_GRAIN) for position in middlegames()]
    serial = sum(nodes for nodes, _ in searches)
    for ranks in CHECKED_RANKS:
        simulated = 0.0
        for nodes, trees in searches:
            unit = nodes / Cluster(1, trees[DEFAULT_GRAIN], node, message).nodes
            cluster = Cluster(ranks, trees[DEFAULT_GRAIN], unit * node, message)
            simulated += unit * cluster.nodes
        seeds = range(CHECKED_RUNS)
        runs = [run_ranks(mpiexec(ranks), len(searches), CHECKED_DEPTH, seed=i) for i in seeds]
        real = median(sum(sum(search.nodes) for search in run.searches) for run in runs)
        yield {"ranks": ranks, "real": real / serial, "simulated": simulated / serial}


def scale_up(node: float, message: float) -> Iterator[dict[str, float]]:
    """Simulate searches of all sizes on all numbers of processors."""
    grains = {grain for _, grain in SIZES}
    searches = [measure(middlegames()[i], DEPTH, *grains) for i in POSITIONS]
    measured = [nodes * node for nodes, _ in searches]
    for wanted, grain in SIZES:
        trees = [each[grain] for _, each in searches]
        seconds = [wanted or each for each in measured]
        serial = [Cluster(1, each, node, message).nodes for each in trees]
        units = [time / nodes for time, nodes in zip(seconds, serial, strict=True)]
        for size in PROCESSORS:
            runs = [Cluster(size, *each, message) for each in zip(trees, units, strict=True)]
            yield {
                "serial_seconds": fmean(seconds),
                "factor": sum(seconds) / sum(measured),
                "processors": size,
                "speed_up": sum(seconds) / sum(run.now for run in runs),
                "node_ratio": fmean(map(truediv, (run.nodes for run in runs), serial)),
                "tasks": fmean(run.tasks for run in runs),
            }


def main() -> None:
    """Measure, check, simulate and report."""
    parser = ArgumentParser("python -m benchmarks.scaling", description=__doc__.split("\n")[0])
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON document")
    form.add_argument("--markdown", action="store_true", help="print Markdown, as without it")
    is_json = parser.parse_args().json
    gc.disable()  # it would go through the trees again and again, and simulations leave little
    check_simulator()
    try:
        node = measure_node()
        message = run_ranks(mpiexec(2), 1, 1, environment=TCP_ONLY).message_seconds
        checks = list(compare_ranks(node, message))
    except MeasurementError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    rows = list(scale_up(node, message))
    costs = {"node_seconds": node, "message_seconds": message}
    if is_json:
        print(json.dumps({**costs, "checks": checks, "rows": rows}, indent=2))
    else:
        print("\n\n".join(format_markdown(table) for table in ([costs], checks, rows)))


def format_markdown(rows: Sequence[dict[str, float]]) -> str:
    """Write a table, three digits a number."""
    lines = [[name.replace("_", " ") for name in rows[0]], ["--:"] * len(rows[0])]
    lines += [[f"{float(f'{cell:.3g}'):,g}" for cell in row.values()] for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


if __name__ == "__main__":
    main()
