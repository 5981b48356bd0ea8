"""Trainings that are parts of a run: stopped on the way they end as if they had not been."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from far_executor import FarExecutor
from small_trainings import train_one

from crossboard.experiments import Lab, compare_learners, comparison
from crossboard.experiments.comparison import Arm, Plan, train_arms
from crossboard.farm.executors import Farm
from crossboard.learn import Schooling, Snapshot
from crossboard.runs import NotARun, Run, RunIsHeld, differences
from crossboard.runs.checkpoints import list_checkpoints
from crossboard.runs.intervals import Intervals
from crossboard.systems import cohort, training
from crossboard.systems.cohort import (
    find_fault,
    part,
    set_aside,
    train_part,
    train_side_by_side,
    unfinished,
)
from crossboard.systems.neurodraughts import PUBLISHED
from crossboard.systems.recipes import find_recipe
from crossboard.systems.trained import Trained
from crossboard.systems.training import Training

PLAN = Plan(seeds=1, pairs=1, exams=2)
SETTINGS = PUBLISHED.model_copy(
    update={"games": 8, "test_after": 2, "look_ahead": 1, "max_moves": 6, "hidden": 2}
)
CLONING = Arm(name="cloning", settings=SETTINGS)
save = Run.save


def learning(method: compare_learners.Method) -> Arm:
    settings = compare_learners.LearnerSettings(
        method=method, games=8, rate=0.01, round_size=2, depth=1
    )
    return Arm(name=method, settings=settings, recipe=compare_learners.RECIPE)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(cohort, "HELD_SECONDS", 0.01)
    monkeypatch.setattr(comparison, "OWN_DEPTH", 1)
    monkeypatch.setattr(comparison, "OPPONENTS", (("random", 1),))


class Killed(Exception):
    """Stands for whatever ends a process."""


def kill_after(games: int) -> Callable[..., None]:
    """Return how a run saves that is killed after a checkpoint."""

    def save_and_die(self: Run, step: int, *given: Any) -> None:
        save(self, step, *given)
        if step == games:
            raise Killed

    return save_and_die


def watched(arm: Arm, starts: list[int | None]) -> Arm:
    """The same arm, which notes with which snapshot its learner begins."""

    def learn(settings: Any, schooling: Schooling) -> Any:
        starts.append(schooling.start and schooling.start.games)
        return arm.recipe.learn(settings, schooling)

    return replace(arm, recipe=replace(arm.recipe, learn=learn))


def small_part(folder: Path, seed: int = 1, **options: Any) -> Training:
    return part(folder, find_recipe("neurodraughts"), SETTINGS, seed, edition=1, **options)


@pytest.mark.parametrize(
    "arm",
    [CLONING, *map(learning, ("td", "tdleaf", "rootstrap", "treestrap"))],
    ids=lambda arm: arm.name,
)
@pytest.mark.parametrize("games", [2, 6, 8])
def test_a_part_stopped_on_the_way_ends_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arm: Arm, games: int
) -> None:
    train_one(tmp_path / "whole", arm, 7, PLAN)
    folder, starts = tmp_path / "stopped", list[int | None]()
    with monkeypatch.context() as patch:
        patch.setattr(Run, "save", kill_after(games))
        with pytest.raises(Killed):
            train_one(folder, arm, 7, PLAN)
    kept = Run.open(folder).latest()
    assert kept is not None
    again = train_one(folder, watched(arm, starts), 7, PLAN)
    assert starts == [games]
    assert differences(Run.open(folder), Run.open(tmp_path / "whole")) == []
    # Time goes on from where it stood.
    later = [exam.seconds for exam in again.exams if exam.games > games]
    assert all(seconds > kept.seconds > 0 for seconds in later)


def test_stopped_arms_are_resumed_by_their_experiment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = list[int | None]()
    arm = watched(CLONING, starts)
    with ThreadPoolExecutor(1) as executor:
        lab = Lab(True, 1, executor, tmp_path, {}, lambda _: None)
        with monkeypatch.context() as patch:
            patch.setattr(Run, "save", kill_after(6))
            with pytest.raises(Killed):
                train_arms(lab, [arm], PLAN)
        train_arms(lab, [arm], PLAN)
        assert starts == [None, 6]
        train_arms(lab, [arm], PLAN)
    assert starts == [None, 6]  # finished, it is only read
    assert [path.name for path in (tmp_path / "arms").iterdir()] == ["cloning-0"]


def test_a_part_leaves_a_player_and_no_report(tmp_path: Path) -> None:
    folder = tmp_path / "part"
    train_part(small_part(folder))
    found = Trained.read_part(folder)
    assert (found.games, found.seed, found.final, found.exams) == (8, 1, {}, [])
    assert found.player is not None
    assert found.player.about["made_by"].startswith("part: 8 games, crossboard ")
    assert {path.name for path in folder.iterdir()} == {
        ".lock",
        "config.toml",
        "metrics.jsonl",
        "games.pdn",
        "checkpoints",
        "player",
    }


def test_a_part_may_have_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossboard.systems.exams.FINAL_GAMES", 2)
    exams = comparison.fixed_exams(8, 1, PLAN)
    train_part(small_part(tmp_path / "part", has_report=True, exams=exams))
    found = Trained.read_part(tmp_path / "part")
    assert [exam.games for exam in found.exams] == [0, 4, 8]
    assert found.final["games"] == 2
    assert (tmp_path / "part" / "exams.svg").exists()
    assert "Trained again" not in (tmp_path / "part" / "report.md").read_text()


def test_the_weights_of_a_part_are_those_of_its_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossboard.systems.exams.FINAL_GAMES", 2)
    train_part(small_part(tmp_path / "part"))
    whole = Training(find_recipe("neurodraughts"), SETTINGS, 1, tmp_path / "whole", "train")
    with ThreadPoolExecutor(2) as executor:
        whole.conduct(Farm(executor, 2))
    found = differences(Run.open(tmp_path / "part"), Run.open(tmp_path / "whole"))
    assert {"config.toml", "state final"} <= set(found)
    assert not [name for name in found if name.startswith("tensor")]


def test_only_its_own_experiment_resumes_a_part(tmp_path: Path) -> None:
    train_part(small_part(tmp_path / "part"))
    with pytest.raises(NotARun, match="part: this run is a part of another run: resume that one"):
        training.resumed(tmp_path / "part")


def test_parts_go_to_other_processes(tmp_path: Path) -> None:
    parts = {seed: small_part(tmp_path / f"seed {seed}", seed) for seed in (1, 2, 3)}
    with FarExecutor(2) as executor:
        ended = list(train_side_by_side(parts, executor, lambda _: None))
    assert sorted(ended) == [1, 2, 3]
    assert unfinished(parts, pytest.fail) == {}


class OtherDisk(ThreadPoolExecutor):
    """Threads that see another disk than we do."""

    def submit(self, work: Any, /, *given: Any, **named: Any) -> Future[Any]:
        (asked,) = given
        elsewhere = asked.folder.parents[1] / "elsewhere" / asked.folder.name
        return super().submit(work, replace(asked, folder=elsewhere))


def test_what_was_trained_on_another_disk_is_brought_home(tmp_path: Path) -> None:
    here = small_part(tmp_path / "here" / "part")
    with OtherDisk(1) as executor:
        assert list(train_side_by_side({"a": here}, executor, lambda _: None)) == ["a"]
    there = Run.open(tmp_path / "elsewhere" / "part")
    assert differences(Run.open(here.folder), there) == []
    assert Trained.read_part(here.folder).player is not None
    assert unfinished({"a": here}, pytest.fail) == {}


def test_a_host_that_cannot_make_the_folder_trains_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder can be made in here")
    here = small_part(tmp_path / "part")
    with pytest.warns(UserWarning, match="part cannot be resumed here: "):
        files = train_part(replace(here, folder=tmp_path / "file" / "part"))
    train_part(here)
    whole = {path.relative_to(here.folder).as_posix() for path in here.folder.rglob("*.*")}
    assert files.keys() == whole - {".lock"}
    weights = "player/weights.safetensors"
    assert files[weights] == (here.folder / weights).read_bytes()


def test_what_comes_home_replaces_older_checkpoints(tmp_path: Path) -> None:
    here = small_part(tmp_path / "here" / "part")
    stale = here.folder / "checkpoints" / "step-000000000099.safetensors"
    stale.parent.mkdir(parents=True)
    stale.write_bytes(b"of a sitting that was stopped")
    with OtherDisk(1) as executor:
        assert list(train_side_by_side({"a": here}, executor, lambda _: None)) == ["a"]
    assert not stale.exists()
    assert find_fault(here) is None


def test_a_part_that_is_held_is_not_set_aside(tmp_path: Path) -> None:
    asked = small_part(tmp_path / "part")
    train_part(asked)
    with Run.resume(asked.folder), pytest.raises(RunIsHeld, match="is writing this run"):
        set_aside(asked.folder)
    assert find_fault(asked) is None


def tear_config(folder: Path) -> None:
    (folder / "config.toml").write_text("system = ")


def tear_checkpoints(folder: Path) -> None:
    for _, path in list_checkpoints(folder / "checkpoints"):
        path.write_bytes(path.read_bytes()[:-1])


def lose_player(folder: Path) -> None:
    (folder / "player" / "player.toml").unlink()


def lose_config(folder: Path) -> None:
    (folder / "config.toml").unlink()


def empty_metrics(folder: Path) -> None:
    (folder / "metrics.jsonl").write_bytes(b"")


def lose_metrics(folder: Path) -> None:
    (folder / "metrics.jsonl").unlink()


def lose_checkpoints(folder: Path) -> None:
    for _, path in list_checkpoints(folder / "checkpoints"):
        path.unlink()


def link_metrics(folder: Path) -> None:
    (folder / "checkpoints" / "finished.json").unlink()
    (folder / "metrics.jsonl").rename(folder.parent / "metrics.jsonl")
    (folder / "metrics.jsonl").symlink_to(folder.parent / "metrics.jsonl")


def put_a_file_in_its_place(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("mine")


@pytest.mark.parametrize(
    "damage",
    [
        tear_config,
        tear_checkpoints,
        lose_player,
        lose_config,
        empty_metrics,
        lose_metrics,
        lose_checkpoints,
        link_metrics,
        put_a_file_in_its_place,
    ],
)
def test_a_damaged_part_is_trained_once_more(tmp_path: Path, damage: Callable[[Path], None]):
    asked, told = small_part(tmp_path / "part"), list[str]()
    train_part(asked)
    damage(asked.folder)
    missing = unfinished({"a": asked}, told.append)
    assert list(missing) == ["a"]
    assert told[0].startswith("part: trained once more, since it was damaged: ")
    train_part(asked)
    assert find_fault(asked) is None
    assert (tmp_path / "part.before").exists()


def test_lost_metrics_of_a_stopped_part_are_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = small_part(tmp_path / "part")
    monkeypatch.setattr(Run, "save", kill_after(4))
    with pytest.raises(Killed):
        train_part(asked)
    (asked.folder / "metrics.jsonl").write_bytes(b"")
    assert "it has 0 bytes, but had" in str(find_fault(asked))


@pytest.mark.parametrize(
    "other",
    [
        {"edition": 2},
        {"told": {"source": "other games"}},
        {"seconds": 5.0},
        {"exams": comparison.fixed_exams(8, 1, PLAN)},
    ],
    ids=str,
)
def test_parts_of_other_origin_are_set_aside(tmp_path: Path, other: dict[str, Any]) -> None:
    folder, told = tmp_path / "part", list[str]()
    train_part(small_part(folder))
    given = {"edition": 1, **other}
    asked = part(folder, find_recipe("neurodraughts"), SETTINGS, 1, **given)
    assert list(unfinished({"a": asked}, told.append)) == ["a"]
    assert told == ["part: trained once more, by another version or other settings before"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["part.before"]
    # What was set aside before makes room.
    train_part(asked)
    assert list(unfinished({"a": small_part(folder)}, told.append)) == ["a"]
    assert find_fault(replace(asked, folder=tmp_path / "part.before")) is None


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_part_whose_folder_is_a_link_leads_nowhere(tmp_path: Path) -> None:
    outside, folder, told = tmp_path / "outside", tmp_path / "part", list[str]()
    outside.mkdir()
    folder.symlink_to("outside")
    for _ in range(2):
        asked = small_part(folder)
        unfinished({"a": asked}, told.append)
        train_part(asked)
    assert list(outside.iterdir()) == []
    assert told == ["part: trained once more, since its folder was a link"]


def test_checkpoints_on_the_way_come_when_they_are_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Intervals, "is_over", False)
    train_part(small_part(tmp_path / "part"))
    assert [step for step, _ in list_checkpoints(tmp_path / "part" / "checkpoints")] == [8]


def test_a_checkpoint_that_cannot_be_written_does_not_end_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_on_the_way(self: Run, step: int, tensors: Any, state: Any) -> None:
        if not state["is_over"]:
            raise OSError(28, "No space left on device", "step")
        save(self, step, tensors, state)

    train_part(small_part(tmp_path / "whole"))
    monkeypatch.setattr(Run, "save", fail_on_the_way)
    with pytest.warns(UserWarning, match="part cannot be kept on its way: .*No space left"):
        train_part(small_part(tmp_path / "part"))
    assert differences(Run.open(tmp_path / "part"), Run.open(tmp_path / "whole")) == []


def test_a_part_that_another_process_trains_is_waited_for(tmp_path: Path) -> None:
    # As a process does whose leader was killed, beside the one that wants the same.
    asked = small_part(tmp_path / "part")
    with ThreadPoolExecutor(1) as executor:
        with Run.create(asked.folder, asked.config) as held:
            assert list(unfinished({"a": asked}, pytest.fail)) == ["a"]
            future = executor.submit(train_part, asked)
            with pytest.raises(TimeoutError):
                future.result(1.5)  # longer than a lock is tried for
            held.save(0, {}, {"learner": {}, "exam": None})
        future.result(60)
    assert Trained.read_part(asked.folder).games == 8


def test_it_is_told_how_far_long_trainings_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cohort, "TOLD_SECONDS", 0.01)
    said, told = Event(), list[str]()

    def tell(text: str) -> None:
        told.append(text)
        said.set()

    def wait_and_train(asked: Training) -> dict[str, bytes]:
        said.wait(30)
        return train_part(asked)

    parts = {n: small_part(tmp_path / f"lambda 0.{n}-0", n) for n in (1, 2, 3)}
    for games, n in ((2, 1), (4, 2)):
        with monkeypatch.context() as patch:
            patch.setattr(Run, "save", kill_after(games))
            with pytest.raises(Killed):
                train_part(parts[n])
    monkeypatch.setattr(cohort, "train_part", wait_and_train)
    with ThreadPoolExecutor(3) as executor:
        assert sorted(train_side_by_side(parts, executor, tell)) == [1, 2, 3]
    assert told[0] == "games so far: lambda 0.1-0 2, lambda 0.2-0 4"


def endless(settings: Any, schooling: Schooling) -> Any:
    """A learner of two games a block, which never ends."""
    begun = schooling.start.games if schooling.start else 0
    for games in range(begun + 2, 10**6, 2):
        student = {"student.w2": np.full(3, games), "student.w1": np.ones((29, 2))}
        yield Snapshot(games, student, {"block": games // 2}, {"moves": 1.0, "cloned": 1.0})


def make_timed(folder: Path, monkeypatch: pytest.MonkeyPatch, seconds: float) -> Training:
    """A training by a clock that goes on by a second at every look."""
    ticks = iter(range(10**6))
    monkeypatch.setattr(training.time, "monotonic", lambda: float(next(ticks)))
    recipe = replace(find_recipe("neurodraughts"), learn=endless)
    small = SETTINGS.model_copy(update={"mapping": "lynch", "direct_links": False})
    return part(folder, recipe, small, 1, edition=1, seconds=seconds)


def test_time_stops_a_training_and_its_last_block_counts_but_does_not_teach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = make_timed(tmp_path / "part", monkeypatch, 30.0)
    monkeypatch.setattr(Training, "player", lambda self, snapshot: self.untrained)
    train_part(asked)
    found, last = Trained.read_part(asked.folder), Run.open(asked.folder).latest()
    assert last is not None
    assert [block["games"] for block in found.blocks] == list(range(2, found.games + 1, 2))
    assert [block["cloned"] for block in found.blocks[-2:]] == [1.0, 0.0]
    assert found.learning_seconds >= 30
    # The last snapshot that was in time is what is left.
    assert last.tensors["student.w2"][0] == last.step == found.games - 2


def test_a_timed_training_that_was_stopped_takes_only_the_time_that_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Training, "player", lambda self, snapshot: self.untrained)
    asked = make_timed(tmp_path / "part", monkeypatch, 60.0)
    with monkeypatch.context() as patch:
        patch.setattr(Run, "save", kill_after(6))
        with pytest.raises(Killed):
            train_part(asked)
    kept = Run.open(asked.folder).latest()
    assert kept is not None
    assert 0 < kept.seconds < 60
    train_part(asked)
    found = Trained.read_part(asked.folder)
    assert 60 <= found.learning_seconds < 70
    assert [block["games"] for block in found.blocks] == list(range(2, found.games + 1, 2))


def test_killed_after_its_time_it_learns_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise Killed

    asked = make_timed(tmp_path / "part", monkeypatch, 20.0)
    with monkeypatch.context() as patch:
        patch.setattr(Training, "player", refuse)
        with pytest.raises(Killed):
            train_part(asked)
    games = Run.open(asked.folder).metrics()[-1]["step"]
    monkeypatch.setattr(Training, "player", lambda self, snapshot: self.untrained)
    train_part(asked)
    assert Trained.read_part(asked.folder).games == games


def test_where_not_one_block_was_in_time_nothing_was_learnt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = make_timed(tmp_path / "part", monkeypatch, 0.5)
    train_part(asked)
    found = Trained.read_part(asked.folder)
    assert found.games == 2
    assert found.network.net.w2.tolist() == asked.settings.initial(1).net.w2.tolist()
