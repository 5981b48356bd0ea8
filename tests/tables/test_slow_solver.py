"""Every position with up to 4 pieces against the core's slow solver, which is a program of its own.

`make sanitize` runs the same program with 3 pieces.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks.compiler import find_compiler

CORE = Path(__file__).parents[2] / "core"
SOURCES = [CORE / "tests" / "tables" / "solver.cpp", *sorted(CORE.glob("tables/*.cpp"))]
FLAGS = ("-std=c++20", "-O2", "-pthread", f"-I{CORE}", f"-I{CORE / 'tests'}")


@pytest.mark.slow
@pytest.mark.sized
def test_slices_up_to_4_pieces_equal_the_slow_solver(tmp_path: Path):
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("needs a C++ compiler")
    program = tmp_path / "solver"
    subprocess.run([compiler, *FLAGS, "-o", program, *SOURCES], check=True)
    done = subprocess.run([program, "4"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    passed, failed = (int(words.split()[0]) for words in done.stdout.split(", "))
    assert failed == 0
    assert passed > 6_000_000
