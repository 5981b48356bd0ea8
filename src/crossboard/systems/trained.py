"""What a training left behind, read from its run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from crossboard.evaluators import Network
from crossboard.learn import Snapshot
from crossboard.players import Player, load_player
from crossboard.runs import DamagedRun, Run
from crossboard.runs.metrics import SECONDS, STEP
from crossboard.runs.run import PLAYER
from crossboard.systems.exams import Grade, read_blocks, read_grades


def latest_snapshot(folder: Path) -> Snapshot:
    """Return the last snapshot of a training; raise DamagedRun if its run has none."""
    last = Run.open(folder).latest()
    if last is None or "learner" not in last.state:
        raise DamagedRun(f"{folder}: this training has no checkpoint to read")
    return Snapshot(last.step, last.tensors, last.state["learner"])


@dataclass(frozen=True, kw_only=True)
class Trained:
    """The result of a training, or of as much of it as its run has."""

    folder: Path
    seed: int
    games: int
    seconds: float  # of all its work
    learning_seconds: float  # until its last block was learnt
    blocks: list[dict[str, float]] = field(default_factory=list)
    exams: list[Grade] = field(default_factory=list)  # the first is of the untrained player
    final: Mapping[str, Any] = field(default_factory=dict)  # the match at the end, if there was one
    conclusion: str = ""  # the system's own result in a line or two
    was_finished: bool = False  # before it was asked for
    player: Player | None = None  # unless it was left in its folder

    @classmethod
    def read(cls, run: Run, **known: Any) -> Self:
        """Read the last checkpoint and the metrics of a run, but not its player."""
        last, lines = run.latest(), run.metrics()
        seconds = last.seconds if last else 0.0
        return cls(
            folder=run.folder,
            seed=run.config["seed"],
            games=int(lines[-1][STEP]) if lines else 0,
            seconds=seconds,
            learning_seconds=lines[-1][SECONDS] if lines else seconds,
            blocks=read_blocks(lines),
            exams=read_grades(lines),
            final=last.state.get("final", {}) if last else {},
            conclusion=last.state.get("conclusion", "") if last else "",
            **known,
        )

    @classmethod
    def read_part(cls, folder: Path) -> Self:
        """Read a finished part of another run together with its player."""
        return cls.read(Run.open(folder), was_finished=True, player=load_player(folder / PLAYER))

    @property
    def player_folder(self) -> Path:
        return self.folder / PLAYER

    @property
    def score(self) -> float:
        """The score of the last exam."""
        return self.exams[-1].score

    @property
    def clones(self) -> int:
        """How often its student was cloned."""
        return int(sum(block.get("cloned", 0.0) for block in self.blocks))

    @property
    def network(self) -> Network:
        """The network of its player."""
        assert self.player is not None
        assert isinstance(self.player.evaluator, Network)
        return self.player.evaluator

    def score_after(self, seconds: float) -> float:
        """Return the score after so much time, between two exams on a straight line."""
        import numpy as np

        times = [exam.seconds for exam in self.exams]
        return float(np.interp(seconds, times, [exam.score for exam in self.exams]))

    def as_json(self) -> dict[str, Any]:
        """Give the figures under the names that `--json` uses."""
        return {
            "run": str(self.folder),
            "player": str(self.player_folder),
            "seconds": self.seconds,
            "was_finished": self.was_finished,
            "match": dict(self.final),
            "conclusion": self.conclusion,
        }
