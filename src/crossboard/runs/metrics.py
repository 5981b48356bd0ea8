"""Metrics: one line of JSON for each moment that was measured."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import TypeAlias

from crossboard.runs.errors import DamagedRun, UnfitValue
from crossboard.runs.plain import from_json, is_finite, to_json
from crossboard.storage import read_plain

NAME = "metrics.jsonl"
STEP = "step"
SECONDS = "seconds"  # the clock's only field, which comparisons leave out

Line: TypeAlias = dict[str, float]


def format_line(step: int, metrics: Mapping[str, float], seconds: float) -> bytes:
    """Write one line; raise UnfitValue, with the key, for what is no finite number."""
    line: Line = {STEP: step}
    for key, value in metrics.items():
        if key in (STEP, SECONDS):
            raise UnfitValue(f"metric {key!r}: the run writes that itself")
        if not isinstance(value, Real) or not is_finite(value):
            raise UnfitValue(f"metric {key!r}: {value!r} is no finite number")
        line[key] = int(value) if isinstance(value, Integral) else float(value)
    line[SECONDS] = round(seconds, 6)
    return (to_json(line) + "\n").encode()


def read_metrics(path: Path) -> list[Line]:
    """Read all lines; one that is still being written, at the end, does not count."""
    if not path.exists():
        return []
    *lines, _torn = read_plain(path).split(b"\n")
    return [_parse(line, f"{path}, line {number}") for number, line in enumerate(lines, 1)]


def _parse(line: bytes, where: str) -> Line:
    try:
        parsed = from_json(line)
    except ValueError as error:
        raise DamagedRun(f"{where}: no line of metrics: {error}") from error
    if not isinstance(parsed, dict) or not isinstance(parsed.get(STEP), int):
        raise DamagedRun(f"{where}: no line of metrics: it has no whole number {STEP!r}")
    for key, value in parsed.items():
        if not isinstance(value, int | float) or not is_finite(value):
            raise DamagedRun(f"{where}: {key!r} is no finite number")
    if SECONDS not in parsed:
        raise DamagedRun(f"{where}: no line of metrics: it has no {SECONDS!r}")
    return parsed


def without_time(lines: list[Line]) -> list[Line]:
    """Leave the clock out: what remains is the same in every run with the same settings."""
    return [{key: value for key, value in line.items() if key != SECONDS} for line in lines]


def series(lines: list[Line]) -> dict[str, tuple[list[int], list[float]]]:
    """Return the steps and values of each metric, in order of first appearance."""
    found: dict[str, tuple[list[int], list[float]]] = {}
    for line in lines:
        for key, value in line.items():
            if key not in (STEP, SECONDS):
                steps, values = found.setdefault(key, ([], []))
                steps.append(int(line[STEP]))
                values.append(value)
    return found
