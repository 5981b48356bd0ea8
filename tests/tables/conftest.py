"""Tables built once for all tests of a session."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crossboard.tables import Building, EndgameTables

# Of tables that were built before, so that hours of hunting need not begin with building.
BUILT = os.environ.get("CROSSBOARD_TABLES")


def build(folder: Path, pieces: int, *, resume: bool = False, workers: int = 2) -> None:
    """Build tables without a word."""
    Building(folder, pieces, workers=workers, resume=resume).conduct(lambda done, name: None)


def at_least(pieces: int, folder: Path) -> EndgameTables:
    """Open tables with so many pieces: those of CROSSBOARD_TABLES, or such as are built now."""
    if BUILT and EndgameTables.open(Path(BUILT)).distance_pieces >= pieces:
        return EndgameTables.open(Path(BUILT))
    build(folder, pieces)
    return EndgameTables.open(folder)


@pytest.fixture(scope="session")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of tables with up to 3 pieces. Copy it to change it."""
    folder = tmp_path_factory.mktemp("tables") / "three"
    build(folder, 3)
    return folder


@pytest.fixture(scope="session")
def five(tmp_path_factory: pytest.TempPathFactory) -> EndgameTables:
    """Tables with up to 5 pieces: half a minute."""
    return at_least(5, tmp_path_factory.mktemp("tables") / "five")


@pytest.fixture(scope="session")
def six(tmp_path_factory: pytest.TempPathFactory) -> EndgameTables:
    """Tables with up to 6 pieces: a quarter of an hour."""
    return at_least(6, tmp_path_factory.mktemp("tables") / "six")
