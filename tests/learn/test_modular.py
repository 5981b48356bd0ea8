"""A net for each phase: who learns what, and resumed."""

from __future__ import annotations

import json

import numpy as np
import pytest

from crossboard._core.draughts import Chooser, PlayedGame, play_games
from crossboard.draughts import Position
from crossboard.evaluators import EvalNet, feature_mapping
from crossboard.learn import Snapshot, TdSettings
from crossboard.learn.cloning import CloningSettings
from crossboard.learn.modular import (
    ALONE,
    BY_MATERIAL,
    Turn,
    learn_game,
    learn_modular,
    nets_of,
    turns_of,
)
from crossboard.learn.rounds import Lesson, learn_round
from crossboard.players import material_balance

MAPPING = feature_mapping("lynch")
NET = EvalNet.initial(MAPPING.size, 3, seed=1)
SLOW = TdSettings(rate1=0.05, rate2=0.05, decay=0.5)
SETTINGS = CloningSettings(td=SLOW, blocks=3, games=4, depth=1)


def random_game(seed: int = 1) -> PlayedGame:
    chance = Chooser.random()
    return play_games(chance, chance, openings=[(Position(), [])], seeds=[seed])[0]


def test_a_turn_belongs_to_the_phase_in_which_it_was_made():
    game = random_game()
    for seat in (0, 1):
        turns = turns_of(game, seat, BY_MATERIAL)
        position = game.start
        for ply, move in enumerate(game.moves):
            if ply % 2 == seat:
                balance = material_balance(position)
                expected = "ahead" if balance > 0 else "behind" if balance < 0 else "level"
                assert turns[ply // 2] == Turn(position.after(move), expected)
            position = position.after(move)
    assert {turn.phase for turn in turns_of(game, 0, ALONE)} == {"any"}
    assert len(turns_of(game, 0, ALONE, skip=6)) == len(turns_of(game, 0, ALONE)) - 3


def test_one_net_for_everything_learns_as_a_round_of_one_game_does():
    turns = turns_of(random_game(), 0, ALONE)
    found = learn_game(MAPPING, {"any": NET}, turns, 1.0, SLOW, scale=0.5)
    inputs = MAPPING.batch([turn.board for turn in turns])
    assert found["any"] == learn_round(NET, [Lesson(inputs, 1.0)], SLOW, scale=0.5)


def test_a_net_whose_phase_did_not_come_learns_nothing():
    turns = [Turn(Position().after("11-15"), "level")]
    nets = dict.fromkeys(BY_MATERIAL, NET)
    found = learn_game(MAPPING, nets, turns, 1.0, SLOW)
    assert found["ahead"] == found["behind"] == NET
    assert found["level"] != NET
    assert found["level"].forward(MAPPING.inputs(turns[0].board)) > NET.forward(
        MAPPING.inputs(turns[0].board)
    )


def test_credit_goes_back_through_nets():
    boards = [Position().after("11-15"), Position().after("9-14")]
    turns = [Turn(boards[0], "level"), Turn(boards[1], "ahead")]
    nets = dict.fromkeys(BY_MATERIAL, NET)
    won, lost = (learn_game(MAPPING, nets, turns, reward, SLOW) for reward in (1.0, -1.0))
    first = MAPPING.inputs(boards[0])
    assert won["level"].forward(first) > lost["level"].forward(first)


@pytest.mark.parametrize("phases", [ALONE, BY_MATERIAL])
def test_resumed_after_any_block_it_ends_the_same_bit_for_bit(phases: tuple[str, ...]):
    nets = dict.fromkeys(phases, NET)
    whole = list(learn_modular(MAPPING, nets, SETTINGS, seed=3))
    assert [one.games for one in whole] == [4, 8, 12]
    shares = [sum(one.measured[f"share_{name}"] for name in phases) for one in whole]
    assert shares == pytest.approx([1.0] * 3)
    kept = whole[0]
    arrays = {name: array.copy() for name, array in kept.arrays.items()}
    start = Snapshot(kept.games, arrays, json.loads(json.dumps(kept.plain)))
    again = list(learn_modular(MAPPING, nets, SETTINGS, seed=3, start=start))
    assert len(again) == 2
    for name, array in whole[-1].arrays.items():
        np.testing.assert_array_equal(again[-1].arrays[name], array)
    assert nets_of(whole[-1], "student")[phases[0]] != NET
