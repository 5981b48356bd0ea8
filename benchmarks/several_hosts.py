"""One search on several hosts: network namespaces with addresses of their own, MPI over TCP."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.measure import MeasurementError
from benchmarks.report import WIDTH
from crossboard._core.draughts import Engine
from crossboard.draughts import middlegames
from crossboard.farm import mpi_search

if TYPE_CHECKING:
    from mpi4py import MPI

MAX_HOSTS = 100
COLUMNS = (
    *("position", "value", "seconds", "rank", "nodes", "tasks", "messages"),
    *("bytes before", "bytes after"),
)
INTERFACE = "eth0"
COUNTER = Path("/sys/class/net", INTERFACE, "statistics/tx_bytes")
# Otherwise MPICH goes through the memory that all namespaces of one machine share.
TCP_ONLY = {"UCX_TLS": "tcp", "UCX_NET_DEVICES": INTERFACE}
# Chosen: far more than any of these searches takes.
PATIENCE_SECONDS = 300

# Stands in for ssh, called as LAUNCHER [options] HOST command...; the host is 10.77.0.<number>.
LAUNCHER = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
exec ip netns exec "%s${host##*.}" sh -c "$*"
"""


@dataclass(frozen=True)
class SharedSearch:
    """What several ranks found and what it took; lists have one entry for each rank."""

    fen: str
    value: float  # in men
    nodes: list[int]
    tasks: list[int]  # young brothers given away
    messages: list[int]  # sent by the search
    seconds: float
    bytes_before: list[int]  # sent, as the interface counts them; empty without an interface
    bytes_after: list[int]


@dataclass(frozen=True)
class Ranks:
    """What several ranks did."""

    message_seconds: float  # from one to another that waits for it
    searches: list[SharedSearch]


def main() -> None:
    """Search some positions on several hosts and report, or be one of the ranks."""
    options = parse_options()
    if options.as_rank:
        search_as_rank(options.positions, options.depth, options.seed)
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        check_tools()
        with hosts(options.hosts) as command:
            ranks = run_ranks(command, options.positions, options.depth, environment=TCP_ONLY)
        check_values(ranks.searches, options.depth)
    except MeasurementError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
    if options.json:
        print(json.dumps(asdict(ranks), indent=2))
    else:
        print_table(ranks, options.depth)


def parse_options() -> Namespace:
    """Read the command line."""
    parser = ArgumentParser("python -m benchmarks.several_hosts", description=__doc__)
    parser.add_argument("--hosts", type=_between(2, MAX_HOSTS), default=2, help="how many")
    parser.add_argument("--depth", type=_between(1, 200), default=14, help="plies to search")
    parser.add_argument("--positions", type=_between(1, 20), default=3, help="middlegames")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--as-rank", action="store_true", help=SUPPRESS)
    parser.add_argument("--seed", type=int, default=0, help=SUPPRESS)
    return parser.parse_args()


def _between(least: int, most: int) -> Any:
    def parse(text: str) -> int:
        if text.isdecimal() and least <= int(text) <= most:
            return int(text)
        raise ArgumentTypeError(f"{text} is not a number from {least} to {most}")

    return parse


def check_tools() -> None:
    """Raise MeasurementError if something that namespaces need is missing."""
    if os.geteuid() != 0:
        raise MeasurementError("several hosts need root: network namespaces are made and removed")
    if not shutil.which("ip"):
        raise MeasurementError("several hosts need the command ip: apt install iproute2")


def check_values(searches: Sequence[SharedSearch], depth: int) -> None:
    """Raise MeasurementError unless the values are those of a search in this process alone."""
    for position, search in zip(middlegames(), searches, strict=False):
        engine = Engine(table_mb=0)
        value = engine.search(position, depth=depth).best[0].value / engine.units
        if search.value != value:
            raise MeasurementError(
                f"{search.fen}: the hosts find {search.value}, a serial search {value}"
            )


# --- the hosts ---


@contextmanager
def hosts(number: int) -> Iterator[list[str]]:
    """Make hosts on one switch; give the mpiexec command that runs one rank on each."""
    with namespaces(number) as found, TemporaryDirectory() as folder:
        first = next(iter(found.values()))
        launcher = Path(folder, "launcher")
        launcher.write_text(LAUNCHER % first.removesuffix("1"), "utf-8")
        launcher.chmod(0o700)
        yield [
            *("ip", "netns", "exec", first, *mpiexec(number), "-ppn", "1"),
            *("-launcher", "ssh", "-launcher-exec", str(launcher)),
            *("-hosts", ",".join(found)),
        ]


