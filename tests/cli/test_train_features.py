"""`crossboard train ls-draughts`: refused without a trace, or killed at random and resumed."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from random import Random

import pytest

from crossboard.runs import Run as LearningRun
from crossboard.runs import differences

from .conftest import CROSSBOARD, Run

SMALL = {
    "pool": 4,
    "generations": 3,
    "individual_games": 60,
    "winner_games": 40,
    "openings": 1,
    "exam_every": 0,
}
SETTINGS = [word for key, value in SMALL.items() for word in ("--set", f"{key}={value}")]
KILLS, REDUCED_KILLS = 20, 3


@pytest.mark.parametrize("system", ["ls-draughts", "neurodraughts"])
@pytest.mark.parametrize(
    ("features", "words"),
    [
        ("[['ufu.Gep', 4]]", "there is no feature 'ufu.Gep'; ufu has PieceAdvantage"),
        ("[['ufu.Gap', 4], ['ufu.Gap', 4]]", "ufu.Gap is named twice"),
    ],
    ids=["unknown", "repeated"],
)
def test_unknown_and_repeated_features_are_refused(
    run: Run, tmp_path: Path, system: str, features: str, words: str
) -> None:
    folder = tmp_path / "run"
    done = run("train", system, "--run", folder, "--set", f"features={features}")
    assert done.code == 2
    assert words in done.err
    assert done.err.count("\n") == 1
    assert not folder.exists()


def train(folder: Path, workers: int) -> subprocess.Popen[bytes]:
    """Begin an evolution, or resume it, in a process group of its own."""
    options = ["--resume"] if (folder / "config.toml").exists() else SETTINGS
    command = [*CROSSBOARD, "train", "ls-draughts", "--run", str(folder), *options]
    command += ["--workers", str(workers)]
    with folder.with_suffix(".txt").open("ab") as told:
        return subprocess.Popen(command, start_new_session=True, stdout=told, stderr=told)


def check(folder: Path, whole: Path) -> None:
    """Resume an evolution to its end, and compare it with one that nobody disturbed."""
    assert train(folder, 3).wait() == 0, folder.with_suffix(".txt").read_text()
    assert differences(LearningRun.open(folder), LearningRun.open(whole)) == []
    report = (folder / "report.md").read_text()
    assert report.replace(folder.name, whole.name) == (whole / "report.md").read_text()


@pytest.mark.slow
@pytest.mark.sized
@pytest.mark.skipif(os.name == "nt", reason="needs kill -9 of a group")
def test_killed_at_random_moments_it_ends_as_an_unbroken_one(
    tmp_path: Path, is_reduced: bool
) -> None:
    random, whole, began = Random(2007), tmp_path / "whole", time.monotonic()
    assert train(whole, 1).wait() == 0, whole.with_suffix(".txt").read_text()
    seconds = time.monotonic() - began
    kills, folders = 0, [tmp_path / "broken-0"]
    while kills < (REDUCED_KILLS if is_reduced else KILLS):
        process = train(folders[-1], 1 + kills % 3)
        try:
            process.wait(random.uniform(0.1, 0.5) * seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
        else:
            folders.append(tmp_path / f"broken-{len(folders)}")
    for folder in folders:
        check(folder, whole)
