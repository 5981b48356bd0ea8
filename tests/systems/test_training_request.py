"""Which training a request chooses: its recipe, preset and stage, its settings, its folder."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from crossboard.farm import mpi_job
from crossboard.runs import Run
from crossboard.systems.neurodraughts_setup import SetUp
from crossboard.systems.recipes import DEFAULT_SYSTEM, find_recipe
from crossboard.systems.training import Training
from crossboard.systems.training_request import DEFAULT_SEED, Chosen, TrainingRequest


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def chosen(**asked: Any) -> Training:
    return TrainingRequest(**asked).choose().training


def begun(**asked: Any) -> Training:
    """Begin a run and leave it."""
    training = chosen(**asked)
    with Run.resume(training.folder, training.config):
        return training


def test_nothing_asked_for_is_the_usual_system_in_the_usual_folder():
    training = chosen()
    assert training.recipe.name == DEFAULT_SYSTEM
    assert training.seed == DEFAULT_SEED
    assert training.folder == Path("runs") / f"{DEFAULT_SYSTEM}-seed{DEFAULT_SEED}"


def test_a_folder_that_is_taken_leads_to_the_next_one():
    for number in ("", "-2"):
        Path(f"runs/duchess-seed7{number}").mkdir(parents=True)
    found = TrainingRequest(system="duchess", seed=7).choose()
    assert found.training.folder == Path("runs/duchess-seed7-3")
    assert found.remarks == (
        "runs/duchess-seed7 is there already; this run is kept in runs/duchess-seed7-3",
    )


def test_the_command_asks_for_the_same_settings(tmp_path: Path):
    training = chosen(system="neurodraughts", seed=3, games=70, changes=("hidden=5",))
    words = shlex.split(training.command)
    assert words[:3] == ["crossboard", "train", "neurodraughts"]
    changes = tuple(words[at + 1] for at, word in enumerate(words) if word == "--set")
    again = chosen(
        system="neurodraughts",
        preset=words[words.index("--preset") + 1],
        seed=int(words[words.index("--seed") + 1]),
        changes=changes,
    )
    assert (again.settings, again.seed) == (training.settings, training.seed)
    assert training.settings.games == 70


def test_a_quick_size_stands_below_what_is_asked_for():
    usual = find_recipe("neurodraughts").quick_preset("tuned")
    training = chosen(quick=True, changes=("hidden=5", "exam_every=70"))
    assert training.settings == usual.with_changes(["hidden=5", "exam_every=70"])
    assert training.settings.games < find_recipe("neurodraughts").preset("tuned").games
    assert training.folder == Path("runs/neurodraughts-quick-seed1")
    assert "--quick --set hidden=5" in training.command
    assert chosen(quick=True, games=90).settings.games == 90


def test_a_stage_has_a_quick_size_and_a_folder():
    training = chosen(system="duchess", stage=2, quick=True)
    assert training.settings == find_recipe("duchess").quick_preset("stage-2")
    assert training.folder == Path("runs/duchess-2-quick-seed1")


def test_a_quick_run_is_resumed_as_one():
    training = begun(quick=True)
    for asked in ({"folder": training.folder}, {"quick": True}):
        found = TrainingRequest(resume=True, **asked).choose()  # type: ignore[arg-type]
        assert found == Chosen(training)


@pytest.mark.parametrize(
    ("asked", "preset", "folder"),
    [
        ({"stage": 2}, "stage-2", "duchess-2-seed1"),
        ({"stage": 1, "preset": "six"}, "six", "duchess-six-1-seed1"),
        ({"stage": 2, "preset": "six"}, "six-2", "duchess-six-2-seed1"),
    ],
)
def test_stages_have_presets_and_folders(asked: dict[str, Any], preset: str, folder: str):
    training = chosen(system="duchess", **asked)
    assert training.settings == find_recipe("duchess").preset(preset)
    assert training.folder == Path("runs") / folder


def test_a_set_up_of_1997_is_trained_as_published(tmp_path: Path):
    file = tmp_path / "old.par"
    file.write_text(
        "LRate1: 0.1\nLRate2: 0.2\nMomentum: 0.3\nGamma(Decay): 0.98\nLambda(TD?): 0.1\n"
    )
    training = chosen(system="neurodraughts", setup=SetUp(params=file))
    assert shlex.split(training.command)[4] == "published"
    assert str(file) in shlex.split(training.command)


def test_a_run_is_resumed_as_it_was_begun():
    training = begun(system="neurodraughts", seed=5, games=140, folder=Path("own"))
    found = TrainingRequest(folder=Path("own"), resume=True).choose()
    assert found == Chosen(training)


def test_single_settings_are_compared_with_those_of_the_run():
    training = begun(system="draft5-ga", seed=5, quick=True, folder=Path("own"))
    same = f"pool={training.settings.pool}"  # type: ignore[attr-defined]
    assert chosen(folder=Path("own"), resume=True, changes=(same,)) == training
    other = chosen(folder=Path("own"), resume=True, changes=("pool=4",))
    assert other.seed == 5
    with pytest.raises(ValueError, match="pool") as refused:
        begun(folder=Path("own"), resume=True, changes=("pool=4",))
    assert "generations" not in str(refused.value)


def test_what_is_not_asked_for_is_as_the_run_has_it():
    changed = {"system": "draft5-ga", "seed": 5, "changes": ("pool=4",), "folder": Path("own")}
    training = begun(quick=True, **changed)
    for asked in ({"quick": True}, {"preset": "tuned", "quick": True}, {"seed": 5}):
        assert chosen(folder=Path("own"), resume=True, **asked) == training
    other = chosen(folder=Path("own"), resume=True, preset="published")
    assert (other.seed, other.settings) == (5, find_recipe("draft5-ga").preset("published"))


def test_a_run_that_is_not_there_begins_with_a_remark():
    found = TrainingRequest(system="duchess", folder=Path("own"), resume=True).choose()
    assert "there is no run in own: a new one begins" in found.remarks
    assert found.training.folder == Path("own")


def test_processes_that_share_searches_have_one_thread_each(monkeypatch: pytest.MonkeyPatch):
    assert "threads" not in chosen(system="dvisiondraughts").command
    monkeypatch.setattr(mpi_job, "is_under_mpiexec", lambda: True)
    assert "--set threads=1" in chosen(system="dvisiondraughts").command
    assert "threads" not in chosen(system="dvisiondraughts", spreads_games=True).command
    asked = chosen(system="dvisiondraughts", changes=("threads=3",))
    assert "threads=1" not in asked.command


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ({"games": 5, "changes": ("games=6",)}, "--games and --set games= say the same"),
        ({"system": "chess"}, "there is no system 'chess' to train"),
        ({"system": "neurodraughts", "stage": 1}, "--stage 1: neurodraughts has the presets"),
        (
            {"system": "duchess", "preset": "six", "stage": 4},
            "--preset six --stage 4: duchess has the presets",
        ),
        (
            {"system": "duchess", "result_convention": "white-first"},
            "--result-convention is for the system experts",
        ),
        ({"folder": Path("mistyped"), "resume": True}, "mistyped: no run to resume here"),
    ],
)
def test_requests_that_cannot_be_met(asked: dict[str, Any], complaint: str):
    with pytest.raises(ValueError, match=complaint):
        TrainingRequest(**asked).choose()


def test_a_run_of_another_system_is_refused():
    begun(system="neurodraughts", games=140, folder=Path("own"))
    with pytest.raises(ValueError, match="this run trains neurodraughts, not duchess"):
        TrainingRequest(system="duchess", folder=Path("own"), resume=True).choose()
