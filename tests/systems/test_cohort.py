"""Trainings of experiments that are stopped on the way go on as if they had not been."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from crossboard.learn import Schooling, Snapshot
from crossboard.systems import Lab, arms, drafts, learners
from crossboard.systems.arms import Arm, Plan, Trained, train_arms, train_one
from crossboard.systems.drafts import Draft, Keeper, as_they_end
from crossboard.systems.neurodraughts import PUBLISHED
from crossboard.systems.origins import origin_of

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


def comparable(trained: Trained) -> Any:
    """All but the seconds, which differ from run to run."""
    exams = [(exam.games, exam.points) for exam in trained.exams]
    return trained.seed, trained.blocks, exams, trained.arrays


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
    kept = draft.read()
    assert kept is not None
    again = train_one(replace(arm, recipe=replace(arm.recipe, learn=watched)), 7, PLAN, draft)
    assert [start.games for start in starts] == [games]
    assert comparable(again) == comparable(whole)
    # Time goes on from where it stood.
    later = [exam.seconds for exam in again.exams if exam.games > games]
    assert all(seconds > kept.told["seconds"] > 0 for seconds in later)


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


def test_a_damaged_draft_is_as_good_as_none(tmp_path: Path) -> None:
    draft = Draft(tmp_path / "a.draft.json", origin_of(1))
    for text in ("", "[]", "{", "null"):
        draft.place.write_text(text)
        assert draft.read() is None


def test_a_training_is_not_kept_in_its_first_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "KEPT_SECONDS", 3600.0)
    train_one(CLONING, 7, PLAN, Draft(tmp_path / "a.draft.json", origin_of()))
    assert list(tmp_path.iterdir()) == []


def test_a_long_first_block_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "KEPT_SECONDS", 15.0)
    now = [100.0]
    monkeypatch.setattr(drafts.time, "monotonic", lambda: now[0])
    draft = Draft(tmp_path / "a.draft.json", origin_of())
    keeper = Keeper(draft)
    now[0] += 20
    keeper.note(Snapshot(1, {}))
    now[0] += 10
    keeper.note(Snapshot(2, {}))
    kept = draft.read()
    assert kept is not None
    assert kept.snapshot.games == 1
    now[0] += 10
    keeper.note(Snapshot(3, {}))
    kept = draft.read()
    assert kept is not None
    assert kept.snapshot.games == 3


def test_a_draft_that_cannot_be_written_does_not_end_its_training(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    draft = Draft(tmp_path / "file" / "a.draft.json", origin_of())
    with pytest.warns(UserWarning, match="a cannot be kept on its way: .*file"):
        found = train_one(CLONING, 7, PLAN, draft)
    assert comparable(found) == comparable(train_one(CLONING, 7, PLAN))


def test_two_may_write_one_draft(tmp_path: Path) -> None:
    # As a process does whose leader was killed, beside the one that trains the same again.
    code = (
        "import sys; from pathlib import Path; from crossboard.learn import Snapshot;"
        "from crossboard.systems.drafts import Draft;"
        "from crossboard.systems.origins import origin_of;"
        "draft = Draft(Path(sys.argv[1]), origin_of());"
        "[draft.write(Snapshot(n, {})) for n in range(200)]"
    )
    place = tmp_path / "a.draft.json"
    writers = [subprocess.Popen([sys.executable, "-c", code, str(place)]) for _ in range(2)]
    assert [writer.wait() for writer in writers] == [0, 0]
    kept = Draft(place, origin_of()).read()
    assert kept is not None
    assert kept.snapshot.games == 199


def test_what_is_stopped_is_gone_on_with_by_all_who_compare_arms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, learn, starts = Draft.write, CLONING.recipe.learn, []

    def write_and_die(self: Draft, snapshot: Snapshot, **told: Any) -> None:
        write(self, snapshot, **told)
        if snapshot.games == 6:
            raise Killed

    def watched(settings: Any, schooling: Schooling) -> Any:
        starts.append(schooling.start)
        return learn(settings, schooling)

    arm = replace(CLONING, recipe=replace(CLONING.recipe, learn=watched))
    with ThreadPoolExecutor(1) as executor:
        lab = Lab(True, 1, executor, tmp_path, {}, lambda _: None)
        monkeypatch.setattr(Draft, "write", write_and_die)
        with pytest.raises(Killed):
            train_arms(lab, [arm], PLAN)
        assert [path.name for path in (tmp_path / "arms").iterdir()] == ["cloning-0.draft.json"]
        monkeypatch.setattr(Draft, "write", write)
        train_arms(lab, [arm], PLAN)
    assert [start and start.games for start in starts] == [None, 6]
    assert [path.name for path in (tmp_path / "arms").iterdir()] == ["cloning-0.json"]


def test_it_is_said_how_far_long_trainings_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "TOLD_SECONDS", 0.01)
    said, told = Event(), []

    def tell(text: str) -> None:
        told.append(text)
        said.set()

    places = [tmp_path / f"lambda 0.{n}-0.json" for n in (1, 2, 3)]
    three = [Draft.beside(place, origin_of()) for place in places]
    for games, draft in enumerate(three[:2], start=5):
        draft.write(Snapshot(games, {}))
    with ThreadPoolExecutor(3) as executor:
        lab = Lab(True, 1, executor, tmp_path, {}, tell)
        begun = {n: (draft, executor.submit(said.wait, 30)) for n, draft in enumerate(three)}
        assert dict(as_they_end(lab, begun)) == {0: True, 1: True, 2: True}
    assert told[0] == "games so far: lambda 0.1-0 5, lambda 0.2-0 6"
