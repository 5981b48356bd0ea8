"""Endgame tables as players probe them: opened once in a process, for all of its players."""

from __future__ import annotations

import os
import shlex
from functools import cache
from pathlib import Path

from crossboard._core.draughts import EndgameTables, TablesError

VARIABLE = "CROSSBOARD_TABLES"
FOLDER = "tables"  # beside players and runs, where the variable is not set
BUILD = "crossboard tables build --pieces 5"


def usual_folder() -> Path:
    """Return where tables are looked for: the folder of CROSSBOARD_TABLES, or `tables` here."""
    return Path(os.environ.get(VARIABLE) or FOLDER)


def open_tables(folder: Path | None = None) -> EndgameTables:
    """Return the tables of a folder, of the usual one without any.

    Raises TablesError, a ValueError, where there are none or where a file is damaged.
    """
    place = usual_folder() if folder is None else folder
    tables = _open(place.absolute())
    if not tables.pieces:
        own = "" if folder is None else f" --folder {shlex.quote(str(folder))}"
        raise TablesError(f"there are no endgame tables in {place}; build them with: {BUILD}{own}")
    return tables


def describe_gap(tables: EndgameTables) -> str:
    """Say that larger tables are not complete and therefore not used; else nothing."""
    most = max(sum(numbers) for numbers, *_ in tables.slices)
    if most == tables.pieces:
        return ""
    return (
        f"only the endgame tables of up to {tables.pieces} pieces are complete; complete those of "
        f"{most} with: crossboard tables build --pieces {most} --resume"
    )


@cache
def _open(folder: Path) -> EndgameTables:
    return EndgameTables.open(folder)


def find_tables(folder: Path | None = None) -> EndgameTables | None:
    """Return the tables of a folder, of the usual one without any; None if none can be used."""
    try:
        return open_tables(folder)
    except TablesError:
        return None
