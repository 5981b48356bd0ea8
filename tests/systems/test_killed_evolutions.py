"""Evolutions and their kin, killed at random moments and resumed: the same end bit for bit."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from crossboard.runs import Run, differences
from crossboard.runs.checkpoints import list_checkpoints

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sized,
    pytest.mark.skipif(os.name == "nt", reason="needs kill -9"),
]

# The stages of each system, as the words behind `crossboard train`. A reduced test takes the first
# stage of each. Small ones will do, if they take some seconds.
POOL = ("pool=12", "generations=16", "exam_every=1056", "exam_games=4")
STAGES: dict[str, dict[str, tuple[str, ...]]] = {
    "draft5-ga": {
        "genetic": POOL,
        "cma": (*POOL, "method=cma"),
        "hall of fame": (*POOL, "hall=3", "openings=2", "generations=8"),
    },
}
KILLS, REDUCED_KILLS = 20, 3
# It saves often, so that it resumes from many places, and its match at the end is short.
TRAIN = """
from crossboard.cli import main
from crossboard.systems import exams, training

training.CHECKPOINT_SECONDS = 0.02
exams.FINAL_GAMES = 10
main()
"""
TIME_OUT = 600.0  # a hang, not a slow machine


def start(system: str, changes: tuple[str, ...], folder: Path) -> subprocess.Popen[str]:
    options = [word for change in changes for word in ("--set", change)]
    words = ["train", system, *options, "--seed", "2", "--run", str(folder), "--resume"]
    return subprocess.Popen(
        [sys.executable, "-c", TRAIN, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> None:
    _, err = process.communicate(timeout=TIME_OUT)
    assert process.returncode == 0, err


def is_killed(process: subprocess.Popen[str], seconds: float) -> bool:
    """Kill a process after some time, unless it has ended by itself."""
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate(timeout=TIME_OUT)
    assert process.returncode in (0, -signal.SIGKILL)
    return process.returncode != 0


def end_of(folder: Path) -> dict[str, bytes]:
    """What a run leaves behind, but for what has a clock."""
    files = [*(folder / "player").iterdir(), folder / "report.md", *folder.glob("*.svg")]
    return {file.name: file.read_bytes() for file in files}


@pytest.mark.parametrize(
    ("system", "stage"), [(system, stage) for system in STAGES for stage in STAGES[system]]
)
def test_killed_at_random_it_ends_as_an_unbroken_one(
    system: str, stage: str, tmp_path: Path, *, is_reduced: bool
):
    if is_reduced and stage != next(iter(STAGES[system])):
        pytest.skip("reduced: one stage a system")
    changes, rng = STAGES[system][stage], random.Random(f"{system} {stage}")
    whole, began = tmp_path / "whole", time.monotonic()
    finish(start(system, changes, whole))
    seconds = time.monotonic() - began
    kills, runs, resumed = 0, [tmp_path / "1"], 0
    while kills < (REDUCED_KILLS if is_reduced else KILLS):
        if is_killed(start(system, changes, runs[-1]), rng.uniform(0.2, 1) * seconds):
            kills += 1
            resumed += bool(list_checkpoints(runs[-1] / "checkpoints"))
        else:  # it was over before, so what was measured is too long: the machine was busy
            seconds *= 0.8
            runs.append(tmp_path / str(len(runs) + 1))
    finish(start(system, changes, runs[-1]))
    assert resumed
    expected = end_of(whole)
    assert {"report.md", "player.toml", "weights.safetensors"} <= expected.keys()
    for folder in runs:
        assert differences(Run.open(folder), Run.open(whole)) == []
        assert end_of(folder) == expected
