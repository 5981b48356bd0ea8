"""Each evaluation owns its format and its scale."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any, get_args

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from crossboard.evaluators import (
    LOG_ODDS,
    LOSS_TO_WIN,
    MEN,
    AnyTable,
    Evaluation,
    EvaluationTable,
    Linear,
    Material,
    NetPhase,
    Network,
    OneLayer,
    Scale,
    SmallNet,
    binary_mapping,
    count_mapping,
    direct_mapping,
    feature_mapping,
    joined_mapping,
    pattern_mapping,
    piece_mapping,
    scale_of,
)
from crossboard.evaluators.description import NumberType
from crossboard.players import folder, saving

TABLES: tuple[type[EvaluationTable], ...] = get_args(AnyTable)
EXAMPLES = [
    Material(),
    Linear(["draft5.piece", "draft5.king"], [2.0, 3.5], man=2.0),
    Network.initial(binary_mapping(off=0.0), 3, seed=1),
    Network.initial(direct_mapping(quirks="lynch"), 2, seed=2, direct=False),
    Network.initial(feature_mapping("lynch", off=0.0, quirks="lynch"), 2, seed=3),
    Network.one_layer(joined_mapping(count_mapping(), piece_mapping(), pattern_mapping([[1, 6]]))),
    SmallNet.initial(seed=4, hidden=5, second=3, phases=[NetPhase(False, 9), NetPhase()]),
    OneLayer.initial(4),
    OneLayer.initial(6).extended(attack="plain", piece_square=True),
    OneLayer.initial(4).extended(attack="modes", king_reach=True),
]


def kind_of(table: type[EvaluationTable]) -> str:
    (kind,) = get_args(table.model_fields["kind"].annotation)
    assert isinstance(kind, str)
    return kind


def read(table: dict[str, Any], arrays: dict[str, Any]) -> Evaluation:
    parsed: EvaluationTable = TypeAdapter(AnyTable).validate_python(table)

    def read_array(name: str, shape: tuple[int, ...], *, dtype: NumberType = "float64") -> Any:
        found = arrays.get(name, np.zeros(shape, dtype))
        assert (found.shape, found.dtype) == (shape, dtype)
        return found

    return parsed.evaluation(read_array)


def test_every_kind_that_is_written_has_an_example():
    written = {example.table()["kind"] for example in EXAMPLES}
    # The paper's initial weights are read only: they are saved as any others.
    assert written == {kind_of(table) for table in TABLES} - {"initial"}


@pytest.mark.parametrize("example", EXAMPLES, ids=repr)
def test_what_an_evaluation_writes_is_read_back(example: Evaluation):
    table = example.table()
    assert next(iter(table)) == "kind"
    assert read(table, example.arrays()) == example


@pytest.mark.parametrize("example", EXAMPLES, ids=repr)
def test_each_refuses_a_key_of_another(example: Evaluation):
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        read(example.table() | {"colour": "red"}, example.arrays())


@pytest.mark.parametrize("players", [4, 6])
def test_initial_weights_of_duchess_need_no_arrays(players: int):
    assert read({"kind": "initial", "players": players}, {}) == OneLayer.initial(players)


@pytest.mark.parametrize(
    ("evaluator", "scale"),
    [
        (Material(), MEN),
        (Linear(["draft5.piece"], [1.0], man=1.0), MEN),
        (Network.one_layer(count_mapping()), LOSS_TO_WIN),
        (SmallNet.zero(hidden=1, second=1), MEN),
        (OneLayer.initial(), LOG_ODDS),
        (lambda position: 0.0, MEN),
    ],
)
def test_values_are_on_the_scale_of_their_evaluator(
    evaluator: Callable[[Any], float], scale: Scale
):
    assert scale_of(evaluator) == scale


def test_scales_name_their_unit_and_the_value_of_a_win():
    assert (MEN.unit, MEN.win, MEN.is_range) == ("men", 100.0, False)
    assert (LOSS_TO_WIN.unit, LOSS_TO_WIN.win, LOSS_TO_WIN.is_range) == ("-1 to 1", 1.0, True)
    assert (LOG_ODDS.unit, LOG_ODDS.win, LOG_ODDS.is_range) == ("log-odds", 100.0, False)


@pytest.mark.parametrize("module", [folder, saving])
def test_players_know_no_kind_of_evaluation(module: Any):
    named = {
        node.id
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Name)
    }
    kinds = {type(example).__name__ for example in EXAMPLES}
    assert not named & (kinds | {table.__name__ for table in TABLES})
