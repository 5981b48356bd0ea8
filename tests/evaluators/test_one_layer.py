"""Duchess's evaluation: the paper's first weights, stages, what the core makes of it."""

from __future__ import annotations

import math
import pickle
from random import Random

import numpy as np
import pytest

from crossboard.duchess import Position
from crossboard.duchess import random_line as line_of
from crossboard.evaluators import OneLayer
from crossboard.evaluators.one_layer import KINDS, shapes_of, steps_to_vortex

PLAYERS = [4, 6]


def played(players: int, plies: int, seed: int) -> Position:
    position = Position(players)
    for move in line_of(position, plies, Random(seed)):
        position = position.after(move)
    return position


def random_stage_three(players: int, seed: int) -> OneLayer:
    whole = OneLayer.initial(players).extended(attack="plain", piece_square=True)
    generator = np.random.default_rng(seed)
    return whole.with_weights(generator.uniform(-0.1, 0.1, whole.weights.size))


@pytest.mark.parametrize("players", PLAYERS)
def test_initial_weights_are_the_papers(players: int) -> None:
    weights = OneLayer.initial(players).arrays()
    material = dict(zip(KINDS, weights["material"][0], strict=True))
    assert material["K"] == 0
    assert [material[kind] for kind in "QDF"] == [0.1] * 3
    assert [material[kind] for kind in "WNRBP"] == [0.05] * 5
    assert set(weights["wizards"].ravel()) == {0.05}
    assert list(weights["check"][0][:4]) == [-0.05, 0.05, -0.05, 0.05]
    assert list(weights["checkmate"][0][:4]) == [-0.25, 0.25, -0.25, 0.25]
    assert weights["pawn_square"].max() == pytest.approx(0.04)
    assert not weights["bias"].any()


def test_more_weights_are_searched_with_as_before() -> None:
    slow = OneLayer(OneLayer.initial().arrays(), cumulative=False)
    assert not slow.extended(attack="plain").cumulative


@pytest.mark.parametrize("players", PLAYERS)
def test_nobody_is_ahead_at_the_start(players: int) -> None:
    # Pawns begin four steps from the Vortex, where their weight is zero.
    evaluation = OneLayer.initial(players)
    assert evaluation.evaluate(Position(players)) == 0
    assert evaluation.chance(Position(players)) == 0.5


@pytest.mark.parametrize(
    ("cell", "steps"), [("V", 0), ("1c6", 1), ("1d6", 1), ("1e6", 2), ("4c5", 2), ("5a1", 6)]
)
def test_steps_to_the_vortex(cell: str, steps: int) -> None:
    assert steps_to_vortex(cell) == steps


@pytest.mark.parametrize("players", PLAYERS)
def test_a_piece_is_for_its_team_and_against_the_other(players: int) -> None:
    kings = "; ".join(
        f"{n}:K{s}a1" for n, s in enumerate([1, 2, 4, 5] if players == 4 else range(1, 7), 1)
    )
    evaluation = OneLayer.initial(players)
    plain = Position.from_text(f"{players}; {kings}; turn 1".replace("K1a1", "K1a1 R1c2"))
    assert evaluation.evaluate(plain) == pytest.approx(0.05)
    # For the next player, an enemy, it is the other way round.
    moved = plain.after("R1c2-1c3")
    assert evaluation.evaluate(moved) == pytest.approx(-0.05)


@pytest.mark.parametrize("players", PLAYERS)
def test_value_is_the_sum_of_features(players: int) -> None:
    evaluation = random_stage_three(players, 1)
    for seed in range(10):
        position = played(players, 4 + 20 * seed, seed)
        features = evaluation.features(position)
        assert evaluation.evaluate(position) == pytest.approx(
            features @ evaluation.weights, abs=1e-4
        )


def test_sets_belong_to_teams() -> None:
    evaluation = random_stage_three(4, 2)
    sizes = {name: np.prod(shape[1:]) for name, shape in evaluation.shapes.items()}
    odd = evaluation.features(Position())
    even = evaluation.features(Position().after("P1a3-1a4"))
    at = 0
    for size in sizes.values():
        assert not odd[at + size : at + 2 * size].any()
        assert not even[at : at + size].any()
        at += 2 * size


