"""TreeStrap: what it learns from nothing, and what one move teaches."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from crossboard._core.draughts import Student
from crossboard.draughts import Position
from crossboard.evaluators import Network, count_mapping, piece_mapping
from crossboard.learn import Schooling, TreeStrapSettings, learn_by_treestrap
from crossboard.learn.search_learning import learning_mask, tie_of
from crossboard.learn.treestrap import lesson_options


def test_from_zero_a_king_becomes_worth_more_than_a_man():
    settings = TreeStrapSettings(
        games=400, round_size=20, depth=3, depths=((8, 5),), rate=0.05, adaptive=True
    )
    with ThreadPoolExecutor(2) as executor:
        schooling = Schooling(1, executor, workers=2)
        *_, last = learn_by_treestrap(Network.one_layer(count_mapping()), settings, schooling)
    man, king = last.arrays["weights"][1:3]
    assert 0 < man < king


def student_of(network: Network, **options: Any) -> Any:
    return Student.of(network.core, depth=3, **options)  # type: ignore[arg-type]


def crowded() -> Network:
    network = Network.one_layer(piece_mapping())
    return network.with_weights(np.random.default_rng(2).normal(size=len(network.weights)) / 5)


def test_a_search_draws_the_root_toward_its_value():
    network = crowded()
    student = student_of(network, lessons="root", rate=0.01, clamp=0.0)
    student.choose(Position())
    notes = student.take_notes()
    error = notes.values[0] - network.evaluate(Position())
    expected = network.sum_gradients([Position()], [0.01 * error])
    np.testing.assert_allclose(notes.changes, expected, atol=1e-8)
    moved = network.with_weights(network.weights + notes.changes)
    assert abs(notes.values[0] - moved.evaluate(Position())) < abs(error)


def test_no_weight_changes_by_more_than_the_clamp_in_one_search():
    student = student_of(crowded(), rate=1.0, clamp=0.001)
    student.choose(Position())
    changes = student.take_notes().changes
    assert np.abs(changes).max() == pytest.approx(0.001)


def test_searches_are_clamped_one_by_one():
    positions = [Position(), Position.from_fen("W:W18,21,30:B1,3,10")]
    alone = []
    for position in positions:
        student = student_of(crowded(), rate=1.0, clamp=0.001)
        student.choose(position)
        alone.append(student.take_notes().changes)
    student = student_of(crowded(), rate=1.0, clamp=0.001)
    for position in positions:
        student.choose(position)
    changes = student.take_notes().changes
    np.testing.assert_allclose(changes, alone[0] + alone[1], atol=1e-15)
    assert np.abs(changes).max() > 0.0015


def test_one_layer_has_one_bias_that_learns():
    settings = TreeStrapSettings(games=20, round_size=10, depth=2, depths=(), rate=0.05)
    network = Network.one_layer(count_mapping())
    with ThreadPoolExecutor(1) as executor:
        *_, last = learn_by_treestrap(network, settings, Schooling(1, executor))
    second, *_, bias = last.arrays["weights"]
    assert second == 0
    assert bias != 0
    deep = Network.initial(count_mapping(), 2, seed=1)
    assert learning_mask(deep, settings, 0).tolist() == [1.0] * len(deep.weights)


def test_students_search_as_engines_do():
    with pytest.raises(ValueError, match="killers are 0 to 2 moves of a ply, not 7"):
        student_of(crowded(), killers=7)
    with pytest.raises(ValueError, match="depths are for 0 to 1000 pieces, not for 2147483647"):
        student_of(crowded(), depths=[(2**31 - 1, 5)])
    # Of the whole game only what can come again counts: elsewhere all of it would be a draw.
    past, position = [], Position.from_fen("B:WK32:BK1,12")
    for move in ("1-6", "32-28", "6-1", "28-32", "12-16"):
        past.append(position)
        position = position.after(move)
    whole, none = student_of(crowded()), student_of(crowded())
    assert whole.choose(position, past) == none.choose(position)
    assert whole.take_notes().values.tolist() == none.take_notes().values.tolist()


def test_nor_does_a_weight_that_is_tied_to_another():
    settings = TreeStrapSettings(round_size=1, clamp=0.001, mirrored=True, depth=3, depths=())
    counts = Network.one_layer(count_mapping()).with_weights(np.array([0.1, 0.2, -0.3, 0.0]))
    for network, most in ((crowded(), None), (counts, 0.001)):
        options = {**lesson_options(settings), "rate": 1.0}
        student = Student.of(network.core, **options)  # type: ignore[arg-type]
        student.choose(Position.from_fen("W:WK6,K10,18:B28,K4"))
        changes = tie_of(network, settings)(student.take_notes().changes)
        assert 0 < np.abs(changes).max() <= 0.001 + 1e-12
        assert most is None or np.abs(changes).max() == pytest.approx(most)


def test_notes_are_taken_once():
    student = student_of(crowded())
    student.choose(Position())
    assert len(student.take_notes().roots) == 1
    empty = student.take_notes()
    assert len(empty.roots) == 0
    assert not empty.changes.any()


def test_fewer_pieces_are_searched_deeper():
    network = crowded()
    nodes = []
    for depths in ([], [(6, 4)], [(5, 4)]):
        student = student_of(network, depths=depths)
        student.choose(Position.from_fen("W:W18,21,30:B1,3,10"))
        nodes.append(student.take_notes().nodes)
    assert nodes[0] == nodes[2] < nodes[1]


def test_depths_for_fewer_pieces_are_the_least_whatever_their_order():
    network = crowded()
    nodes = []
    for depths in ([], [(20, 2)], [(6, 4)], [(6, 4), (20, 2)], [(20, 2), (6, 4)]):
        student = student_of(network, depths=depths)  # of depth 3
        student.choose(Position.from_fen("W:W18,21,30:B1,3,10"))
        nodes.append(student.take_notes().nodes)
    assert nodes[0] == nodes[1] < nodes[2] == nodes[3] == nodes[4]


@pytest.mark.parametrize("name", ["rate", "decay", "clamp"])
def test_steps_are_not_negative(name: str):
    with pytest.raises(ValueError, match=f"{name} must be 0 or more, not -0.5"):
        student_of(crowded(), **{name: -0.5})
    for word in ("nan", "inf"):
        with pytest.raises(ValueError, match=f"{name} must be 0 or more, not {word}"):
            student_of(crowded(), **{name: float(word)})


def test_words_that_nobody_knows_are_refused():
    with pytest.raises(ValueError, match="lessons must be one of tree root none, not 'leaf'"):
        student_of(crowded(), lessons="leaf")
    with pytest.raises(ValueError, match="the algorithm is minimax or alphabeta, not 'b'"):
        student_of(crowded(), algorithm="b")
