"""Disks that fill up and processes that die at a chosen call of the operating system."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

# Whatever touches the disk where runs and players are written.
CALLS = ("open", "write", "fsync", "replace", "ftruncate", "mkdir", "unlink")


@contextmanager
def disturbing(number: int, disturb: Callable[[], None]) -> Iterator[list[str]]:
    """Disturb the call of this number, counted from 1; a write is half done before."""
    calls: list[str] = []
    originals = {name: getattr(os, name) for name in CALLS}

    def disturbed(name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            calls.append(name)
            if len(calls) == number:
                if name == "write":
                    descriptor, data = arguments
                    originals["write"](descriptor, data[: len(data) // 2])
                disturb()
            return originals[name](*arguments, **options)

        return call

    try:
        for name in CALLS:
            setattr(os, name, disturbed(name))
        yield calls
    finally:
        for name, original in originals.items():
            setattr(os, name, original)


def fill_disk() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
