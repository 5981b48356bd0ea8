"""TD-Leaf and TD-Root against their formulas, on a game written down."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from crossboard._core.draughts import Notes, PlayedGame, play_games
from crossboard.draughts import Position
from crossboard.evaluators import Network, piece_mapping
from crossboard.learn import TdLeafSettings
from crossboard.learn.students import Course, Start, outcome_for, play_start
from crossboard.learn.tdleaf import fading_sums, teach_by_differences


class Studied(NamedTuple):
    network: Network
    notes: Notes
    game: PlayedGame


@pytest.fixture
def studied() -> Studied:
    network = Network.one_layer(piece_mapping())
    weights = np.random.default_rng(1).normal(size=len(network.weights)) / 10
    network = network.with_weights(weights)
    settings = TdLeafSettings(depth=3, depths=())
    options = {**settings.student_options(), "lessons": "none"}
    student = Course(settings, options, lambda *_: weights).student(network)
    game = play_start(student, Start((), 5), settings.rules)
    return Studied(network, student.take_notes(), game)


def slow_changes(studied: Studied, decay: float, *, at_leaf: bool) -> Any:
    """The formulas of the spec, 8.1, term by term, with gradients from Python."""
    network, notes, game = studied
    total = np.zeros(len(network.weights))
    for turn in "BW":
        own = [i for i, root in enumerate(notes.roots) if root.turn == turn]
        values = [*(notes.values[i] for i in own), outcome_for(game, turn)]
        for t, i in enumerate(own):
            if at_leaf:
                position, sign = notes.leaves[i], notes.signs[i]
                steps = [values[j + 1] - values[j] for j in range(t, len(own))]
                amount = sum(decay**k * step for k, step in enumerate(steps)) * sign
            else:
                position = notes.roots[i]
                amount = values[t + 1] - network.evaluate(position)
            judged = network.output(position)
            gradient = network.gradient(network.mapping.inputs(position))
            flat = np.concatenate([array.ravel() for array in gradient.values()])
            # For the side to move, and before the last tanh.
            total -= amount * flat / (1 - judged**2)
    return total


@pytest.mark.parametrize("decay", [0.0, 0.7, 1.0])
def test_tdleaf_moves_leaves_toward_what_later_searches_say(studied: Studied, decay: float):
    settings = TdLeafSettings(decay=decay)
    changes = teach_by_differences(settings, studied.network, studied.notes, studied.game, 0.5)
    slow = 0.5 * slow_changes(studied, decay, at_leaf=True)
    np.testing.assert_allclose(changes, slow, atol=1e-9)
    assert np.any(changes != 0)


def test_tdroot_moves_roots_toward_the_next_search(studied: Studied):
    settings = TdLeafSettings(method="root")
    changes = teach_by_differences(settings, studied.network, studied.notes, studied.game, 1.0)
    np.testing.assert_allclose(changes, slow_changes(studied, 0.0, at_leaf=False), atol=1e-5)


def test_plain_td_moves_boards_toward_later_boards(studied: Studied):
    network, notes, game = studied
    settings = TdLeafSettings(method="board", random_plies=0, decay=0.5)
    changes = teach_by_differences(settings, network, notes, game, 1.0)
    total = np.zeros(len(network.weights))
    for seat, turn in enumerate("BW"):
        boards = game.boards_after(seat)
        values = [*(network.output(board) for board in boards), outcome_for(game, turn)]
        for t, board in enumerate(boards):
            steps = [values[j + 1] - values[j] for j in range(t, len(boards))]
            credit = sum(0.5**k * step for k, step in enumerate(steps))
            gradient = network.gradient(network.mapping.inputs(board))
            flat = np.concatenate([array.ravel() for array in gradient.values()])
            total += credit * flat / (1 - values[t] ** 2)
    np.testing.assert_allclose(changes, total, atol=1e-9)


def test_errors_fade():
    np.testing.assert_allclose(fading_sums(np.array([1.0, 2.0, 4.0]), 0.5), [3.0, 4.0, 4.0])


def test_outcome_is_for_a_colour():
    game = play_games(*_scripted(), openings=[(Position.from_fen("W:W18:B14"), [])], seeds=[1])[0]
    assert game.winner == 0
    assert (outcome_for(game, "W"), outcome_for(game, "B")) == (1.0, -1.0)


def _scripted() -> Any:
    from crossboard._core.draughts import Chooser

    return Chooser.random(), Chooser.random()
