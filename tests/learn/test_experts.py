"""Learning from given games: what is learnt, in which order, and resumed."""

from __future__ import annotations

import json

import numpy as np
import pytest

from crossboard.draughts import Position, parse_pdn
from crossboard.evaluators import EvalNet, feature_mapping
from crossboard.learn import Snapshot, TdLearner, TdSettings
from crossboard.learn.experts import ExpertGame, ExpertSettings, learn_from_experts

MAPPING = feature_mapping("lynch")
NET = EvalNet.initial(MAPPING.size, 4, seed=1)
SLOW = TdSettings(rate1=0.01, rate2=0.01)
TEXT = """1. 11-15 22-18 2. 15x22 25x18 3. 8-11 29-25 1-0

1. 9-13 22-18 2. 11-15 18x11 3. 8x15 21-17 4. 13x22 25x11 0-1

1. 11-15 23-18 1/2-1/2
"""
GAMES = [ExpertGame.of_record(record) for record in parse_pdn(TEXT)]


def learn(games: list[ExpertGame], settings: ExpertSettings, **options: object) -> list[Snapshot]:
    return list(learn_from_experts(MAPPING, NET, games, settings, **options))  # type: ignore[arg-type]


def test_a_game_is_two_sequences_each_with_its_own_reward():
    (after,) = learn(GAMES[:1], ExpertSettings(epochs=1, td=SLOW))
    by_hand, errors = TdLearner(NET, SLOW), []
    for boards, reward in ((GAMES[0].black, 1.0), (GAMES[0].red, -1.0)):
        inputs = [MAPPING.inputs(board) for board in boards]
        by_hand.start(inputs[0])
        errors += [by_hand.step(x) for x in inputs[1:]]
        errors.append(by_hand.finish(reward))
    assert TdLearner.from_state(after.arrays, after.plain, SLOW).net == by_hand.net
    assert after.measured["max_error"] == max(map(abs, errors))


def test_errors_become_smaller_and_winners_are_told_from_losers():
    snapshots = learn(GAMES[:2], ExpertSettings(epochs=200, td=SLOW))
    largest = [one.measured["max_error"] for one in snapshots]
    assert largest[-1] < 0.8 * largest[0]
    net = TdLearner.from_state(snapshots[-1].arrays, snapshots[-1].plain, SLOW).net
    for game, is_blacks in zip(GAMES[:2], (True, False), strict=True):
        black, red = (net.forward(MAPPING.inputs(side[-1])) for side in (game.black, game.red))
        assert (black > red) == is_blacks
    assert [one.games for one in snapshots[:3]] == [2, 4, 6]


@pytest.mark.parametrize("is_shuffled", [False, True])
def test_resumed_after_any_epoch_it_ends_the_same_bit_for_bit(is_shuffled: bool):
    settings = ExpertSettings(epochs=4, td=SLOW, is_shuffled=is_shuffled)
    whole = learn(GAMES, settings, seed=3)
    for stop in (1, 3):
        kept = whole[stop - 1]
        plain = json.loads(json.dumps(kept.plain))
        arrays = {name: array.copy() for name, array in kept.arrays.items()}
        again = learn(GAMES, settings, seed=3, start=Snapshot(kept.games, arrays, plain))
        assert len(again) == 4 - stop
        for name, array in whole[-1].arrays.items():
            np.testing.assert_array_equal(again[-1].arrays[name], array)


def test_other_games_are_no_way_to_go_on():
    settings = ExpertSettings(epochs=2, td=SLOW)
    first = learn(GAMES, settings)[0]
    others = [GAMES[0]._replace(winner=None), *GAMES[1:]]
    with pytest.raises(ValueError, match="other games than those that were learnt from before"):
        learn(others, settings, start=first)
    del first.plain["digest"]  # as it was kept before there was one
    assert len(learn(GAMES, settings, start=first)) == 1


def test_the_seed_decides_the_order_if_there_is_one_to_decide():
    settings = ExpertSettings(epochs=3, td=SLOW, is_shuffled=True)
    one, same, other = (learn(GAMES, settings, seed=seed)[-1].arrays for seed in (1, 1, 4))
    np.testing.assert_array_equal(one["net.w1"], same["net.w1"])
    assert not np.array_equal(one["net.w1"], other["net.w1"])


def test_a_side_that_never_moved_teaches_nothing():
    game = ExpertGame("B", (Position().after("11-15"),), ())
    (after,) = learn([game], ExpertSettings(epochs=1, td=SLOW))
    assert after.measured["max_error"] > 0


def test_without_games_nothing_can_be_learnt():
    with pytest.raises(ValueError, match="there is no game to learn from"):
        learn([], ExpertSettings())
    with pytest.raises(ValueError, match="there is no game to learn from that has boards"):
        learn([ExpertGame("B", (), ())], ExpertSettings())
    with pytest.raises(ValueError, match="epochs must be 1 or more, not 0"):
        ExpertSettings(epochs=0)