@contextmanager
def namespaces(number: int) -> Iterator[dict[str, str]]:
    """Make hosts on one switch; give the names of their namespaces by address."""
    prefix = f"crossboard-{os.getpid()}-"
    switch = f"{prefix}switch"
    found = {f"10.77.0.{i}": f"{prefix}{i}" for i in range(1, number + 1)}
    try:
        _ip("netns", "add", switch)
        _ip("-n", switch, "link", "add", "switch", "type", "bridge")
        _ip("-n", switch, "link", "set", "switch", "up")
        for address, name in found.items():
            _add_host(name, address, switch)
        yield found
    finally:
        with _undisturbed(), ExitStack() as removals:
            for name in [*found.values(), switch]:
                removals.callback(_remove_namespace, name)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let no second Ctrl-C leave anything behind."""
    signals = (signal.SIGINT, signal.SIGTERM)
    handlers = [signal.signal(each, signal.SIG_IGN) for each in signals]
    yield
    for each, handler in zip(signals, handlers, strict=True):
        signal.signal(each, handler)


def _add_host(name: str, address: str, switch: str) -> None:
    port = "port" + address.rpartition(".")[2]
    _ip("netns", "add", name)
    _ip(
        *("link", "add", INTERFACE, "netns", name, "type", "veth"),
        *("peer", "name", port, "netns", switch),
    )
    _ip("-n", switch, "link", "set", port, "master", "switch", "up")
    _ip("-n", name, "address", "add", f"{address}/24", "dev", INTERFACE)
    _ip("-n", name, "link", "set", INTERFACE, "up")
    _ip("-n", name, "link", "set", "lo", "up")


def _remove_namespace(name: str) -> None:
    """Remove what was made of a namespace, with its interfaces and whoever still runs in it."""
    if not Path("/run/netns", name).exists():
        return
    for process in _ip("netns", "pids", name).split():
        with suppress(ProcessLookupError):
            os.kill(int(process), signal.SIGKILL)
    _ip("netns", "delete", name)


def _ip(*arguments: str) -> str:
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True)
    if done.returncode:
        raise MeasurementError(f"ip {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


# --- the ranks ---


def mpiexec(ranks: int) -> list[str]:
    """Return the command that starts ranks; raise MeasurementError without MPI."""
    program = shutil.which("mpiexec", path=str(Path(sys.executable).parent))
    if not program:
        raise MeasurementError("ranks need MPI: pip install 'crossboard[mpi]'")
    return [program, "-n", str(ranks)]


def run_ranks(
    command: Sequence[str],
    positions: int,
    depth: int,
    *,
    seed: int = 0,
    environment: Mapping[str, str] | None = None,
) -> Ranks:
    """Search the first middlegames on the ranks that `command` starts; without tables."""
    options = {"--positions": positions, "--depth": depth, "--seed": seed}
    program = [sys.executable, "-m", __spec__.name if __spec__ else __name__, "--as-rank"]
    words = [str(word) for option in options.items() for word in option]
    process = subprocess.Popen(
        [*command, *program, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent,
        env={**os.environ, **(environment or {})},
    )
    try:
        printed, errors = process.communicate(timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise MeasurementError(f"the ranks give no answer in {PATIENCE_SECONDS} s") from error
    finally:
        _end(process)
    if process.returncode:
        raise MeasurementError(f"the ranks fail:\n{errors.strip() or printed.strip()}")
    message_seconds, *searches = map(json.loads, printed.splitlines())
    return Ranks(message_seconds, [SharedSearch(**search) for search in searches])


def _end(process: subprocess.Popen[str]) -> None:
    # mpiexec ends its ranks when it is asked to, not when it is killed.
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def search_as_rank(positions: int, depth: int, seed: int) -> None:
    """Search together with the other ranks; rank 0 prints a line for each position."""
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    if (message_seconds := measure_message(comm)) is not None:
        print(json.dumps(message_seconds), flush=True)
    for position in middlegames()[:positions]:
        engine = Engine(table_mb=0)
        before = comm.gather(_sent_bytes())
        lead = partial(engine.search, position, depth=depth)
        shared = mpi_search.search(comm, engine, lead, seed=seed)
        after = comm.gather(_sent_bytes())
        if shared:
            search = SharedSearch(
                fen=position.fen,
                value=shared.answer.best[0].value / engine.units,
                nodes=shared.nodes,
                tasks=shared.tasks,
                messages=shared.messages,
                seconds=shared.answer.seconds,
                bytes_before=[count for count in before or [] if count is not None],
                bytes_after=[count for count in after or [] if count is not None],
            )
            print(json.dumps(asdict(search)), flush=True)


def measure_message(comm: MPI.Comm) -> float | None:
    """Send something to and fro between ranks 0 and 1; rank 0 returns the seconds for one way."""
    rank, batches = comm.Get_rank(), []
    for _ in range(200):
        start = perf_counter()
        for _ in range(20):
            if rank == 0:
                comm.send(bytes(200), 1)
                comm.recv(source=1)
            elif rank == 1:
                comm.send(comm.recv(source=0), 0)
        batches.append((perf_counter() - start) / 40)
    comm.Barrier()  # the others wait, and send nothing else meanwhile
    return None if rank else min(batches)


def _sent_bytes() -> int | None:
    return int(COUNTER.read_text("ascii")) if "UCX_NET_DEVICES" in os.environ else None


# --- the report ---


def print_table(ranks: Ranks, depth: int) -> None:
    """Print for people."""
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    table = Table(box=box.SIMPLE)
    for column in COLUMNS:
        table.add_column(column, justify="right", no_wrap=True)
    for number, search in enumerate(ranks.searches, 1):
        head = [str(number), f"{search.value:+g}", f"{search.seconds:.2f}"]
        lists = (search.nodes, search.tasks, search.messages)
        sent = (search.bytes_before, search.bytes_after)
        for rank, cells in enumerate(zip(*lists, *sent, strict=True)):
            table.add_row(*head, str(rank), *(f"{cell:,}" for cell in cells))
            head = [""] * len(head)
    console.print(f"{len(search.nodes)} hosts, depth {depth}, no table; values as serial")
    console.print(f"MPI over TCP: {ranks.message_seconds * 1e6:.1f} µs for a message")
    console.print(table)


if __name__ == "__main__":
    main()
