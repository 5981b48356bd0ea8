"""Damaged endgame tables met in a match, wherever its games are played."""

from __future__ import annotations

from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from crossboard._core import DrawRules
from crossboard.arena.match import Fixture, MatchResult, Terms, play_fixtures, play_match
from crossboard.arena.openings import Openings, openings
from crossboard.players import Player, SearchLimits, SearchSettings

RULES = DrawRules(max_plies=4)


@pytest.fixture
def prober(damaged_tables: Path) -> Player:
    """Material that probes damaged tables."""
    return Player("prober", search=SearchSettings(tables=True), tables=damaged_tables)


@pytest.fixture
def begins(tmp_path: Path) -> Openings:
    """Two black kings against a white one, from boards in every block."""
    file = tmp_path / "begin.fen"
    pairs = [(one, other) for one in range(1, 32, 2) for other in range(one + 1, 33, 3)]
    places = [(*pair, (pair[1] + 7) % 32 + 1) for pair in pairs]
    lines = [f"B:BK{a},K{b}:WK{c}" for a, b, c in places if c not in (a, b)]
    file.write_text("\n".join(lines) + "\n")
    return openings(str(file), 1)


def terms(begins: Openings) -> Terms:
    count = len(begins.listed)
    return Terms(pairs=count, openings=begins, limits=SearchLimits(depth=1), rules=RULES)


def damage_met(prober: Player, agreed: Terms, executor: Executor) -> list[str]:
    told: list[str] = []
    result = MatchResult("prober", "other")
    fixture = Fixture(prober, Player("other"), agreed, result)
    play_fixtures([fixture], executor, on_damage=told.append)
    assert len(result.pairs) == agreed.pairs
    return told


def test_damage_met_by_threads_is_reported_once(prober: Player, begins: Openings):
    with ThreadPoolExecutor(2) as pool:
        (told,) = damage_met(prober, terms(begins), pool)
        assert str(prober.tables_folder) in told
        assert "crossboard tables build" in told
        assert damage_met(prober, terms(begins), pool) == []


def test_damage_met_in_another_process_is_reported(prober: Player, begins: Openings):
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        (told,) = damage_met(prober, terms(begins), pool)
    assert str(prober.tables_folder) in told
    assert prober.tables is not None
    assert prober.tables.take_warning() is None


def test_a_match_that_nothing_reports_warns(prober: Player, begins: Openings):
    with (
        ThreadPoolExecutor(1) as pool,
        pytest.warns(UserWarning, match=r"0-2-0-1\.outcomes"),
    ):
        play_match(prober, Player("other"), terms(begins), pool)
