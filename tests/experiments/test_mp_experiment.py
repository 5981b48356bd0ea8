"""The experiment `mp-draughts` in a very small size, and a map whose attributes are evolved."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from crossboard.draughts.random_endgames import random_endgame
from crossboard.evaluators import BoardAttributes
from crossboard.experiments import mp_draughts
from crossboard.experiments.claims import Verdict
from crossboard.experiments.experiment import conduct
from crossboard.learn.som import MapSettings
from crossboard.systems import map_evolution
from crossboard.systems.board_maps import MapOptions
from crossboard.systems.endgame_boards import EndgameBoard

TINY = {
    "games": 8,
    "boards": 12,
    "held_out": 4,
    "units": 2,
    "block_games": 2,
    "board_depth": 1,
    "look_ahead": 1,
    "map_decay": 0.5,
    "judge_pairs": 1,
    "validation_pairs": 1,
    "match_depth": 1,
}


def test_the_table_and_its_controls_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(mp_draughts, "QUICK", TINY)
    monkeypatch.setattr(mp_draughts, "QUICK_PAIRS", 1)
    monkeypatch.setattr(mp_draughts, "DEPTH", 1)
    monkeypatch.setattr(mp_draughts, "NEURODRAUGHTS_DEPTH", 1)
    monkeypatch.setattr(map_evolution, "SIZE", 4)
    with ThreadPoolExecutor(2) as executor:
        outcome = conduct(mp_draughts.EXPERIMENT, tmp_path / "run", executor, quick=True)
    assert outcome.verdict is Verdict.SHOWN  # a quick size says nothing of the paper
    measured = {one.claim.name: one.measured for one in outcome.findings}
    assert measured.keys() == {claim.name for claim in mp_draughts.CLAIMS}
    assert "of 2" in measured["replaced"].note
    assert "features:" in measured["explained-evolved"].note
    folders = {path.name for path in (tmp_path / "run" / "arms").iterdir()}
    assert folders == {f"{name}-{number}" for name in mp_draughts.ARMS for number in (0, 1)}
    assert (tmp_path / "run" / "controls.svg").exists()


def test_all_arms_have_the_games_of_all_agents():
    arms = mp_draughts.arms(quick=False)
    assert {settings.games for settings in arms.values()} == {25 * 2500}
    assert [arms[name].units for name in ("map", "one agent", "random clusters")] == [25, 1, 25]
    assert arms["random clusters"].clusters == "random"


def test_the_papers_scores_are_those_of_its_games():
    scores = {one.name: one.score for one in mp_draughts.TABLE}
    assert {name: round(score.value, 3) for name, score in scores.items()} == {
        "v-n": 0.725,
        "mp-n": 0.775,
        "mp-v": 0.6,
    }
    assert scores["mp-v"].low < 0.5 < scores["v-n"].low


def test_evolution_finds_the_attribute_that_outcomes_depend_on():
    random = Random(1)
    positions = [random_endgame(random) for _ in range(60)]
    telling = BoardAttributes(["ufu.PieceAdvantage"]).of(positions)[:, 0]
    boards = [
        EndgameBoard(position, outcome=1.0 if is_ahead else -1.0)
        for position, is_ahead in zip(positions, telling, strict=True)
    ]
    assert {board.outcome for board in boards} == {1.0, -1.0}
    options = MapOptions(training=MapSettings(units=6, decay=0.8))
    chosen = map_evolution.choose_attributes(boards, options, 1, size=8, generations=6)
    every = map_evolution.explained(boards, options, 1, options.features)
    assert map_evolution.explained(boards, options, 1, chosen.features) > every
    assert chosen.best == sorted(chosen.best)  # the elite is judged by the same boards again
    assert "ufu.PieceAdvantage" in chosen.features
