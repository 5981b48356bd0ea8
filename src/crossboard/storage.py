"""Files that a crash cannot tear: replaced whole, or appended to and cut back."""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

TEMPORARY = ".tmp"
BINARY = getattr(os, "O_BINARY", 0)  # Windows would end lines in its own way
# A link would lead elsewhere, and opening a pipe would wait for its other end.
PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


if sys.platform == "win32":
    import msvcrt

    def take_lock(descriptor: int) -> None:
        """Lock an open file until it is closed; raise OSError if another process has it."""
        # Far behind what is written there, which others must be able to read.
        at = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, 1 << 40, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, at, os.SEEK_SET)
else:
    import fcntl

    def take_lock(descriptor: int) -> None:
        """Lock an open file until it is closed; raise OSError if another process has it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Make an OSError name the file that people know, not a temporary or none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def open_plain(path: Path, flags: int) -> int:
    """Open a file to write it in place; raise OSError for a link, a pipe or a device.

    A folder from elsewhere may hold a link under a name that we write. A second name of the file
    (a hard link) is refused too: writing here would change a file somewhere else.
    """
    with naming(path):
        if path.is_symlink():  # also where the system has no O_NOFOLLOW
            raise OSError(errno.ELOOP, _refusal("a link"))
        descriptor = os.open(path, flags | PLAIN | BINARY, 0o666)
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.EINVAL, _refusal("a pipe or a device"))
            if found.st_nlink > 1:
                raise OSError(errno.EMLINK, _refusal("a hard link to another file"))
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor


def _refusal(what: str) -> str:
    return f"it is {what}, and only plain files of this folder are written: put a copy in its place"


def read_plain(path: Path) -> bytes:
    """Read a file; raise OSError for a pipe or a device, which might never end."""
    with naming(path):
        if not stat.S_ISREG(path.stat().st_mode):
            raise OSError(errno.EINVAL, "it is no plain file")
        return path.read_bytes()


@contextmanager
def finishing() -> Iterator[None]:
    """Let Ctrl-C wait until what is done inside is whole; in other threads it does not come."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
    if came:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def replacing(path: Path, temporary: Path, mode: int | None = None) -> Iterator[int]:
    """Give a descriptor to write to what takes the place of a file when the `with` ends well.

    Written beside it, synced, renamed, and the folder synced: whenever the power fails, either
    the old or the new file is found, whole. After an error the old one stands.
    """
    # What a killed process has left, or a link that would lead what is written elsewhere.
    with suppress(FileNotFoundError):
        os.unlink(temporary)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666)
    try:
        try:
            yield descriptor
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if mode is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    sync_folder(path.parent)


def write_whole(path: Path, data: bytes, *, writer: str = "") -> None:
    """Put a file in place of what stood there, durably; after an error the old one stands.

    Where several may write at a time each has a name of his own, and the last one's file stays.
    """
    temporary = path.with_name(f".{path.name}{writer}{TEMPORARY}")
    with naming(path), replacing(path, temporary) as descriptor:
        _write_all(descriptor, data)


def make_folder(path: Path) -> None:
    """Make a folder and those above it, durably."""
    if path.is_dir():
        return
    missing = [folder for folder in (path, *path.parents) if not folder.is_dir()]
    with naming(path):
        for folder in reversed(missing):
            try:
                folder.mkdir(exist_ok=True)
            except FileExistsError:  # which does not say that a folder was needed
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
            sync_folder(folder.parent)


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable."""
    if os.name == "nt":  # Windows cannot open a folder, and does this by itself
        return
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except PermissionError:  # one may write to a folder without being allowed to read it
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_leftovers(folder: Path, *, owner: str) -> None:
    """Remove what a killed process was writing when it died; only for the writer of the folder.

    A folder below with a file `owner` has a writer of its own and is left alone.
    """
    for path in list(folder.iterdir()):
        if path.is_dir() and not path.is_symlink():
            if not (path / owner).exists():
                remove_leftovers(path, owner=owner)
        elif path.name.startswith(".") and path.name.endswith(TEMPORARY):
            with suppress(FileNotFoundError):
                path.unlink()


class Journal:
    """A plain file that only grows, and is cut back to a known length after a crash."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with naming(path):
            is_new = not path.exists()
            self._descriptor = open_plain(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
            if is_new:
                sync_folder(path.parent)
            self.size = os.fstat(self._descriptor).st_size
        self._is_synced = True

    def lock(self) -> None:
        """Keep other processes from locking the file; raise OSError if one has."""
        with naming(self.path):
            take_lock(self._descriptor)

    def append(self, data: bytes) -> None:
        """Add to the end; after an error nothing of it is there."""
        self._is_synced = False
        with naming(self.path):
            try:
                _write_all(self._descriptor, data)
                # In here, so that Ctrl-C at any moment leaves the size true.
                self.size += len(data)
            except BaseException:
                os.ftruncate(self._descriptor, self.size)
                raise

    def cut(self, size: int) -> None:
        """Forget what comes after so many bytes."""
        with naming(self.path):
            if size < self.size:
                os.ftruncate(self._descriptor, size)
                os.fsync(self._descriptor)
        self.size = min(size, self.size)

    def sync(self) -> None:
        """Make durable what was appended."""
        if self._is_synced:
            return
        with naming(self.path):
            os.fsync(self._descriptor)
        self._is_synced = True

    def close(self) -> None:
        os.close(self._descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
