"""One writer for each run: a lock that dies with its process."""

from __future__ import annotations

import os
import socket
import time
import weakref
from pathlib import Path

from crossboard.runs.errors import RunIsHeld
from crossboard.storage import naming, open_plain, take_lock

NAME = ".lock"
# A process that only checks whether a run is held holds the lock itself for an instant.
TRIES, PAUSE_SECONDS = 20, 0.05


class Lock:
    """The right to write a folder, from its making to `release` or the end of the process."""

    _descriptor: int | None = None

    def __init__(self, folder: Path, of: str = "this run") -> None:
        path = folder / NAME
        with naming(path):
            descriptor = open_plain(path, os.O_RDWR | os.O_CREAT)
            try:
                _take_patiently(descriptor, folder, of)
                os.ftruncate(descriptor, 0)
                os.write(descriptor, f"process {os.getpid()} on {socket.gethostname()}".encode())
            except BaseException:
                os.close(descriptor)
                raise
        self._descriptor = descriptor
        _locks.add(self)

    @property
    def is_held(self) -> bool:
        return self._descriptor is not None

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    # A run that a notebook has dropped must not lock its owner out.
    __del__ = release


def holder(folder: Path) -> str | None:
    """Return the name of the process that writes a folder, None if there is none."""
    try:
        descriptor = open_plain(folder / NAME, os.O_RDWR)
    except OSError:  # no lock, or none that we may write: then no process of ours has it
        return None
    try:
        take_lock(descriptor)
    except OSError:
        return _read_name(descriptor)
    finally:
        os.close(descriptor)
    return None


def _take_patiently(descriptor: int, folder: Path, of: str) -> None:
    for attempt in range(1, TRIES + 1):
        try:
            return take_lock(descriptor)
        except OSError as error:
            if attempt == TRIES:
                raise RunIsHeld(
                    f"{folder}: {_read_name(descriptor)} is writing {of}: "
                    "wait for it or stop it, or choose another folder"
                ) from error
        time.sleep(PAUSE_SECONDS)
    return None


def _read_name(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, 200).decode("utf-8", "replace") or "another process"


_locks: weakref.WeakSet[Lock] = weakref.WeakSet()


def _forget() -> None:
    # A forked child shares the lock; if it lived on it would hold what its dead parent held.
    for lock in _locks:
        lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
