"""Plain values: what JSON gives back exactly as it was."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from crossboard.runs.errors import UnfitValue


def check_plain(value: object, where: str) -> None:
    """Raise UnfitValue, with the key, unless JSON gives the value back the same."""
    if value is None or isinstance(value, bool | int | str):
        return
    if isinstance(value, float):
        if not math.isfinite(value):
            raise UnfitValue(f"{where}: {value} cannot be kept, only finite numbers")
    elif isinstance(value, list):
        for place, item in enumerate(value):
            check_plain(item, f"{where}[{place}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise UnfitValue(f"{where}: the key {key!r} is no text")
            check_plain(item, f"{where}.{key}")
    else:
        raise UnfitValue(
            f"{where}: a {type(value).__name__} cannot be kept, "
            "only numbers, texts, booleans, None, lists and dicts of those"
        )


def to_json(value: object) -> str:
    """Write a checked value on one line."""
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def from_json(text: str | bytes) -> Any:
    """Read a value; raise ValueError for what is no JSON, NaN and infinity among it."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def is_finite(number: float) -> bool:
    """Say whether a number is one that floats can hold."""
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number with hundreds of digits
        return False
