"""`crossboard train --resume`: after kill -9, and where there is nothing to go on with."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from crossboard.runs import Run as LearningRun
from crossboard.runs import differences
from crossboard.systems import exams

from .conftest import Run

GAMES = 200
OPTIONS = ("--games", GAMES, "--set", "look_ahead=1", "--set", "exam_every=0")
# A training that keeps every block, and after some of them waits to be killed.
DOOMED = """
import time
from crossboard.cli import main
from crossboard.systems import training

note, calls = training._Lesson._note, []

def linger(self, snapshot):
    calls.append(snapshot)
    time.sleep(600 if len(calls) == 5 else 0)
    note(self, snapshot)

training.CHECKPOINT_SECONDS = 0.0
training._Lesson._note = linger
main()
"""


@pytest.fixture(autouse=True)
def short_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exams, "FINAL_GAMES", 2)


@pytest.mark.skipif(os.name == "nt", reason="needs kill -9")
def test_killed_by_the_system_it_ends_where_it_would_have_ended(run: Run, tmp_path: Path) -> None:
    command = [sys.executable, "-c", DOOMED, "train", "--run", tmp_path / "killed", *OPTIONS]
    process = subprocess.Popen([str(word) for word in command], stderr=subprocess.DEVNULL)
    checkpoints = tmp_path / "killed" / "checkpoints"
    deadline = time.monotonic() + 300
    while not list(checkpoints.glob("*.safetensors")) and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    assert process.wait(300) == -signal.SIGKILL
    step = LearningRun.open(tmp_path / "killed").latest().step
    assert 0 < step < GAMES
    assert run("train", "--run", tmp_path / "killed", "--resume").code == 0
    assert run("train", "--run", tmp_path / "whole", *OPTIONS).code == 0
    killed, whole = (LearningRun.open(tmp_path / name) for name in ("killed", "whole"))
    assert whole.latest().step == GAMES
    assert differences(whole, killed) == []


def test_where_there_is_no_run_it_begins_one(run: Run, tmp_path: Path) -> None:
    options = ("--games", 20, "--set", "look_ahead=1", "--set", "exam_every=0")
    begun = run("train", "--run", tmp_path / "begun", "--resume", *options)
    assert begun.code == 0, begun.err
    assert not begun.out.startswith("finished before")
    assert f"there is no run in {tmp_path / 'begun'}: a new one begins\n" in begun.err
    run("train", "--run", tmp_path / "usual", *options)
    one, other = (LearningRun.open(tmp_path / name) for name in ("begun", "usual"))
    assert one.latest().step == 20
    assert differences(one, other) == []


def test_where_nothing_says_what_to_begin_there_must_be_a_run(run: Run, tmp_path: Path) -> None:
    done = run("train", "--run", tmp_path / "mistyped", "--resume")
    assert done.code == 2
    assert "mistyped: no run to resume here" in done.err
    assert not (tmp_path / "mistyped").exists()


def test_other_words_for_the_same_settings_go_on(run: Run, tmp_path: Path) -> None:
    begun, folder = ("--games", 20, "--set", "exam_every=0"), tmp_path / "run"
    one, other = ("--set", "look_ahead=1", "--set", "decay=0.5"), ("--set", "lambda=0.5")
    assert run("train", "--run", folder, *begun, *one).code == 0
    again = run("train", "--run", folder, "--resume", *other, *begun, "--set", "look_ahead=1")
    assert again.code == 0, again.err
    assert again.out.startswith("finished before")
    refused = run("train", "--run", folder, "--resume", *begun, *one, "--set", "hidden=5")
    assert refused.code == 2
    assert "the run has hidden = 12, not 5: resume it as it began" in refused.err
    assert f"(crossboard train --run {folder} --resume, with nothing else, does)" in refused.err


def test_a_full_disk_is_said_with_how_to_go_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "metrics.jsonl")

    monkeypatch.setattr(LearningRun, "log", fail)
    done = run("train", "--run", tmp_path / "run", *OPTIONS)
    assert done.code == 2
    again = f"crossboard train --run {tmp_path / 'run'} --resume"
    assert done.err.splitlines()[-2:] == [
        f"after fixing this, continue with: {again}",
        "crossboard: metrics.jsonl: No space left on device",
    ]


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
@pytest.mark.parametrize("name", [".lock", "metrics.jsonl", "games.pdn"])
def test_a_link_in_a_foreign_run_empties_no_file_outside(
    run: Run, tmp_path: Path, name: str
) -> None:
    folder, victim = tmp_path / "run", tmp_path / "victim"
    config = {"system": "neurodraughts", "seed": 1, "command": "crossboard train", "settings": {}}
    LearningRun.create(folder, config).close()
    victim.write_text("precious\n")
    (folder / name).unlink()
    (folder / name).symlink_to("../victim")
    done = run("train", "--run", folder, "--resume")
    assert (done.code, done.out) == (2, "")
    assert f"crossboard: {folder / name}: it is a link, and only plain files" in done.err
    assert victim.read_text() == "precious\n"


save = LearningRun.save


def save_as_before(self: LearningRun, step: int, tensors: Any, state: dict[str, Any]) -> None:
    """Save a checkpoint as older versions did, which did not say whether learning was over."""
    save(self, step, tensors, {key: state[key] for key in state if key != "is_over"})


@pytest.mark.parametrize("moment", ["on the way", "at the end", "finished"])
def test_runs_of_older_versions_are_resumed_and_read(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    run("train", "--run", tmp_path / "whole", *OPTIONS)
    with monkeypatch.context() as patch:
        patch.setattr(LearningRun, "save", save_as_before)
        if moment == "on the way":
            patch.setattr("crossboard.cli.train.describe", interrupt)
        elif moment == "at the end":
            patch.setattr(exams, "hold_exam", interrupt)
        code = run("train", "--run", tmp_path / "old", *OPTIONS).code
    assert code == (0 if moment == "finished" else 130)
    done = run("train", "--run", tmp_path / "old", "--resume")
    assert done.code == 0, done.err
    assert done.out.startswith("finished before") == (moment == "finished")
    old, whole = (LearningRun.open(tmp_path / name) for name in ("old", "whole"))
    found = differences(old, whole)
    assert found == (["state is_over"] if moment == "finished" else [])
