"""The recipe of Duchess: stages, players, a training that is stopped and goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crossboard.cli import commands
from crossboard.evaluators import OneLayer
from crossboard.players import Player, load_player
from crossboard.systems import training
from crossboard.systems.duchess import SIX, STAGE_1, STAGE_2, STAGE_3
from crossboard.systems.recipes import find_recipe

QUICK = ["--set", "depth=1", "--set", "depths=[]", "--set", "round_size=2", "--workers", "2"]


def test_stages_are_the_papers() -> None:
    assert [stage.games for stage in (STAGE_1, STAGE_2, STAGE_3)] == [140, 220, 60]
    assert [stage.rate for stage in (STAGE_1, STAGE_2, STAGE_3)] == [1e-4, 1e-5, 1e-5]
    assert SIX.players == 6
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


def test_a_player_of_another_game_is_no_beginning() -> None:
    for name in ("material", "duchess-six-0"):
        with pytest.raises(ValueError, match=f"{name} is no player of Duchess for 4"):
            STAGE_2.model_copy(update={"begin_with": name}).initial()


def test_training_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(training, "FINAL_GAMES", 2)
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
