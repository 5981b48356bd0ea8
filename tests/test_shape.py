"""How the upper half of the package is built: short commands, games told apart in one file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossboard.players.games import GAMES

PACKAGE = Path(__file__).parents[1] / "src" / "crossboard"
# Behind the signature, the docstring included.
MOST_LINES = 60
# What Game stands on: these know one game each.
BELOW_GAME = {"draughts", "duchess", "evaluators"}
THE_PLACE = PACKAGE / "players" / "games.py"


def long_functions(text: str) -> Iterator[str]:
    """Yield the functions that have more lines behind their signature than they may."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            lines = node.end_lineno - node.body[0].lineno + 1
            if lines > MOST_LINES:
                yield f"{node.name}: {lines} lines"


def test_functions_of_the_command_line_are_short():
    files = sorted((PACKAGE / "cli").rglob("*.py"))
    assert PACKAGE / "cli" / "train.py" in files
    found = {str(file): list(long_functions(file.read_text("utf-8"))) for file in files}
    assert {name: functions for name, functions in found.items() if functions} == {}


@pytest.mark.parametrize(("lines", "is_long"), [(MOST_LINES, False), (MOST_LINES + 1, True)])
def test_signatures_do_not_count(lines: int, is_long: bool):
    signature = "def run(\n" + "    a,\n" * 50 + "):\n"
    assert bool(list(long_functions(signature + "    a\n" * lines))) == is_long


def questions(text: str) -> Iterator[str]:
    """Yield where a module asks which game it has before it, instead of asking the game."""
    tree = ast.parse(text)
    of_games = set(_names_from_games(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            is_asked = any(_names_a_game(one) for one in (node.left, *node.comparators))
        elif isinstance(node, ast.MatchValue):
            is_asked = _names_a_game(node.value)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
            is_asked = any(_is_of_one_game(one, of_games) for one in ast.walk(node.args[1]))
        else:
            continue
        if is_asked:
            yield ast.unparse(node)


def _names_from_games(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a module imports from one game alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and {*(node.module or "").split(".")} & GAMES.keys():
            yield from (alias.asname or alias.name for alias in node.names)


def _names_a_game(node: ast.expr) -> bool:
    """Whether an operand is a game's name, or a game that its name picks."""
    if isinstance(node, ast.Attribute) and node.attr not in ("name", "core"):
        return False  # what a game knows is no question
    constants = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)}
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return bool(constants & GAMES.keys() or names & {"DRAUGHTS", "DUCHESS"})


def _is_of_one_game(node: ast.AST, of_games: set[str]) -> bool:
    """Whether a class, or a part of its name, is one that a single game has."""
    if isinstance(node, ast.Name):
        return node.id in of_games or node.id.lower().startswith(tuple(GAMES))
    return False


def test_only_game_tells_games_apart():
    files = [
        file
        for file in sorted(PACKAGE.rglob("*.py"))
        if file.relative_to(PACKAGE).parts[0] not in BELOW_GAME and file != THE_PLACE
    ]
    assert PACKAGE / "cli" / "play.py" in files
    found = {str(file): list(questions(file.read_text("utf-8"))) for file in files}
    assert {name: asked for name, asked in found.items() if asked} == {}


@pytest.mark.parametrize(
    "text",
    [
        "game.name == 'duchess'",
        "'draughts' != player.game.name",
        "game in ('draughts', 'chess')",
        "player.game is DRAUGHTS",
        "game.name == DRAUGHTS.name",
        "player.game is GAMES['duchess']",
        "isinstance(start, duchess.Position)",
        "isinstance(start, (duchess_core.Position, str))",
        "isinstance(record, draughts.Record | None)",
        "isinstance(engine, DRAUGHTS.core.Engine)",
        "from crossboard.duchess import Position as P\nisinstance(start, P)",
        "from crossboard._core.draughts import Position\nisinstance(start, Position)",
        "match game:\n    case 'duchess':\n        pass",
    ],
)
def test_questions_are_found(text: str):
    assert list(questions(text))


@pytest.mark.parametrize(
    "text",
    [
        "GAMES['duchess'].start()",
        "isinstance(position, self.game.core.Position)",
        "depth > DRAUGHTS.match_depth",
        "find_game(name or 'draughts')",
        "isinstance(evaluator, OneLayer)",
        "BOARDS.get(game_of(position).name)",
    ],
)
def test_what_is_no_question_is_left_alone(text: str):
    assert not list(questions(text))


# Both games have these: they are met as draughts.Record and duchess.Record.
OF_EACH_GAME = {"Record"}


def public_classes(text: str) -> Iterator[str]:
    """Yield the names of a module's public classes."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def test_each_name_is_of_one_class():
    found: dict[str, list[str]] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        for name in public_classes(file.read_text("utf-8")):
            found.setdefault(name, []).append(str(file.relative_to(PACKAGE)))
    assert {"Player", "Training"} <= found.keys()
    twice = {name: files for name, files in found.items() if len(files) > 1}
    assert twice.keys() == OF_EACH_GAME, twice


def loops_over_snapshots(text: str) -> int:
    """Count the loops that drive a learner: those that call their item a snapshot."""
    loops = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.For))
    return sum(ast.unparse(node.target) == "snapshot" for node in loops)


def test_one_loop_trains_everything():
    files = [file for file in sorted(PACKAGE.rglob("*.py")) if "learn" not in file.parts]
    counts = {file.relative_to(PACKAGE): loops_over_snapshots(file.read_text()) for file in files}
    assert {str(file): count for file, count in counts.items() if count} == {
        "systems/training.py": 1
    }
