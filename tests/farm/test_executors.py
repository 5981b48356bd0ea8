"""Farms: threads, MPI processes and Dask workers play the same games."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

from crossboard.arena.match import MatchResult, Terms
from crossboard.arena.openings import openings
from crossboard.arena.tournament import TournamentResult, play_tournament
from crossboard.draughts import read_pdn
from crossboard.farm.executors import (
    Farm,
    compare_versions,
    count_cores,
    farm,
    processes,
    start_dask,
    threads,
)
from crossboard.players import SearchLimits, load_player

CROSSBOARD = (sys.executable, "-c", "from crossboard.cli import main; main()")
MATCH = ("match", "draft5", "random", "--games", "20", "--depth", "3", "--json")
TIME_OUT = 300.0  # a hang, not a slow machine


def told(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    return {name: value for name, value in found.items() if name != "seconds"}


def on_threads() -> dict[str, Any]:
    done = subprocess.run([*CROSSBOARD, *MATCH, "--workers", "1"], capture_output=True, text=True)
    return told(done.stdout)


# Games are played first, then both ways of learning begin, one of them from a file.
SMALL_EXPERIMENT = """
from crossboard.cli import main
from crossboard.experiments import experts
from crossboard.experiments.comparison import Plan

experts.EXPERT_GAMES = 4
experts.EXPERTS = (("draft5", 2), ("material", 2))
experts.QUICK = Plan(seeds=2, pairs=1)
experts.QUICK_EPOCHS = 1
main()
"""


def measured(script: list[str], folder: Path, *options: str) -> Any:
    words = ["experiment", "experts", "--quick", "--run", str(folder), "--json", *options]
    done = subprocess.run([*script, *words], capture_output=True, text=True, timeout=TIME_OUT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    assert (folder / "report.md").exists()
    return json.loads(done.stdout)["findings"]


def measured_on_threads(folder: Path) -> Any:
    return measured([sys.executable, "-c", SMALL_EXPERIMENT], folder, "--workers", "1")


def test_processes_are_not_this_one():
    with processes(2) as found:
        assert found.workers == 2
        there = set(found.executor.map(_own_process, range(4)))
    assert there
    assert os.getpid() not in there


def _own_process(_: int) -> int:
    return os.getpid()


WITH_A_WORKER = """
import time
from crossboard.farm.executors import processes

def work(_):
    print("begun", flush=True)
    time.sleep(600)

if __name__ == "__main__":
    with processes(1) as found:
        list(found.executor.map(work, [None]))
"""


def test_processes_end_with_the_one_that_was_killed(tmp_path: Path):
    script = tmp_path / "with_a_worker.py"
    script.write_text(WITH_A_WORKER)
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "begun\n"
        parent.kill()
        # Nothing more can be read when the last who could write has ended.
        assert parent.communicate(timeout=TIME_OUT) == ("", None)


def mpiexec_program() -> str:
    pytest.importorskip("mpi4py")
    program = shutil.which("mpiexec", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("needs the mpiexec of the extra [mpi]")
    return program


def mpiexec(ranks: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [mpiexec_program(), "-n", str(ranks), *CROSSBOARD, *arguments],
        capture_output=True,
        text=True,
        timeout=TIME_OUT,
    )


# ---- threads


INTERRUPTED_AT_ITS_START = """
import os, signal
from concurrent.futures import BrokenExecutor
from crossboard.farm.executors import processes

if __name__ == "__main__":
    with processes(1) as farm:
        try:
            print(farm.executor.submit(abs, -1).result())
        except BrokenExecutor:
            print("ended")
else:  # a worker that imports what it needs
    os.kill(os.getpid(), signal.SIGINT)
