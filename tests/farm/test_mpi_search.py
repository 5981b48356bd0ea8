"""One search on several processes: the serial value, and no rank that dies unnoticed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from crossboard.draughts import Position
from crossboard.players import Player, SearchSettings
from crossboard.players.games import GAMES

MIDDLEGAMES = (
    "B:W19,21,22,23,26,27,29,30,31,32:B1,2,3,5,7,8,9,10,12,13",
    "W:W18,21,23,24,26,27,28,30,32:B1,3,5,6,8,10,11,12,14",
)
# A job that has not ended by then hangs.
TIME_OUT = 300.0

# Searches the positions one after the other with one engine; rank 0 prints what came out.
SEARCH = """
import json, sys
from mpi4py import MPI
from crossboard.draughts import Position
from crossboard.players import Player, SearchSettings
from crossboard.farm import mpi_search
from crossboard.farm.mpi_search import search

task = json.loads(sys.argv[1])
comm = MPI.COMM_WORLD
if comm.Get_rank() == 0:
    mpi_search.WAITING_SECONDS *= task["slowness"]
engine = Player("x", search=SearchSettings(**task["settings"])).engine
comm.Barrier()  # a rank that is slow to start would miss the first search
found = []
for number, fen in enumerate(task["fens"]):
    position = Position.from_fen(fen)
    shared = search(
        comm,
        engine,
        lambda: engine.search(position, **task["limits"]),
        grain=task["grain"],
        seed=number,
    )
    assert (shared is not None) == (comm.Get_rank() == 0)
    if shared:
        best = shared.answer.best[0]
        found.append(
            {
                "value": best.value,
                "pv": [str(move) for move in best.pv],
                "stopped": shared.answer.stopped,
                "seconds": shared.answer.seconds,
                "nodes": shared.nodes,
                "tasks": shared.tasks,
                "messages": shared.messages,
            }
        )
if comm.Get_rank() == 0:
    print(json.dumps(found))
"""

# One rank goes wrong in the middle of a search that does not end by itself.
DYING = """
import os, signal, sys, threading, time
from mpi4py import MPI
from crossboard.draughts import Position
from crossboard.players import Player, SearchSettings
from crossboard.farm import mpi_search

comm = MPI.COMM_WORLD
way, rank = sys.argv[1], int(sys.argv[2])
engine = Player("x", search=SearchSettings(table_mb=1)).engine

def raise_error(*_):
    raise SystemExit(0) if way == "leave" else LookupError("this rank has had enough")

def die():
    time.sleep(0.5)
    if way == "exit":
        os._exit(3)
    if way == "exit as if all were well":
        os._exit(0)
    if way == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    mpi_search.Carrier.carry = raise_error

if comm.Get_rank() == rank:
    threading.Thread(target=die, daemon=True).start()
mpi_search.search(comm, engine, lambda: engine.search(Position(), depth=99), grain=5)
print("the search has ended")
"""

FAILING_LEADER = """
from mpi4py import MPI
from crossboard.players import Player, SearchSettings
from crossboard.farm.mpi_search import search

engine = Player("x", search=SearchSettings(table_mb=1)).engine

def lead():
    raise LookupError("the leader has had enough")

search(MPI.COMM_WORLD, engine, lead)
"""

# The ranks find a move of each game together; rank 0 prints what every rank was told.
COMPANY = """
from mpi4py import MPI
from crossboard.farm.company import Company
from crossboard.players import Player, SearchSettings
from crossboard.players.games import GAMES

comm = MPI.COMM_WORLD
company = Company(comm, grain=2)
for game in GAMES.values():
    engine = Player("x", search=SearchSettings(table_mb=0, grain=2), game=game.name).engine
    told = comm.gather(str(company.ask(engine, game.core.Position(), [], 5, None)))
    if company.is_leader:
        print(*told)
