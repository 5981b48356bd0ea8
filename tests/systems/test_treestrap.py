"""The recipes `treestrap` and `tdleaf`: presets make sense, what is learnt becomes a player."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crossboard._core.draughts import Student
from crossboard.draughts import Position
from crossboard.evaluators import Network
from crossboard.learn import Schooling
from crossboard.learn.search_learning import learning_mask
from crossboard.learn.treestrap import lesson_options
from crossboard.players import load_player
from crossboard.systems import tdleaf
from crossboard.systems.duchess import DuchessSettings
from crossboard.systems.recipes import find_recipe
from crossboard.systems.treestrap import PUBLISHED, TUNED, StudyRecipe, learn, player_of

SMALL = TUNED.with_changes(["games=6", "round_size=3", "depth=2", "stages=[0, 0, 3]"])


PRESETS = {"published": PUBLISHED, "tuned": TUNED, "tdleaf": tdleaf.TUNED}


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_presets_fit_their_mappings(preset: Any):
    network = Network.one_layer(preset.make_mapping())
    study = preset.study()
    learning_mask(network, study, 0)
    assert (study.games, study.decay) == (preset.games, preset.decay)
    assert study.depths == preset.depths


def test_published_is_the_papers_setting():
    assert PUBLISHED.make_mapping().size == 2 + 83 + 128
    study = PUBLISHED.study()
    assert (study.decay, study.random_plies, study.round_size) == (1 / 3, 4, 1)
    # Of which the next test says what they are on the paper's scale.
    assert study.clamp == 0.001 / 2
    assert [4 * study.rate_after(games) for games in (0, 140, 360)] == [1e-4, 1e-5, 1e-5]
    assert (study.depth, study.depths) == (5, ((6, 9), (12, 7)))


def test_published_orders_moves_by_one_killer_alone_and_learns_at_edges():
    keys = ("killers", "history", "quiescence", "at_edges")
    options = lesson_options(PUBLISHED.study())
    assert [options[key] for key in keys] == [1, False, False, True]
    # As on Duchess, where the paper says so.
    duchess = find_recipe("duchess").preset("published")
    assert isinstance(duchess, DuchessSettings)
    theirs = duchess.study().student_options()
    assert [theirs[key] for key in keys] == [options[key] for key in keys]


@pytest.mark.parametrize("rate", [1e-4, 10.0])  # within the clamp, and far beyond it
def test_published_steps_are_those_of_probabilities(rate: float):
    zero = PUBLISHED.initial()
    drawn = np.random.default_rng(3).normal(size=len(zero.weights)) / 20
    network, root = zero.with_weights(drawn), Position()
    study = PUBLISHED.model_copy(update={"method": "root", "rate": rate / 1e-4 * PUBLISHED.rate})
    options = {**lesson_options(study.study()), "depth": 3}
    student = Student.of(network.core, rate=study.rate, **options)  # type: ignore[arg-type]
    student.choose(root)
    notes = student.take_notes()
    # sigma(z) is the probability of a win, where z is the sum of weights that are twice ours.
    inputs = network.sum_gradients([root], [1.0])
    judged = 1 / (1 + np.exp(-2 * drawn @ inputs))
    found = (1 + notes.values[0]) / 2
    papers = np.clip(rate * (found - judged) * inputs, -0.001, 0.001)
    assert papers.any()
    np.testing.assert_allclose(2 * notes.changes, papers, rtol=1e-4)


def test_what_learners_share_is_no_recipe_of_its_own():
    with pytest.raises(TypeError, match="abstract method"):
        StudyRecipe()


WAYS = {
    "treestrap": ["method=tree", "method=root", "at_edges=true", "algorithm=minimax"],
    "tdleaf": ["method=leaf", "method=root", "method=board", "lambda=0.2", "with_slope=true"],
}


@pytest.mark.parametrize("system", WAYS)
def test_every_way_of_learning_can_be_chosen(system: str):
    recipe = find_recipe(system)
    small = ["games=8", "round_size=4", "depth=3", "depths=[]", "inputs=['counts', 'pieces']"]
    small += ["stages=[]", "adaptive=false", "rate=0.01"]
    found = []
    for way in WAYS[system]:
        settings = recipe.presets["tuned"].with_changes([*small, way])
        assert isinstance(settings, StudyRecipe)
        with ThreadPoolExecutor(1) as executor:
            *_, last = recipe.learn(settings, Schooling(1, executor))
        found.append(last.arrays["weights"])
        assert np.any(found[-1] != 0)
    assert all(np.any(one != other) for one, other in combinations(found, 2))


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
        (
            "depths=5",
            r"depths: Input should be a list in brackets, not 5, as in \[\[6, 9\], \[12, 7",
        ),
        ("killers=3", "killers"),
        ("rate=0", "rate"),
        ("pace=1", "did you mean"),
        ("method=leaf", "method: Input should be 'tree' or 'root', not 'leaf'"),
        ("round_size=1", "a round_size of 1 goes neither with adaptive rates nor with outcome"),
    ],
)
def test_settings_that_make_no_sense_are_refused(change: str, says: str):
    with pytest.raises(ValueError, match=says):
        TUNED.with_changes([change])


@pytest.mark.parametrize(
    ("preset", "changes", "says"),
    [
        (TUNED, ["clamp=0.001"], "clamp has no effect here: adaptive rates are limit enough"),
        (TUNED, ["caution=0.2", "adaptive=false"], "caution has no effect here"),
        (TUNED, ["method=root", "lambda=0.5"], "lambda has no effect here: method=root"),
        (PUBLISHED, ["method=root", "at_edges=false"], "at_edges has no effect here: method=root"),
        (tdleaf.TUNED, ["method=root", "decay=0.7"], "decay has no effect here: method=root"),
    ],
)
def test_settings_without_effect_are_refused(preset: Any, changes: list[str], says: str):
    with pytest.raises(ValueError, match=says):
        preset.with_changes(changes).refuse_idle([each.partition("=")[0] for each in changes])


def test_what_has_an_effect_can_be_set():
    for preset, changes in (
        (TUNED, ["adaptive=false", "clamp=0.01"]),
        (tdleaf.TUNED, ["method=board", "lambda=0.2"]),
    ):
        preset.with_changes(changes).refuse_idle([each.partition("=")[0] for each in changes])
