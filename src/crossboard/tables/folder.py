"""Where endgame tables are."""

from __future__ import annotations

import os
from pathlib import Path

from crossboard._core.draughts import MOST_TABLE_PIECES, table_file_names, table_slices

VARIABLE = "CROSSBOARD_TABLES"
FOLDER = "tables"  # here, where the variable is not set


def default_folder() -> Path:
    """Return the folder that CROSSBOARD_TABLES names, or `tables` here."""
    return Path(os.environ.get(VARIABLE) or FOLDER)


def slices_up_to(pieces: int) -> list[tuple[int, int, int, int]]:
    """Return all slices with up to so many pieces, in an order in which they can be built."""
    return [one for size in range(2, pieces + 1) for one in table_slices(size)]


def has_files(folder: Path, one: tuple[int, int, int, int]) -> bool:
    """Whether any file of a slice is there, whole or not."""
    return any((folder / name).exists() for name in table_file_names(one))


def slices_in(folder: Path) -> list[tuple[int, int, int, int]]:
    """Return the slices of which there are files, whole or not."""
    return [one for one in slices_up_to(MOST_TABLE_PIECES) if has_files(folder, one)]
