"""Evolutions and their kin, killed at random moments of each stage: the same end bit for bit."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer
from typing import IO, NamedTuple

import pytest

from crossboard.runs import Run, differences

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sized,
    pytest.mark.skipif(os.name == "nt", reason="needs kill -9"),
]


class Stage(NamedTuple):
    """A training of some seconds, in which one stage takes long enough to be killed in."""

    changes: tuple[str, ...]
    # Of lines on standard error: the first of the stage, and the first after it. Without them the
    # stage lasts from the start of the process to its end.
    begins: str = ""
    ends: str = ""
    kept: str = "checkpoints/*.safetensors"  # what there is to resume from


POOL = ("pool=12", "generations=16", "exam_every=1056", "exam_games=4")
CHAIN = ("units=3", "map_decay=0.9", "look_ahead=2", "match_depth=2", "board_depth=2")
AGENTS = ("block_games=4", "judge_pairs=2", "validation_pairs=2")
NETS = ("pool=4", "generations=3", "openings=1", "exam_every=0", "training_seeds=2")
# A reduced test takes the first stage of each system.
STAGES = {
    "draft5-ga": {
        "genetic": Stage(POOL),
        "cma": Stage((*POOL, "method=cma")),
        "hall of fame": Stage((*POOL, "hall=3", "openings=2", "generations=8")),
    },
    "mp-draughts": {
        "agents": Stage(
            (*CHAIN, "boards=40", "held_out=10", "games=600", *AGENTS),
            *("agents:", "match:", "agents/*/checkpoints/*.safetensors"),
        ),
        # Most of the time is that of held-out boards, when the others are there already.
        "boards": Stage(
            (*CHAIN, "boards=40", "held_out=300", "board_depth=4", "games=12", *AGENTS),
            *("(held-out )?boards:", "map:", "boards.fen"),
        ),
        "map": Stage(
            (*CHAIN, "map_decay=0.995", "boards=300", "held_out=10", "games=12", *AGENTS),
            *("map:", "agents:", "held-out.fen"),
        ),
    },
    "ls-draughts": {
        "generations": Stage(
            (*NETS, "individual_games=60", "winner_games=40"),
            *("generation", "winner:", "individuals/*/checkpoints/*.safetensors"),
        ),
        "winner": Stage(
            (*NETS, "generations=1", "individual_games=20", "winner_games=1000"),
            *("winner:", "", "individuals/*/checkpoints/*.safetensors"),
        ),
    },
}
KILLS, REDUCED_KILLS = 20, 3
# It saves often, so that it resumes from many places, and its match at the end is short; so do the
# processes that it starts.
TRAIN = """
from crossboard.cli import main
from crossboard.systems import exams, training

training.CHECKPOINT_SECONDS = 0.02
exams.FINAL_GAMES = 10
if __name__ == "__main__":
    main()
"""
TIME_OUT = 600.0  # a hang, not a slow machine


class Sitting:
    """A process that trains, from the start of a run or from where it was killed."""

    def __init__(self, system: str, stage: Stage, folder: Path, workers: int = 2) -> None:
        self.stage = stage
        script = folder.with_name("train.py")
        script.write_text(TRAIN)
        options = [word for change in stage.changes for word in ("--set", change)]
        words = ["train", system, *options, "--seed", "2", "--run", str(folder), "--resume"]
        words += ["--workers", str(workers)]
        self.process = subprocess.Popen(
            [sys.executable, str(script), *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.lines: IO[str] = self.process.stderr
        self.alarm = Timer(TIME_OUT, self.process.kill)
        self.alarm.daemon = True
        self.alarm.start()

    def end(self) -> str:
        """Wait until it has ended; return what it has printed since it was last read."""
        with self.process:
            rest = self.lines.read()
        self.alarm.cancel()
        return rest

    def waits_for(self, pattern: str) -> bool:
        """Wait for a line; False if the process ends without it. The empty pattern needs none."""
        return not pattern or any(re.match(pattern, line) for line in self.lines)

    def finish(self) -> float:
        """Let it come to its end; return how many seconds the stage took."""
        began = time.monotonic()
        if self.stage.begins and self.waits_for(self.stage.begins):
            began = time.monotonic()
        if self.stage.ends:
            self.waits_for(self.stage.ends)
        ended = time.monotonic()
        rest = self.end()
        assert self.process.returncode == 0, rest
        return (ended if self.stage.ends else time.monotonic()) - began

    def is_killed(self, seconds: float) -> bool:
        """Kill it so long after the stage has begun; False if that was over before."""
        if self.waits_for(self.stage.begins):
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.process.kill()
        rest = self.end()
        assert self.process.returncode in (0, -signal.SIGKILL), rest
        ends = self.stage.ends
        is_over = bool(ends) and any(re.match(ends, line) for line in rest.splitlines())
        return self.process.returncode != 0 and not is_over


def end_of(folder: Path) -> dict[str, bytes]:
    """What a run leaves behind, but for what has a clock."""
    files = [*(folder / "player").iterdir(), folder / "report.md", *folder.glob("*.svg")]
    return {file.name: file.read_bytes() for file in files}


@pytest.mark.parametrize(
    ("system", "name"), [(system, name) for system in STAGES for name in STAGES[system]]
)
def test_killed_at_random_it_ends_as_an_unbroken_one(
    system: str, name: str, tmp_path: Path, *, is_reduced: bool
):
    if is_reduced and name != next(iter(STAGES[system])):
        pytest.skip("reduced: one stage a system")
    stage, rng = STAGES[system][name], random.Random(f"{system} {name}")
    whole = tmp_path / "whole"
    seconds = Sitting(system, stage, whole).finish()
    kills, here, runs, resumed = 0, 0, [tmp_path / "1"], 0
    # Where the stage is all of the process, the first fifth of that is its start.
    first = 0.0 if stage.begins else 0.2
    while kills < (REDUCED_KILLS if is_reduced else KILLS):
        sitting = Sitting(system, stage, runs[-1], rng.randint(1, 3))
        if sitting.is_killed(rng.uniform(first, 1) * seconds):
            kills, here = kills + 1, here + 1
            resumed += any(runs[-1].glob(stage.kept))
        else:  # the stage was over before
            if not here:  # so what was measured is too long: the machine was busy
                seconds *= 0.8
            Sitting(system, stage, runs[-1]).finish()
            runs.append(tmp_path / str(len(runs) + 1))
            here = 0
    Sitting(system, stage, runs[-1]).finish()
    assert resumed
    expected = end_of(whole)
    assert {"report.md", "player.toml", "weights.safetensors"} <= expected.keys()
    for folder in runs:
        assert differences(Run.open(folder), Run.open(whole)) == []
        assert end_of(folder) == expected
