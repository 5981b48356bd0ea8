"""Trainings of experiments that are under way: kept in files, so that a stop costs seconds."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from crossboard.learn import Snapshot
from crossboard.storage import make_folder, write_whole
from crossboard.systems.experiments import Lab

KEPT_SECONDS = 15.0  # a training is kept no sooner than so long after the last time
TOLD_SECONDS = 60.0  # as long as none ends, it is said this often how far they are

Result = TypeVar("Result")


def origin_of(*told: Any) -> dict[str, str]:
    """Return the version that trains, and a digest of all that a training is told."""
    digest = sha256(repr(told).encode()).hexdigest()
    return {"crossboard": version("crossboard"), "digest": digest}


class Stage(NamedTuple):
    """How far a training has come: where its learner goes on, and what was told of it so far."""

    snapshot: Snapshot
    told: dict[str, Any]


@dataclass
class Draft:
    """The file of one training. Who trains may be elsewhere, and has files of his own there."""

    place: Path
    origin: Mapping[str, str]
    kept_at: float = field(default=0.0, compare=False)

    def read(self) -> Stage | None:
        """Return what was kept, unless another version kept it, or a training of other settings."""
        import numpy as np

        if not self.place.exists():
            return None
        kept = json.loads(self.place.read_text("utf-8"))
        if kept.get("origin") != self.origin:
            return None
        arrays = {name: np.array(array) for name, array in kept["arrays"].items()}
        return Stage(Snapshot(kept["games"], arrays, kept["plain"]), kept["told"])

    def write(self, snapshot: Snapshot, **told: Any) -> None:
        """Keep a moment of the training, with plain data beside it."""
        make_folder(self.place.parent)
        kept = {
            "origin": self.origin,
            "games": snapshot.games,
            "arrays": {name: array.tolist() for name, array in snapshot.arrays.items()},
            "plain": snapshot.plain,
            "told": told,
        }
        write_whole(self.place, json.dumps(kept).encode())
        self.kept_at = time.monotonic()

    @property
    def is_due(self) -> bool:
        """Whether it should be kept again; never in the first seconds of a training."""
        now = time.monotonic()
        self.kept_at = self.kept_at or now
        return now - self.kept_at >= KEPT_SECONDS

    def remove(self) -> None:
        """Delete the file, if there is one."""
        self.place.unlink(missing_ok=True)


def as_they_end(lab: Lab, futures: Mapping[Future[Result], Draft]) -> Iterator[Future[Result]]:
    """Yield trainings as they end; say now and then how far those are whose files are here."""
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, TOLD_SECONDS, FIRST_COMPLETED)
        yield from done
        if waiting and not done:
            _tell_games(lab, [futures[future] for future in waiting])


def _tell_games(lab: Lab, drafts: list[Draft]) -> None:
    stages = {draft.place.name.partition(".")[0]: draft.read() for draft in drafts}
    games = {name: stage.snapshot.games for name, stage in stages.items() if stage is not None}
    if games:
        told = ", ".join(f"{name} {count}" for name, count in sorted(games.items()))
        lab.tell(f"games so far: {told}")
