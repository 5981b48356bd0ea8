"""Files that are replaced: what stands where they are written first does no harm."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from crossboard import storage
from crossboard.storage import finishing, make_folder, sync_folder, write_whole

posix = pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")


@posix
def test_a_link_in_the_way_leads_nowhere(tmp_path: Path):
    # A folder from elsewhere may hold one, under a name that is easy to guess.
    precious, folder = tmp_path / "precious", tmp_path / "folder"
    precious.write_text("mine")
    folder.mkdir()
    (folder / ".new.tmp").symlink_to(precious)
    (folder / "new").symlink_to(precious)
    write_whole(folder / "new", b"data\n")
    assert precious.read_text() == "mine"
    assert (folder / "new").read_bytes() == b"data\n"
    assert not (folder / "new").is_symlink()
    assert os.listdir(folder) == ["new"]


def test_what_a_killed_process_left_is_replaced(tmp_path: Path):
    (tmp_path / ".new.tmp").write_text("half of it and much more")
    write_whole(tmp_path / "new", b"whole")
    assert (tmp_path / "new").read_bytes() == b"whole"
    assert os.listdir(tmp_path) == ["new"]


def test_a_folder_that_may_not_be_read_can_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    refused = []

    def refuse(path: object, flags: int) -> int:
        refused.append(path)
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "open", refuse)  # root may read everything
    sync_folder(tmp_path)
    assert refused == [tmp_path]


def test_every_folder_that_is_made_is_durable_before_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    synced = []

    def sync(folder: Path) -> None:
        synced.append((folder, sorted(path.name for path in folder.iterdir())))

    monkeypatch.setattr(storage, "sync_folder", sync)
    make_folder(tmp_path / "runs" / "lab" / "one")
    assert synced == [
        (tmp_path, ["runs"]),
        (tmp_path / "runs", ["lab"]),
        (tmp_path / "runs" / "lab", ["one"]),
    ]
    make_folder(tmp_path / "runs" / "lab")
    assert len(synced) == 3


def test_a_file_in_the_way_of_a_folder_is_an_error(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        make_folder(tmp_path / "file" / "inner")


def test_ctrl_c_waits_until_what_is_written_is_whole() -> None:
    done = []

    def write() -> None:
        with finishing():
            signal.raise_signal(signal.SIGINT)
            done.append("the rest")
        done.append("what comes after")

    with pytest.raises(KeyboardInterrupt):
        write()
    assert done == ["the rest"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_while_ctrl_c_waits_is_what_is_told() -> None:
    def write() -> None:
        with finishing():
            signal.raise_signal(signal.SIGINT)
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        write()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
