"""What settings of learners may be: numbers within a range, words of a list."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

# Chosen: rates and limits beyond it are slips, and no weight would survive them.
MOST = 1000


def check_numbers(settings: Any, *names: str, least: float = 0, most: float = MOST) -> None:
    """Raise ValueError, which tells the range, if one of these settings is outside."""
    for name in names:
        value = getattr(settings, name)
        if not least <= value <= most:
            raise ValueError(f"{name} must be {least} to {most}, not {value}")


def check_counts(settings: Any, *names: str, least: int = 1) -> None:
    """Raise ValueError if one of these settings is less than that."""
    for name in names:
        value = getattr(settings, name)
        if value < least:
            raise ValueError(f"{name} must be {least} or more, not {value}")


def check_positive(name: str, value: float) -> None:
    """Raise ValueError if something is no number above 0."""
    if not (value > 0 and math.isfinite(value)):
        raise ValueError(f"{name} must be a number above 0, not {value}")


def check_word(what: str, word: object, allowed: Sequence[object]) -> None:
    """Raise ValueError, which tells those that are allowed, if a word is none of them."""
    if word not in allowed:
        *others, last = map(str, allowed)
        listed = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"{what} is {listed}, not {word!r}")
