"""`crossboard experiment`: lists, conducts, stops and goes on."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossboard.experiments import Claim, Experiment, Lab, Measurement, experiment, register
from crossboard.runs import Run as LearningRun
from crossboard.runs import differences

from .conftest import Run


def measure(lab: Lab) -> Iterator[Measurement]:
    width = 0.4 if lab.quick else 0.01
    yield Measurement("score", 0.61, 0.61 - width, 0.61 + width, f"seed {lab.seed}")


CLAIM = Claim("score", "score of the new one", 0.6, tolerance=0.05)
TOY = Experiment("toy-table", "A Paper, 2009", (CLAIM,), measure, "A toy.")


@pytest.fixture(autouse=True)
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(experiment, "_registered", {})
    monkeypatch.setattr(experiment, "MODULES", ())
    register(TOY)


def test_alone_it_lists_the_experiments(run: Run) -> None:
    assert run("experiment").out == "toy-table  A toy.\n"
    told = json.loads(run("experiment", "--json").out)
    assert told == {
        "experiments": [{"name": "toy-table", "paper": "A Paper, 2009", "summary": "A toy."}]
    }


def test_without_any_it_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment, "_registered", {})
    assert run("experiment").out == "there are no experiments yet\n"


def test_an_unknown_name_is_one_line_with_the_nearest(run: Run) -> None:
    refused = run("experiment", "toytable")
    assert refused == (
        2,
        "",
        "crossboard: there is no experiment 'toytable': did you mean toy-table?\n",
    )


def test_a_convention_of_results_needs_games(run: Run) -> None:
    refused = run("experiment", "toy-table", "--result-convention", "white-first")
    assert refused.code == 2
    assert "--result-convention is about a file of games: name it with --games" in refused.err
    assert not Path("runs").exists()


def test_people_see_a_table(run: Run) -> None:
    done = run("experiment", "toy-table")
    lines = done.out.splitlines()
    assert done.code == 0
    assert " ".join(lines[0].split()) == "claim published measured 95 % interval verdict"
    assert " ".join(lines[1].split()) == "score of the new one 0.6 ± 0.05 0.61 0.6 to 0.62 holds"
    assert "toy-table: holds" in lines
    assert lines[-1] == "report  runs/experiment-toy-table-seed1/report.md"
    assert Path("runs/experiment-toy-table-seed1/report.md").exists()
    assert done.err == "score: 0.61\n"


def test_json_has_the_promised_keys(run: Run) -> None:
    done = run("experiment", "toy-table", "--quick", "--seed", 7, "--workers", 2, "--json")
    told = json.loads(done.out)
    assert told["name"] == "toy-table"
    assert told["published"] == {"score": 0.6}
    assert told["measured"] == {"score": 0.61}
    assert told["verdict"] == "undecided at this size"
    assert told["run"] == "runs/experiment-toy-table-quick-seed7"
    assert told["findings"][0]["measured"]["note"] == "seed 7"


def test_games_are_refused_where_none_are_taken(run: Run) -> None:
    Path("mine.pdn").write_text("1. 11-15 *\n")
    refused = run("experiment", "toy-table", "--games", "mine.pdn")
    told = "crossboard: toy-table takes no games, so 'mine.pdn' is of no use to it\n"
    assert refused == (2, "", told)
    assert not Path("runs").exists()


def test_a_run_of_ones_own(run: Run) -> None:
    assert run("experiment", "toy-table", "--run", "mine").code == 0
    assert Path("mine/report.md").exists()
    refused = run("experiment", "toy-table", "--run", "mine", "--seed", 2)
    assert (refused.code, refused.out) == (2, "")
    assert "the run has seed = 1, not 2" in refused.err


def test_the_run_of_a_training_is_no_experiment(run: Run) -> None:
    with LearningRun.create(Path("mine"), {"system": "neurodraughts", "seed": 1}):
        pass
    refused = run("experiment", "toy-table", "--run", "mine")
    told = "crossboard: mine: this run trains neurodraughts, and is no experiment: name another\n"
    assert refused == (2, "", told)


def test_a_finished_one_says_so_and_shows_what_it_found(run: Run) -> None:
    first = run("experiment", "toy-table").out
    again = run("experiment", "toy-table")
    assert again.code == 0
    assert again.out.startswith("finished before")
    assert again.out.endswith(first)


def test_json_says_whether_it_was_finished(run: Run) -> None:
    first, again = (json.loads(run("experiment", "toy-table", "--json").out) for _ in range(2))
    assert (first.pop("was_finished"), again.pop("was_finished")) == (False, True)
    assert first == again


def test_resume_goes_on_as_it_does_anyway(run: Run) -> None:
    first = run("experiment", "toy-table", "--run", "mine", "--resume")
    assert first.code == 0
    assert first.err == "score: 0.61\n"  # it was not there and began
    again = run("experiment", "toy-table", "--run", "mine", "--resume")
    assert (again.code, again.err) == (0, "")
    assert again.out.startswith("finished before")


SLOW = """
import sys, time
from crossboard.cli import main
from crossboard.experiments import Claim, Experiment, Measurement, register

def measure(lab):
    if "first" not in lab.known:
        yield Measurement("first", 1, 0.9, 1.1)
        # More than anybody would wait for, most of it queued.
        list(lab.executor.map(time.sleep, [SECONDS] * 10_000))
    yield Measurement("second", 1, 0.9, 1.1)

