"""Saving players: at any moment, and after any accident, a folder holds a whole player."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from disturbance import disturbing, fill_disk

from crossboard.evaluators import Linear, Material
from crossboard.players import Player, SearchSettings, When, load_player

FEATURES = ("draft5.piece", "draft5.king", "draft5.back", "draft5.cent")
SMALL = SearchSettings(table_mb=0)


def linear(features: int, weight: float) -> Linear:
    return Linear(FEATURES[:features], (weight,) * features, man=1.0)


# Each differs from the others in what both files say.
PLAYERS = {
    "plain": Player("plain", Material(), search=SMALL),
    "one": Player("one", linear(2, 1.0), phases=[(When(), linear(1, 1.0))], search=SMALL),
    "two": Player("two", linear(2, 2.0), phases=[(When(), linear(1, 2.0))], search=SMALL),
    "three": Player("three", linear(3, 3.0), phases=[(When(), linear(4, 3.0))], search=SMALL),
}
CHANGES = [("plain", "plain"), ("plain", "two"), ("one", "plain"), ("one", "two"), ("one", "three")]


def found_in(folder: Path) -> str:
    """Load a player and see that it is one of ours, whole; return its name."""
    found = load_player(folder)
    wanted = PLAYERS[found.name]
    assert (found.evaluator, found.phases) == (wanted.evaluator, wanted.phases)
    return found.name


def count_calls(folder: Path, old: str, new: str) -> list[str]:
    PLAYERS[old].save(folder)
    with disturbing(0, lambda: None) as calls:
        PLAYERS[new].save(folder)
    return calls


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_an_older_player_is_replaced(old: str, new: str, tmp_path: Path):
    PLAYERS[old].save(tmp_path / "own")
    PLAYERS[new].save(tmp_path / "own")
    assert found_in(tmp_path / "own") == new
    weights = [] if new == "plain" else ["weights.safetensors"]
    assert names_in(tmp_path / "own") == ["player.toml", *weights]
    assert names_in(tmp_path) == ["own"]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_a_full_disk_at_any_call_leaves_a_whole_player(old: str, new: str, tmp_path: Path):
    total = len(count_calls(tmp_path / "counted", old, new))
    found = []
    for number in range(1, total + 1):
        folder = tmp_path / str(number)
        PLAYERS[old].save(folder)
        with disturbing(number, fill_disk), pytest.raises(OSError, match="No space left") as caught:
            PLAYERS[new].save(folder)
        assert not str(caught.value.filename).endswith(".tmp")
        found.append(found_in(folder))
        PLAYERS[new].save(folder)
        assert names_in(folder) == names_in(tmp_path / "counted")
        assert found_in(folder) == new
    # Once there, it stays.
    assert found[0] == old
    assert found == sorted(found, key=[old, new].index)


# A process of its own, without threads, that can fork.
KILL_AT_EVERY_CALL = """
import os, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from test_saving import *

for old, new in [*CHANGES[1:3], CHANGES[-1], ("", "plain"), ("", "two")]:
    place = Path(sys.argv[1], f"{old}-{new}")
    place.mkdir()
    def begin(folder):
        if old:
            PLAYERS[old].save(folder)
    begin(place / "counted")
    with disturbing(0, lambda: None) as calls:
        PLAYERS[new].save(place / "counted")
    found = []
    for number in range(1, len(calls) + 1):
        folder = place / str(number)
        begin(folder)
        child = os.fork()
        if not child:
            with disturbing(number, lambda: os._exit(9)):
                PLAYERS[new].save(folder)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9, number
        try:
            found.append(found_in(folder))
        except ValueError:
            assert not old, (old, new, number, calls)
            found.append("")
        for last in ("three", new):  # and goes on from there
            PLAYERS[last].save(folder)
            assert found_in(folder) == last
        assert names_in(folder) == names_in(place / "counted")
    assert found == sorted(found, key=[old, new].index), (old, new, found, calls)
    print(len(calls))
"""


@pytest.mark.skipif(os.name == "nt", reason="needs fork")
def test_a_save_killed_at_any_call_leaves_a_whole_player(tmp_path: Path):
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", KILL_AT_EVERY_CALL, tmp_path, here, here.parent],
        capture_output=True,
        text=True,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        timeout=300,
    )
    assert done.stderr == ""
    assert all(int(line) > 4 for line in done.stdout.split())


def test_whoever_reads_meanwhile_finds_a_whole_player(tmp_path: Path):
    folder = tmp_path / "own"
    PLAYERS["one"].save(folder)
    is_over = threading.Event()

    def write() -> None:
        while not is_over.is_set():
            for name in ("two", "three", "plain", "one"):
                PLAYERS[name].save(folder)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        found = {found_in(folder) for _ in range(300)}
    finally:
        is_over.set()
        writer.join()
    assert len(found) > 1  # or nothing was shown


def test_other_files_of_a_folder_are_left_alone(tmp_path: Path):
    folder = tmp_path / "own"
    PLAYERS["one"].save(folder)
    (folder / "notes.txt").write_text("dear")
    PLAYERS["two"].save(folder)
    assert (folder / "notes.txt").read_text() == "dear"
    assert found_in(folder) == "two"


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "to_mother.txt").write_text("dear")
    with pytest.raises(ValueError, match="is no player: nothing was written"):
        PLAYERS["one"].save(tmp_path / "letters")
    assert names_in(tmp_path / "letters") == ["to_mother.txt"]


def test_a_file_in_the_way_is_left_alone(tmp_path: Path):
    (tmp_path / "file").write_text("dear")
    with pytest.raises(ValueError, match="nothing was written"):
        PLAYERS["one"].save(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "dear"
