"""Building tables slice by slice; what is finished stays, whatever happens."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from crossboard._core import free_megabytes
from crossboard._core.draughts import (
    TablesBuilder,
    TablesError,
    check_table,
    table_file_names,
    table_memory,
    table_size,
    table_slices,
)
from crossboard.runs.lock import Lock
from crossboard.storage import make_folder, write_whole
from crossboard.tables.folder import has_files, slices_in

# A slice that stands for itself and for its swap, which are built together.
Pair = tuple[int, int, int, int]

# Measured with 5 and 6 pieces, and rounded up: bytes of both files for each position.
BYTES_A_POSITION = 0.4
MEGABYTE = 1 << 20


class TablesExist(ValueError):
    """There are tables already, and nothing says to keep them."""


@dataclass(frozen=True)
class BuildReport:
    """What a build has done."""

    folder: str
    pieces: int
    slices: int  # that it built
    kept: int  # that were there
    positions: int  # of what it built
    seconds: float
    workers: int
    outcome_bytes: int  # of all that is there
    distance_bytes: int

    def as_json(self) -> dict[str, Any]:
        """Return it as `crossboard tables build --json` prints it."""
        return asdict(self)


class Building:
    """All slices with up to `pieces` pieces in a folder, of which some may be there.

    Raises TablesExist if there are any and not `resume`, RunIsHeld if another process builds
    there, and ValueError if there is too little memory or disk; no new folder is left then.
    """

    def __init__(self, folder: Path, pieces: int, *, workers: int, resume: bool = False) -> None:
        self.folder, self.pieces, self.workers = folder, pieces, workers
        missing = [each for each in (folder, *folder.parents) if not each.exists()]
        make_folder(folder)
        self._lock = Lock(folder, "these tables")
        try:
            if not resume and slices_in(folder):
                raise TablesExist(
                    f"{folder} has tables: add --resume to keep those that are whole and build "
                    "the others, or choose another folder"
                )
            self._pairs = [pair for size in range(2, pieces + 1) for pair in pairs_with(size)]
            self._missing = {pair for pair in self._pairs if not is_whole(folder, pair)}
            self._refuse_without_memory()
            self._refuse_without_disk()
        except BaseException:
            self._lock.release()
            if missing:  # what was made here holds the lock alone
                shutil.rmtree(missing[-1])
            raise

    @property
    def positions(self) -> int:
        """How many positions are to be solved."""
        return sum(positions_of(pair) for pair in self._missing)

    def conduct(self, on_progress: Callable[[float, str], None]) -> BuildReport:
        """Build what is missing; call `on_progress` with positions solved and the slice."""
        began, done = time.monotonic(), 0
        builder = TablesBuilder(workers=self.workers)
        try:
            for pair in self._needed():
                self._drop(builder, pair)
                if pair not in self._missing:
                    builder.load(self.folder, pair)
                    continue
                size, name = positions_of(pair), "-".join(map(str, pair))

                def show(
                    share: float, done: int = done, size: int = size, name: str = name
                ) -> None:
                    on_progress(done + share * size, name)

                for file, content in builder.build(pair, show):
                    write_whole(self.folder / file, content)
                done += size
        finally:
            self._lock.release()
        return self._report(time.monotonic() - began)

    def _needed(self) -> list[Pair]:
        # Of what is there, captures of missing slices lead to all with fewer pieces, promotions
        # to those with a man less.
        most = max((sum(pair) for pair in self._missing), default=0)
        men = {men_of(pair) - 1 for pair in self._missing if sum(pair) == most}
        return [
            pair
            for pair in self._pairs
            if pair in self._missing
            or sum(pair) < most
            or (sum(pair) == most and men_of(pair) in men)
        ]

    def _drop(self, builder: TablesBuilder, pair: Pair) -> None:
        if sum(pair) == self.pieces:
            builder.drop_before(self.pieces, men_of(pair))

    def _refuse_without_memory(self) -> None:
        needed, held = 0, dict[Pair, int]()
        for pair in self._needed():
            if sum(pair) == self.pieces:
                kept = men_of(pair) - 1
                held = {p: n for p, n in held.items() if sum(p) < self.pieces or men_of(p) >= kept}
            held[pair] = positions_of(pair) // 4
            work = table_memory(pair) if pair in self._missing else 0
            needed = max(needed, (sum(held.values()) + work) // MEGABYTE + 1)
        free = free_megabytes()
        if needed > free:
            raise ValueError(
                f"{self.pieces} pieces take {needed:,} MB of memory, and {free:,} MB are free: "
                "build fewer pieces"
            )

    def _refuse_without_disk(self) -> None:
        needed = int(self.positions * BYTES_A_POSITION) // MEGABYTE
        free = shutil.disk_usage(self.folder).free // MEGABYTE
        if needed > free:
            raise ValueError(
                f"{self.folder}: {self.pieces} pieces take about {needed:,} MB on disk, and "
                f"{free:,} MB are free"
            )

    def _report(self, seconds: float) -> BuildReport:
        built = [one for pair in self._missing for one in both(pair)]
        files = [table_file_names(one) for pair in self._pairs for one in both(pair)]
        return BuildReport(
            folder=str(self.folder),
            pieces=self.pieces,
            slices=len(built),
            kept=len(files) - len(built),
            positions=self.positions,
            seconds=seconds,
            workers=self.workers,
            outcome_bytes=sum((self.folder / name).stat().st_size for name, _ in files),
            distance_bytes=sum((self.folder / name).stat().st_size for _, name in files),
        )


def pairs_with(pieces: int) -> list[Pair]:
    """Return one of each slice and its swap, in an order in which they can be built."""
    pairs: list[Pair] = []
    for one in table_slices(pieces):
        if swapped(one) not in pairs:
            pairs.append(one)
    return pairs


def swapped(one: Pair) -> Pair:
    """Return a slice with the colours exchanged."""
    return (*one[2:], *one[:2])


def both(pair: Pair) -> set[Pair]:
    """Return a slice and its swap, which may be the same."""
    return {pair, swapped(pair)}


def men_of(pair: Pair) -> int:
    """Return how many men both sides have."""
    return pair[0] + pair[2]


def positions_of(pair: Pair) -> int:
    """Return how many positions a slice and its swap have."""
    return sum(table_size(one) for one in both(pair))


def is_whole(folder: Path, pair: Pair) -> bool:
    """Whether both files of both slices are there, and every block undamaged."""
    with suppress(TablesError):
        for one in both(pair):
            if not has_files(folder, one):
                return False
            check_table(folder, one)
        return True
    return False
