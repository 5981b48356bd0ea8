"""Endgame tables as players probe them: opened once in a process, for all of its players."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import NamedTuple

from crossboard.draughts.tables import EndgameTables, TablesError, open_tables

VARIABLE = "CROSSBOARD_TABLES"
# Beside the players and runs of the folder that one works in.
USUAL_FOLDER = Path("tables")
BUILD = "crossboard tables build --pieces 5"


class FoundTables(NamedTuple):
    """The tables of a folder, or why there are none."""

    tables: EndgameTables | None
    trouble: str = ""
    is_damaged: bool = False


def usual_folder() -> Path:
    """Return where tables are looked for: the folder of CROSSBOARD_TABLES, or `tables` here."""
    return Path(os.environ.get(VARIABLE) or USUAL_FOLDER)


def find_tables(folder: Path | None = None) -> FoundTables:
    """Return the tables of a folder, of the usual one without any."""
    return _find((folder or usual_folder()).absolute())


@cache
def _find(folder: Path) -> FoundTables:
    try:
        tables = open_tables(folder)
    except TablesError as error:
        return FoundTables(None, str(error), is_damaged=True)
    if tables.pieces:
        return FoundTables(tables)
    told = "" if folder == USUAL_FOLDER.absolute() else f" --folder {folder}"
    return FoundTables(None, f"there are no endgame tables in {folder}: {BUILD}{told} builds them")
