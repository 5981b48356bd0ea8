"""The experiment `learners`: arms that differ in one thing, curves read at equal nodes, a run."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from crossboard.learn import TdLeafSettings, TreeStrapSettings
from crossboard.systems import conduct, learners
from crossboard.systems.learners import ARMS, LEARNERS, QUICK, Point, Size, at_nodes, settings_of

TINY = Size(seeds=2, games=16, round_size=4, exams=2, exam_games=2, exam_depth=1, depth=1)


def test_arms_differ_in_what_is_learnt_and_in_nothing_else():
    common = vars(QUICK.common())
    for arm in ARMS:
        settings = vars(settings_of(arm, QUICK))
        assert {name: settings[name] for name in common} == common
    methods = [settings_of(arm, QUICK).method for arm in ARMS]
    assert methods == ["board", "leaf", "root", "tree"]
    kinds = [type(settings_of(arm, QUICK)) for arm in ARMS]
    assert kinds == [TdLeafSettings, TdLeafSettings, TreeStrapSettings, TreeStrapSettings]


def test_scores_are_read_at_equal_nodes():
    points = [Point(10, 100.0, 0.2), Point(20, 300.0, 0.6)]
    assert at_nodes(points, 50) == pytest.approx(0.2)
    assert at_nodes(points, 100) == pytest.approx(0.2)
    assert at_nodes(points, 200) == pytest.approx(0.4)
    assert at_nodes(points, 300) == at_nodes(points, 400) == pytest.approx(0.6)


def test_it_is_conducted_and_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(learners, "QUICK", TINY)
    told: list[str] = []
    with ThreadPoolExecutor(2) as executor:
        outcome = conduct(LEARNERS, tmp_path / "run", executor, quick=True, tell=told.append)
    assert len(outcome.findings) == 2 * len(learners.PAIRS)
    kept = sorted(path.stem for path in (tmp_path / "run" / "trainings").iterdir())
    assert kept == sorted(f"{arm}-{seed}" for arm in ARMS for seed in (1, 2))
    points = json.loads((tmp_path / "run" / "trainings" / "td-1.json").read_text())
    assert [games for games, _, _ in points] == [8, 16]
    assert (tmp_path / "run" / "curves.svg").exists()
