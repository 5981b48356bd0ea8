"""Building tables: refused, stopped, killed and resumed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from disturbance import disturbing, fill_disk

from crossboard.runs import RunIsHeld, lock
from crossboard.tables import Building, EndgameTables, TablesExist, building, verify

from .conftest import build

# A file takes seven calls, so that these disturb each kind of them.
STRIDE = 5


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != lock.NAME}


def resumed(folder: Path, pieces: int = 3) -> dict[str, bytes]:
    build(folder, pieces, resume=True)
    return contents(folder)


@pytest.fixture
def copy(three: Path, tmp_path: Path) -> Path:
    """A copy of tables with 3 pieces, to change it."""
    return shutil.copytree(three, tmp_path / "copy")


def test_any_number_of_workers_builds_the_same(three: Path, tmp_path: Path):
    for workers in (1, 3):
        build(tmp_path / str(workers), 3, workers=workers)
        assert contents(tmp_path / str(workers)) == contents(three)


def test_a_build_goes_on_from_fewer_pieces(three: Path, tmp_path: Path):
    build(tmp_path / "two", 2)
    assert EndgameTables.open(tmp_path / "two").pieces == 2
    assert resumed(tmp_path / "two") == contents(three)


def test_the_report_counts_what_was_built_and_kept(three: Path, copy: Path):
    (copy / "0-2-0-1.outcomes").unlink()
    report = Building(copy, 3, workers=1, resume=True).conduct(lambda done, name: None)
    assert (report.slices, report.kept, report.positions) == (2, 14, 2 * 14_880)
    assert report.outcome_bytes + report.distance_bytes == sum(map(len, contents(three).values()))


def test_tables_are_not_built_over_without_resume(copy: Path):
    with pytest.raises(TablesExist, match="has tables: add --resume"):
        Building(copy, 3, workers=1)


def test_what_is_missing_or_damaged_is_built_anew(three: Path, copy: Path):
    (copy / "0-1-0-1.outcomes").unlink()
    (copy / "1-1-1-0.distances").write_bytes(b"nonsense")
    damaged = copy / "0-2-0-1.outcomes"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"\xff")
    assert len(verify(copy, lambda done, every: None).damaged) == 3
    assert resumed(copy) == contents(three)
    assert verify(copy, lambda done, every: None).damaged == []


def test_a_stopped_build_keeps_finished_slices_and_resumes(three: Path, tmp_path: Path):
    def stop(done: float, name: str) -> None:
        if name == "0-2-1-0":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Building(tmp_path, 3, workers=2).conduct(stop)
    before = contents(tmp_path)
    assert 0 < len(before) < len(contents(three))
    assert before.items() <= contents(three).items()
    assert resumed(tmp_path) == contents(three)


def test_a_full_disk_at_any_call_keeps_finished_slices(tmp_path: Path):
    build(tmp_path / "whole", 2)
    with disturbing(0, lambda: None) as calls:
        build(tmp_path / "counted", 2)
    for number in range(1, len(calls) + 1, STRIDE):
        folder = tmp_path / str(number)
        with (
            disturbing(number, fill_disk),
            pytest.raises(OSError, match="No space left on device") as caught,
        ):
            build(folder, 2)
        assert not str(caught.value.filename).endswith(".tmp")
        assert resumed(folder, 2) == contents(tmp_path / "whole")


# A process of its own, without threads, that can fork.
KILL_AT_EVERY_CALL = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tables.test_building import *

folder = Path(sys.argv[1])
build(folder / "whole", 2, workers=1)
with disturbing(0, lambda: None) as calls:
    build(folder / "counted", 2, workers=1)
for number in range(1, len(calls) + 1, STRIDE):
    child = os.fork()
    if not child:
        with disturbing(number, lambda: os._exit(9)):
            build(folder / str(number), 2, workers=1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9, number
    EndgameTables.open(folder / str(number))
    assert resumed(folder / str(number), 2) == contents(folder / "whole"), number
print(len(calls))
"""


def test_a_build_killed_at_any_call_resumes_to_the_same_end(tmp_path: Path):
    tests = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", KILL_AT_EVERY_CALL, tmp_path, tests],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stderr == ""
    assert int(done.stdout) > 30


def test_a_second_build_in_a_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lock, "PAUSE_SECONDS", 0.001)
    first = Building(tmp_path, 2, workers=1)
    held = rf"{tmp_path}: process {os.getpid()} on .* is writing these tables: wait for it"
    with pytest.raises(RunIsHeld, match=held):
        Building(tmp_path, 2, workers=1)
    first.conduct(lambda done, name: None)
    build(tmp_path, 3, resume=True)


def test_too_little_memory_is_said_before_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(building, "free_megabytes", lambda: 100)
    Building(tmp_path / "four", 4, workers=1)
    with pytest.raises(ValueError, match=r"6 pieces take 1,\d\d\d MB of memory, and 100 MB are"):
        Building(tmp_path / "new" / "six", 6, workers=1)
    assert not (tmp_path / "new").exists()


def test_too_little_disk_is_said_before_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class Disk:
        free = 50 << 20

    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Disk)
    Building(tmp_path / "five", 4, workers=1)
    with pytest.raises(ValueError, match=r"5 pieces take about 5\d MB on disk, and 50 MB are free"):
        Building(tmp_path / "six", 5, workers=1)
    assert not (tmp_path / "six").exists()
