"""Which slices a folder of endgame tables has files of."""

from __future__ import annotations

from pathlib import Path

from crossboard._core.draughts import MOST_TABLE_PIECES, table_file_names, table_slices


def slices_up_to(pieces: int) -> list[tuple[int, int, int, int]]:
    """Return all slices with up to so many pieces, in an order in which they can be built."""
    return [one for size in range(2, pieces + 1) for one in table_slices(size)]


def has_files(folder: Path, one: tuple[int, int, int, int]) -> bool:
    """Whether any file of a slice is there, whole or not."""
    return any((folder / name).exists() for name in table_file_names(one))


def slices_in(folder: Path) -> list[tuple[int, int, int, int]]:
    """Return the slices of which there are files, whole or not."""
    return [one for one in slices_up_to(MOST_TABLE_PIECES) if has_files(folder, one)]
