"""Under mpiexec: one search on several processes, a training by such searches; one speaks."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from crossboard.farm import mpi_job
from crossboard.players import load_player
from crossboard.runs import Run as LearningRun
from crossboard.runs import differences
from crossboard.systems.neurodraughts import NeuroDraughtsSettings

from .conftest import CROSSBOARD, Finished, Run

MIDDLEGAME = "B:W19,21,22,23,26,27,29,30,31,32:B1,2,3,5,7,8,9,10,12,13"
# Every rank gets Ctrl-C, as from a terminal, once the search goes on.
INTERRUPTED = """
import os, signal, threading
from crossboard.cli import main
from crossboard.farm import mpi_search

search = mpi_search.search

def search_interrupted(*arguments, **options):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    return search(*arguments, **options)

mpi_search.search = search_interrupted
main()
"""

# Rank 1 is somewhere else.
ELSEWHERE = """
import os, sys
from crossboard.cli import main
from crossboard.farm import mpi_job

if mpi_job.rank() == 1:
    os.chdir(os.sep)
main()
"""

# Rank 1 may have no more memory than it has, but for a little, when it makes its table.
STARVED = """
import resource
from crossboard.cli import main
from crossboard.farm import mpi_job
from crossboard.players import Player

engine_for = Player.engine_for

