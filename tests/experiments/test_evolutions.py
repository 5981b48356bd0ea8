"""The experiments with DRAFT5-GA in a very small size, and how they measure."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from far_executor import FarExecutor

from crossboard.arena.openings import SELECT
from crossboard.arena.pool import PoolTable
from crossboard.draughts import Position
from crossboard.evaluators import Linear
from crossboard.experiments import draft5_ablations, draft5_ga, evolutions, piece_values
from crossboard.experiments.claims import Verdict
from crossboard.experiments.experiment import ExperimentResult, conduct
from crossboard.learn.genes import Genes
from crossboard.systems.draft5_ga import BOX, FEATURES, KING, PIECE, PUBLISHED, Draft5GaSettings

SMALL = {"pool": 4, "generations": 3, "look_ahead": 1}


def small(settings: Draft5GaSettings) -> Draft5GaSettings:
    return Draft5GaSettings(**{**settings.model_dump(), **SMALL})


def weights(**given: int) -> Genes:
    return tuple(given.get(name, 0) for name in BOX.names)


def conducted(experiment: object, folder: Path) -> ExperimentResult:
    with FarExecutor(2) as executor:
        return conduct(experiment, folder, executor, quick=True)  # type: ignore[arg-type]


def test_the_papers_claims_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(draft5_ga, "PUBLISHED", small(PUBLISHED))
    monkeypatch.setattr(draft5_ga, "QUICK_RUNS", 2)
    for name, size in (("EXAM_PAIRS", 1), ("BALLOT_PAIRS", 2), ("RANDOM_RIVALS", 2)):
        monkeypatch.setattr(draft5_ga, name, size)
    monkeypatch.setattr(draft5_ga, "SAMPLE_GENERATION", 2)
    monkeypatch.setattr(draft5_ga, "BOARDS", 5)
    outcome = conducted(draft5_ga.EXPERIMENT, tmp_path / "run")
    measured = {one.claim.name: one.measured for one in outcome.findings}
    assert measured.keys() == {claim.name for claim in draft5_ga.CLAIMS}
    # Of three games with each colour against each of three others.
    assert 0 <= measured["best-6"].value <= 6
    report = (tmp_path / "run" / "report.md").read_text()
    assert "| fitness | piece | king |" in report
    assert "| range | 1200 | 2000 |" in report
    drawn = ("finalists", "draft5", "progress", "fitness", "weights", "ratio", "family")
    assert all((tmp_path / "run" / f"{name}.svg").exists() for name in drawn)


def test_without_cma_the_ablations_leave_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(ValueError, match=r"^CMA-ES needs the package cma: pip install cma, or"):
        conducted(draft5_ablations.EXPERIMENT, tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_every_arm_of_the_ablations_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(draft5_ablations, "BASE", small(draft5_ablations.BASE))
    monkeypatch.setattr(draft5_ablations, "KNOCK_OUT_OPENINGS", 2)
    monkeypatch.setattr(draft5_ablations, "QUICK_GENERATIONS", 2)
    monkeypatch.setattr(draft5_ablations, "QUICK_PAIRS", 1)
    outcome = conducted(draft5_ablations.EXPERIMENT, tmp_path / "run")
    assert outcome.verdict is Verdict.SHOWN  # a quick size says nothing of the paper
    assert len(outcome.findings) == len(draft5_ablations.CLAIMS)
    folders = {path.name for path in (tmp_path / "run" / "arms").iterdir()}
    assert folders == {f"{name}-{n}" for name in draft5_ablations.CHANGES for n in (0, 1)}


def test_all_arms_have_equal_games_and_differ_in_one_part():
    arms = draft5_ablations.arms(quick=False)
    assert {settings.games for settings in arms.values()} == {43_500}
    assert {settings.games_after(settings.all_generations) for settings in arms.values()} == {
        43_500
    }
    usual = arms[draft5_ablations.USUAL].model_dump()
    for name, settings in arms.items():
        changed = {key for key, value in settings.model_dump().items() if value != usual[key]}
        assert changed == set(draft5_ablations.CHANGES[name])


def test_a_king_is_worth_its_weight_where_nothing_else_counts():
    worth = piece_values.worth_of_pieces(8)
    assert worth.king[KING] == worth.man[PIECE] == 1
    bare = weights(piece=1000, king=1700)
    assert piece_values.effective_ratio(bare, worth) == pytest.approx(1.7)
    # What else is lost with a man makes it worth more.
    guarded = weights(piece=1000, king=1700, back=100, adv1=100)
    assert piece_values.effective_ratio(guarded, worth) < 1.7


def test_a_piece_taken_off_changes_what_the_evaluation_says():
    position = Position.from_fen("B:W18,K22:BK3,5")
    left = [str(each) for each in piece_values._without_one(position, "W", is_king=False)]
    assert left == [str(Position.from_fen("B:WK22:BK3,5"))]
    evaluate = Linear(FEATURES, weights(piece=1000, king=1500), man=1000)
    (taken,) = piece_values._without_one(position, "W", is_king=True)
    # For Black, who is to move.
    assert evaluate(taken) - evaluate(position) == pytest.approx(1.5)


def test_slopes_and_geometric_means():
    assert draft5_ga.slope([3.0, 5.0, 7.0, 9.0]) == pytest.approx(2.0)
    found = draft5_ga.geometric_mean([1.0, 4.0, 2.0])
    assert found.value == pytest.approx(2.0)
    assert 0 < found.low < 2 < found.high


def test_ratings_of_a_pool_stand_above_its_last_player():
    counts = np.zeros((3, 3, 3), dtype=np.int64)
    wins, draws, losses = counts
    # The first beats both others with either colour, the second draws with the last.
    wins[0, 1] = wins[0, 2] = losses[1, 0] = losses[2, 0] = 5
    draws[1, 2] = draws[2, 1] = 5
    first, second = draft5_ga.rate_table(PoolTable(wins, draws, losses))
    assert first > 100
    assert second == pytest.approx(0, abs=1e-6)


def test_scores_are_those_of_who_is_named_first():
    strong, weak = weights(piece=1000, king=1500, adv1=20), weights(move=240, near=5)
    for source in (evolutions.START, SELECT):
        ahead = evolutions.score(strong, weak, 1, pairs=4, source=source)
        behind = evolutions.score(weak, strong, 1, pairs=4, source=source)
        assert ahead > 0.5
        assert ahead + behind == pytest.approx(1)
    hand = evolutions.score(weak, None, 1, pairs=4, source=SELECT)
    assert hand < 0.5
