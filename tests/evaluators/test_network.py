"""The network: forward pass, gradient, evaluation, search."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from random_boards import boards

from crossboard._core import draughts as core
from crossboard.draughts import DrawRules, Position
from crossboard.evaluators import (
    EvalNet,
    Mapping,
    Network,
    binary_mapping,
    count_mapping,
    direct_mapping,
    feature_mapping,
    features,
    joined_mapping,
    material_mapping,
    pattern_mapping,
    piece_mapping,
)
from crossboard.players import Player

# Made anew in each test: what stands in parameters lives on until the interpreter ends.
MAPPINGS: dict[str, Callable[[], Mapping]] = {
    "binary": binary_mapping,
    "binary, off 0": lambda: binary_mapping(off=0),
    "direct": direct_mapping,
    "direct, quirks": lambda: direct_mapping(quirks="lynch"),
    "lynch": lambda: feature_mapping("lynch"),
    "ufu, off 0": lambda: feature_mapping("ufu", off=0),
    "lynch, quirks": lambda: feature_mapping("lynch", quirks="lynch"),
    "samuel": lambda: feature_mapping("samuel"),
    "counts": count_mapping,
    "material": material_mapping,
    "pieces": piece_mapping,
    "patterns": lambda: pattern_mapping([[1, 2, 5, 6], [29, 32]]),
    "joined": lambda: joined_mapping(
        piece_mapping(), feature_mapping("ufu", off=0), pattern_mapping([[9, 14]], states=5)
    ),
}


@pytest.fixture(params=MAPPINGS)
def mapping(request: pytest.FixtureRequest) -> Mapping:
    return MAPPINGS[request.param]()


def forward(net: EvalNet, x: np.ndarray) -> Any:
    """The forward pass once more, as the paper writes it."""
    x = np.append(x, 1.0)
    h = np.append(np.tanh(x @ net.w1), 1.0)
    return np.tanh(h @ net.w2 + (0 if net.w3 is None else x @ net.w3))


@pytest.mark.parametrize("direct", [True, False])
@pytest.mark.parametrize(("inputs", "hidden"), [(1, 1), (2, 3), (25, 12), (38, 12), (130, 301)])
def test_forward_is_that_of_numpy(inputs: int, hidden: int, direct: bool):
    generator = np.random.default_rng(1)
    for scale in (0.2, 3.0):
        net = EvalNet.initial(inputs, hidden, seed=generator, direct=direct, low=-scale, high=scale)
        x = generator.normal(size=(20, inputs))
        expected = [forward(net, row) for row in x]
        assert net.forward(x) == pytest.approx(expected, abs=1e-11)
        assert net.forward(x[0]) == pytest.approx(expected[0], abs=1e-11)


def test_a_net_of_one_layer_is_a_squashed_sum(mapping: Mapping):
    network = Network.one_layer(mapping)
    assert network.weights.tolist() == [0.0] * (mapping.size + 2)
    drawn = np.random.default_rng(4).normal(size=len(network.weights)) / 20
    network = network.with_weights(drawn)
    assert (network.weights == drawn).all()
    for position in boards(2, 40):
        x = np.append(mapping.inputs(position), 1.0)
        expected = np.tanh(drawn[0] + x @ drawn[1:])
        assert network.output(position) == pytest.approx(expected, abs=1e-11)


def test_gradients_of_the_core_are_those_of_python(mapping: Mapping):
    positions = list(boards(3, 5))
    for network in (Network.one_layer(mapping), Network.initial(mapping, 3, seed=2)):
        amounts = np.linspace(-1, 2, len(positions))
        total = np.zeros(len(network.weights))
        for position, amount in zip(positions, amounts, strict=True):
            gradient = network.gradient(mapping.inputs(position))
            flat = np.concatenate([array.ravel() for array in gradient.values()])
            # For the side to move, and before the last tanh.
            total -= amount * flat / (1 - network.output(position) ** 2)
        assert network.sum_gradients(positions, amounts) == pytest.approx(total, abs=1e-9)


def test_weights_of_another_size_are_refused():
    network = Network.one_layer(count_mapping())
    with pytest.raises(ValueError, match="there are 4 weights, not 5"):
        network.with_weights(np.zeros(5))
    with pytest.raises(ValueError, match=r"4 weights, not an array of shape \(2, 2\)"):
        network.with_weights(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="every position needs an amount"):
        network.sum_gradients([Position()], [])


@pytest.mark.parametrize("direct", [True, False])
def test_gradient_is_that_of_finite_differences(direct: bool):
    generator = np.random.default_rng(2)
    net = EvalNet.initial(5, 4, seed=3, direct=direct, low=-1, high=1)
    x = generator.normal(size=5)
    gradient = net.gradient(x)
    assert gradient.keys() == net.arrays().keys()
    step = 1e-6
    for name, weights in net.arrays().items():
        assert gradient[name].shape == weights.shape
        for index in np.ndindex(weights.shape):
            sides = []
            for sign in (1, -1):
                moved = {k: v.copy() for k, v in net.arrays().items()}
                moved[name][index] += sign * step
                sides.append(forward(EvalNet(**moved), x))
            slope = (sides[0] - sides[1]) / (2 * step)
            assert gradient[name][index] == pytest.approx(slope, abs=1e-8), (name, index)


@pytest.mark.parametrize(("hidden", "direct"), [(12, True), (12, False), (5, True), (270, True)])
def test_evaluation_is_the_net_on_the_inputs(mapping: Mapping, hidden: int, direct: bool):
    network = Network.initial(mapping, hidden, seed=4, direct=direct, low=-0.5, high=0.5)
    for position in boards(5, 60):
        output = forward(network.net, mapping.inputs(position))
        assert network.output(position) == pytest.approx(output, abs=1e-11), position.fen
        assert network.evaluate(position) == pytest.approx(-output, abs=0.51e-6), position.fen
        assert network.forward(mapping.inputs(position)) == pytest.approx(output, abs=1e-11)


def test_value_does_not_depend_on_the_way_there(mapping: Mapping):
    network = Network.initial(mapping, 12, seed=5, low=-1, high=1)
    positions = list(boards(6, 400))
    there = [network.output(position) for position in positions]
    back = [network.output(position) for position in reversed(positions)]
    fresh = [Network.of(mapping, network.net).output(position) for position in positions]
    assert there == back[::-1] == fresh


def test_outputs_are_the_same_to_the_last_bit_everywhere():
    # The same numbers stand in core/tests/eval/network.cpp, which is compiled for old processors.
    def spread(*shape: int) -> np.ndarray:
        numbers = np.arange(np.prod(shape)) * 7919 % 2001 - 1000
        return (numbers / 5000).reshape(shape)

    network = Network(feature_mapping("ufu"), spread(84, 20), spread(21), spread(84))
    first = network.output(Position.from_fen("W:W18,21,30:B1,3,10"))
    second = network.output(Position.from_fen("B:WK2,18,23:B10,K11,14"))
    assert (first.hex(), second.hex()) == ("-0x1.e0588850aabf6p-1", "-0x1.f2b2c7242ca56p-1")


def test_value_knows_no_colour():
    for make in MAPPINGS.values():
        network = Network.initial(make(), 7, seed=6)
        for position in boards(7, 200):
            assert network.evaluate(position) == network.evaluate(position.mirrored)


def test_value_is_in_millionths():
    network = Network.initial(feature_mapping("lynch"), 12, seed=7)
    assert network.core.units == 1_000_000
    value = network.core.evaluate(Position())
    assert value == round(-network.output(Position()) * 1_000_000)
    assert network.evaluate(Position()) == value / 1_000_000


def test_large_weights_saturate():
    network = Network(direct_mapping(), np.full((33, 3), 1e90), np.full(4, 1e90), np.full(33, 1e90))
    assert network.evaluate(Position()) == -1.0


def test_search_with_a_network_finds_what_the_same_function_finds(mapping: Mapping):
    network = Network.initial(mapping, 12, seed=8)
    settings = {"table_mb": 0, "draws": DrawRules(repetitions=0, quiet_plies=0)}

    def function(position: Position) -> float:
        # A function's men are kept in thousandths, so a thousand times the value has all digits.
        return 1000 * network.evaluate(position)

    there = core.Engine(network, **settings).search(Position(), depth=4).best[0]
    back = core.Engine(function, **settings).search(Position(), depth=4).best[0]
    assert (there.move, there.value) == (back.move, back.value)


def test_player_takes_a_network():
    player = Player("net", Network.initial(feature_mapping(), 12, seed=8))
    assert -1 <= player.search(Position(), depth=4).value <= 1


def test_several_threads_may_share_it():
    network = Network.initial(feature_mapping("lynch"), 12, seed=9)
    settings = {"table_mb": 0, "draws": DrawRules(repetitions=0, quiet_plies=0)}
    one = core.Engine(network, **settings).search(Position(), depth=6).best[0].value
    two = core.Engine(network.core, threads=2, grain=2, **settings)
    assert two.search(Position(), depth=6).best[0].value == one


# ---- making nets


def test_initial_weights_stand_on_a_grid_of_thousandths():
    net = EvalNet.initial(38, 12, seed=210476)
    flat = np.concatenate([net.w1.ravel(), net.w2, net.w3])
    assert flat.size == 520
    assert np.round(flat * 1000) == pytest.approx(flat * 1000, abs=1e-9)
    assert -0.2 <= flat.min() < -0.19
    assert 0.19 < flat.max() < 0.2
    assert EvalNet.initial(38, 12, seed=210476) == net
    assert EvalNet.initial(38, 12, seed=210477) != net
    # A net without direct links has the same weights up to there.
    assert (EvalNet.initial(38, 12, seed=210476, direct=False).w2 == net.w2).all()


def test_nets_are_values():
    net = EvalNet.initial(3, 2, seed=1)
    with pytest.raises(ValueError, match="read-only"):
        net.w1[0, 0] = 1
    assert pickle.loads(pickle.dumps(net)) == net
    assert hash(EvalNet(**net.arrays())) == hash(net)
    weights = np.zeros((4, 2))
    copied = EvalNet(weights, np.zeros(3))
    weights[0, 0] = 1
    assert copied.w1[0, 0] == 0
    network = Network.initial(feature_mapping("lynch"), 2, seed=1)
    assert pickle.loads(pickle.dumps(network)) == network
    assert network == Network(network.mapping, **network.arrays())
    assert network != Network.initial(feature_mapping("lynch"), 2, seed=2)
    assert repr(net) == "<EvalNet 3-2-1 with direct links>"
    assert copied.arrays().keys() == {"w1", "w2"}


ZEROS = np.zeros


@pytest.mark.parametrize(
    ("w1", "w2", "w3", "complaint"),
    [
        (ZEROS((4, 2)), ZEROS(2), None, "w2 has 2 weights where 3 inputs, 2 hidden units and the"),
        (ZEROS((4, 2)), ZEROS(3), ZEROS(3), "w3 has 3 weights where 3 inputs, .* need 4"),
        (ZEROS((4, 2)), ZEROS(3), ZEROS(0), "w3 has no weights"),
        (ZEROS(4), ZEROS(3), None, "w1 has 1 dimensions instead of 2"),
        (ZEROS((4, 2)), ZEROS((3, 1)), None, "w2 has 2 dimensions instead of 1"),
        (ZEROS((1, 2)), ZEROS(3), None, "not 0 inputs and 2 hidden units"),
        (ZEROS((0, 2)), ZEROS(3), None, "not -1 inputs and 2 hidden units"),
        (ZEROS((4, 0)), ZEROS(1), None, "not 3 inputs and 0 hidden units"),
        ([[1, 2], [3]], ZEROS(3), None, "w1 must be an array of numbers"),
        (ZEROS((4, 2)), ["a", "b", "c"], None, "w2 must be an array of numbers"),
        (
            ZEROS((4, 2)),
            [0, math.nan, 0],
            None,
            "weight 1 of w2 must be a finite number within .*, not nan",
        ),
        (
            np.full((4, 2), np.inf),
            ZEROS(3),
            None,
            "weight 0 of w1 must be a finite number within .*, not inf",
        ),
        (ZEROS((4, 2)), ZEROS(3), [0, 0, 0, -math.inf], "weight 3 of w3 must be a finite number"),
        (
            np.full((4, 2), 1e200),
            ZEROS(3),
            None,
            r"weight 0 of w1 must be .* within .*, not 1e\+200$",
        ),
    ],
)
def test_nets_that_make_no_sense_are_refused(w1: Any, w2: Any, w3: Any, complaint: str):
    with pytest.raises(ValueError, match=complaint):
        EvalNet(w1, w2, w3)


def test_inputs_must_fit():
    net = EvalNet.initial(3, 2, seed=1)
    with pytest.raises(ValueError, match="the net has 3 inputs, not 4"):
        net.forward([1, 2, 3, 4])
    with pytest.raises(ValueError, match="the net has 3 inputs, not 2"):
        net.gradient([1, 2])
    with pytest.raises(ValueError, match="the mapping has 38 inputs, the net 3"):
        Network.of(feature_mapping("lynch"), net)
    with pytest.raises(ValueError, match="a net needs inputs, hidden units and a range"):
        EvalNet.initial(3, 2, seed=1, low=0.2, high=0.2)


def test_import_brings_no_numpy():
    code = (
        "import sys, crossboard.evaluators as e; "
        "e.Linear(['draft5.piece'], [1], man=1); print('numpy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_networks_that_no_memory_should_hold_are_refused():
    wide = feature_mapping([(each.name, 10) for each in features()])
    inputs, hidden = wide.size, 10_000
    net = EvalNet(np.zeros((inputs + 1, hidden)), np.zeros(hidden + 1))
    with pytest.raises(ValueError, match="80896 codes, too many for 10000 hidden units"):
        Network.of(wide, net)
