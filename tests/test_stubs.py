"""The stubs of the compiled core say what the core is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

STUBS = Path(__file__).parents[1] / "src" / "crossboard" / "_core"


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text("utf-8") for path in folder.rglob("*.pyi")
    }


def test_stubs_are_up_to_date(tmp_path: Path):
    pytest.importorskip("nanobind.stubgen")
    command = ["-m", "nanobind.stubgen", "-q", "-m", "crossboard._core", "-r", "-O", str(tmp_path)]
    subprocess.run([sys.executable, *command], check=True)
    generated = contents(tmp_path / "_core")
    assert "draughts.pyi" in generated
    assert contents(STUBS) == generated


def test_package_says_that_it_is_typed():
    assert (STUBS.parent / "py.typed").is_file()
