"""Settings of systems: names from papers, refusals, and that every preset makes sense."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from crossboard.learn import Schooling
from crossboard.systems.neurodraughts import PUBLISHED, TUNED
from crossboard.systems.recipes import Recipe, all_recipes, find_recipe

# Learners that play games of their own, made small.
SMALL = {"games": 4, "look_ahead": 1, "depth": 1, "depths": (), "exam_every": 0, "stages": ()}
SMALL |= {"stage_rates": (), "threads": 1, "table_mb": 0, "pool": 2}
SMALL |= {"units": 2, "held_out": 2, "board_depth": 1, "map_decay": 0.5}
SMALL |= {"judge_pairs": 1, "validation_pairs": 1, "match_depth": 1}
FEW_BOARDS = {"mp-draughts": {"boards": 6}}  # elsewhere boards are a list
SMALL |= {"individual_games": 1, "winner_games": 2}
SELECTIVE_SYSTEMS = {"champion"}
PRESETS = [
    (recipe.name, preset)
    for recipe in all_recipes()
    if recipe.name not in ("experts", "duchess")  # which need a file, or the stage before
    for preset in recipe.presets
]


@pytest.mark.parametrize(("system", "preset"), PRESETS)
def test_every_preset_learns(system: str, preset: str):
    recipe = find_recipe(system)
    settings = recipe.preset(preset)
    known = {key: value for key, value in SMALL.items() if key in settings.model_dump()}
    known |= FEW_BOARDS.get(system, {})
    small = settings.checked(settings.model_dump() | known)
    with ThreadPoolExecutor(1) as executor:
        *_, last = recipe.learn(small, Schooling(1, executor))
    assert last.games == 4
    player = recipe.player(small, last, "small")
    assert player.name == "small"
    # What papers describe prunes nothing.
    is_full = player.settings == player.settings.full_width()
    assert is_full == (system not in SELECTIVE_SYSTEMS)


@pytest.mark.parametrize("preset", ["published", "tuned"])
def test_threads_that_share_every_search_train_one_net(preset: str):
    recipe = find_recipe("dvisiondraughts")
    changes = ["threads=2", "games=2", "test_after=2", "look_ahead=8", "max_moves=6", "table_mb=0"]
    settings = recipe.preset(preset).with_changes(changes)
    with ThreadPoolExecutor(1) as executor:
        (last,) = recipe.learn(settings, Schooling(1, executor))
    untrained = settings.initial(1).net
    assert [game.plies for game in last.played] == [12, 12]
    assert (last.arrays["student.w1"] != untrained.w1).any()
    assert (last.arrays["opponent.w1"] == untrained.w1).all() != bool(last.measured["cloned"])


@pytest.mark.parametrize("preset", ["published", "tuned"])
def test_nets_by_phase_are_a_setting_of_neurodraughts(preset: str):
    recipe = find_recipe("neurodraughts")
    changes = ["modules=true", "games=4", "look_ahead=1", "exam_every=0"]
    settings = recipe.preset(preset).with_changes(changes)
    with ThreadPoolExecutor(1) as executor:
        *_, last = recipe.learn(settings, Schooling(1, executor))
    player = recipe.player(settings, last, "three")
    assert [when.balance for when, _ in player.phases] == ["ahead", "behind"]


@pytest.mark.parametrize("recipe", all_recipes(), ids=lambda recipe: recipe.name)
def test_every_preset_has_a_quick_size(recipe: Recipe):
    assert recipe.quick.keys() == recipe.presets.keys()
    for name, preset in recipe.presets.items():
        quick = recipe.quick_preset(name)
        assert quick.games <= preset.games
        assert quick.model_dump() == preset.model_dump() | recipe.quick[name]
        quick.refuse_idle(recipe.quick[name])


def test_a_preset_without_a_quick_size_has_none():
    recipe = replace(find_recipe("neurodraughts"), quick={})
    with pytest.raises(ValueError, match="the preset tuned of neurodraughts has no quick size"):
        recipe.quick_preset("tuned")


def test_lambda_has_its_own_name():
    assert TUNED.with_changes(["lambda=0.3"]).make_td().decay == 0.3


@pytest.mark.parametrize(
    "recipe",
    [one for one in all_recipes() if hasattr(one.presets["tuned"], "decay")],
    ids=lambda recipe: recipe.name,
)
def test_every_lambda_can_be_set_and_is_named_as_it_was_written(recipe: Recipe):
    settings: Any = recipe.presets["tuned"]
    assert settings.with_changes(["lambda=0.25"]).decay == 0.25
    for name in ("lambda", "decay"):
        with pytest.raises(ValueError, match=rf"^{name}: .* less than or equal to 1, not 1.2"):
            settings.with_changes([f"{name}=1.2"])
    with pytest.raises(ValueError, match="say what lambda is to be, as in lambda="):
        settings.with_changes(["lambda="])


def test_readings_of_the_paper_can_be_chosen():
    other = PUBLISHED.with_changes(["off=0", "trace_decay=gamma_lambda"])
    assert other.make_mapping().off == 0
    assert other.with_changes(["mapping=binary"]).make_mapping().off == 0
    td = other.make_td()
    assert td.fading == td.decay * td.gamma


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("round_size=4", "with a round_size of 4 it must be 0, not 0.9"),
        ("rate1=2000", "rate1 must be 0 to 1000, not 2000"),
        ("gamma=-0.1", "gamma: Input should be greater than or equal to 0, not -0.1"),
        ("lamda=0.5", "there is no key 'lamda': did you mean lambda"),
        ("decay=", "say what decay is to be, as in decay=0.1"),
    ],
)
def test_what_makes_no_sense_is_refused(change: str, words: str):
    with pytest.raises(ValueError, match=words):
        PUBLISHED.with_changes([change])
