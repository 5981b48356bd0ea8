"""The experiment duchess-stages, at the smallest size: everything is measured, nothing twice."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crossboard.arena.match import play_match
from crossboard.arena.score import Score
from crossboard.evaluators import OneLayer
from crossboard.evaluators.one_layer import KINDS
from crossboard.experiments import duchess_comparison, duchess_stages
from crossboard.experiments.claims import Verdict, judge
from crossboard.experiments.duchess_comparison import play_duplicates, stage_training, train_all
from crossboard.experiments.duchess_stages import (
    CLAIMS,
    FULL,
    MATERIAL,
    QUICK,
    control_trainings,
    find_stages,
    material_of,
    measure,
    measure_weights,
)
from crossboard.experiments.experiment import Lab
from crossboard.players import Player, SearchLimits, load_player
from crossboard.runs import Run
from crossboard.systems import training
from crossboard.systems.duchess import STAGE_1, DuchessSettings

W = OneLayer.initial().weights + 0.01

TRIAL = replace(QUICK.control, games=(1, 1), depth=1, seeds=2, match_games=2)
assert QUICK.stages is not None
FIRST, SECOND, THIRD = (stage.model_copy(update={"games": 1, "depth": 1}) for stage in QUICK.stages)
TINY = replace(
    QUICK,
    match_games=2,
    limits=SearchLimits(depth=1),
    control=TRIAL,
    ablation=TRIAL,
    stages=(FIRST, SECOND, THIRD),
)


def test_all_claims_are_measured_and_arms_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duchess_stages, "QUICK", TINY)
    with ThreadPoolExecutor(2) as executor:

        def lab() -> Lab:
            return Lab(True, 1, executor, tmp_path, {}, lambda _: None)

        first = lab()
        found = {one.claim: one for one in measure(first)}
        assert set(found) == {claim.name for claim in CLAIMS}
        assert set(first.figures) == {"attack", "piece_square"}
        assert all(Run.open(path).is_finished for path in (tmp_path / "arms").iterdir())
        files = {
            path: path.stat().st_mtime_ns for path in tmp_path.glob("arms/*/checkpoints/finished*")
        }
        # Three stages; stage 1 and 2 and two controls from two seeds; with and without fading.
        assert len(files) == 3 + 2 * 4 + 2 * 2
        again = {one.claim: one for one in measure(lab())}
        assert again == found
        # Nothing was trained twice.
        assert {path: path.stat().st_mtime_ns for path in files} == files


def test_an_arm_of_other_settings_is_trained_anew(tmp_path: Path) -> None:
    place, told = tmp_path / "arms" / "arm" / "checkpoints" / "finished.json", list[str]()
    begin = tmp_path / "begin"
    with ThreadPoolExecutor(1) as executor:
        lab = Lab(True, 1, executor, tmp_path, {}, told.append)

        def train(settings: DuchessSettings, seed: int = 1) -> int:
            train_all(lab, {"arm": stage_training(lab, "arm", settings, seed)})
            return place.stat().st_mtime_ns

        first = train(FIRST)
        assert train(FIRST) == first
        second = train(FIRST, seed=2)
        # The same name, and other weights.
        moments = [first, second]
        for weights in (OneLayer.initial().weights, W):
            Player("begin", OneLayer.initial().with_weights(weights)).save(begin)
            moments.append(train(FIRST.model_copy(update={"begin_with": str(begin)}), seed=2))
    assert len(set(moments)) == 4
    assert sum("arm: trained once more" in line for line in told) == 3


def test_a_stage_begins_with_the_weights_that_another_training_left(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as executor:
        lab = Lab(True, 1, executor, tmp_path, {}, lambda _: None)
        one = stage_training(lab, "one", FIRST, 1)
        player = train_all(lab, {"one": one})["one"]
    last = Run.open(one.folder).latest()
    assert last is not None
    assert isinstance(player.evaluator, OneLayer)
    assert player.evaluator.weights.tobytes() == last.tensors["weights"].tobytes()
    second = SECOND.model_copy(update={"begin_with": str(one.player_folder)})
    expected = SECOND.design(player.evaluator)
    assert second.initial().weights.tobytes() == expected.weights.tobytes()


class Killed(Exception):
    """Stands for whatever ends a process."""


def test_an_arm_stopped_in_the_midst_of_games_ends_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", 0.0)
    save, moments = Run.save, []

    def save_and_die(self: Run, step: int, tensors: Any, state: Any) -> None:
        save(self, step, tensors, state)
        moments.append(state["learner"])
        if len(moments) == 20:
            raise Killed

    def train(folder: Path) -> Player:
        lab = Lab(True, 1, executor, folder, {}, lambda _: None)
        return train_all(lab, {"arm": stage_training(lab, "arm", FIRST, 1)})["arm"]

    with ThreadPoolExecutor(1) as executor:
        expected = train(tmp_path / "one").evaluator
        monkeypatch.setattr(Run, "save", save_and_die)
        with pytest.raises(Killed):
            train(tmp_path / "two")
        assert moments[-1]["under_way"]
        again = train(tmp_path / "two").evaluator
    assert isinstance(expected, OneLayer)
    assert isinstance(again, OneLayer)
    assert again.weights.tobytes() == expected.weights.tobytes()


def test_a_stopped_match_goes_on_with_the_next_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (load_player(name) for name in ("duchess-1", "duchess-0"))
    firsts = []

    def watched(*given: Any, **named: Any) -> Any:
        firsts.append(given[2].first)
        return play_match(*given, **named)

    monkeypatch.setattr(duchess_comparison, "play_match", watched)
    with ThreadPoolExecutor(1) as executor:
        lab = Lab(True, 1, executor, tmp_path, {}, lambda _: None)

        def play(depth: int) -> Score:
            return play_duplicates(lab, one, other, 8, SearchLimits(depth=depth))

        whole = play(1)
        place = tmp_path / "matches" / "duchess-1-duchess-0.json"
        kept = json.loads(place.read_text())
        assert len(kept["points"]) == 4
        # As if it had been stopped after its first pair.
        place.write_text(json.dumps(kept | {"points": kept["points"][:1]}))
        assert play(1) == whole
        assert play(1) == whole  # finished before
        play(2)  # another match
    assert firsts == [0, 1, 4, 0]


def test_only_shipped_stages_are_compared_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duchess_stages, "PLAYERS", {"stage-1": "duchess-9"})
    Player("duchess-9", OneLayer.initial()).save(tmp_path / "players" / "duchess-9")
    monkeypatch.chdir(tmp_path)
    lab = Lab(False, 1, ThreadPoolExecutor(1), tmp_path, {}, lambda _: None)
    with pytest.raises(ValueError, match="shipped players: no duchess-9"):
        find_stages(lab, FULL)


def test_controls_and_ablation_are_the_papers() -> None:
    lab = Lab(False, 1, ThreadPoolExecutor(1), Path(), {}, lambda _: None)
    arms = control_trainings(lab, FULL.control)
    assert len(arms) == 3 * 5
    high, low = arms["direct-high-1000"].settings, arms["direct-low-1000"].settings
    assert (high.stage, low.stage, high.games, low.games) == (2, 2, 140 + 220, 140 + 220)
    assert high.rate / low.rate == pytest.approx(10)
    assert arms["staged-1-1000"].settings.rate == high.rate
    assert FULL.ablation.settings(STAGE_1).rate == STAGE_1.rate


def test_untrained_weights_say_nothing_of_changes() -> None:
    found = {one.claim: one for one in measure_weights(OneLayer.initial())}
    claim = next(claim for claim in CLAIMS if claim.name == "changes")
    assert judge(claim, found["changes"]) is Verdict.UNDECIDED
    assert judge(CLAIMS[0], found[CLAIMS[0].name]) is Verdict.SHOWN


def test_the_papers_own_changes_hold() -> None:
    evaluation = OneLayer.initial()
    arrays = {name: array.copy() for name, array in evaluation.arrays().items()}
    for kind, value in MATERIAL.items():
        arrays["material"][:, KINDS.index(kind)] = value
    weights = np.concatenate([array.ravel() for array in arrays.values()])
    found = {one.claim: one for one in measure_weights(evaluation.with_weights(weights))}
    assert found["material_Q"].value == pytest.approx(0.13)
    assert found["changes"].low > 0


def test_material_is_told_by_letters() -> None:
    worth = material_of(OneLayer.initial())
    assert (worth["Q"], worth["P"], worth["K"]) == (0.1, 0.05, 0.0)


def test_shipped_first_stage_has_the_order_of_the_papers_table() -> None:
    evaluation = load_player("duchess-1").evaluator
    assert isinstance(evaluation, OneLayer)
    worth = material_of(evaluation)
    assert min(worth[kind] for kind in "QFD") > max(worth[kind] for kind in "RBN")
    found = {one.claim: one for one in measure_weights(evaluation)}
    assert found["changes"].low > 0
