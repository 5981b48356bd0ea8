"""The C++ compiler that reference programs are built with."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from benchmarks.measure import MeasurementError

FLAGS = ("-O3", "-march=native", "-std=c++20")


def find_compiler() -> str | None:
    """Return the compiler that CXX names, or the usual one; None if there is none."""
    names = [os.environ["CXX"]] if "CXX" in os.environ else ["c++", "g++", "clang++"]
    return next((name for name in names if shutil.which(name)), None)


def compiler_version() -> str:
    """The compiler's own name for itself, one line."""
    compiler = find_compiler()
    if compiler is None:
        return "none"
    command = [compiler, "--version"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")[0]


def compile_program(compiler: str, source: Path, program: Path) -> None:
    """Build a program of one file for this processor; raise MeasurementError if it has errors."""
    command = [compiler, *FLAGS, "-o", str(program), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise MeasurementError(f"{source.name} does not compile:\n{done.stderr}")
