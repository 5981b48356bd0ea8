"""The recipe of Duchess: stages, players, a training that is stopped and goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crossboard.cli import commands
from crossboard.duchess import Position, read_records
from crossboard.evaluators import OneLayer
from crossboard.learn import Snapshot, treestrap_duchess
from crossboard.learn.treestrap_duchess import study
from crossboard.players import Player, SearchLimits, load_player
from crossboard.runs import Run, differences
from crossboard.systems import exams, training
from crossboard.systems.duchess import (
    SIX,
    SIX_2,
    SIX_3,
    STAGE_1,
    STAGE_2,
    STAGE_3,
    DuchessSettings,
    player_of,
)
from crossboard.systems.recipes import find_recipe

QUICK = ["--set", "depth=1", "--set", "depths=[]", "--set", "round_size=2", "--workers", "2"]


def test_stages_are_the_papers() -> None:
    assert [stage.games for stage in (STAGE_1, STAGE_2, STAGE_3)] == [140, 220, 60]
    assert [stage.rate for stage in (STAGE_1, STAGE_2, STAGE_3)] == [1e-4, 1e-5, 1e-5]
    assert [six.players for six in (SIX, SIX_2, SIX_3)] == [6, 6, 6]
    assert [six.stage for six in (SIX, SIX_2, SIX_3)] == [1, 2, 3]
    assert [six.rate for six in (SIX, SIX_2, SIX_3)] == [1e-4, 1e-5, 1e-5]
    published = find_recipe("duchess").preset("published")
    assert published.round_size == 1  # type: ignore[attr-defined]


def test_each_stage_begins_with_the_one_before(tmp_path: Path) -> None:
    Player("one", OneLayer.initial()).save(tmp_path / "one")
    two = STAGE_2.model_copy(update={"begin_with": str(tmp_path / "one")}).initial()
    assert list(two.shapes)[-1] == "attack"
    Player("two", two).save(tmp_path / "two")
    three = STAGE_3.model_copy(update={"begin_with": str(tmp_path / "two")}).initial()
    assert list(three.shapes)[-2:] == ["attack", "piece_square"]
    modes = {"begin_with": "initial", "attack": "modes"}
    assert STAGE_2.model_copy(update=modes).initial().attack == "modes"


@pytest.mark.parametrize(
    ("settings", "has", "asked", "complaint"),
    [
        (STAGE_3, "plain", "modes", "attack=modes: the weights of begin_with=.* have attack=plain"),
        (STAGE_3, "modes", "plain", "attack=plain: the weights of begin_with=.* have attack=modes"),
        (STAGE_1, "none", "modes", "attack=modes: stage 1 has no weights of attacks"),
    ],
)
def test_attacks_that_a_stage_cannot_have_are_refused(
    tmp_path: Path, settings: DuchessSettings, has: str, asked: str, complaint: str
) -> None:
    Player("one", OneLayer.initial().extended(attack=has)).save(tmp_path / "one")
    update = {"begin_with": str(tmp_path / "one"), "attack": asked}
    with pytest.raises(ValueError, match=complaint):
        settings.model_copy(update=update).initial()


def test_options_of_the_papers_open_questions(tmp_path: Path) -> None:
    asked = {"begin_with": "initial", "king_reach": True, "endgame": 20}
    settings = STAGE_2.model_copy(update=asked)
    begin = settings.initial()
    assert list(begin.shapes)[-2:] == ["attack", "king_reach"]
    weights = {"weights": begin.weights, "endgame_weights": begin.weights + 0.01}
    player_of(settings, Snapshot(1, weights), "asked").save(tmp_path / "asked")
    player = load_player(tmp_path / "asked")
    ((when, endgame),) = player.phases
    assert when.most_pieces == 19
    assert endgame == begin.with_weights(begin.weights + 0.01)
    assert player.evaluator == begin


def test_a_run_may_be_older_than_a_setting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    words = ["train", "duchess", "--stage", "1", "--games", "2", "--run", str(folder), *QUICK]
    assert commands.run(words) == 0
    config = folder / "config.toml"
    whole = config.read_text()
    config.write_text(whole.replace("endgame = 0\n", ""))
    assert commands.run([*words, "--resume"]) == 0
    assert "finished" in capsys.readouterr().out
    # But not if it asks for something else than what was done then.
    assert commands.run([*words, "--resume", "--set", "endgame=9"]) == 2
    assert "resume it as it began" in capsys.readouterr().err
    config.write_text(whole.replace("round_size = 2\n", ""))
    assert commands.run([*words, "--resume"]) == 2
    assert "the run has round_size = nothing, not 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "preset"),
    [
        ([], "stage-2"),
        (["--preset", "tuned"], "stage-2"),
        (["--preset", "six"], "six-2"),
        (["--preset", "published"], "published-2"),
    ],
)
def test_preset_and_stage_both_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], preset: str
) -> None:
    monkeypatch.setattr(exams, "FINAL_GAMES", 2)
    expected = find_recipe("duchess").preset(preset)
    assert isinstance(expected, DuchessSettings)
    Player("one", OneLayer.initial(expected.players)).save(tmp_path / "one")
    begin = ["--set", f"begin_with={tmp_path / 'one'}"]
    words = ["train", "duchess", "--stage", "2", *words, *begin, "--games", "1", *QUICK]
    assert commands.run([*words, "--run", str(tmp_path / "run")]) == 0
    evaluator = load_player(tmp_path / "run" / "player").evaluator
    assert isinstance(evaluator, OneLayer)
    assert (evaluator.players, evaluator.attack) == (expected.players, "plain")
    settings = training.resumed(tmp_path / "run").settings
    assert isinstance(settings, DuchessSettings)
    assert (settings.stage, settings.rate) == (2, 1e-5)
    six = "six-" if expected.players == 6 else ""
    assert load_player(tmp_path / "run" / "player").name == f"duchess-{six}2-seed1"
    assert settings.random_plies == expected.random_plies


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["duchess", "--preset", "stage-2", "--stage", "3"], "--preset stage-2 --stage 3: duchess"),
        (["duchess", "--preset", "slow", "--stage", "1"], "--preset slow --stage 1: duchess has"),
        (["treestrap", "--stage", "2"], "--stage 2: treestrap has the presets"),
        (["treestrap", "--preset", "published", "--stage", "1"], "--stage 1: treestrap has"),
    ],
)
def test_stages_that_a_preset_has_not_are_refused(
    capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    assert commands.run(["train", *words]) == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(("name", "settings"), [("duchess-0", STAGE_1), ("duchess-six-0", SIX)])
def test_untrained_players_search_as_trained_ones_do(name: str, settings: DuchessSettings) -> None:
    begin = settings.initial()
    trained = player_of(settings, Snapshot(0, {"weights": begin.weights}), "trained")
    untrained = load_player(name)
    assert (untrained.settings, untrained.limits) == (trained.settings, trained.limits)
    assert untrained.evaluator == begin


@pytest.mark.parametrize(
    ("settings", "floors"), [(STAGE_1, ((20, 7), (8, 9))), (SIX, ((28, 5), (10, 7)))]
)
def test_players_search_as_deep_as_they_were_trained(
    settings: DuchessSettings, floors: tuple[tuple[int, int], ...]
) -> None:
    assert settings.limits == SearchLimits(depth=settings.depth, floors=floors)


def test_the_last_piece_that_counts_is_the_same_for_training_and_play() -> None:
    position = Position.from_text("4; 1:K1c1; 2:K2c1; 3:K4c1; 4:K5c1; turn 1")
    for pieces, depth in ((4, 2), (3, 1)):
        settings = STAGE_1.model_copy(update={"depth": 1, "depths": ((pieces, 2),)})
        begin = settings.initial()
        player = player_of(settings, Snapshot(0, {"weights": begin.weights}), "few")
        assert player.search(position).depth == depth
        plain = replace(settings.study(), depth=depth, depths=()).student_options()
        nodes = study(begin, plain, position, (), seed=1).nodes
        options = settings.study().student_options()
        assert study(begin, options, position, (), seed=1).nodes == nodes


def test_a_player_of_another_game_is_no_beginning() -> None:
    for name in ("material", "duchess-six-0"):
        with pytest.raises(ValueError, match=f"{name} is no player of Duchess for 4"):
            STAGE_2.model_copy(update={"begin_with": name}).initial()


def test_a_later_stage_of_six_must_be_told_its_beginning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["train", "duchess", "--preset", "six", "--stage", "3"]
    assert commands.run([*words, "--run", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err
    assert "begin_with: stage 3 of 6 players begins with a player of stage 2" in told
    assert not (tmp_path / "run").exists()  # what cannot begin leaves nothing behind


def test_training_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(exams, "FINAL_GAMES", 2)
    folder = tmp_path / "run"
    words = ["train", "duchess", "--stage", "1", "--games", "2", "--run", str(folder), *QUICK]
    assert commands.run([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    player = load_player(told["player"])
    assert player.game.name == "duchess"
    assert isinstance(player.evaluator, OneLayer)
    assert player.evaluator != OneLayer.initial()
    assert told["match"]["openings"] == "random:4"
    assert "duchess-0" in (folder / "report.md").read_text()
    records = list(read_records(folder / "games.pdn"))
    assert [record.tags["Round"] for record in records] == ["1", "2"]
    assert [record.errors for record in records] == [[], []]
    plies = [len(record.moves) for record in records]
    assert [line["plies"] for line in Run.open(folder).metrics() if "plies" in line] == plies


def test_stopped_in_the_midst_of_games_it_goes_on_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(exams, "FINAL_GAMES", 2)
    words = ["train", "duchess", "--stage", "1", "--games", "3", *QUICK]
    assert commands.run([*words, "--run", str(tmp_path / "whole")]) == 0
    play_moves, calls = treestrap_duchess._play_moves, []

    def interrupt(*given: Any) -> Any:
        calls.append(given)
        if len(calls) == 20:
            raise KeyboardInterrupt
        return play_moves(*given)

    stopped = tmp_path / "stopped"
    with monkeypatch.context() as patch:
        patch.setattr(treestrap_duchess, "_play_moves", interrupt)
        assert commands.run([*words, "--run", str(stopped)]) == 130
    kept = Run.open(stopped).latest()
    assert kept is not None
    assert kept.step == 0
    assert len(kept.state["learner"]["under_way"]) == 2
    assert commands.run([*words, "--run", str(stopped), "--resume"]) == 0
    whole, gone_on = Run.open(tmp_path / "whole"), Run.open(stopped)
    assert differences(whole, gone_on) == []


def test_progress_is_told_as_games_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(exams, "FINAL_GAMES", 2)
    words = ["train", "duchess", "--games", "4", "--run", str(tmp_path / "run"), *QUICK]
    assert commands.run([*words, "--set", "round_size=4"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("1 of 4 games ")
    assert "plies" in lines[-1]
    assert lines[-1].startswith("4 of 4 games ")
    assert len(lines) > 2
    assert [line["step"] for line in Run.open(tmp_path / "run").metrics()][-1] == 4
