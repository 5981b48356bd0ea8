"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from crossboard.cli.files import naming, writing

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")


def test_the_file_appears_when_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    with writing(str(path)) as target:
        target.write("Ünal\n")
        assert not path.exists()
    assert path.read_bytes() == "Ünal\n".encode()
    assert os.listdir(tmp_path) == ["new.txt"]


@pytest.mark.parametrize("error", [ValueError("bad"), KeyboardInterrupt(), OSError("worse")])
def test_after_an_error_the_old_file_stays_alone(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "old.txt"
    path.write_text("old")

    def fail_half_way() -> None:
        with writing(str(path)) as target:
            target.write("half")
            raise error

    with pytest.raises(type(error)):
        fail_half_way()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["old.txt"]


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_a_full_disk_leaves_the_old_file_and_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "old.txt"
    path.write_text("old")
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="No space left") as caught, writing(str(path)) as target:
        target.write("new")
    assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["old.txt"]


def test_everything_is_on_the_disk_before_the_old_file_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = []
    really_sync, really_replace = os.fsync, os.replace

    def sync(descriptor: int) -> None:
        steps.append(f"sync {os.fstat(descriptor).st_size}")
        really_sync(descriptor)

    def replace(old: str, new: str) -> None:
        steps.append("replace")
        really_replace(old, new)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", replace)
    with writing(str(tmp_path / "new.txt")) as target:
        target.write("12345")
    assert steps[:2] == ["sync 5", "replace"]


@posix
def test_permissions_are_kept_and_new_files_get_the_usual_ones(tmp_path: Path) -> None:
    usual, old, new = tmp_path / "usual", tmp_path / "old", tmp_path / "new"
    usual.touch()
    old.touch()
    old.chmod(0o640)
    for path in (old, new):
        with writing(str(path)) as target:
            target.write("x")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == usual.stat().st_mode


def test_a_file_that_must_not_be_written_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("mine")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    with pytest.raises(PermissionError) as caught, writing(str(path)):
        pass
    assert caught.value.filename == str(path)
    assert path.read_text() == "mine"


@posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    with writing(str(link)) as target:
        target.write("new")
    assert link.is_symlink()
    assert real.read_text() == "new"


@posix
def test_a_pipe_is_written_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with writing(str(path)) as target:
        target.write("through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as caught, writing(str(tmp_path)):
        pass
    assert caught.value.filename == str(tmp_path)


def test_a_missing_folder_is_named_by_the_file_asked_for(tmp_path: Path) -> None:
    path = str(tmp_path / "missing" / "new.txt")
    with pytest.raises(FileNotFoundError) as caught, writing(path):
        pass
    assert caught.value.filename == path


def test_a_dash_is_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    with writing("-") as target:
        target.write("é\n")
    assert capsys.readouterr().out == "é\n"
    assert not sys.stdout.buffer.closed


def test_an_error_that_names_another_file_keeps_its_name() -> None:
    with pytest.raises(FileNotFoundError) as caught, naming("target"):
        open("/missing/source")  # noqa: SIM115 - does not open
    assert caught.value.filename == "/missing/source"
