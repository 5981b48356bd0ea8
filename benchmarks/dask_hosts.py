"""A tournament on a Dask cluster of several hosts, of which one dies in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measure import MeasurementError
from benchmarks.several_hosts import check_tools, namespaces

PORT = 8786
PLAYERS = ("draft5", "material", "random")
# Chosen: far more than any of these tournaments takes.
PATIENCE_SECONDS = 600
CROSSBOARD = (sys.executable, "-c", "from crossboard.cli import main; main()")


def main() -> None:
    """Play on hosts and on threads, compare, and report."""
    parser = ArgumentParser("python -m benchmarks.dask_hosts", description=__doc__)
    parser.add_argument("--hosts", type=int, choices=range(2, 11), default=3, help="workers")
    parser.add_argument("--games", type=int, default=60, help="of each match")
    parser.add_argument("--depth", type=int, default=7, help="plies to look ahead")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    words = ["tournament", *PLAYERS, "--games", options.games, "--depth", options.depth, "--json"]
    command = [*CROSSBOARD, *map(str, words)]
    try:
        check_tools()
        alone = _parse(subprocess.run(command, capture_output=True, text=True))
        with namespaces(options.hosts) as hosts:
            told = play_on_hosts(command, hosts)
    except MeasurementError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    is_same = _without_seconds(told) == _without_seconds(alone)
    report = {"hosts": options.hosts, "games": told["games"], "equals_threads": is_same}
    print(json.dumps(report | {"seconds": [_seconds(each) for each in (told, alone)]}))
    sys.exit(0 if is_same else 1)


def play_on_hosts(command: Sequence[str], hosts: dict[str, str]) -> dict[str, Any]:
    """Play with the scheduler on the first host; kill the last host's worker after some games."""
    scheduler = f"tcp://{next(iter(hosts))}:{PORT}"
    dask = (sys.executable, "-m", "dask")
    with ExitStack() as ends, TemporaryDirectory() as folder:

        def start(host: str, *words: str, **options: Any) -> subprocess.Popen[str]:
            # `ip` becomes the program, so that killing the one kills the other.
            program = ["ip", "netns", "exec", hosts[host], *words]
            process = subprocess.Popen(program, text=True, cwd=folder, **options)
            ends.callback(process.wait)
            ends.callback(process.kill)
            return process

        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        first = next(iter(hosts))
        start(first, *dask, "scheduler", "--host", first, "--port", str(PORT), **quiet)
        # Without a nanny nobody brings a dead worker back.
        one_thread = ("--nthreads", "1", "--no-nanny")
        workers = [
            start(host, *dask, "worker", scheduler, "--host", host, *one_thread, **quiet)
            for host in hosts
        ]
        _wait_for_workers(start, first, scheduler, len(hosts))
        games = Path(folder, "games.pdn")
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        client = start(first, *command, "--dask", scheduler, "--pdn", str(games), **pipes)
        _wait_for_games(games, client)
        workers[-1].kill()
        out, err = client.communicate(timeout=PATIENCE_SECONDS)
        return _parse(subprocess.CompletedProcess(command, client.returncode, out, err))


def _wait_for_workers(start: Any, host: str, scheduler: str, count: int) -> None:
    program = (
        "from distributed import Client\n"
        f"with Client({scheduler!r}, timeout=60) as client: client.wait_for_workers({count}, 60)"
    )
    if start(host, sys.executable, "-c", program).wait(PATIENCE_SECONDS):
        raise MeasurementError("the workers do not find the scheduler")


def _wait_for_games(games: Path, client: subprocess.Popen[str]) -> None:
    while client.poll() is None and not (games.exists() and os.path.getsize(games)):
        time.sleep(0.05)
    if client.poll() is not None:
        raise MeasurementError("the tournament was over before a worker could die")


def _parse(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    if done.returncode:
        raise MeasurementError(f"the tournament fails:\n{done.stderr.strip()}")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def _seconds(told: dict[str, Any]) -> float:
    return float(sum(match["seconds"] for match in told["matches"]))


def _without_seconds(told: dict[str, Any]) -> dict[str, Any]:
    matches = [{**match, "seconds": None} for match in told["matches"]]
    return {**told, "matches": matches}


if __name__ == "__main__":
    main()
