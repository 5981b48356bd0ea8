"""A net for each phase: who learns what, what is cloned, and resumed."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from crossboard._core.draughts import Chooser, PlayedGame, play_games
from crossboard.draughts import Position, StartBoard
from crossboard.evaluators import EvalNet, Network, feature_mapping
from crossboard.learn import Schooling, Snapshot, TdSettings
from crossboard.learn.cloning import CloningSettings, learn_by_cloning
from crossboard.learn.phases import ALONE, ANY, BY_MATERIAL, name_arrays, nets_of, phases_of
from crossboard.learn.rounds import Lesson, learn_round
from crossboard.players import material_balance

MAPPING = feature_mapping("lynch")
NET = EvalNet.initial(MAPPING.size, 3, seed=1)
SLOW = TdSettings(rate1=0.05, rate2=0.05, decay=0.5, momentum=0.0)
BY_MOVES = CloningSettings(td=SLOW, phases=BY_MATERIAL, most_games=12, games=4, depth=1)
IN_ROUNDS = replace(BY_MOVES, round_size=2, random_plies=4)


def learn(settings: CloningSettings, start: Snapshot | None = None) -> list[Snapshot]:
    network = Network.of(MAPPING, NET)
    with ThreadPoolExecutor(1) as executor:
        return list(learn_by_cloning(network, settings, Schooling(3, executor, start=start)))


def random_game(seed: int = 1) -> PlayedGame:
    chance = Chooser.random()
    return play_games(chance, chance, openings=[(Position(), [])], seeds=[seed])[0]


def test_a_turn_belongs_to_the_phase_in_which_it_was_made():
    game = random_game()
    for seat in (0, 1):
        turns = phases_of(game, seat, BY_MATERIAL)
        position = game.start
        for ply, move in enumerate(game.moves):
            if ply % 2 == seat:
                balance = material_balance(position)
                expected = "ahead" if balance > 0 else "behind" if balance < 0 else "level"
                assert turns[ply // 2] == expected
            position = position.after(move)
        for phases in (ALONE, BY_MATERIAL):
            assert len(phases_of(game, seat, phases)) == len(game.boards_after(seat))
            assert phases_of(game, seat, phases, skip=6) == phases_of(game, seat, phases)[3:]
    assert set(phases_of(game, 0, ALONE)) == {ANY}


def lesson(turns: list[tuple[str, str]], reward: float) -> Lesson:
    """Moves from the start, each with a phase."""
    boards = [Position().after(move) for move, _ in turns]
    return Lesson(MAPPING.batch(boards), [phase for _, phase in turns], reward)


def test_a_net_whose_phase_did_not_come_learns_nothing():
    nets = dict.fromkeys(BY_MATERIAL, NET)
    found = learn_round(nets, [lesson([("11-15", "level")], 1.0)], SLOW)
    assert found["ahead"] == found["behind"] == NET
    inputs = MAPPING.inputs(Position().after("11-15"))
    assert found["level"].forward(inputs) > NET.forward(inputs)


def test_credit_goes_back_through_nets():
    nets = dict.fromkeys(BY_MATERIAL, NET)
    turns = [("11-15", "level"), ("9-14", "ahead")]
    won, lost = (learn_round(nets, [lesson(turns, reward)], SLOW) for reward in (1.0, -1.0))
    first = MAPPING.inputs(Position().after("11-15"))
    assert won["level"].forward(first) > lost["level"].forward(first)


@pytest.mark.parametrize("phases", [ALONE, BY_MATERIAL])
def test_nets_are_found_again_under_their_names(phases: tuple[str, ...]):
    nets = {phase: EvalNet.initial(2, 2, seed=n) for n, phase in enumerate(phases)}
    others = dict.fromkeys(phases, NET)
    arrays = name_arrays("student", nets) | name_arrays("opponent", others)
    assert nets_of(arrays, "student") == nets
    assert nets_of(arrays, "opponent") == others
    assert ("student.w1" in arrays) == (phases == ALONE)


@pytest.mark.parametrize("settings", [BY_MOVES, IN_ROUNDS])
def test_resumed_after_any_block_it_ends_the_same_bit_for_bit(settings: CloningSettings):
    whole = learn(settings)
    assert [one.games for one in whole] == [4, 8, 12]
    shares = [sum(one.measured[f"share_{name}"] for name in BY_MATERIAL) for one in whole]
    assert shares == pytest.approx([1.0] * 3)
    kept = whole[0]
    arrays = {name: array.copy() for name, array in kept.arrays.items()}
    again = learn(settings, Snapshot(kept.games, arrays, json.loads(json.dumps(kept.plain))))
    assert len(again) == 2
    for name, array in whole[-1].arrays.items():
        np.testing.assert_array_equal(again[-1].arrays[name], array)
    assert all(net != NET for net in nets_of(whole[-1].arrays, "student").values())


def test_all_nets_of_a_student_are_cloned_together():
    easy = replace(BY_MOVES, boards=(StartBoard(points_to_clone=0),))
    for snapshot in learn(easy):
        assert snapshot.measured["cloned"]
        assert nets_of(snapshot.arrays, "opponent") == nets_of(snapshot.arrays, "student")


def test_phases_leave_none_out():
    with pytest.raises(ValueError, match="phases are"):
        CloningSettings(phases=("ahead", "behind"))