claims = tuple(Claim(name, name, 1, tolerance=0.5) for name in ("first", "second"))
register(Experiment("slow", "A Paper", claims, measure))
sys.argv[1:1] = ["experiment", "slow"]
main()
"""
ON_THREADS = [sys.executable, "-c", SLOW.replace("SECONDS", "0.2"), "--workers", "1"]
# Whoever waited for one piece of it would wait for ever.
ON_PROCESSES = ["-n", "2", sys.executable, "-c", SLOW.replace("SECONDS", "1e6"), "--mpi"]


def stop_after_first(command: list[str]) -> None:
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "first: 1\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=300) == 130
        told = process.stderr.readline()
        assert told == "stopped; the same command resumes it from runs/experiment-slow-seed1\n"


def go_on(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "second: 1\n")
    assert "slow: holds" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_ctrl_c_stops_at_once_and_the_same_command_goes_on() -> None:
    stop_after_first(ON_THREADS)
    go_on(ON_THREADS)


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_ctrl_c_under_mpi_waits_for_no_training() -> None:
    pytest.importorskip("mpi4py")
    program = shutil.which("mpiexec", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("needs the mpiexec of the extra [mpi]")
    stop_after_first([program, *ON_PROCESSES])
    go_on([program, *ON_PROCESSES])


def test_an_interrupt_says_how_to_go_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: Lab) -> Iterator[Measurement]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(experiment, "_registered", {})
    register(Experiment("toy-table", "A Paper", (CLAIM,), interrupted))
    stopped = run("experiment", "toy-table")
    assert (stopped.code, stopped.out) == (130, "")
    assert (
        stopped.err == "stopped; the same command resumes it from runs/experiment-toy-table-seed1\n"
    )
    monkeypatch.setattr(experiment, "_registered", {"toy-table": TOY})
    assert run("experiment", "toy-table").code == 0


def die(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def measure_and_die(lab: Lab) -> Iterator[Measurement]:
    assert lab.processes is not None
    lab.processes.submit(die, 1).result()
    yield from measure(lab)


@pytest.mark.skipif(os.name == "nt", reason="needs kill -9")
def test_a_killed_worker_is_one_line_and_the_run_goes_on(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(Experiment("deadly", "A Paper, 2009", (CLAIM,), measure_and_die, "It dies."))
    done = run("experiment", "deadly")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "crossboard: a learning process was killed, perhaps for lack of memory; "
        "the same command resumes it from runs/experiment-deadly-seed1\n"
    )
    monkeypatch.setattr(experiment, "_registered", {})
    register(Experiment("deadly", "A Paper, 2009", (CLAIM,), measure, "It lives."))
    assert run("experiment", "deadly").code == 0


# An experiment of one long training, whose learners wait after some blocks to be killed.
NESTED = """
import sys, time
from crossboard.cli import main
from crossboard.experiments import Claim, Experiment, Measurement, comparison, register
from crossboard.experiments.comparison import Arm, Plan, train_arms
from crossboard.systems.neurodraughts import PUBLISHED

SMALL = {"games": 40, "test_after": 2, "look_ahead": 1, "max_moves": 6, "hidden": 2}
comparison.OWN_DEPTH, comparison.OPPONENTS = 1, (("random", 1),)

def measure(lab):
    arm = Arm(name="small", settings=PUBLISHED.model_copy(update=SMALL))
    train_arms(lab, [arm], Plan(seeds=2, pairs=1, exams=2))
    yield Measurement("score", 1, 0.9, 1.1)

if __name__ == "__main__":
    register(Experiment("nested", "A Paper", (Claim("score", "score", 1, tolerance=0.5),), measure))
    sys.argv[1:1] = ["experiment", "nested"]
    main()
"""
LINGER = """
from crossboard.systems import training

note = training._Lesson._note

def linger(self, snapshot):
    if snapshot.games > 20:
        time.sleep(600)
    note(self, snapshot)

training.CHECKPOINT_SECONDS = 0.0
training._Lesson._note = linger
"""
# Learners that write down with which snapshot they begin.
TELL = """
from pathlib import Path
from crossboard.systems import training

learn = training.Training.learn

def tell(self, farm, start, *others):
    Path(f"start-{self.seed}").write_text(str(start and start.games))
    return learn(self, farm, start, *others)

training.Training.learn = tell
"""


@pytest.mark.skipif(os.name == "nt", reason="needs kill -9")
def test_arms_of_a_killed_experiment_are_resumed_and_end_as_if_it_had_not_been() -> None:
    # Processes that learn import the program that started them, and so do what it patches.
    for name, patch in (("doomed", LINGER), ("resumed", TELL), ("whole", "")):
        Path(f"{name}.py").write_text(NESTED.replace("if __name__", f"{patch}\nif __name__"))
    killed, whole = (Path(name) / "arms" for name in ("killed", "whole"))
    with subprocess.Popen([sys.executable, "doomed.py", "--run", "killed"]) as process:
        deadline = time.monotonic() + 300
        while len(list(killed.glob("*/checkpoints/*20.safetensors"))) < 2:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.kill()
    for program, folder in (("resumed.py", killed.parent), ("whole.py", whole.parent)):
        command = [sys.executable, program, "--run", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        assert "once more" not in done.stderr
    assert [Path(f"start-{seed}").read_text() for seed in (1000, 1001)] == ["20", "20"]
    for name in ("small-0", "small-1"):
        one, other = LearningRun.open(killed / name), LearningRun.open(whole / name)
        assert one.metrics()[-1]["step"] == 40
        assert differences(one, other) == []