"""


class Job:
    """A script on so many ranks, ended with all its processes whatever happens."""

    def __init__(self, folder: Path, ranks: int, script: str, *arguments: str) -> None:
        pytest.importorskip("mpi4py")
        mpiexec = shutil.which("mpiexec", path=str(Path(sys.executable).parent))
        if mpiexec is None:
            pytest.skip("needs the mpiexec of the extra [mpi]")
        file = folder / "job.py"
        file.write_text(script)
        command = [mpiexec, "-n", str(ranks), sys.executable, str(file), *arguments]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.hangs = False
        try:
            self.out, self.err = process.communicate(timeout=TIME_OUT)
        except subprocess.TimeoutExpired:
            self.hangs = True
            os.killpg(process.pid, signal.SIGKILL)
            self.out, self.err = process.communicate()
        self.code = process.returncode


def search_together(
    folder: Path,
    ranks: int,
    limits: dict[str, Any],
    *,
    grain: int = 4,
    rounds: int = 1,
    slowness: int = 1,
    **settings: Any,
) -> list[dict[str, Any]]:
    settings["grain"] = grain  # only what is open to threads can be given to ranks
    task = {"settings": settings, "fens": MIDDLEGAMES * rounds, "limits": limits}
    task |= {"grain": grain, "slowness": slowness}
    job = Job(folder, ranks, SEARCH, json.dumps(task))
    assert not job.hangs, job.err
    assert job.code == 0, job.err
    found: list[dict[str, Any]] = json.loads(job.out)
    return found


def serial_values(depth: int) -> list[int]:
    engine = Player("x", search=SearchSettings(table_mb=0)).engine
    return [engine.search(Position.from_fen(fen), depth=depth).best[0].value for fen in MIDDLEGAMES]


def check_playable(found: list[dict[str, Any]]) -> None:
    for fen, one in zip(MIDDLEGAMES, found, strict=True):
        end = Position.from_fen(fen)
        assert one["pv"]
        for move in one["pv"]:
            end = end.after(move)


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("threads", [1, 2])
def test_ranks_find_the_serial_value(tmp_path: Path, ranks: int, threads: int):
    found = search_together(tmp_path, ranks, {"depth": 11}, table_mb=0, threads=threads)
    assert [one["value"] for one in found] == serial_values(11)
    check_playable(found)
    for one in found:
        assert not one["stopped"]
        assert len(one["nodes"]) == len(one["tasks"]) == len(one["messages"]) == ranks
        assert one["nodes"][0] > 0


def test_a_rank_slow_to_end_a_search_loses_no_request_of_the_next(tmp_path: Path):
    """Others ask it for work of the next search already; without an answer they stay idle."""
    limits = {"depth": 13}
    for one in search_together(tmp_path, 3, limits, rounds=3, slowness=3000, table_mb=0):
        assert min(one["nodes"]) > 0


@pytest.mark.parametrize("ranks", [2, 4])
def test_tables_of_equal_depth_find_the_serial_value(tmp_path: Path, ranks: int):
    settings = {"table_mb": 4, "exact_depth_hits": True}
    found = search_together(tmp_path, ranks, {"depth": 11}, **settings)
    assert [one["value"] for one in found] == serial_values(11)
    check_playable(found)


def test_tables_of_the_strongest_settings_give_a_move(tmp_path: Path):
    found = search_together(tmp_path, 2, {"depth": 12}, table_mb=4, threads=2)
    check_playable(found)


def test_every_search_is_shared_when_an_engine_searches_again(tmp_path: Path):
    found = search_together(tmp_path, 2, {"depth": 13}, table_mb=0)
    for one in found:
        assert sum(one["tasks"]) > 0
        assert min(one["nodes"]) > 0


def test_one_rank_alone_searches_too(tmp_path: Path):
    found = search_together(tmp_path, 1, {"depth": 8}, table_mb=0)
    assert [one["value"] for one in found] == serial_values(8)
    assert all(one["tasks"] == [0] for one in found)


def test_grain_keeps_small_brothers_at_home(tmp_path: Path):
    found = search_together(tmp_path, 2, {"depth": 8}, grain=20, table_mb=0)
    assert all(sum(one["tasks"]) == 0 for one in found)
    assert [one["value"] for one in found] == serial_values(8)


@pytest.mark.parametrize("limits", [{"seconds": 0.3}, {"nodes": 50_000}])
def test_limits_end_a_shared_search(tmp_path: Path, limits: dict[str, Any]):
    for one in search_together(tmp_path, 3, {"depth": 99, **limits}, table_mb=1):
        assert one["stopped"]
        assert one["seconds"] < 10


@pytest.mark.parametrize(
    ("way", "codes"),
    [
        ("exit", {3, signal.SIGKILL}),  # or by what mpiexec ends the others
        ("kill", {signal.SIGKILL}),
        ("raise", {1}),
        ("leave", {1}),
    ],
)
@pytest.mark.parametrize("rank", [0, 1])
def test_rank_that_dies_ends_the_job(tmp_path: Path, way: str, codes: set[int], rank: int):
    job = Job(tmp_path, 3, DYING, way, str(rank))
    assert not job.hangs
    assert job.code in codes
    assert "the search has ended" not in job.out
    if way == "raise":
        assert job.err.count("LookupError: this rank has had enough") == 1


def test_nobody_waits_for_a_rank_that_has_left(tmp_path: Path):
    """And nobody prints a result. The code is mpiexec's: whoever could object is killed by it."""
    job = Job(tmp_path, 2, DYING, "exit as if all were well", "1")
    assert not job.hangs
    assert "the search has ended" not in job.out


def test_error_of_the_leader_ends_the_job(tmp_path: Path):
    job = Job(tmp_path, 2, FAILING_LEADER)
    assert (job.hangs, job.code) == (False, 1)
    assert "the leader has had enough" in job.err


def test_a_company_tells_every_rank_the_move_whatever_the_game(tmp_path: Path):
    job = Job(tmp_path, 2, COMPANY)
    assert (job.hangs, job.code) == (False, 0), job.err
    for game, line in zip(GAMES.values(), job.out.splitlines(), strict=True):
        told, *others = line.split()
        assert others == [told]
        assert told in map(str, game.core.Position().legal_moves)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("ranks", [2, 3, 5, 8])
def test_many_ranks_and_threads_find_the_serial_value(tmp_path: Path, ranks: int, threads: int):
    for grain in (2, 3, 6):
        found = search_together(
            tmp_path, ranks, {"depth": 11}, grain=grain, table_mb=0, threads=threads
        )
        assert [one["value"] for one in found] == serial_values(11)
