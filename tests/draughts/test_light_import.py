"""Importing the rules costs nothing but the rules."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "numpy",
    "scipy",
    "matplotlib",
    "safetensors",
    "openskill",
    "typer",
    "click",
    "rich",
    "pydantic",
    "fastapi",
}


def modules_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize(
    "statement", ["import crossboard", "import crossboard.draughts", "import crossboard.duchess"]
)
def test_import_brings_no_package_but_ours(statement: str):
    # What .pth files of an environment load at start is not our doing.
    brought = modules_after(statement) - modules_after("")
    assert "crossboard" in brought
    assert brought - sys.stdlib_module_names == {"crossboard"}
    assert not brought & HEAVY


def test_playing_and_drawing_bring_no_package_either():
    statement = (
        "from crossboard import draughts as d; r = d.Record(); r.play('11-15'); r.pdn; "
        "list(d.parse_pdn(r.pdn)); d.svg(r.position); d.ballots(); r.outcome()"
    )
    assert (modules_after(statement) - modules_after("")) - sys.stdlib_module_names == {
        "crossboard"
    }