def starve(player, *asked):
    if mpi_job.rank() == 1:
        with open("/proc/self/statm") as file:
            pages = int(file.read().split()[0])
        most = pages * resource.getpagesize() + (32 << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    return engine_for(player, *asked)

Player.engine_for = starve
main()
"""

# Rank 1 has a fault that nobody has thought of.
FAULTY = """
from crossboard.cli import main
from crossboard.farm import mpi_job
from crossboard.players import Player

def fail(*_):
    raise LookupError("this rank has a fault")

if mpi_job.rank() == 1:
    Player.engine_for = fail
main()
"""

# A host of which 100 MB are free.
SMALL_HOST = """
from crossboard.cli import main
from crossboard.farm import mpi_job

mpi_job.free_megabytes = lambda: 100
main()
"""

# A training with a short match at its end.
TRAINING = """
from crossboard.cli import main
from crossboard.systems import exams

exams.FINAL_GAMES = 2
main()
"""

# A training whose ranks lend even small searches, and say in files what they have lent and learnt.
SHARING = """
import json
from pathlib import Path
from crossboard.cli import main
from crossboard.farm import mpi_job, mpi_search
from crossboard.systems import exams, training

exams.FINAL_GAMES = 2
search, learn, told = mpi_search.search, training.Training.learn, {"lent": 0}

def search_lending(*arguments, **options):
    found = search(*arguments, **options | {"grain": 3})
    told["lent"] += sum(found.tasks) if found else 0
    return found

def learn_telling(*arguments):
    for snapshot in learn(*arguments):
        told["weights"] = {name: array.tolist() for name, array in snapshot.arrays.items()}
        yield snapshot

mpi_search.search = search_lending
training.Training.learn = learn_telling
try:
    main()
finally:
    Path(f"rank-{mpi_job.rank()}.json").write_text(json.dumps(told))
"""


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*mpi_job.SIZES, *mpi_job.RANKS):
        monkeypatch.delenv(name, raising=False)


def mpiexec(ranks: int, *command: object) -> Finished:
    pytest.importorskip("mpi4py")
    beside = shutil.which("mpiexec", path=str(Path(sys.executable).parent))
    program = beside or shutil.which("mpiexec")
    if program is None:
        pytest.skip("needs mpiexec")
    done = subprocess.run(
        [program, "-n", str(ranks), *map(str, command)], capture_output=True, text=True, timeout=300
    )
    return Finished(done.returncode, done.stdout, done.stderr)


def together(ranks: int, *options: object) -> Finished:
    return mpiexec(ranks, *CROSSBOARD, "search", *options)


def test_ranks_search_one_position_together(run: Run) -> None:
    options = ("--player", "material", "--fen", MIDDLEGAME, "--depth", 14, "--no-table", "--json")
    done = together(2, *options, "--grain", 5)
    assert (done.code, done.err) == (0, "")
    assert done.out.count("\n") == 1
    shared, alone = json.loads(done.out), json.loads(run("search", *options).out)
    assert shared["value"] == alone["value"]
    assert shared["depth"] == 14
    assert shared["ranks"] == len(shared["nodes_by_rank"]) == 2
    assert shared["nodes"] == sum(shared["nodes_by_rank"])
    assert min(shared["nodes_by_rank"]) > 0
    assert 0 < shared["tasks"] < shared["messages"]
    assert shared.keys() - alone.keys() == {"ranks", "nodes_by_rank", "tasks", "messages"}


def test_ranks_search_duchess_together(run: Run) -> None:
    options = ("--game", "duchess", "--depth", 5, "--no-table", "--json")
    done = together(2, *options, "--grain", 2)
    assert (done.code, done.err) == (0, "")
    shared, alone = json.loads(done.out), json.loads(run("search", *options).out)
    assert shared["value"] == alone["value"]
    # Who comes late on a busy machine may find nothing left to do.
    assert shared["nodes"] == sum(shared["nodes_by_rank"])
    assert shared["ranks"] == 2


def test_people_read_of_one_search() -> None:
    done = together(3, "--depth", 9, "--threads", 2)
    assert (done.code, done.err) == (0, "")
    labels = [line.split()[0] for line in done.out.splitlines()]
    assert labels == ["position", "best", "line", "depth", "nodes", "tables", "ranks", "messages"]


def test_missing_tables_are_remarked_once_for_all_ranks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROSSBOARD_TABLES", str(tmp_path / "none"))
    done = together(3, "--player", "champion", "--depth", 6)
    assert done.code == 0
    assert done.err.startswith(f"there are no endgame tables in {tmp_path / 'none'}")
    assert done.err.count("\n") == 1


def test_damaged_tables_are_reported_once_for_all_ranks(damaged_tables: Path) -> None:
    options = ("--player", "champion", "--tables", damaged_tables, "--depth", 11)
    done = together(2, *options, "--fen", "W:WK18,K22:BK1")
    assert done.code == 0
    assert done.err.count("0-2-0-1.outcomes: a block is damaged") == 1
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--depth", "0"], "crossboard: depth must be 1 to 200, not 0\n"),
        (["--player", "strongest"], "crossboard: there is no player 'strongest'"),
        (["--player", "random"], "crossboard: random does not search: many processes find no"),
        (["--table-mb", str(10**9)], "crossboard: table_mb: a table of 1000000000 MB"),
        (["--nonsense"], "crossboard: No such option: --nonsense"),
    ],
)
def test_bad_input_is_told_once(options: list[str], told: str) -> None:
    done = together(2, *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(told)
    assert done.err.count("\n") == 1


def test_what_one_host_does_not_have_ends_all_ranks_with_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_player("material").save(tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    done = mpiexec(3, sys.executable, "-c", ELSEWHERE, "search", "--player", "mine", "--depth", 5)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("crossboard: rank 1: there is no player 'mine'")
    assert done.err.count("\n") == 1


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux's figures")
def test_a_rank_without_room_for_its_table_ends_all_with_one_sentence() -> None:
    options = ("--player", "material", "--table-mb", 200, "--depth", 5)
    done = mpiexec(2, sys.executable, "-c", STARVED, "search", *options)
    told = "crossboard: rank 1: there is not enough memory\n"
    assert done == (2, "", told)


def test_a_rank_with_a_fault_of_its_own_ends_the_job() -> None:
    done = mpiexec(2, sys.executable, "-c", FAULTY, "search", "--depth", 5)
    assert (done.code, done.out) == (1, "")
    assert "LookupError: this rank has a fault" in done.err


def test_ranks_of_one_host_share_its_memory() -> None:
    host = (sys.executable, "-c", SMALL_HOST, "search", "--depth", 5, "--json", "--table-mb")
    assert mpiexec(2, *host, 50).code == 0
    told = "2 tables of 51 MB, one for each rank of a host, do not fit into the 100 MB of memory"
    assert mpiexec(2, *host, 51) == (2, "", f"crossboard: {told} that are free there\n")
    assert mpiexec(2, *host, 51, "--algorithm", "minimax").code == 0  # which has no table


def test_only_the_first_rank_looks_for_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("figures").mkdir()
    options = ("--mpi", "--games", 2, "--depth", 1, "--figure", "figures/ratings.svg")
    program = (sys.executable, "-c", ELSEWHERE, "tournament", "random", "material")
    assert mpiexec(2, *program, *options).code == 0
    assert Path("figures/ratings.svg").exists()


def test_nodes_are_those_of_all_ranks() -> None:
    found = json.loads(together(2, "--nodes", 400_000, "--json").out)
    assert found["nodes_by_rank"][0] == 200_000
    assert found["stopped"] is False


def test_ranks_that_train_together_learn_what_one_learns_alone(tmp_path: Path) -> None:
    changes = ("games=4", "test_after=2", "look_ahead=3", "max_moves=8", "exam_every=0")
    changes += ("algorithm=alphabeta",)
    options = [word for change in changes for word in ("--set", change)]
    program = (sys.executable, "-c", TRAINING, "train", "neurodraughts", "--preset", "published")
    runs = []
    for ranks in (1, 2):
        folder = tmp_path / str(ranks)
        done = mpiexec(ranks, *program, *options, "--run", folder, "--json")
        assert done.code == 0, done.err
        # Rank 0 alone writes and speaks.
        assert json.loads(done.out)["run"] == str(folder)
        runs.append(LearningRun.open(folder))
    assert differences(*runs) == []
    one, two = (run.latest() for run in runs)
    assert one is not None
    assert two is not None
    assert one.step == 4
    assert all((one.tensors[name] == two.tensors[name]).all() for name in one.tensors)
    untrained = NeuroDraughtsSettings().initial(1).net
    assert (one.tensors["student.w1"] != untrained.w1).any()


def test_ranks_that_lend_each_other_searches_learn_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    changes = ("games=2", "test_after=2", "look_ahead=10", "max_moves=4", "exam_every=0")
    options = [word for change in changes for word in ("--set", change)]
    program = (sys.executable, "-c", SHARING, "train", "dvisiondraughts", "--preset", "published")
    done = mpiexec(2, *program, *options, "--run", "run", "--json")
    assert done.code == 0, done.err
    one, two = (json.loads(Path(f"rank-{rank}.json").read_text()) for rank in range(2))
    assert one["lent"] > 0
    assert one["weights"] == two["weights"]
    untrained = NeuroDraughtsSettings().initial(1).net
    assert one["weights"]["student.w1"] != untrained.w1.tolist()
    # The preset's two threads are for one process.
    assert LearningRun.open(Path("run")).config["settings"]["threads"] == 1


@pytest.mark.parametrize("system", ["treestrap", "tdleaf", "experts"])
def test_what_cannot_share_searches_is_not_trained_twice(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    games = tmp_path / "games.pdn"
    games.write_text("1. 11-15 23-19 2. 8-11 22-17 1-0")
    options = ["--training", games] if system == "experts" else ["--set", "round_size=1"]
    options += ["--set", "adaptive=false"] if system != "experts" else []
    monkeypatch.setenv("PMI_SIZE", "2")
    monkeypatch.setenv("PMI_RANK", "0")
    done = run("train", system, *options, "--run", tmp_path / "run")
    assert done.code == 2
    assert f"{system} shares no searches, so that every process would train" in done.err
    assert "player: start it without mpiexec" in done.err  # there are no games to spread
    assert not (tmp_path / "run").exists()


def test_minimax_is_not_shared(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMI_SIZE", "2")
    monkeypatch.setenv("PMI_RANK", "0")
    done = run("train", "neurodraughts", "--preset", "published", "--run", tmp_path / "run")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "minimax is searched by one process alone" in done.err
    assert not (tmp_path / "run").exists()


def test_games_of_rounds_can_be_spread_where_searches_cannot_be_shared(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PMI_SIZE", "2")
    monkeypatch.setenv("PMI_RANK", "0")
    done = run("train", "treestrap", "--run", tmp_path / "run")
    assert done.code == 2
    assert "say --mpi to spread its games, or start it without mpiexec" in done.err


def test_pools_meet_on_other_processes_as_on_threads(tmp_path: Path) -> None:
    changes = ("pool=6", "generations=3", "look_ahead=1", "exam_every=30", "exam_games=2")
    options = [word for change in changes for word in ("--set", change)]
    program = (sys.executable, "-c", TRAINING, "train", "draft5-ga", *options)
    done = mpiexec(3, *program, "--mpi", "--run", tmp_path / "mpi", "--json")
    assert (done.code, done.err.count("Traceback")) == (0, 0), done.err
    assert json.loads(done.out)["run"] == str(tmp_path / "mpi")
    alone = subprocess.run([*map(str, program), "--run", str(tmp_path / "threads")])
    assert alone.returncode == 0
    runs = [LearningRun.open(tmp_path / name) for name in ("mpi", "threads")]
    assert differences(*runs) == []
    assert runs[0].latest().step == 90  # type: ignore[union-attr]
    reports = [(run.folder / "report.md").read_bytes() for run in runs]
    assert reports[0] == reports[1]


def test_control_c_ends_the_search_with_its_result() -> None:
    options = ("search", "--depth", 100, "--json")
    done = mpiexec(2, sys.executable, "-c", INTERRUPTED, *options)
    assert (done.code, done.err) == (130, "")
    found = json.loads(done.out)
    assert found["stopped"] is True
    assert found["ranks"] == 2


@pytest.mark.parametrize(
    ("environment", "rank", "is_under"),
    [
        ({}, 0, False),
        ({"PMI_RANK": "1", "PMI_SIZE": "2"}, 1, True),
        ({"PMI_RANK": "0", "PMI_SIZE": "1"}, 0, False),
        ({"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4", "PMIX_RANK": "3"}, 3, True),
        ({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1", "PMIX_RANK": "0"}, 0, False),
        ({"PMIX_RANK": "2"}, 2, True),
        ({"PMI_RANK": "nonsense"}, 0, False),
    ],
)
def test_launchers_are_known_by_what_they_say(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], rank: int, is_under: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert (mpi_job.rank(), mpi_job.is_under_mpiexec()) == (rank, is_under)


def pretend(monkeypatch: pytest.MonkeyPatch, rank: int, module: Any) -> None:
    """Pretend to be one of two ranks, with `module` as mpi4py."""
    monkeypatch.setenv("PMI_SIZE", "2")
    monkeypatch.setenv("PMI_RANK", str(rank))
    monkeypatch.setitem(sys.modules, "mpi4py", module)


def test_without_mpi4py_rank_0_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, 0, None)
    told = "MPI needs the package mpi4py: pip install 'crossboard[mpi]'"
    assert run("search", "--depth", 3) == (2, "", f"crossboard: {told}\n")
    pretend(monkeypatch, 1, None)
    assert run("search", "--depth", 3) == (2, "", "")


def test_without_mpi_itself_there_is_a_clear_line(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Module:
        @property
        def MPI(self) -> None:  # noqa: N802
            raise RuntimeError("cannot load MPI library")

    pretend(monkeypatch, 0, Module())
    refused = run("search", "--depth", 3)
    assert refused.code == 2
    assert refused.err.startswith("crossboard: mpi4py finds no MPI (cannot load MPI library): ")


class Comm:
    """A communicator of so many ranks, of which the others say what they are told to."""

    def __init__(self, size: int, *others: str) -> None:
        self.size = size
        self.others = others

    def Get_size(self) -> int:  # noqa: N802
        return self.size

    def allgather(self, own: str) -> list[str]:
        return [own, *self.others]


def test_a_foreign_mpiexec_is_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each process believes to be alone: all of them would print.
    module = SimpleNamespace(MPI=SimpleNamespace(COMM_WORLD=Comm(1)))
    pretend(monkeypatch, 0, module)
    refused = run("search", "--depth", 3)
    assert refused.code == 2
    assert "belong to different MPIs" in refused.err


def test_one_rank_under_pmix_searches_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    module = SimpleNamespace(MPI=SimpleNamespace(COMM_WORLD=Comm(1)))
    monkeypatch.setitem(sys.modules, "mpi4py", module)
    monkeypatch.setenv("PMIX_RANK", "0")
    done = run("search", "--depth", 3, "--json")
    assert done.code == 0
    assert "ranks" not in json.loads(done.out)


def test_what_one_rank_cannot_make_all_refuse() -> None:
    def fail() -> str:
        raise ValueError("it does not fit here")

    def starve() -> str:
        raise MemoryError

    comm: Any = Comm(2, "")
    assert mpi_job.make_everywhere(comm, lambda: "made") == "made"
    for make, told in ((fail, "it does not fit here"), (starve, "there is not enough memory")):
        with pytest.raises(ValueError, match=f"^rank 0: {told}$"):
            mpi_job.make_everywhere(comm, make)
    comm = Comm(2, "it does not fit there")
    with pytest.raises(ValueError, match=r"^rank 1: it does not fit there$"):
        mpi_job.make_everywhere(comm, lambda: "made")
    comm = Comm(2, "it does not fit here")
    with pytest.raises(ValueError, match=r"^it does not fit here$"):
        mpi_job.make_everywhere(comm, fail)


def test_an_interruption_before_mpi_starts_leaves_at_once(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> bool:
        os.kill(os.getpid(), signal.SIGINT)
        return True

    monkeypatch.setattr(mpi_job, "is_under_mpiexec", interrupt)
    assert run("search", "--depth", 3) == (130, "", "")


def test_of_what_is_not_shared_one_rank_is_enough(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PMI_SIZE", "2")
    monkeypatch.setenv("PMI_RANK", "1")
    assert run("perft", "--depth", 2, "--json") == (0, "", "")
    monkeypatch.setenv("PMI_RANK", "0")
    assert json.loads(run("perft", "--depth", 2, "--json").out)["leaves"] == 49
