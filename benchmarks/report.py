"""Shows what was measured, and on which machine: a table, Markdown, or JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.compiler import compiler_version
from benchmarks.measure import COSTS, Row

COLUMNS = ("benchmark", "ours", "unit", "peer", "theirs", "ratio", "demanded", "holds")
RIGHT = {"ours", "theirs", "ratio"}
PACKAGES = ("crossboard", "pydraughts", "open_spiel")
WIDTH = 120  # where there is no terminal to ask


def describe_machine() -> dict[str, str]:
    """Say what the figures depend on."""
    return {
        "date": date.today().isoformat(),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
        "compiler": compiler_version(),
        "packages": ", ".join(f"{name} {_version(name)}" for name in PACKAGES),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:  # not Linux
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def print_table(machine: dict[str, str], rows: Sequence[Row]) -> None:
    """Print for people."""
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    table = Table(box=box.SIMPLE)
    for column in COLUMNS:
        is_right = column in RIGHT
        table.add_column(column, justify="right" if is_right else "left", no_wrap=is_right)
    for cells in _cells(rows):
        table.add_row(*cells)
    for name, value in machine.items():
        console.print(f"{name}: {value}", highlight=False)
    console.print(table)


def format_markdown(machine: dict[str, str], rows: Sequence[Row]) -> str:
    """Write an entry for docs/measurements.md."""
    rule = ["--:" if column in RIGHT else "---" for column in COLUMNS]
    lines = [COLUMNS, rule, *_cells(rows)]
    head = [f"- {name}: {value}" for name, value in machine.items()]
    return "\n".join([*head, "", *("| " + " | ".join(cells) + " |" for cells in lines)])


def format_json(machine: dict[str, str], rows: Sequence[Row]) -> str:
    """Write everything, at full precision."""
    return json.dumps({"machine": machine, "rows": [_plain(row) for row in rows]}, indent=2)


def _plain(row: Row) -> dict[str, object]:
    return {
        "name": row.name,
        "figure": row.figure,
        "unit": row.unit,
        "peer": row.peer,
        "peer_figure": row.peer_figure,
        "note": row.note,
        "ratio": row.ratio,
        "demanded": row.demand and asdict(row.demand),
        "holds": row.holds,
    }


def _cells(rows: Sequence[Row]) -> list[list[str]]:
    """The rows as text; what was measured once is said once."""
    above = [None, *rows[:-1]]
    return [
        _row_cells(row, is_first=previous is None or previous.name != row.name)
        for previous, row in zip(above, rows, strict=True)
    ]


def _row_cells(row: Row, *, is_first: bool) -> list[str]:
    ours = [row.name, format_figure(row.figure), row.unit] if is_first else [""] * 3
    theirs = row.note if row.peer_figure is None else format_figure(row.peer_figure)
    ratio = "" if row.ratio is None else f"{float(f'{row.ratio:.3g}'):,g}"
    is_new = is_first or (row.demand is not None and row.demand.on == "ratio")
    holds = {True: "yes", False: "NO", None: ""}[row.holds]
    demand = [format_demand(row), holds] if is_new else ["", ""]
    return [*ours, row.peer, theirs, ratio, *demand]


def format_demand(row: Row) -> str:
    """Say what is demanded, such as 'ratio >= 1.5'; empty if nothing is."""
    if row.demand is None:
        return ""
    if row.demand.on == "ratio":
        return f"ratio >= {row.demand.bound}"
    return f"{'<' if row.unit in COSTS else '>='} {format_figure(row.demand.bound)}"


def format_figure(figure: float) -> str:
    """Write three digits, with k or M where it is long."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if figure >= size:
            return f"{figure / size:.3g}{letter}"
    return f"{figure:.3g}"
