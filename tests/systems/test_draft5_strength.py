"""What evolution is worth: its players against hand-tuned weights, from openings it never saw."""

from __future__ import annotations

import pytest

from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import REPORT, openings
from crossboard.farm.executors import threads
from crossboard.learn import Schooling
from crossboard.players import SearchLimits, load_player
from crossboard.systems.draft5_ga import SEARCH
from crossboard.systems.recipes import find_recipe

PAIRS = 200
LEAST = 0.58
MATCH_SEED = 2011


@pytest.mark.slow
@pytest.mark.sized
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tuned_evolution_beats_hand_tuned_weights(seed: int, is_reduced: bool):
    if is_reduced and seed > 1:
        pytest.skip("one seed in the reduced size")
    recipe = find_recipe("draft5-ga")
    settings = recipe.preset("tuned")
    with threads(2) as farm:
        *_, last = recipe.learn(settings, Schooling(seed, farm.executor, farm.workers))
        one = recipe.player(settings, last, "evolved").with_settings(SEARCH)
        other = load_player("draft5").with_settings(SEARCH)
        terms = Terms(
            pairs=PAIRS,
            openings=openings(REPORT, MATCH_SEED),
            limits=SearchLimits(depth=2),
            seed=MATCH_SEED,
        )
        result = play_match(one, other, terms, farm.executor, workers=farm.workers)
    assert result.score.tally.games == 2 * PAIRS
    assert result.score.score >= LEAST
