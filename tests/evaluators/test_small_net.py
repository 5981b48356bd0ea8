"""The small net: a slow one in numpy, floats, phases, processors, and what is refused."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_boards import boards

from crossboard._core import draughts as core
from crossboard.draughts import Position
from crossboard.evaluators import NetPhase, SmallNet
from crossboard.players import Player, load_player
from crossboard.players.errors import PlayerError

# Extents that fill no vector, that fill some, and the usual ones.
SIZES = [(1, 1), (9, 5), (40, 17), (128, 32), (136, 48), (256, 64)]
# As docs/small-net.md gives them.
FULL, SECOND_SCALE, MAN = 512, 2048, 512 * 2048
MOST = 30.0


def inputs(position: Position) -> np.ndarray:
    """Own men, the other's men, own kings, the other's kings, by squares as the mover sees them."""
    x = np.zeros((4, 32), dtype=np.int64)
    for colour in "BW":
        kings = position.kings(colour)
        for square in position.pieces(colour):
            seen = square if position.turn == "B" else 33 - square
            x[2 * (square in kings) + (colour != position.turn), seen - 1] = 1
    return x.ravel()


def phase_of(net: SmallNet, position: Position) -> int:
    """The first phase that fits, as the document says."""
    pieces = sum(len(position.pieces(colour)) for colour in "BW")
    has_kings = any(position.kings(colour) for colour in "BW")
    return next(
        number
        for number, (kings, least) in enumerate(net.phases)
        if (kings or not has_kings) and pieces >= least
    )


def slow_value(net: SmallNet, position: Position) -> float:
    """The same in 64-bit integers, as the document gives it."""
    phase = phase_of(net, position)
    arrays = {name: array[phase].astype(np.int64) for name, array in net.arrays().items()}
    x = inputs(position)
    h = np.clip(x @ arrays["first"] + arrays["first_bias"], 0, FULL)
    sums = h @ arrays["second"] + FULL * arrays["second_bias"]
    k = np.clip((sums + SECOND_SCALE // 2) // SECOND_SCALE, 0, FULL)
    direct = x @ arrays["direct"] + arrays["output_bias"][0]
    out = k @ arrays["output"] + FULL * direct
    return float(np.clip((100 * out + MAN // 2) // MAN, -100 * MOST, 100 * MOST)) / 100


def float_value(net: SmallNet, position: Position) -> float:
    """The forward pass that learns, without rounding."""
    phase, weights, row = phase_of(net, position), {}, net.floats.astype(np.float64)
    row = row.reshape(len(net.phases), -1)[phase]
    for name, (_, *shape) in net.shapes.items():
        size = int(np.prod(shape))
        weights[name], row = row[:size].reshape(shape), row[size:]
    x = inputs(position)
    h = np.clip(x @ weights["first"] + weights["first_bias"], 0, 1)
    k = np.clip(h @ weights["second"] + weights["second_bias"], 0, 1)
    return float(k @ weights["output"] + x @ weights["direct"] + weights["output_bias"][0])


@pytest.mark.parametrize(("hidden", "second"), SIZES)
def test_it_equals_a_slow_one_on_every_processor(hidden: int, second: int):
    net = SmallNet.initial(seed=hidden, hidden=hidden, second=second, largest=0.6)
    ways = core.small_net_ways()
    assert ways[-1] == "plain"
    evaluators = [
        core.SmallNet(net.weights, hidden=hidden, second=second, phases=net.phases, way=way)
        for way in ways
    ]
    assert [evaluator.way for evaluator in evaluators] == ways
    values = set()
    for position in boards(seed=1, count=300):
        expected = slow_value(net, position)
        assert [evaluator(position) for evaluator in evaluators] == [expected] * len(ways), (
            position.fen
        )
        assert net.evaluate(position) == expected
        values.add(expected)
    assert len(values) > 100 or hidden == 1


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_weights_overflow_nothing(sign: int):
    size = len(SmallNet.zero(hidden=256, second=64).weights)
    net = SmallNet.from_floats(np.full(size, sign * 1e9), hidden=256, second=64)
    assert np.abs(net.arrays()["first"]).min() == 1280  # cut to their limit
    values = set()
    for position in boards(seed=2, count=100):
        assert net.evaluate(position) == slow_value(net, position), position.fen
        values.add(net.evaluate(position))
    assert sign * MOST in values


def test_a_position_and_its_mirror_image_are_worth_the_same():
    net = SmallNet.initial(seed=3, hidden=32, second=8)
    for position in boards(seed=3, count=300):
        assert net.evaluate(position) == net.evaluate(position.mirrored), position.fen


def test_rounding_moves_a_value_by_less_than_a_hundredth_of_a_man():
    generator = np.random.default_rng(4)
    phases = [NetPhase()]
    shapes = core.small_net_shapes(128, 32)
    # As learnt ones are: large where few come together, small where many do.
    scales = {"first": 0.3, "second": 0.15, "output": 0.5, "direct": 1.0}
    floats = np.concatenate(
        [
            generator.normal(0, scales.get(name, 0.2), shape).ravel()
            for name, shape in shapes.items()
        ]
    ).astype(np.float32)
    net = SmallNet.from_floats(floats, phases=phases)
    assert np.abs(net.floats - floats).max() < 0.001
    exact = [float_value(_Unrounded(floats), position) for position in boards(seed=4, count=300)]
    ours = [net.evaluate(position) for position in boards(seed=4, count=300)]
    differences = np.abs(np.array(exact) - ours)
    assert np.std(ours) > 0.5
    assert differences.mean() < 0.01
    assert differences.max() < 0.05


class _Unrounded:
    """What `float_value` asks of a net, with other floats."""

    def __init__(self, floats: Any) -> None:
        self.phases, self.floats = [NetPhase()], floats
        self.shapes = SmallNet.zero(phases=[NetPhase()]).shapes


@pytest.mark.parametrize(
    ("fen", "phase"),
    [
        ("B:W21,22,23,24,25,26,27,28:B1,2,3,4,5,6,7,8", 0),
        ("B:W21,22,23,24,25,26,27,28:B1,2,3,4,5,6,7", 1),
        ("W:W21,22,23,24,25,26,27:B1,2,3,4,5,6,7,8", 1),
        ("W:W21:B1", 1),
        ("B:W21,22,23,24,25,26,27,28:B1,2,3,4,5,6,7,K8", 2),
        ("B:W21,22,23,K24:B1,2,3,4", 2),
        ("B:W21,22,K24:B1,2,3,4", 3),
        ("W:WK21:BK1", 3),
    ],
)
def test_phases_at_their_borders(fen: str, phase: int):
    # Each phase answers with its bias: 1, 2, 3 or 4 men.
    net = SmallNet.zero(hidden=3, second=2)
    row = net.floats.reshape(4, -1).copy()
    row[:, -1] = [1, 2, 3, 4]
    net = SmallNet.from_floats(row.ravel(), hidden=3, second=2)
    assert net.evaluate(Position.from_fen(fen)) == phase + 1
    assert phase_of(net, Position.from_fen(fen)) == phase


@pytest.mark.parametrize(
    ("phases", "says"),
    [
        ([], "a net has 1 to 16 phases, not 0"),
        ([NetPhase()] * 17, "a net has 1 to 16 phases, not 17"),
        ([NetPhase(False)], "the last phase must fit every position"),
        ([NetPhase(True, 2)], "the last phase must fit every position"),
        ([NetPhase(), NetPhase(False)], "phase 2 fits no position that an earlier phase leaves"),
        ([NetPhase(True, 25), NetPhase()], "phase 1 fits no position"),
    ],
)
def test_phases_that_make_no_sense_are_refused(phases: list[NetPhase], says: str):
    with pytest.raises(ValueError, match=says):
        core.SmallNet(np.zeros(261 * len(phases), np.int16), hidden=1, second=1, phases=phases)


def test_weights_in_a_row_are_those_of_the_arrays():
    net = SmallNet.initial(seed=5, hidden=6, second=3, phases=[NetPhase(False), NetPhase()])
    assert SmallNet.from_weights(net.weights, hidden=6, second=3, phases=net.phases) == net
    assert SmallNet.from_floats(net.floats, hidden=6, second=3, phases=net.phases) == net
    of_phase = 128 * 6 + 6 + 6 * 3 + 3 + 3 + 128 + 1
    assert len(net.weights) == 2 * of_phase
    assert net.weights[of_phase + 6] == net.arrays()["first"][1, 1, 0]
    assert net.weights[-1] == net.arrays()["output_bias"][1, 0]
    assert pickle.loads(pickle.dumps(net)) == net


def small() -> dict[str, np.ndarray]:
    return SmallNet.initial(seed=6, hidden=4, second=2).arrays()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda a: a.pop("first"), "'first' are missing"),
        (lambda a: a.pop("direct"), "'direct' are missing"),
        (lambda a: a.update(third=a["direct"]), "there are no weights 'third'"),
        (lambda a: a.update(first=a["first"][0]), "first has 2 dimensions instead of 3"),
        (
            lambda a: a.update(output=a["output"][:, :1]),
            r"output has shape \(4, 1\), it must be \(4, 2\)",
        ),
        (
            lambda a: a.update(first=a["first"][:3]),
            r"first has shape \(3, 128, 4\), it must be \(4, 128, 4\)",
        ),
        (lambda a: a.update(direct=a["direct"].astype(float)), "float64, it must be int16"),
        (
            lambda a: a.update(first_bias=a["first_bias"] * 0 + np.int16(-1281)),
            r"weights of first_bias are within \+-1280, not -1281",
        ),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change: Any, says: str):
    arrays = small()
    change(arrays)
    with pytest.raises(ValueError, match=says):
        SmallNet(arrays)


def test_a_net_that_is_too_large_is_refused_with_both_numbers():
    with pytest.raises(ValueError, match=r"1 to 256 hidden .* 1 to 64 .*, not 257 and 32"):
        SmallNet.zero(hidden=257)
    with pytest.raises(ValueError, match=r"4 phases of a net with .* have 83204 weights, not 9"):
        core.SmallNet(np.zeros(9, np.int16), hidden=128, second=32, phases=SmallNet.zero().phases)
    with pytest.raises(ValueError, match=r"ways through a net are .*plain, not 6502"):
        core.SmallNet(
            SmallNet.zero().weights,
            hidden=128,
            second=32,
            phases=SmallNet.zero().phases,
            way="6502",
        )


def test_a_weight_that_is_no_number_is_refused():
    floats = SmallNet.zero().floats.copy()
    floats[128 * 128 + 2] = np.nan
    with pytest.raises(ValueError, match="weight 2 of first_bias is no finite number"):
        SmallNet.from_floats(floats)


def test_a_player_is_the_same_from_its_folder(tmp_path: Path):
    net = SmallNet.initial(seed=7, hidden=16, second=4)
    Player("small", net).save(tmp_path)
    loaded = load_player(tmp_path)
    assert loaded.evaluator == net
    fen = "W:W18,19,21,23,25,28,29,30,31,32:B1,2,3,5,6,8,9,11,12,15"
    position = Position.from_fen(fen)
    found, expected = (
        player.search(position, depth=7) for player in (loaded, Player("small", net))
    )
    assert (found.move, found.nodes, found.value) == (expected.move, expected.nodes, expected.value)
    usual = SmallNet.initial(seed=7)
    Player("usual", usual).save(tmp_path)
    assert (tmp_path / "weights.safetensors").stat().st_size < 170_000


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "hidden = 16",
            "hidden = 32",
            r"main.first has shape \(4, 128, 16\), it must be \(4, 128, 32\)",
        ),
        (
            "second = 4",
            "second = 5",
            r"main.second has shape \(4, 16, 4\), it must be \(4, 16, 5\)",
        ),
        ("hidden = 16", "hidden = 300", "1 to 256 hidden units .*, not 300 and 4"),
        ("least_pieces = 16", "least_pieces = 25", "less than or equal to 24"),
        ("least_pieces = 16", "least_pieces = 0", "phase 2 fits no position"),
    ],
)
def test_a_player_whose_layers_do_not_fit_is_refused(old: str, new: str, says: str, tmp_path: Path):
    Player("small", SmallNet.initial(seed=7, hidden=16, second=4)).save(tmp_path)
    path = tmp_path / "player.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(PlayerError, match=says):
        load_player(tmp_path)


def test_weights_that_are_no_integers_are_refused(tmp_path: Path):
    from safetensors.numpy import load_file, save_file

    Player("small", SmallNet.initial(seed=7, hidden=16, second=4)).save(tmp_path)
    path = tmp_path / "weights.safetensors"
    arrays = load_file(path)
    save_file({name: array.astype(np.float64) for name, array in arrays.items()}, path)
    with pytest.raises(PlayerError, match=r"main.first is of type float64, it must be int16"):
        load_player(tmp_path)
