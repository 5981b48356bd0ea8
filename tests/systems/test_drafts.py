"""Trainings of experiments that are stopped on the way go on as if they had not been."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from crossboard.learn import Snapshot
from crossboard.systems import Lab, arms, drafts, learners
from crossboard.systems.arms import Arm, Lesson, Plan, train_one
from crossboard.systems.drafts import Draft, as_they_end, origin_of
from crossboard.systems.neurodraughts import PUBLISHED
from crossboard.systems.recipes import Schooling

PLAN = Plan(seeds=1, pairs=1, exams=2)
CLONING = Arm(
    name="cloning",
    settings=PUBLISHED.model_copy(
        update={"games": 8, "test_after": 2, "look_ahead": 1, "max_moves": 6, "hidden": 2}
    ),
)


def learning(method: learners.Method) -> Arm:
    settings = learners.LearnerSettings(method=method, games=8, rate=0.01, round_size=2, depth=1)
    return Arm(name=method, settings=settings, recipe=learners.RECIPE)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "KEPT_SECONDS", 0.0)
    monkeypatch.setattr(arms, "OWN_DEPTH", 1)
    monkeypatch.setattr(arms, "OPPONENTS", (("random", 1),))


def comparable(lesson: Lesson) -> Any:
    """All but the seconds, which differ from run to run."""
    exams = [(exam.games, exam.points) for exam in lesson.exams]
    return lesson.seed, lesson.blocks, exams, lesson.arrays


class Killed(Exception):
    """Stands for whatever ends a process."""


@pytest.mark.parametrize(
    "arm",
    [CLONING, *map(learning, ("td", "tdleaf", "rootstrap", "treestrap"))],
    ids=lambda arm: arm.name,
)
@pytest.mark.parametrize("games", [2, 6, 8])
def test_a_training_stopped_on_the_way_ends_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arm: Arm, games: int
) -> None:
    whole = train_one(arm, 7, PLAN)
    draft = Draft(tmp_path / "arm.draft.json", origin_of(arm.settings))
    write, starts = Draft.write, []

    def write_and_die(self: Draft, snapshot: Snapshot, **told: Any) -> None:
        write(self, snapshot, **told)
        if snapshot.games == games:
            raise Killed

    def watched(settings: Any, schooling: Schooling) -> Any:
        starts.append(schooling.start)
        return arm.recipe.learn(settings, schooling)

    with monkeypatch.context() as patch:
        patch.setattr(Draft, "write", write_and_die)
        with pytest.raises(Killed):
            train_one(arm, 7, PLAN, draft)
    again = train_one(replace(arm, recipe=replace(arm.recipe, learn=watched)), 7, PLAN, draft)
    assert [start.games for start in starts] == [games]
    assert comparable(again) == comparable(whole)


def test_a_draft_of_other_settings_is_no_draft(tmp_path: Path) -> None:
    place = tmp_path / "a.draft.json"
    snapshot = Snapshot(3, {"weights": np.array([0.1, 1 / 3])}, {"level": 2})
    Draft(place, origin_of(1)).write(snapshot, blocks=[{"games": 3}])
    stage = Draft(place, origin_of(1)).read()
    assert stage is not None
    assert stage.told == {"blocks": [{"games": 3}]}
    assert (stage.snapshot.games, stage.snapshot.plain) == (3, {"level": 2})
    assert stage.snapshot.arrays["weights"].tolist() == [0.1, 1 / 3]
    assert Draft(place, origin_of(2)).read() is None
    place.write_text('{"digest": "of an older version"}')
    assert Draft(place, origin_of(1)).read() is None
    Draft(place, origin_of(1)).remove()
    assert Draft(place, origin_of(1)).read() is None


def test_a_training_is_not_kept_in_its_first_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "KEPT_SECONDS", 3600.0)
    train_one(CLONING, 7, PLAN, Draft(tmp_path / "a.draft.json", origin_of()))
    assert list(tmp_path.iterdir()) == []


def test_it_is_said_how_far_long_trainings_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "TOLD_SECONDS", 0.01)
    said, told = Event(), []

    def tell(text: str) -> None:
        told.append(text)
        said.set()

    slow, new = (Draft(tmp_path / f"{name}.draft.json", origin_of()) for name in ("slow", "new"))
    slow.write(Snapshot(5, {}))
    with ThreadPoolExecutor(2) as executor:
        lab = Lab(True, 1, executor, tmp_path, {}, tell)
        futures = {executor.submit(said.wait, 30): draft for draft in (slow, new)}
        assert all(future.result() for future in as_they_end(lab, futures))
    assert told[0] == "games so far: slow 5"
