"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

STANDARD_STREAM = "-"


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
    with naming(path, real, temporary):
        mode = _mode_of(real)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            with open(descriptor, "wb") as file:
                yield Target(file)
                file.flush()
                os.fsync(descriptor)
            if mode is not None:
                os.chmod(temporary, mode)
            os.replace(temporary, real)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(temporary)
            raise


def _mode_of(path: str) -> int | None:
    """Return the permissions to keep, None for a new file; raise where writing is forbidden."""
    if not os.path.exists(path):
        return None
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    return os.stat(path).st_mode & 0o777
