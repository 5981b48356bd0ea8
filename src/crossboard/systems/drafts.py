"""Trainings of experiments that are under way: kept in files, so that a stop costs little."""

from __future__ import annotations

import json
import os
import time
import warnings
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from crossboard.learn import Snapshot
from crossboard.storage import make_folder, write_whole
from crossboard.systems.experiments import Lab
from crossboard.systems.origins import read_kept

KEPT_SECONDS = 15.0  # a training is kept no sooner than so long after the last time
TOLD_SECONDS = 60.0  # as long as none ends, it is said this often how far they are

Key = TypeVar("Key")
Result = TypeVar("Result")


def is_kept(lab: Lab, place: Path, origin: Mapping[str, str]) -> bool:
    """Say whether a file holds what has this origin, and tell if it holds something else."""
    found = read_kept(place, origin) is not None
    if not found and place.exists():
        lab.tell(f"{place.stem}: trained once more, by another version or other settings before")
    return found


class Drafted(NamedTuple):
    """How far a training has come: where its learner goes on, and what was told of it so far."""

    snapshot: Snapshot
    told: dict[str, Any]


class Draft(NamedTuple):
    """The file of one training. Who trains may be elsewhere: it is found again if he shares it."""

    place: Path
    origin: dict[str, str]

    @classmethod
    def beside(cls, place: Path, origin: dict[str, str]) -> Draft:
        """Return the draft of what will be kept in a file; its place does not depend on where."""
        return cls(place.absolute().with_name(f"{place.stem}.draft.json"), origin)

    @property
    def name(self) -> str:
        """What the training is called."""
        return self.place.name.removesuffix(".json").removesuffix(".draft")

    def read(self) -> Drafted | None:
        """Return what was kept, unless another version kept it, or a training of other settings."""
        import numpy as np

        kept = read_kept(self.place, self.origin)
        if kept is None:
            return None
        arrays = {name: np.array(array) for name, array in kept["arrays"].items()}
        return Drafted(Snapshot(kept["games"], arrays, kept["plain"]), kept["told"])

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
        # On a cluster one whose leader was killed may still train what another trains once more.
        write_whole(self.place, json.dumps(kept).encode(), writer=f".{os.getpid()}")

    def remove(self) -> None:
        """Delete the file, if there is one."""
        self.place.unlink(missing_ok=True)


class Keeper:
    """Keeps a training that begins now in its draft, if it has one, every quarter of a minute.

    A draft is worth less than its training: if it cannot be written that is said, and a stop will
    cost more.
    """

    def __init__(self, draft: Draft | None) -> None:
        self.draft = draft
        self.kept_at = time.monotonic()

    def note(self, snapshot: Snapshot, **told: Any) -> None:
        """Keep a moment, unless the last one was kept just now."""
        if self.draft is None or time.monotonic() - self.kept_at < KEPT_SECONDS:
            return
        try:
            self.draft.write(snapshot, **told)
        except OSError as error:
            warnings.warn(f"{self.draft.name} cannot be kept on its way: {error}", stacklevel=2)
        self.kept_at = time.monotonic()


def as_they_end(
    lab: Lab, begun: Mapping[Key, tuple[Draft, Future[Result]]]
) -> Iterator[tuple[Key, Result]]:
    """Yield what trainings bring as they end; say now and then how far the others are."""
    keys = {future: key for key, (_, future) in begun.items()}
    waiting = set(keys)
    while waiting:
        done, waiting = wait(waiting, TOLD_SECONDS, FIRST_COMPLETED)
        for future in done:
            yield keys[future], future.result()
        if waiting and not done:
            _tell_games(lab, [begun[keys[future]][0] for future in waiting])


def _tell_games(lab: Lab, drafts: list[Draft]) -> None:
    """Say how far those are whose files are here."""
    found = {draft.name: draft.read() for draft in drafts}
    games = {name: one.snapshot.games for name, one in found.items() if one is not None}
    if games:
        told = ", ".join(f"{name} {count}" for name, count in sorted(games.items()))
        lab.tell(f"games so far: {told}")