def test_stages_keep_what_was_learnt() -> None:
    one = OneLayer.initial()
    two = one.extended(attack="plain")
    three = two.extended(piece_square=True)
    assert list(three.shapes) == [*one.shapes, "attack", "piece_square"]
    assert three.arrays()["attack"].shape == (2, 9, 4, 9, 4)
    assert three.arrays()["piece_square"].shape == (2, 117, 9, 4)
    for position in (played(4, plies, plies) for plies in range(4, 60, 8)):
        assert one.evaluate(position) == two.evaluate(position) == three.evaluate(position)


def test_six_players_share_one_set() -> None:
    shapes = shapes_of(6, "plain", piece_square=True)
    assert {shape[0] for shape in shapes.values()} == {1}
    assert shapes["attack"] == (1, 9, 6, 9, 6)
    assert shapes["piece_square"] == (1, 157, 9, 6)
    assert shapes["wizards"] == (1, 2)


def test_moves_to_an_enemy_king() -> None:
    evaluation = OneLayer.initial().extended(king_reach=True)
    assert evaluation.arrays()["king_reach"].shape == (2, 9, 4, 4, 4)
    assert evaluation.king_reach
    position = Position.from_text("4; 1:K1a1 N1c3; 2:K2a1; 3:K4a1; 4:K5a1; turn 1")
    start = sum(math.prod(shape) for shape in list(evaluation.shapes.values())[:-1])
    ways = evaluation.features(position)[start:].reshape(2, 9, 4, 4, 4)
    # One knight of the player to move, and two enemies' kings, each so many moves away.
    assert ways.sum() == 2
    assert ways[0, KINDS.index("N"), 0].sum() == 2
    assert [ways[0, KINDS.index("N"), 0, whom].sum() for whom in range(4)] == [0, 1, 0, 1]


def test_attacks_may_be_told_apart_by_mode() -> None:
    evaluation = OneLayer.initial().extended(attack="modes")
    assert evaluation.arrays()["attack"].shape == (2, 3, 9, 4, 9, 4)
    position = Position.from_text("4; 1:K1a1 Q1c1 P1c3; 2:K2a1; 3:K4a1; 4:K5a1; turn 1")
    weights = evaluation.arrays()
    weights["attack"] = weights["attack"].copy()
    weights["attack"][0, 1] = 1.0  # by bishops' lines, of which the queen uses none here
    diagonal = OneLayer(weights)
    assert diagonal.evaluate(position) == evaluation.evaluate(position)
    weights["attack"][0, 0] = 1.0
    assert OneLayer(weights).evaluate(position) == evaluation.evaluate(position) + 2


def test_equal_weights_are_equal_and_survive_a_journey() -> None:
    evaluation = random_stage_three(4, 3)
    twin = pickle.loads(pickle.dumps(evaluation))
    assert twin == evaluation
    assert hash(twin) == hash(evaluation)
    assert twin != OneLayer.initial()
    assert repr(twin) == "<OneLayer 4 players, attack plain, piece_square>"


def test_weights_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        OneLayer.initial().arrays()["material"][0, 0] = 1


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"material": np.zeros((2, 8))}, r"material has shape \(2, 8\), it must be \(2, 9\)"),
        ({"colour": np.zeros(3)}, "there are no weights 'colour': there are material, wizards"),
        ({"bias": [[np.nan], [0]]}, "a weight of bias must be a number within"),
        ({"bias": [[3.0], [0]]}, "a weight of bias must be a number within"),
    ],
)
def test_bad_weights(change: dict[str, object], complaint: str) -> None:
    weights: dict[str, object] = {**OneLayer.initial().arrays(), **change}
    with pytest.raises(ValueError, match=complaint):
        OneLayer(weights)  # type: ignore[arg-type]


def test_missing_weights() -> None:
    weights = OneLayer.initial().arrays()
    del weights["check"]
    with pytest.raises(ValueError, match="the weights 'check' are missing"):
        OneLayer(weights)


def test_another_number_of_players() -> None:
    with pytest.raises(ValueError, match="is for 4 players, the position has 6"):
        OneLayer.initial().evaluate(Position(6))
    with pytest.raises(ValueError, match="Duchess is for 4 or 6 players, not 5"):
        OneLayer.initial(5)
