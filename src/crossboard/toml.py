"""TOML as we write it: settings of runs and descriptions of players. `tomllib` reads it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


class UnfitForToml(ValueError):
    """What TOML cannot hold, None among it; the message begins with the key."""


def format_toml(table: Mapping[str, Any]) -> str:
    """Write plain values, lists, tables in tables and lists of tables; raise UnfitForToml."""
    lines: list[str] = []
    _add_table(lines, (), table)
    return "\n".join(lines).lstrip("\n") + "\n"


def _add_table(lines: list[str], path: tuple[str, ...], table: Mapping[str, Any]) -> None:
    inner = {key: value for key, value in table.items() if _is_table(value) or _are_tables(value)}
    for key, value in table.items():
        if key not in inner:
            text = _format_value(value, ".".join((*path, str(key))))
            lines.append(f"{_format_key(key)} = {text}")
    for key, value in inner.items():
        name = ".".join(map(_format_key, (*path, key)))
        if _are_tables(value):
            for each in value:
                lines += ["", f"[[{name}]]"]
                _add_table(lines, (*path, key), each)
            continue
        # The names of tables within it say that it is there.
        if not value or not all(map(_is_table, value.values())):
            lines += ["", f"[{name}]"]
        _add_table(lines, (*path, key), value)


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def _are_tables(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) > 0 and all(map(_is_table, value))


def _format_key(key: object) -> str:
    if not isinstance(key, str):
        raise UnfitForToml(f"the key {key!r} is no text")
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
    raise UnfitForToml(f"{where}: {value!r} cannot be written as TOML")
