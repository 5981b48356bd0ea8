"""Lines that a person types, or that come through a pipe."""

from __future__ import annotations

import sys

from crossboard.cli.files import naming


def read_line(prompt: str) -> str | None:
    """Read a line, with the prompt if a person types it; None at the end of the input."""
    with naming("standard input"):
        if not sys.stdin.isatty():
            line = sys.stdin.buffer.readline()
            return line.decode("utf-8", "replace") if line else None
        try:
            return input(prompt)
        except EOFError:
            print()
            return None
