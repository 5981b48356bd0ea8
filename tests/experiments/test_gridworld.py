"""Gridworld: what is learnt with which rewards, and its experiment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from far_executor import FarExecutor

from crossboard.arena.bootstrap import share_of_seeds
from crossboard.evaluators import EvalNet
from crossboard.experiments import conduct, gridworld
from crossboard.experiments.experiment import Lab
from crossboard.experiments.gridworld import (
    GOAL,
    LONGEST,
    SQUARES,
    Rewards,
    StartPlan,
    Trial,
    distance,
    failed_squares,
    inputs,
    is_side,
    neighbours,
    walk_through,
)
from crossboard.learn import TdLearner

ROWS = [rewards for rewards, _, _ in gridworld.TABLE]


@pytest.mark.parametrize("row", [1, 2, 6])
def test_every_square_is_learnt(row: int):
    ends = [walk_through(ROWS[row - 1], StartPlan(), seed)[-1] for seed in range(20)]
    assert sum(trial.is_learnt for trial in ends) >= 18


def test_rewards_for_sides_as_large_as_those_for_failing_are_in_the_way():
    ends = [walk_through(ROWS[4], StartPlan(), seed)[-1] for seed in range(8)]
    assert sum(trial.is_learnt for trial in ends) <= 3
    assert sum(trial.failed for trial in ends) >= 8


def test_the_world_is_five_by_five_with_the_goal_in_a_corner():
    assert [len(neighbours(square)) for square in (0, 1, 6)] == [2, 3, 4]
    assert sum(is_side(square) for square in range(SQUARES)) == 16
    assert distance(GOAL) == 0
    assert max(distance(square) for square in range(SQUARES)) == LONGEST == 8
    for square in range(SQUARES):
        assert {abs(distance(n) - distance(square)) for n in neighbours(square)} == {1}


def test_starts_come_nearer_first_if_their_distance_grows():
    course = StartPlan(grows_after=20)
    assert course.squares(0) == [0, 1, 5]
    assert len(course.squares(20)) == 6
    assert course.squares(1000) == StartPlan().squares(0) == list(range(SQUARES))


def test_a_net_that_knows_distances_has_learnt_everything():
    # One hidden unit, and direct links that are smaller the farther a square is.
    near = [-0.1 * distance(square) for square in range(SQUARES)]
    net = EvalNet(np.zeros((SQUARES + 1, 1)), np.zeros(2), [*near, 0.0])
    assert failed_squares(TdLearner(net)) == []
    # If it thinks nothing of the squares beside the goal, nobody else comes there.
    near[5] = near[1] = -5.0
    worse = EvalNet(np.zeros((SQUARES + 1, 1)), np.zeros(2), [*near, 0.0])
    assert set(failed_squares(TdLearner(worse))) == set(range(SQUARES)) - {0, 1, 5}


def test_the_same_seed_walks_the_same_way():
    one, same, other = (walk_through(Rewards(), StartPlan(max_starts=150), s) for s in (1, 1, 2))
    assert one == same
    assert one != other
    assert inputs().shape == (SQUARES, SQUARES)


def test_the_experiment_measures_all_it_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(gridworld, "QUICK_SEEDS", 2)
    monkeypatch.setattr(StartPlan, "__init__", _short_course)
    experiment = gridworld.EXPERIMENT
    with FarExecutor(2) as executor:
        outcome = conduct(experiment, tmp_path / "run", executor, quick=True, seed=3)
    assert len(outcome.findings) == len(experiment.claims) == 11
    assert (tmp_path / "run" / "learning.svg").exists()


def test_the_small_size_is_just_large_enough():
    nets = gridworld.QUICK_SEEDS
    assert share_of_seeds(nets, nets).low > 0.9 > share_of_seeds(nets - 1, nets - 1).low


def test_a_stopped_experiment_walks_no_row_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(gridworld, "QUICK_SEEDS", 2)
    monkeypatch.setattr(StartPlan, "__init__", _short_course)
    walked: list[int] = []
    really_walk = gridworld.walk_through

    def note(rewards: Rewards, course: StartPlan, seed: int) -> list[Trial]:
        walked.append(seed)
        return really_walk(rewards, course, seed)

    monkeypatch.setattr(gridworld, "walk_through", note)
    with ThreadPoolExecutor(1) as executor:
        lab = Lab(True, 3, executor, tmp_path, {}, lambda _: None)
        measuring = gridworld.measure(lab)
        first = [next(measuring) for _ in range(3)]  # the first row and a half of the second
        measuring.close()
        assert len(walked) == 2 * 2
        again = list(gridworld.measure(lab))
        assert again[:3] == first
        # Six rows and two kinds of starts, two nets each.
        assert len(walked) == 8 * 2
        # Of three nets the walks of two say nothing.
        monkeypatch.setattr(gridworld, "QUICK_SEEDS", 3)
        next(gridworld.measure(lab))
        assert len(walked) == 8 * 2 + 3


def _short_course(self: StartPlan, test_after: int = 150, grows_after: int | None = None) -> None:
    for name, value in (("test_after", test_after), ("max_starts", 300)):
        object.__setattr__(self, name, value)
    object.__setattr__(self, "grows_after", grows_after)
