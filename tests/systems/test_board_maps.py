"""Maps of endgame boards: options, clusters, and what they explain of outcomes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from crossboard.learn.som import MapSettings
from crossboard.systems.board_maps import (
    FOLDS,
    NAMED_OPTIONS,
    MapOptions,
    choose_units,
    clusters_of,
    compare_options,
    cross_validated,
    explained_by,
    fall_of,
    judge_map,
    split_boards,
    units_of,
)
from crossboard.systems.endgame_boards import EndgameBoard, read_endgame_boards

BOARDS = read_endgame_boards(Path(__file__).parents[1] / "data" / "endgame_boards.fen")[:120]
SHORT = MapSettings(units=6, decay=0.8)
OPTIONS = MapOptions(training=SHORT)


def test_boards_go_to_the_unit_whose_prototype_is_nearest() -> None:
    positions = [board.position for board in BOARDS]
    found = OPTIONS.train(positions, 1)
    rows = OPTIONS.attributes().of(positions)
    slow = [
        min(range(6), key=lambda unit: float(((row - found.prototypes[unit]) ** 2).sum()))
        for row in rows
    ]
    assert units_of(OPTIONS, found, positions).tolist() == slow


def test_an_empty_unit_has_the_boards_of_the_nearest_that_has_some() -> None:
    prototypes = np.array([[0.0], [5.0], [1.0], [4.0]])
    units = np.array([0, 0, 1, 0])
    # 1 lies nearer to 0 and 4 to 5, though on the chain they stand elsewhere.
    assert clusters_of(prototypes, units) == [[0, 1, 3], [2], [0, 1, 3], [2]]


def test_every_option_makes_a_map_of_its_own_attributes() -> None:
    short = {name: replace(each, training=SHORT) for name, each in NAMED_OPTIONS.items()}
    sizes = {name: each.attributes().size for name, each in short.items()}
    assert sizes == {"presence": 28, "counts": 28, "presence, material": 29, "counts, material": 29}
    known, others = split_boards(BOARDS, 1)
    found = compare_options(known, others, short, 1)
    assert found.keys() == short.keys()
    assert len(set(found.values())) == 4
    for name, quality in found.items():
        assert quality.explained == explained_by(known, short[name], 1)
        assert 0 < quality.explained < 1
        assert quality.predicted < quality.explained  # of boards that it was not made of
        assert 1 < quality.effective_units <= 6


def test_material_predicts_outcomes_that_chance_does_not() -> None:
    # Outcomes by material alone; then the same outcomes on boards that have nothing to do with it.
    seen = [one for one in BOARDS if one.outcome is not None]
    rows = MapOptions(with_material=True).attributes().of([one.position for one in seen])
    ahead = np.sign(rows[:, -1])
    clear = [one._replace(outcome=float(won)) for one, won in zip(seen, ahead, strict=True)]
    mixed = np.random.default_rng(1).permutation(ahead)
    random = [one._replace(outcome=float(won)) for one, won in zip(seen, mixed, strict=True)]
    options = replace(OPTIONS, features=("ufu.PieceAdvantage", "ufu.PieceDisadvantage"))
    assert cross_validated(clear, options, 1) > 0.5
    assert cross_validated(random, options, 1) < 0.1


def test_boards_are_halved_by_chance() -> None:
    known, others = split_boards(BOARDS[:21], 1)
    assert (len(known), len(others)) == (11, 10)
    assert {one.position for one in known + others} == {one.position for one in BOARDS[:21]}
    assert split_boards(BOARDS[:21], 2)[0] != known


def test_what_a_map_predicts_are_the_means_of_its_own_clusters() -> None:
    known, others = split_boards(BOARDS, 1)
    found = OPTIONS.train([one.position for one in known], 1)
    places = units_of(OPTIONS, found, [one.position for one in known])
    asked = units_of(OPTIONS, found, [one.position for one in others])
    outcomes = np.array([one.outcome for one in known], dtype=float)
    left = around = 0.0
    for unit, board in zip(asked, others, strict=True):
        own = outcomes[places == unit]
        guess = own.mean() if len(own) else outcomes.mean()
        left += (board.outcome - guess) ** 2
        around += (board.outcome - outcomes.mean()) ** 2
    quality = judge_map(known, others, OPTIONS, 1)
    assert quality.predicted == pytest.approx(1 - left / around)


def test_numbers_of_units_are_ranked_by_what_they_predict() -> None:
    found = choose_units(BOARDS, OPTIONS, 1, numbers=(1, 3, 6))
    assert sorted(found) == [1, 3, 6]
    assert list(found.values()) == sorted(found.values(), reverse=True)
    training = replace(SHORT, units=3)
    assert found[3] == cross_validated(BOARDS, replace(OPTIONS, training=training), 1)
    assert len(BOARDS) % FOLDS == 0


def test_one_unit_explains_nothing() -> None:
    alone = replace(OPTIONS, training=replace(SHORT, units=1))
    assert explained_by(BOARDS, alone, 1) == pytest.approx(0)
    assert cross_validated(BOARDS, alone, 1) == pytest.approx(0)


def test_without_outcomes_there_is_nothing_to_explain() -> None:
    with pytest.raises(ValueError, match="none of these boards has an outcome"):
        explained_by([EndgameBoard(BOARDS[0].position)], OPTIONS, 1)


def test_the_fall_is_between_the_first_and_the_last_epochs() -> None:
    errors = np.array([2.0] * 20 + [9.0] * 60 + [1.5] * 20)
    assert fall_of(errors) == 0.25


@pytest.mark.parametrize("features", [(), ("ufu.Nothing",), ("ufu.Gap", "ufu.Gap")])
def test_attributes_that_make_no_sense_are_refused(features: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"feature|Nothing|Gap"):
        MapOptions(features=features).check()


def test_two_names_of_one_attribute_are_refused():
    with pytest.raises(ValueError, match=r"samuel\.gap is ufu\.Gap again"):
        MapOptions(features=("ufu.Gap", "samuel.gap")).check()
