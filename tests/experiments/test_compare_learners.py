"""The experiment `learners`: arms that differ in one thing, and a run of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from crossboard.experiments import compare_learners, comparison, conduct
from crossboard.experiments.claims import Verdict
from crossboard.experiments.compare_learners import LEARNERS, TITLES
from crossboard.experiments.comparison import Plan
from crossboard.learn import TdLeafSettings, TreeStrapSettings
from crossboard.systems.trained import Trained


def test_arms_differ_in_what_is_learnt_and_in_their_rates():
    settings = [arm.settings for arm in compare_learners.arms(40)]
    common = {name: each for name, each in vars(settings[0].common()).items() if name != "rate"}
    studies = [each.study() for each in settings]
    for study in studies:
        assert {name: vars(study)[name] for name in common} == common
    assert [study.method for study in studies] == ["board", "leaf", "root", "tree"]
    # Of TDs that of credit, of trees that of nodes below the root, which in the paper do not fade.
    assert [study.decay for study in studies] == [0.7, 0.7, 1, 1]
    assert [study.rate for study in studies] == list(compare_learners.RATES.values())
    kinds = [TdLeafSettings, TdLeafSettings, TreeStrapSettings, TreeStrapSettings]
    assert [type(study) for study in studies] == kinds


def test_all_begin_with_zero_weights():
    for arm in compare_learners.arms(10):
        assert not arm.settings.initial(3).weights.any()


def test_it_is_conducted_in_games_and_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compare_learners, "QUICK", Plan(seeds=2, games=40, pairs=1, exams=2))
    monkeypatch.setattr(comparison, "OWN_DEPTH", 1)
    monkeypatch.setattr(comparison, "OPPONENTS", (("random", 1),))
    with ThreadPoolExecutor(2) as executor:
        outcome = conduct(LEARNERS, tmp_path / "run", executor, quick=True)
    assert len(outcome.findings) == 2 * len(compare_learners.PAIRS)
    shown = [one.claim.name for one in outcome.findings if one.verdict is Verdict.SHOWN]
    assert shown == ["treestrap-td-games", "treestrap-td-time"]  # which nobody published
    kept = sorted(path.name for path in (tmp_path / "run" / "arms").iterdir())
    assert kept == sorted(f"{title}-{seed}" for title in TITLES.values() for seed in (0, 1))
    tree = Trained.read_part(tmp_path / "run" / "arms" / "TreeStrap-1")
    assert [exam.games for exam in tree.exams] == [0, 20, 40]
    assert tree.network.weights.any()
    assert all((tmp_path / "run" / f"{name}.svg").exists() for name in ("curves", "seconds"))