"""


def test_control_c_ends_a_process_that_is_just_starting_without_a_traceback(tmp_path: Path):
    script = tmp_path / "start.py"
    script.write_text(INTERRUPTED_AT_ITS_START)
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=TIME_OUT
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "ended\n", "")


def test_control_c_waits_until_work_is_handed_out(monkeypatch: pytest.MonkeyPatch):
    handed_out = []

    def interrupted(pool: ThreadPoolExecutor, *_: object) -> None:
        signal.raise_signal(signal.SIGINT)
        handed_out.append(pool)

    with threads(1) as found:
        before = signal.getsignal(signal.SIGINT)
        with monkeypatch.context() as patch:
            patch.setattr(ThreadPoolExecutor, "submit", interrupted)
            with pytest.raises(KeyboardInterrupt):
                found.executor.submit(os.getpid)
        assert handed_out == [found.executor]
        assert signal.getsignal(signal.SIGINT) is before
        assert found.executor.submit(os.getpid).result() == os.getpid()


def test_threads_are_as_many_as_asked_for():
    with farm(3) as found:
        assert found is not None
        assert found.workers == 3
        barrier = threading.Barrier(3, timeout=10)
        assert (
            len(
                set(
                    found.executor.map(
                        lambda _: (barrier.wait(), threading.get_ident())[1], range(3)
                    )
                )
            )
            == 3
        )
    with farm() as found:
        assert found is not None
        assert found.workers == count_cores() >= 1


@pytest.mark.parametrize("workers", [0, -1])
def test_no_workers_make_no_sense(workers: int):
    with (
        pytest.raises(ValueError, match=f"workers must be 1 or more, not {workers}"),
        farm(workers),
    ):
        pass


def test_one_farm_at_a_time():
    with pytest.raises(ValueError, match="either MPI or Dask, not both"), farm(mpi=True, dask="x"):
        pass


@pytest.mark.parametrize("options", [{"mpi": True}, {"dask": "tcp://127.0.0.1:1"}])
def test_farms_elsewhere_have_their_own_number_of_workers(options: dict[str, Any]):
    with pytest.raises(ValueError, match="has its own number"), farm(2, **options):
        pass


# ---- MPI


def test_mpi_processes_play_what_threads_play():
    done = mpiexec(3, *MATCH, "--mpi")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    assert told(done.stdout) == on_threads()


def test_mpi_writes_one_file(tmp_path: Path):
    files = [tmp_path / "mpi.pdn", tmp_path / "threads.pdn"]
    done = mpiexec(3, *MATCH, "--mpi", "--pdn", str(files[0]))
    assert done.returncode == 0, done.stderr
    subprocess.run([*CROSSBOARD, *MATCH, "--pdn", str(files[1])], check=True, capture_output=True)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_mpi_processes_measure_what_threads_measure(tmp_path: Path):
    script = [mpiexec_program(), "-n", "3", sys.executable, "-c", SMALL_EXPERIMENT]
    assert measured(script, tmp_path / "mpi", "--mpi") == measured_on_threads(tmp_path / "threads")


def test_mpi_refusals_are_told_once():
    done = mpiexec(3, "match", "draft5", "strongest", "--mpi")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("crossboard: there is no player 'strongest'")
    assert done.stderr.count("\n") == 1


def test_mpi_needs_mpiexec():
    pytest.importorskip("mpi4py")
    done = subprocess.run([*CROSSBOARD, *MATCH, "--mpi"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == (
        "crossboard: MPI workers need two processes or more: mpiexec -n 3 crossboard ... --mpi\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        ("match", "random", "material", "--games", "2"),
        ("tournament", "random", "material", "--games", "2"),
        ("experiment", "gridworld", "--quick"),
    ],
)
def test_mpiexec_needs_to_be_meant(command: tuple[str, ...]):
    done = mpiexec(2, *command)
    assert done.returncode != 0
    assert done.stdout == ""
    assert "every process would play all games: say --mpi" in done.stderr


def test_mpi_needs_mpi4py(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(ValueError, match="MPI needs the package mpi4py"), farm(mpi=True):
        pass


# ---- Ctrl-C

SLOW = ("--nodes", "50000000")  # seconds a move: no pair is ever finished
QUICK = ("--depth", "6")


def interrupted(
    command: list[str], file: Path, *, is_slow: bool, before: Callable[[], None] = lambda: None
) -> tuple[int, dict[str, Any]]:
    """Play on and on into a file; press Ctrl-C once games are there, or are being played.

    `before` is what happens just before it.
    """
    process = subprocess.Popen(
        [*command, "--games", "100000", "--pdn", str(file), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + TIME_OUT
        while not file.exists() or (not is_slow and os.path.getsize(file) == 0):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        if is_slow:
            time.sleep(1.0)
        before()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=TIME_OUT)
    finally:
        process.kill()
        process.wait()
    # Before it mpiexec may say that it passes Ctrl-C on.
    return process.returncode, json.loads(out.splitlines()[-1])


def check_interrupted(
    command: list[str], file: Path, *, is_slow: bool, before: Callable[[], None] = lambda: None
) -> None:
    code, found = interrupted(command, file, is_slow=is_slow, before=before)
    assert code == 130
    assert found["stopped"] is True
    games = list(read_pdn(file)) if file.stat().st_size else []
    assert len(games) == found["games"]
    assert not any(game.errors for game in games)
    assert is_slow or games


@pytest.mark.parametrize("kind", ["match", "tournament"])
@pytest.mark.parametrize("limits", [QUICK, SLOW])
def test_control_c_under_mpi_leaves_games_and_a_result(
    kind: str, limits: tuple[str, ...], tmp_path: Path
):
    program = mpiexec_program()
    command = [program, "-n", "3", *CROSSBOARD, kind, "draft5", "material", *limits, "--mpi"]
    check_interrupted(command, tmp_path / "games.pdn", is_slow=limits is SLOW)


@pytest.mark.parametrize("seconds", [0.5, 1.0, 1.5, 2.0])
def test_control_c_ends_mpi_processes_that_are_about_to_meet(seconds: float):
    match = (*CROSSBOARD, "match", "draft5", "material", *SLOW, "--mpi")
    command = [mpiexec_program(), "-n", "3", *match]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        assert process.wait(TIME_OUT) != 0
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("kind", ["match", "tournament"])
def test_control_c_with_dask_leaves_games_and_a_result_and_an_idle_cluster(
    kind: str, cluster: Any, tmp_path: Path
):
    options = ["draft5", "material", "--dask", cluster.scheduler_address]
    for limits in (QUICK, SLOW):
        file = tmp_path / f"{limits[0]}.pdn"
        command = [*CROSSBOARD, kind, *options, *limits]
        check_interrupted(command, file, is_slow=limits is SLOW)
    with farm(dask=cluster.scheduler_address) as found:
        # Games that went on would keep both workers busy for hours.
        assert found is not None
        assert list(found.executor.map(abs, [-1, -2], timeout=TIME_OUT)) == [1, 2]


@pytest.fixture
def mortal_cluster() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A scheduler and its only worker, which nobody starts again."""
    distributed = pytest.importorskip("distributed")
    module = (sys.executable, "-m", "distributed.cli.dask_{}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        common = ["--no-dashboard", "--scheduler-file", str(file)]
        parts = {
            "scheduler": ["--host", "127.0.0.1", "--port", "0"],
            "worker": ["--no-nanny", "--nthreads", "1", "--local-directory", folder],
        }
        started = {
            part: subprocess.Popen(
                [word.format(part) for word in module] + common + options,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for part, options in parts.items()
        }
        try:
            deadline = time.monotonic() + TIME_OUT
            while not file.exists() or not file.read_text().strip():
                assert time.monotonic() < deadline
                time.sleep(0.1)
            address = json.loads(file.read_text())["address"]
            with distributed.Client(address, set_as_default=False) as client:
                client.wait_for_workers(1, TIME_OUT)
            yield address, started["worker"]
        finally:
            for process in started.values():
                process.kill()
                process.wait()


def test_control_c_ends_a_match_whose_dask_workers_have_gone(
    mortal_cluster: tuple[str, subprocess.Popen[bytes]], tmp_path: Path
):
    address, worker = mortal_cluster
    file = tmp_path / "games.pdn"

    def kill_worker() -> None:
        worker.kill()
        worker.wait()

    command = [*CROSSBOARD, "match", "draft5", "material", *QUICK, "--dask", address]
    check_interrupted(command, file, is_slow=False, before=kill_worker)


# ---- Dask


def test_dask_needs_its_package(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match="needs the package distributed"), farm(dask="x"):
        pass


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x", "rubbish", ""])
def test_dask_needs_a_scheduler(address: str, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("crossboard.farm.executors.CONNECT_SECONDS", 1)
    with pytest.raises(ValueError, match="there is no Dask scheduler at "), farm(dask=address):
        pass


@pytest.mark.parametrize(
    ("theirs", "told"), [("0.0.1", "has 0.0.1"), (PackageNotFoundError(), "has none")]
)
def test_dask_workers_need_our_version(theirs: str | BaseException, told: str):
    own = version("crossboard")
    compare_versions({"tcp://one:1": own})
    with pytest.raises(ValueError, match=f"the Dask worker tcp://two:2 needs .* and {told}"):
        compare_versions({"tcp://one:1": own, "tcp://two:2": theirs})


@pytest.fixture
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    start = partial(
        distributed.LocalCluster,
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",
    )
    with start_dask(start) as found:
        yield found


def test_dask_is_started_again_when_its_thread_was_late():
    answers = iter([AssertionError(), AssertionError(), "ready"])

    def start() -> str:
        answer = next(answers)
        if isinstance(answer, AssertionError):
            raise answer
        return answer

    assert start_dask(start) == "ready"
    answers = iter([AssertionError()] * 3)
    with pytest.raises(AssertionError):
        start_dask(start)


def test_dask_workers_play_what_threads_play(cluster: Any):
    done = subprocess.run(
        [*CROSSBOARD, *MATCH, "--dask", cluster.scheduler_address],
        capture_output=True,
        text=True,
        timeout=TIME_OUT,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert told(done.stdout) == on_threads()


def test_dask_workers_measure_what_threads_measure(cluster: Any, tmp_path: Path):
    script = [sys.executable, "-c", SMALL_EXPERIMENT]
    found = measured(script, tmp_path / "dask", "--dask", cluster.scheduler_address)
    assert found == measured_on_threads(tmp_path / "threads")


def test_a_dask_scheduler_that_goes_is_told(cluster: Any):
    def work() -> None:
        with farm(dask=cluster.scheduler_address) as found:
            assert found is not None
            asked = found.executor.submit(time.sleep, TIME_OUT)
            cluster.close()
            asked.result(TIME_OUT)

    with pytest.raises(ValueError, match=f"scheduler at {cluster.scheduler_address} has gone"):
        work()


def test_a_dask_worker_that_is_killed_costs_only_time(cluster: Any):
    def play(found: Farm | None, on_pair: Any) -> TournamentResult:
        assert found is not None
        terms = Terms(pairs=10, openings=openings("ballots"), limits=SearchLimits(depth=4))
        players = [load_player(name) for name in ("random", "material", "draft5")]
        return play_tournament(
            players, terms, found.executor, workers=found.workers, on_pair=on_pair
        )

    with farm(1) as threads:
        expected = play(threads, None)
    killed, seen = [], []

    def see(result: MatchResult) -> None:
        seen.append((result.one, result.other, len(result.pairs)))
        if len(seen) == 5:
            killed.append(next(iter(cluster.workers.values())).process.pid)
            os.kill(killed[0], signal.SIGKILL)

    with farm(dask=cluster.scheduler_address) as found:
        result = play(found, see)
    assert killed
    assert len(seen) == len(set(seen)) == 30
    assert [match.pairs for match in result.matches] == [match.pairs for match in expected.matches]
