"""How the suite fuzzes: the same examples on every machine, none of them against the clock.

And how large the slow tests are.
"""

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from crossboard.players.endgames import VARIABLE
from crossboard.tables import Building

settings.register_profile("house", deadline=None, derandomize=True, max_examples=200)
# For a long hunt by hand: pytest --hypothesis-profile=hunt
settings.register_profile("hunt", deadline=None, max_examples=5000)
settings.load_profile("house")

# Whoever runs the suite in the background may have it ignore Ctrl-C, and with it every program
# that it starts; some of those are there to be interrupted.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--reduced", action="store_true", help="sized tests with few seeds")


@pytest.fixture
def is_reduced(pytestconfig: pytest.Config) -> bool:
    """Whether a test of many trainings is to make do with a few."""
    return bool(pytestconfig.getoption("reduced"))


@pytest.fixture(scope="session")
def small_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of endgame tables with up to 3 pieces. Copy it to change it."""
    folder = tmp_path_factory.mktemp("endgames") / "three"
    Building(folder, 3, workers=2).conduct(lambda done, name: None)
    return folder


@pytest.fixture
def damaged_tables(small_tables: Path, tmp_path: Path) -> Path:
    """The small tables with a damaged block of two kings against one."""
    folder = tmp_path / "damaged"
    shutil.copytree(small_tables, folder)
    ruined = folder / "0-2-0-1.outcomes"
    data = bytearray(ruined.read_bytes())
    data[-1] ^= 1
    ruined.write_bytes(data)
    return folder


@pytest.fixture(scope="session", autouse=True)
def _usual_tables(small_tables: Path) -> Iterator[None]:
    """Let players that ask for endgame tables find some, which saves a remark."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(small_tables))
        yield
