"""TD-Leaf, TD-Root and TD(lambda) against slow versions of what we chose, on a game played.

That is the formulas of the spec, 8.1, for the searches of a game: forced moves are not searched.
Without the slope of the output, as by default, they are divided by it; with it they are the spec's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from crossboard._core.draughts import Notes, PlayedGame, play_games
from crossboard.draughts import Position
from crossboard.evaluators import Network, piece_mapping
from crossboard.learn import TdLeafSettings
from crossboard.learn.search_learning import (
    Course,
    Start,
    Studied,
    outcome_for,
    play_alone,
    play_start,
    starts_of,
)
from crossboard.learn.tdleaf import fading_sums, teach_by_differences


class Case(NamedTuple):
    network: Network
    notes: Notes
    game: PlayedGame

    def changes(self, settings: TdLeafSettings, rate: float, opening: int = 0) -> Any:
        studied = Studied(self.game, self.notes, opening)
        return teach_by_differences(settings, self.network, studied, rate)


@pytest.fixture
def case() -> Case:
    network = Network.one_layer(piece_mapping())
    weights = np.random.default_rng(1).normal(size=len(network.weights)) / 10
    network = network.with_weights(weights)
    settings = TdLeafSettings(depth=3, depths=())
    options = {**settings.student_options(), "lessons": "none"}
    student = Course(settings, options, lambda *_: weights).student(network)
    game = play_start(student, Start((), 5), settings.rules)
    return Case(network, student.take_notes(), game)


def flat_gradient(network: Network, board: Position, *, with_slope: bool) -> Any:
    """The gradient for the side that has just moved, from Python; without the slope, divided."""
    gradient = network.gradient(network.mapping.inputs(board))
    flat = np.concatenate([array.ravel() for array in gradient.values()])
    return flat if with_slope else flat / (1 - network.output(board) ** 2)


def slow_changes(case: Case, decay: float, *, at_leaf: bool, with_slope: bool) -> Any:
    """What the searches of a game teach, term by term, each side's apart."""
    network, notes, game = case
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
            # Amounts are for the side to move.
            total -= amount * flat_gradient(network, position, with_slope=with_slope)
    return total


def test_what_is_noted_are_the_decisions_of_a_game(case: Case):
    positions = case.game.start, *case.game.boards_after(0), *case.game.boards_after(1)
    decisions = {each.fen for each in positions if len(each.legal_moves) > 1}
    forced = {each.fen for each in positions if len(each.legal_moves) == 1}
    assert {root.fen for root in case.notes.roots} == decisions
    assert len(forced) > 3


@pytest.mark.parametrize("with_slope", [False, True])
@pytest.mark.parametrize("decay", [0.0, 0.7, 1.0])
def test_tdleaf_moves_leaves_toward_what_later_searches_say(
    case: Case, decay: float, with_slope: bool
):
    settings = TdLeafSettings(decay=decay, with_slope=with_slope)
    changes = case.changes(settings, 0.5)
    slow = 0.5 * slow_changes(case, decay, at_leaf=True, with_slope=with_slope)
    np.testing.assert_allclose(changes, slow, atol=1e-5 if with_slope else 1e-9)
    assert np.any(changes != 0)


@pytest.mark.parametrize("with_slope", [False, True])
def test_tdroot_moves_roots_toward_the_next_search(case: Case, with_slope: bool):
    settings = TdLeafSettings(method="root", with_slope=with_slope)
    changes = case.changes(settings, 1.0)
    slow = slow_changes(case, 0.0, at_leaf=False, with_slope=with_slope)
    np.testing.assert_allclose(changes, slow, atol=1e-5)


@pytest.mark.parametrize("with_slope", [False, True])
def test_plain_td_moves_all_boards_toward_later_boards(case: Case, with_slope: bool):
    network, _, game = case
    settings = TdLeafSettings(method="board", decay=0.5, with_slope=with_slope)
    changes = case.changes(settings, 1.0)
    total = np.zeros(len(network.weights))
    for seat, turn in enumerate("BW"):
        boards = game.boards_after(seat)
        values = [*(network.output(board) for board in boards), outcome_for(game, turn)]
        for t, board in enumerate(boards):
            steps = [values[j + 1] - values[j] for j in range(t, len(boards))]
            credit = sum(0.5**k * step for k, step in enumerate(steps))
            total += credit * flat_gradient(network, board, with_slope=with_slope)
    np.testing.assert_allclose(changes, total, atol=1e-5 if with_slope else 1e-9)


def test_boards_of_the_opening_teach_nothing_and_an_endgame_has_none(case: Case):
    settings = TdLeafSettings(method="board", decay=0.5)
    later = [board for seat in (0, 1) for board in case.game.boards_after(seat, skip=6)]
    assert len(later) == case.game.plies - 6
    whole, rest = case.changes(settings, 1.0), case.changes(settings, 1.0, opening=6)
    assert not np.allclose(whole, rest)
    seen = np.any([case.network.mapping.inputs(board) != 0 for board in later], axis=0)
    assert not np.any(rest[-1 - len(seen) : -1][~seen])
    assert np.any(whole[-1 - len(seen) : -1][~seen])
    # Whoever begins with an endgame has chosen all of its moves.
    endgames = replace(settings, depth=1, depths=(), endgames=1.0)
    starts = starts_of(endgames, 1, 0, 3)
    lengths = []

    def teach(network: Network, studied: Studied, rate: float) -> Any:
        lengths.append(studied.opening)
        return network.weights

    options = {**endgames.student_options(), "lessons": "none"}
    play_alone(case.network, Course(endgames, options, teach), starts)
    play_alone(case.network, Course(settings, options, teach), starts_of(settings, 1, 0, 1))
    assert lengths == [0, 0, 0, settings.random_plies]


def test_errors_fade():
    np.testing.assert_allclose(fading_sums(np.array([1.0, 2.0, 4.0]), 0.5), [3.0, 4.0, 4.0])


def test_outcome_is_for_a_colour():
    game = play_games(*_scripted(), openings=[(Position.from_fen("W:W18:B14"), [])], seeds=[1])[0]
    assert game.winner == 0
    assert (outcome_for(game, "W"), outcome_for(game, "B")) == (1.0, -1.0)


def _scripted() -> Any:
    from crossboard._core.draughts import Chooser

    return Chooser.random(), Chooser.random()
