"""An evaluator may be any Python function from a position to men for the side to move."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from crossboard.draughts import DrawRules, Position
from crossboard.players import Player, SearchSettings

NO_DRAWS = DrawRules(repetitions=0, quiet_plies=0)
SMALL = SearchSettings(table_mb=1)


def material(position: Position) -> float:
    worth = {"b": 1.0, "B": 1.5, "w": -1.0, "W": -1.5, None: 0.0}
    black = sum(worth[position.piece_at(square)] for square in range(1, 33))
    return black if position.turn == "B" else -black


def test_function_that_counts_material_finds_what_the_core_finds():
    core = Player("core", search=SearchSettings(table_mb=0, draws=NO_DRAWS))
    python = Player("python", material, search=SearchSettings(table_mb=0, draws=NO_DRAWS))
    position = Position()
    for _ in range(12):
        there, back = core.search(position, depth=4), python.search(position, depth=4)
        assert (there.value, there.win_in) == (back.value, back.win_in), position.fen
        position = position.after(there.move)


def test_value_is_what_the_function_said_at_the_leaf():
    seen: dict[Position, float] = {}

    def judge(position: Position) -> float:
        return seen.setdefault(position, len(seen) / 16 - 3)

    result = Player("x", judge, search=SearchSettings(table_mb=0)).search(Position(), depth=3)
    end = Position()
    for move in result.pv:
        end = end.after(move)
    sign = 1 if end.turn == "B" else -1
    assert result.value == pytest.approx(sign * seen[end], abs=1e-3)


def test_function_is_not_asked_about_finished_games():
    def judge(position: Position) -> float:
        assert not position.is_over
        return 0.0

    fen = "W:WK18,22:BK4,12"
    assert Player("x", judge, search=SMALL).search(Position.from_fen(fen), depth=4).depth == 4


@pytest.mark.parametrize("value", [1, True, 0.25, Fraction(1, 4), -3, 0.0])
def test_any_number_will_do(value: Any):
    result = Player("x", lambda _: value, search=SMALL).search(Position(), depth=1)
    assert result.value == pytest.approx(-float(value), abs=1e-3)


def test_limits_hold():
    player = Player("x", material, search=SMALL)
    assert player.search(Position(), nodes=50).nodes == 50
    assert 0.02 <= player.search(Position(), seconds=0.02).seconds < 20


def raise_error(_: Position) -> float:
    raise LookupError("no such weight")


def stop_the_program(_: Position) -> float:
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("evaluator", "error", "message"),
    [
        (raise_error, LookupError, "no such weight"),
        (stop_the_program, SystemExit, "3"),
        (lambda: 0.0, TypeError, "positional argument"),
    ],
)
def test_what_the_function_raises_comes_out(
    evaluator: Callable[..., float], error: type[BaseException], message: str
):
    player = Player("x", evaluator, search=SMALL)
    with pytest.raises(error, match=message):
        player.search(Position(), depth=3)


def test_error_deep_in_the_tree_leaves_the_player_usable():
    calls = 0

    def judge(position: Position) -> float:
        nonlocal calls
        calls += 1
        if calls == 100:
            raise LookupError("the hundredth")
        return material(position)

    player = Player("x", judge, search=SMALL)
    with pytest.raises(LookupError, match="hundredth"):
        player.search(Position(), depth=6)
    fresh = Player("x", material, search=SMALL)
    assert player.search(Position(), depth=4).value == fresh.search(Position(), depth=4).value


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e9])
def test_numbers_beyond_all_bounds_are_refused(value: float):
    player = Player("x", lambda _: value, search=SMALL)
    with pytest.raises(ValueError, match="an evaluation must be a number within"):
        player.search(Position(), depth=2)


@pytest.mark.parametrize(
    "value", [None, "1.5", [], 10**400, 1j], ids=lambda value: type(value).__name__
)
def test_what_is_no_number_is_refused(value: Any):
    player = Player("x", lambda _: value, search=SMALL)
    with pytest.raises((ValueError, TypeError), match="evaluation"):
        player.search(Position(), depth=2)


def test_evaluator_must_be_callable():
    with pytest.raises((ValueError, TypeError), match="evaluator"):
        Player("x", 5, search=SMALL)  # type: ignore[arg-type]


def test_one_thread_calls_python():
    with pytest.raises(ValueError, match="a Python evaluator is searched by one thread"):
        Player("x", material, search=SearchSettings(table_mb=1, threads=2))


SCRIPT = """
from crossboard.draughts import Position
from crossboard.players import Player, SearchSettings

def judge(position):
    return 0.0

# The player knows the function, whose module knows the player: a circle.
player = Player("x", judge, search=SearchSettings(table_mb=1))
player.search(Position(), depth=2)
"""


def test_script_ends_without_complaints(tmp_path: Path):
    script = tmp_path / "teaching.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"CROSSBOARD_LEAK_WARNINGS": "1"},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
