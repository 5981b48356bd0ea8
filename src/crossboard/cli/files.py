"""Files that are read, and files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, TypeVar

from crossboard.storage import replacing

STANDARD_STREAM = "-"

Item = TypeVar("Item")


def open_source(source: str) -> AbstractContextManager[IO[bytes]]:
    """Open a file, or standard input for '-'."""
    return nullcontext(sys.stdin.buffer) if source == STANDARD_STREAM else open(source, "rb")


def size_of(source: str) -> int | None:
    """Return a file's bytes, None for what is no file."""
    return os.path.getsize(source) if os.path.isfile(source) else None


def name_errors(source: str, items: Iterator[Item]) -> Iterator[Item]:
    """Make an error while reading name the source."""
    with naming(source):
        yield from items


class Target:
    """Where text is written to."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, text: str) -> None:
        """Write a piece of text, as UTF-8."""
        self.write_bytes(text.encode("utf-8"))

    def write_bytes(self, data: bytes) -> None:
        """Write what is not text, such as a picture."""
        self._file.write(data)


@contextmanager
def naming(name: str, *aliases: str) -> Iterator[None]:
    """Make an OSError that names no file, or one of the aliases, name `name`.

    A read or write that fails does not say by itself on which file.
    """
    try:
        yield
    except OSError as error:
        if error.filename is not None and error.filename not in aliases:
            raise
        raise OSError(error.errno, error.strerror or str(error), name) from error


@contextmanager
def writing(path: str) -> Iterator[Target]:
    """Give a target to write to that takes the place of `path` when the `with` ends well.

    After an error, what stood at `path` stands there still. '-' is standard output; that and
    what is no file (a pipe, a device) cannot be replaced, and is written at once.
    """
    if path == STANDARD_STREAM:
        with naming("standard output"):
            yield Target(sys.stdout.buffer)
            sys.stdout.buffer.flush()
    elif os.path.exists(path) and not os.path.isfile(path):
        with naming(path), open(path, "wb") as file:
            yield Target(file)
    else:
        with _replacing(path) as target:
            yield target


@contextmanager
def _replacing(path: str) -> Iterator[Target]:
    real = os.path.realpath(path)  # the file behind a link, not the link
    # Beside the target, because a file can only be renamed on its own disk.
    temporary = os.path.join(os.path.dirname(real), f".crossboard-{secrets.token_hex(8)}.tmp")
    with (
        naming(path, real, temporary),
        replacing(Path(real), Path(temporary), _mode_of(real)) as descriptor,
        open(descriptor, "wb", closefd=False) as file,
    ):
        yield Target(file)


def _mode_of(path: str) -> int | None:
    """Return the permissions to keep, None for a new file; raise where writing is forbidden."""
    if not os.path.exists(path):
        return None
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    return os.stat(path).st_mode & 0o777


class OwnFiles:
    """Files that a person saves in one sitting: those may be saved again, and no others."""

    def __init__(self) -> None:
        self._saved: set[str] = set()

    def save(self, path: str, text: str) -> str:
        """Write a file and return its name; raise ValueError if that cannot be."""
        path = os.path.expanduser(path)
        if os.path.lexists(path) and path not in self._saved:
            raise ValueError(f"{path} exists already: choose another name")
        try:
            with writing(path) as file:
                file.write(text)
        except OSError as error:
            raise ValueError(f"{error.filename}: {error.strerror}") from error
        self._saved.add(path)
        return path
