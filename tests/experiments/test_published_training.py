"""What the paper says of its training holds: clones come and win, features beat squares.

`make slow` tries many seeds; every landing tries a few (`make slow SIZE=reduced`).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import openings
from crossboard.experiments import representations
from crossboard.experiments.comparison import Arm, last_clone
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.cloning import PLAIN_SEARCH
from crossboard.players import Player, SearchLimits

pytestmark = [pytest.mark.slow, pytest.mark.sized]

# As training searches: two plies from the root, nothing else.
DEPTH = 2


def train(arm: Arm, seed: int) -> Snapshot:
    with ThreadPoolExecutor(1) as executor:
        *_, last = arm.recipe.learn(arm.settings, Schooling(seed, executor))
    return last


def clone_of(arm: Arm, snapshot: Snapshot) -> Player:
    player = arm.recipe.player(arm.settings, last_clone(snapshot), arm.name)
    return Player(arm.name, player.evaluator, search=PLAIN_SEARCH)


def score(one: Player, other: Player, games: int) -> float:
    terms = Terms(
        pairs=games // 2, openings=openings("random:6", 3), limits=SearchLimits(depth=DEPTH)
    )
    with ThreadPoolExecutor(1) as executor:
        return play_match(one, other, terms, executor).score.score


def test_most_seeds_clone_three_times_and_their_last_clone_beats_the_first_net(is_reduced: bool):
    arm = representations.arms(1000)[0]
    clones, scores = [], []
    for seed in range(1, 4 if is_reduced else 21):
        last = train(arm, seed)
        first = Player("first", arm.settings.initial(seed), search=PLAIN_SEARCH)
        clones.append(last.plain["clones"])
        scores.append(score(clone_of(arm, last), first, 200))
    assert 2 * sum(count >= 3 for count in clones) > len(clones)
    assert 10 * sum(each >= 0.9 for each in scores) >= 9 * len(scores)


def test_features_beat_three_bits_and_one_number_a_square(is_reduced: bool):
    features, *others = representations.arms(300 if is_reduced else 1000)
    points: dict[str, list[float]] = {other.name: [] for other in others}
    for seed in range(1, 5 if is_reduced else 11):
        best = clone_of(features, train(features, seed))
        for other in others:
            points[other.name].append(score(best, clone_of(other, train(other, seed)), 40))
    assert all(sum(scores) > 0.6 * len(scores) for scores in points.values())
