"""Who may import whom: the table of the house style, checked for both languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = ROOT / "core"
PACKAGE = ROOT / "src" / "crossboard"

# A folder may include itself and what stands behind it; what the standard library offers is free.
CPP = {
    "rules": set(),
    "search": {"rules"},
    "eval": {"rules"},
    "tables": {"rules"},
    "engine": {"rules", "search", "eval", "tables"},
    "bindings": {"rules", "search", "eval", "tables", "engine"},
}
# Nothing below the bindings knows Python; tests may include what they test.
ONLY_IN_BINDINGS = ("nanobind/", "Python.h")
NOT_CHECKED = {"tests"}

GAMES = {"draughts", "duchess"}
PLAYERS_AND_BELOW = {"_core", *GAMES, "evaluators", "players"}
BELOW_SYSTEMS = {
    *("storage", "toml", *PLAYERS_AND_BELOW, "learn", "arena", "runs", "farm", "tables"),
}
BELOW_EXPERIMENTS = {*BELOW_SYSTEMS, "systems"}
BELOW_PLAY = {*BELOW_SYSTEMS, "systems", "protocols"}
BELOW_CLI = {*BELOW_PLAY, "play", "experiments"}
PYTHON = {
    "_core": set(),
    # How files are written that a crash cannot tear: runs and players keep theirs alike.
    "storage": set(),
    "toml": set(),
    # What records of all games have in common.
    "records": set(),
    "draughts": {"_core", "records"},
    "duchess": {"_core", "records"},
    "evaluators": {"_core", *GAMES},
    # What differs between the games is said once, in players/games.py.
    "players": {"_core", "storage", "toml", *GAMES, "evaluators"},
    "protocols": {"_core", "players"},
    "learn": PLAYERS_AND_BELOW,
    "arena": {"storage", *PLAYERS_AND_BELOW},  # matches keep their games as they come
    "runs": {"storage", "toml"},
    "farm": {"_core", *GAMES, "players"},
    "tables": {"_core", "storage", "runs"},
    # A system puts evaluations and players together, so it knows what they are.
    "systems": BELOW_SYSTEMS,
    "experiments": BELOW_EXPERIMENTS,
    # What the command line and the page share.
    "play": BELOW_PLAY,
    "cli": BELOW_CLI,
    "web": BELOW_CLI,
    # The package itself: crossboard.load_player, python -m crossboard.
    "__init__": {"players"},
    "__main__": {"cli"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def includes(file: Path) -> Iterator[tuple[str, bool]]:
    """Yield what a C++ file includes, and whether it is in quotes, that is ours."""
    for ours, theirs in INCLUDE.findall(file.read_text("utf-8")):
        yield ours or theirs, bool(ours)


def cpp_violations(core: Path) -> list[str]:
    found = []
    for file in sorted(core.rglob("*")):
        folder = file.relative_to(core).parts[0]
        if file.suffix not in (".h", ".cpp") or folder in NOT_CHECKED:
            continue
        if folder not in CPP:
            found.append(f"{folder} is not in the table")
            continue
        for header, is_ours in includes(file):
            target = header.split("/")[0]
            if is_ours and target != folder and target not in CPP[folder]:
                found.append(f"{folder} includes {target}: {file.relative_to(core)}, {header}")
            if not is_ours and header.startswith(ONLY_IN_BINDINGS) and folder != "bindings":
                found.append(f"{folder} knows Python: {file.relative_to(core)}, {header}")
    return found


def imported_parts(file: Path, package: Path) -> Iterator[str]:
    """Yield the parts of our package that a Python file imports, wherever in the file."""
    here = ("crossboard", *file.relative_to(package).with_suffix("").parts)
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # A leading dot is the package that holds the file, which is what `here` without its
            # last word says both for a module and for an __init__.
            above = here[: -node.level] if node.level else ()
            module = ".".join((*above, *filter(None, [node.module])))
            names = [f"{module}.{alias.name}" for alias in node.names]
        for name in names:
            top, _, rest = name.partition(".")
            if top == "crossboard" and rest:
                yield rest.split(".")[0]


def python_violations(package: Path) -> list[str]:
    found = []
    for file in sorted(package.rglob("*.py")):
        part = file.relative_to(package).with_suffix("").parts[0]
        if part not in PYTHON:
            found.append(f"{part} is not in the table")
            continue
        for target in imported_parts(file, package):
            if target != part and target not in PYTHON[part]:
                found.append(f"{part} imports {target}: {file.relative_to(package)}")
    return found


def test_cpp_keeps_to_the_table():
    assert cpp_violations(CORE) == []


def test_python_keeps_to_the_table():
    assert python_violations(PACKAGE) == []


def test_there_is_something_to_check():
    assert {"rules", "bindings"} <= {path.name for path in CORE.iterdir()} & CPP.keys()
    assert "draughts" in {path.name for path in PACKAGE.iterdir()} & PYTHON.keys()
    assert set(imported_parts(PACKAGE / "draughts" / "__init__.py", PACKAGE)) == {
        "_core",
        "draughts",
        "records",
    }
    headers = [header for header, _ in includes(CORE / "rules" / "draughts" / "position.h")]
    assert "rules/move_list.h" in headers


def test_tables_have_no_circles():
    for table in (CPP, PYTHON):
        settled: set[str] = set()
        while len(settled) < len(table):
            free = {part for part in table if part not in settled and table[part] <= settled}
            assert free, table.keys() - settled
            settled |= free


@pytest.mark.parametrize(
    ("path", "text", "violation"),
    [
        ("rules/a.h", '#include "search/value.h"', "rules includes search"),
        ("rules/draughts/a.cpp", '#  include "engine/engine.h"', "rules includes engine"),
        ("eval/a.h", '// fine\n#include "search/evaluator.h"', "eval includes search"),
        ("search/a.h", '#include "eval/network.h"', "search includes eval"),
        ("engine/a.h", '#include "bindings/module.h"', "engine includes bindings"),
        ("engine/a.h", '#include "tests/check.h"', "engine includes tests"),
        ("rules/a.h", '#include "bits.h"', "rules includes bits.h"),
        ("search/a.cpp", "#include <nanobind/nanobind.h>", "search knows Python"),
        ("rules/a.cpp", "#include <Python.h>", "rules knows Python"),
        ("drawer/a.h", "", "drawer is not in the table"),
    ],
)
def test_cpp_violation_is_found(tmp_path: Path, path: str, text: str, violation: str):
    write(tmp_path / path, text)
    write(tmp_path / "rules" / "good.h", '#include <array>\n#include "rules/bits.h"\n')
    write(tmp_path / "tests" / "good.cpp", '#include "check.h"\n#include "engine/engine.h"\n')
    (found,) = cpp_violations(tmp_path)
    assert found.startswith(violation)


@pytest.mark.parametrize(
    ("path", "text", "violation"),
    [
        ("draughts/a.py", "import crossboard.players", "draughts imports players"),
        ("draughts/a.py", "from crossboard import arena", "draughts imports arena"),
        ("draughts/a.py", "from crossboard.duchess import Position", "draughts imports duchess"),
        ("draughts/a.py", "from ..learn import td", "draughts imports learn"),
        ("draughts/__init__.py", "from .. import learn", "draughts imports learn"),
        ("draughts/deep/a.py", "from ...cli.board import x", "draughts imports cli"),
        ("draughts/a.py", "def f():\n    from crossboard.cli import main", "draughts imports cli"),
        ("arena/a.py", "import crossboard.protocols.hub as hub", "arena imports protocols"),
        ("runs/a.py", "import crossboard._core", "runs imports _core"),
        ("learn/a.py", "from crossboard.runs import x", "learn imports runs"),
        ("play/a.py", "from crossboard.cli import board", "play imports cli"),
        ("play/a.py", "from crossboard.web import app", "play imports web"),
        ("systems/a.py", "from crossboard.play import contest", "systems imports play"),
        ("cli/a.py", "from crossboard.web import app", "cli imports web"),
        ("web/a.py", "from crossboard.cli import main", "web imports cli"),
        ("__init__.py", "from crossboard.draughts import Position", "__init__ imports draughts"),
        ("drawer/a.py", "", "drawer is not in the table"),
        ("helpers.py", "", "helpers is not in the table"),
    ],
)
def test_python_violation_is_found(tmp_path: Path, path: str, text: str, violation: str):
    write(tmp_path / path, text)
    write(
        tmp_path / "draughts" / "good.py",
        "import re\nfrom crossboard._core.draughts import Move\nfrom . import pdn\n",
    )
    (found,) = python_violations(tmp_path)
    assert found.startswith(violation)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
