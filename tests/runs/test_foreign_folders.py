"""A run from elsewhere: links, pipes and second names in it lead nothing out of its folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from crossboard.runs import NotARun, Run, Status, summarise
from crossboard.runs.checkpoints import list_checkpoints

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")

OPENED = (".lock", "metrics.jsonl", "games.pdn")
MINE = "precious\n"


def make_run(folder: Path) -> Path:
    """A run that was stopped, with a line and a game after its last checkpoint."""
    with Run.create(folder, {"seed": 1}) as run:
        run.save(1, {"w": np.zeros(3)}, {})
        run.log(2, loss=1)
        run.record("game\n")
    return folder


def make_victim(folder: Path) -> Path:
    victim = folder / "victim"
    victim.write_text(MINE)
    return victim


def pipe_in_place(path: Path, victim: Path) -> None:
    os.mkfifo(path)


TRAPS: dict[str, Callable[[Path, Path], None]] = {
    "a link": lambda path, victim: path.symlink_to(os.path.relpath(victim, path.parent)),
    "a hard link": lambda path, victim: path.hardlink_to(victim),
    "a pipe": pipe_in_place,
}


@pytest.mark.parametrize("name", OPENED)
@pytest.mark.parametrize("trap", TRAPS)
def test_only_plain_files_are_opened(tmp_path: Path, name: str, trap: str):
    folder, victim = make_run(tmp_path / "run"), make_victim(tmp_path)
    (folder / name).unlink()
    TRAPS[trap](folder / name, victim)
    with pytest.raises(OSError, match=f"it is {trap}.* only plain files of this folder") as caught:
        Run.resume(folder)
    assert caught.value.filename == str(folder / name)
    assert victim.read_text() == MINE
    # With a copy in its place the run is resumed, and the lock was not left behind.
    (folder / name).unlink()
    if name != ".lock":
        (folder / name).write_bytes(b"")
    Run.resume(folder).close()


def test_a_link_to_nothing_makes_no_file_elsewhere(tmp_path: Path):
    folder = make_run(tmp_path / "run")
    (folder / "games.pdn").unlink()
    (folder / "games.pdn").symlink_to("../new")
    with pytest.raises(OSError, match="it is a link"):
        Run.resume(folder)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["checkpoints", "player", "arms"])
def test_no_folder_of_a_run_leads_out(tmp_path: Path, name: str):
    folder, outside = make_run(tmp_path / "run"), tmp_path / "outside"
    outside.mkdir()
    (outside / ".leftover.tmp").write_text(MINE)
    if name == "checkpoints":
        for _, path in list_checkpoints(folder / name):
            path.rename(outside / path.name)
        (folder / name).rmdir()
    (folder / name).symlink_to("../outside")
    before = {path.name: path.read_bytes() for path in outside.iterdir()}
    with pytest.raises(NotARun, match=f"{name}: it is a link to another folder"):
        Run.resume(folder)
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == before


def test_a_new_run_writes_through_no_link(tmp_path: Path):
    folder, outside, victim = tmp_path / "run", tmp_path / "outside", make_victim(tmp_path)
    for path in (folder, outside):
        path.mkdir()
    (folder / "checkpoints").symlink_to("../outside")
    with pytest.raises(NotARun, match="checkpoints: it is a link"):
        Run.create(folder, {"seed": 1})
    (folder / "checkpoints").unlink()
    (folder / ".lock").unlink()
    (folder / ".lock").symlink_to("../victim")
    with pytest.raises(OSError, match="it is a link"):
        Run.create(folder, {"seed": 1})
    assert (victim.read_text(), list(outside.iterdir())) == (MINE, [])


def test_a_link_in_place_of_a_whole_file_is_replaced(tmp_path: Path):
    folder, victim = make_run(tmp_path / "run"), make_victim(tmp_path)
    (folder / "figure.svg").symlink_to("../victim")
    (folder / ".old.tmp").symlink_to("../victim")
    with Run.resume(folder) as run, pytest.raises(ValueError, match="outside of the run's folder"):
        run.write("figure.svg", "drawn")
    assert victim.read_text() == MINE
    assert not (folder / ".old.tmp").is_symlink()


@pytest.mark.parametrize("name", ["config.toml", "metrics.jsonl", "checkpoints/finished.json"])
def test_a_pipe_keeps_no_reader_waiting(tmp_path: Path, name: str):
    folder = make_run(tmp_path / "run")
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    found = summarise(folder)
    assert found.status is Status.DAMAGED
    assert "it is no plain file" in str(found.problem)


def test_a_lock_that_is_a_link_is_no_process(tmp_path: Path):
    folder, victim = make_run(tmp_path / "run"), make_victim(tmp_path)
    (folder / ".lock").unlink()
    (folder / ".lock").symlink_to("../victim")
    assert (summarise(folder).status, summarise(folder).holder) == (Status.STOPPED, None)
    assert victim.read_text() == MINE
