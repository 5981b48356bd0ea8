"""Plain values: what JSON and TOML give back exactly as it was."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
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


def format_toml(config: Mapping[str, Any]) -> str:
    """Write settings as TOML: plain values, lists of them, tables in tables.

    Raise UnfitValue for what TOML cannot hold, None among it.
    """
    lines: list[str] = []
    _add_table(lines, (), config)
    return "\n".join(lines) + "\n"


def _add_table(lines: list[str], path: tuple[str, ...], table: Mapping[str, Any]) -> None:
    if path:
        lines += ["", f"[{'.'.join(map(_format_key, path))}]"]
    inner = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    for key, value in table.items():
        if key not in inner:
            text = _format_value(value, ".".join((*path, str(key))))
            lines.append(f"{_format_key(key)} = {text}")
    for key, value in inner.items():
        _add_table(lines, (*path, key), value)


def _format_key(key: object) -> str:
    if not isinstance(key, str):
        raise UnfitValue(f"config.toml: the key {key!r} is no text")
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else _format_text(key)


def _format_text(text: str) -> str:
    # JSON's escapes are TOML's, but for one character that TOML will not have bare.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _format_value(value: object, where: str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float) and not math.isnan(value):
        return repr(float(value))
    if isinstance(value, str):
        return _format_text(str(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(_format_value(item, where) for item in value)}]"
    raise UnfitValue(f"config.toml: {where}: {value!r} cannot be written as TOML")
