"""The experiment `ls-draughts` in a very small size."""

from __future__ import annotations

from pathlib import Path

import pytest
from far_executor import FarExecutor

from crossboard.experiments import comparison, ls_draughts
from crossboard.experiments.claims import Verdict
from crossboard.experiments.experiment import conduct
from crossboard.experiments.ls_draughts import (
    FULL,
    LS_DRAUGHTS,
    LYNCH_BITS,
    ExperimentSize,
    mean_worth,
    removals_of,
    rivals_of,
)
from crossboard.systems.ls_draughts import LYNCH, OFFERED, TUNED

TINY = ExperimentSize(
    2,
    1,
    (
        "pool=2",
        "generations=1",
        "individual_games=2",
        "training_seeds=1",
        "winner_games=2",
        "openings=1",
        "meeting_depth=1",
        "look_ahead=1",
        "max_moves=10",
        "mutations=0",
    ),
)


def test_a_winner_meets_lynchs_features_all_and_itself_without_each():
    kept = OFFERED[3:6]
    rivals = rivals_of(kept)
    assert rivals["lynch"] == OFFERED[:LYNCH]
    assert rivals["all"] == OFFERED
    removed = [each for name, each in rivals.items() if name.startswith("without-")]
    assert [set(kept) - set(each) for each in removed] == [{each} for each in kept]
    # Of a single feature nothing would be left to see.
    assert rivals_of(OFFERED[:1]).keys() == {"lynch", "all"}


def test_a_feature_is_worth_what_is_scored_above_one_half_without_it():
    scores = {"lynch": 0.9, "all": 0.1, "without-a": 0.75, "without-b": 0.5}
    assert removals_of(scores) == {"a": 0.25, "b": 0.0}
    assert mean_worth(scores) == 0.125
    assert mean_worth({"lynch": 0.9}) is None


def test_the_full_size_is_the_tuned_preset_with_400_games_a_match():
    assert TUNED.with_changes(FULL.changes) == TUNED
    assert (FULL.runs, 2 * FULL.pairs, LYNCH_BITS) == (5, 400, 38)


def test_everything_is_measured_and_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ls_draughts, "QUICK", TINY)
    monkeypatch.setattr(ls_draughts, "OWN_DEPTH", 1)
    # Three features on offer keep the number of rivals small.
    offered = OFFERED[:2] + OFFERED[-1:]
    monkeypatch.setattr(ls_draughts, "OFFERED", offered)
    monkeypatch.setattr(ls_draughts, "ALL_BITS", sum(bits for _, bits in offered))
    small = TUNED.model_copy(update={"features": offered})
    monkeypatch.setattr(ls_draughts, "TUNED", small)
    told: list[str] = []
    with FarExecutor(2) as executor:
        outcome = conduct(LS_DRAUGHTS, tmp_path / "run", executor, quick=True, tell=told.append)
        assert outcome.verdict is Verdict.SHOWN
        again = conduct(LS_DRAUGHTS, tmp_path / "run", executor, quick=True)
    measured = {one.claim.name: one.measured for one in outcome.findings}
    assert again.was_finished
    assert {"neurodraughts", "better", "features", "bits", "all-features"} <= measured.keys()
    assert 1 <= measured["features"].value <= 3 <= measured["bits"].high <= 11
    assert "kept by all: " in measured["features"].note
    for figure in ("survival", "pareto"):
        assert (tmp_path / "run" / f"{figure}.svg").exists()
    assert any("against lynch" in line for line in told)
    assert sorted(path.name for path in (tmp_path / "run" / comparison.FOLDER).iterdir())[:2] == [
        "all-0",
        "all-1",
    ]
