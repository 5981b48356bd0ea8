"""The recipe `treestrap`: its presets make sense, and what is learnt becomes a player."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from crossboard.draughts import Position
from crossboard.evaluators import Network
from crossboard.learn.students import stage_mask
from crossboard.players import load_player
from crossboard.systems.recipes import Schooling
from crossboard.systems.treestrap import PUBLISHED, TUNED, TreeStrapRecipe, learn, player_of

SMALL = TUNED.with_changes(["games=6", "round_size=3", "depth=2", "stages=[0, 3]"])


@pytest.mark.parametrize("preset", [PUBLISHED, TUNED], ids=["published", "tuned"])
def test_presets_fit_their_mappings(preset: TreeStrapRecipe):
    network = Network.one_layer(preset.make_mapping())
    study = preset.study()
    stage_mask(network, study, 0)
    assert (study.games, study.decay) == (preset.games, preset.decay)
    assert study.depths == preset.depths


def test_published_is_the_papers_setting():
    assert PUBLISHED.make_mapping().size == 2 + 83 + 128
    study = PUBLISHED.study()
    assert (study.rate, study.decay, study.clamp, study.random_plies) == (1e-4, 1 / 3, 0.001, 4)
    assert study.round_size == 1
    assert [study.rate_after(games) for games in (0, 140, 360)] == [1e-4, 1e-5, 1e-5]
    assert (study.depth, study.depths) == (5, ((6, 9), (12, 7)))


def test_what_is_learnt_becomes_a_player(tmp_path: Path):
    with ThreadPoolExecutor(1) as executor:
        *_, last = learn(SMALL, Schooling(1, executor))
    player = player_of(SMALL, last, "pupil")
    player.save(tmp_path / "pupil")
    again = load_player(tmp_path / "pupil")
    for position in (Position(), Position().after("11-15")):
        assert again.search(position, depth=3).value == player.search(position, depth=3).value


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("inputs=['squares']", "inputs"),
        ("decay=2", "decay"),
        ("depth=0", "depth"),
        ("rate=0", "rate"),
        ("pace=1", "did you mean"),
    ],
)
def test_settings_that_make_no_sense_are_refused(change: str, says: str):
    with pytest.raises(ValueError, match=says):
        TUNED.with_changes([change])
