"""Checking all files of tables, block by block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crossboard._core.draughts import TablesError, check_table, table_size
from crossboard.tables.folder import slices_in


@dataclass
class Verification:
    """Which files are whole."""

    folder: Path
    slices: int = 0
    positions: int = 0  # of slices that are whole
    damaged: list[str] = field(default_factory=list)  # a sentence for each damaged slice

    def as_json(self) -> dict[str, Any]:
        """Return it as `crossboard tables verify --json` prints it."""
        counts = {"slices": self.slices, "positions": self.positions}
        return {"folder": str(self.folder), **counts, "damaged": self.damaged}


def verify(folder: Path, on_progress: Callable[[int, int], None]) -> Verification:
    """Read every block of every slice; call `on_progress` with slices done and all slices."""
    found = slices_in(folder)
    told = Verification(folder, len(found))
    for done, one in enumerate(found):
        on_progress(done, len(found))
        try:
            check_table(folder, one)
            told.positions += table_size(one)
        except TablesError as error:
            told.damaged.append(str(error))
    return told
