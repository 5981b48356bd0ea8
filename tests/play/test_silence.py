"""What the command line and the page share knows neither a terminal nor options."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import crossboard.play

PLAY = Path(next(iter(crossboard.play.__path__)))
CALLS = {"print", "input"}
MODULES = {"sys", "signal", "readline", "rich", "typer"}


def noises(text: str) -> Iterator[str]:
    """Yield the calls and imports by which a module would speak to a terminal."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from {node.func.id} & CALLS
        elif isinstance(node, ast.Import):
            yield from {alias.name.split(".")[0] for alias in node.names} & MODULES
        elif isinstance(node, ast.ImportFrom):
            yield from {(node.module or "").split(".")[0]} & MODULES


def test_nothing_in_play_prints_or_reads_a_terminal():
    files = sorted(PLAY.glob("*.py"))
    assert PLAY / "contest.py" in files
    assert {file.name: list(noises(file.read_text("utf-8"))) for file in files} == {
        file.name: [] for file in files
    }


def test_noises_are_heard():
    assert list(noises("import sys\nfrom rich.text import Text\nprint(input())")) == [
        "sys",
        "rich",
        "print",
        "input",
    ]
