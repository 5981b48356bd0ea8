"""Remarks beside a result: a line each on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from crossboard.play.wording import one_line


def print_remark(text: str) -> None:
    """Print a remark on one line."""
    print(one_line(text), file=sys.stderr)


def print_remarks(texts: Iterable[str]) -> None:
    """Print remarks, a line each."""
    for text in texts:
        print_remark(text)
