"""Temporal differences: against slow versions, on toys, and resumed."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from crossboard.evaluators import EvalNet
from crossboard.learn import TdLearner, TdSettings
from crossboard.learn.td import core_learner

Array = NDArray[np.float64]


class SlowTd:
    """The paper's loop, a weight at a time, with gradients by small differences."""

    def __init__(self, net: EvalNet, settings: TdSettings) -> None:
        self.weights = {name: array.copy() for name, array in net.arrays().items()}
        self.settings, self.inputs, self.hidden = settings, net.inputs, net.hidden
        self.fading = settings.decay
        if settings.trace_decay == "gamma_lambda":
            self.fading *= settings.gamma

    def predict(self, x: Array) -> float:
        inputs, hidden = [*x, 1.0], []
        for j in range(self.hidden):
            hidden.append(
                math.tanh(sum(w[j] * a for w, a in zip(self.weights["w1"], inputs, strict=True)))
            )
        total = sum(w * h for w, h in zip(self.weights["w2"], [*hidden, 1.0], strict=True))
        if "w3" in self.weights:
            total += sum(w * a for w, a in zip(self.weights["w3"], inputs, strict=True))
        return math.tanh(total)

    def look_at(self, x: Array) -> None:
        self.prediction = self.predict(x)
        for name, array in self.weights.items():
            for index in np.ndindex(array.shape):
                kept = array[index]
                array[index] = kept + 1e-6
                above = self.predict(x)
                array[index] = kept - 1e-6
                slope = (above - self.predict(x)) / 2e-6
                array[index] = kept
                self.trace[name][index] = self.fading * self.trace[name][index] + slope

    def update(self, error: float) -> None:
        for name, array in self.weights.items():
            own = self.settings.rate2 if name == "w2" else self.settings.rate1
            rate = own or 1 / (self.hidden if name == "w2" else self.inputs)
            for index in np.ndindex(array.shape):
                change = rate * error * self.trace[name][index]
                before = self.change[name][index]
                if change * before > 0 or not self.settings.direction_check:
                    change += self.settings.momentum * before
                self.change[name][index] = change
                array[index] += change

    def learn(self, sequence: Array, reward: float) -> None:
        self.trace = {name: np.zeros_like(array) for name, array in self.weights.items()}
        self.change = {name: np.zeros_like(array) for name, array in self.weights.items()}
        self.look_at(sequence[0])
        for x in sequence[1:]:
            self.update(self.settings.gamma * self.predict(x) - self.prediction)
            self.look_at(x)
        self.update(reward - self.prediction)


XOR = {(-1.0, -1.0): -1.0, (-1.0, 1.0): 1.0, (1.0, -1.0): 1.0, (1.0, 1.0): -1.0}


def learn(learner: TdLearner, sequence: Array, reward: float) -> None:
    learner.start(sequence[0])
    for x in sequence[1:]:
        learner.step(x)
    learner.finish(reward)


@pytest.mark.parametrize("direct", [True, False])
@pytest.mark.parametrize(
    "settings",
    [
        TdSettings(),
        TdSettings(rate1=0.3, rate2=0.1, momentum=0.5, gamma=1.0, decay=0.8),
        TdSettings(direction_check=False, gamma=0.7, decay=0.8, trace_decay="gamma_lambda"),
    ],
)
def test_learns_what_the_slow_version_learns(settings: TdSettings, direct: bool):
    rng = np.random.default_rng(1)
    net = EvalNet.initial(4, 3, seed=2, direct=direct)
    learner, slow = TdLearner(net, settings), SlowTd(net, settings)
    for reward in (1.0, -1.0, 0.5):
        sequence = rng.uniform(-1, 1, (5, 4))
        learn(learner, sequence, reward)
        slow.learn(sequence, reward)
    for name, array in learner.net.arrays().items():
        assert not np.allclose(array, net.arrays()[name])
        np.testing.assert_allclose(array, slow.weights[name], atol=1e-7)


@pytest.mark.parametrize(
    "settings",
    [
        TdSettings(),
        TdSettings(rate1=0.03, rate2=0.01, momentum=0.5, gamma=1.0, decay=0.8),
        TdSettings(direction_check=False, gamma=0.7, decay=0.8, trace_decay="gamma_lambda"),
        TdSettings(momentum=0.0, quirks="lynch"),
    ],
)
@pytest.mark.parametrize("direct", [True, False])
def test_a_net_of_usual_size_learns_what_numpy_does(settings: TdSettings, direct: bool):
    rng = np.random.default_rng(7)
    net = EvalNet.initial(38, 12, seed=2, direct=direct)
    learner, expected = TdLearner(net, settings, scale=0.5), net
    for reward in (1.0, -1.0, 0.1):
        sequence = rng.choice([-1.0, 1.0], (30, 38))
        learn(learner, sequence, reward)
        (expected,) = learn_in_turns([expected], [0] * 30, sequence, reward, settings, scale=0.5)
    np.testing.assert_allclose(learner.net.weights, expected.weights, atol=1e-8)
    assert np.abs(expected.weights - net.weights).max() > 1e-3


def learn_in_turns(
    nets: list[EvalNet],
    turns: list[int],
    boards: Array,
    reward: float,
    settings: TdSettings,
    *,
    scale: float = 1.0,
) -> list[EvalNet]:
    """Learn one sequence in numpy: every net has a trace, and all fade and change together."""
    nets = list(nets)
    traces = [np.zeros_like(net.weights) for net in nets]
    changes = [np.zeros_like(net.weights) for net in nets]
    first, second = settings.rate1 or 1 / nets[0].inputs, settings.rate2 or 1 / nets[0].hidden
    rates = scale * np.concatenate(
        [np.full(a.size, second if n == "w2" else first) for n, a in nets[0].arrays().items()]
    )
    last = None
    for turn, x in [*zip(turns, boards, strict=True), (None, None)]:
        if last is not None:
            later = reward if turn is None else settings.gamma * nets[turn].forward(x)
            for n, net in enumerate(nets):
                change = rates * (later - last) * traces[n]
                is_carried = (change * changes[n] > 0) | (not settings.direction_check)
                change += settings.momentum * changes[n] * is_carried
                changes[n] = change
                nets[n] = net.with_weights(net.weights + change)
        if turn is not None:
            slopes = np.concatenate([a.ravel() for a in slopes_of(nets[turn], x, settings)])
            traces = [settings.fading * trace for trace in traces]
            traces[turn] = traces[turn] + slopes
            last = nets[turn].forward(x)
    return nets


def slopes_of(net: EvalNet, x: Array, settings: TdSettings) -> list[Array]:
    """The gradient by each array of weights, or that of 1997."""
    slopes = net.gradient(x)
    if settings.quirks:
        slopes["w1"] *= net.w1 / net.w2[:-1]
    return list(slopes.values())


def test_nets_that_take_turns_have_credit_for_the_whole_sequence():
    settings = TdSettings(rate1=0.05, rate2=0.03, decay=0.7, gamma=0.9, momentum=0.5)
    nets = [EvalNet.initial(3, 2, seed=seed) for seed in (1, 2, 3)]
    turns = [0, 0, 1, 0, 1, 1]
    boards = np.random.default_rng(8).uniform(-1, 1, (6, 3))
    core = core_learner(nets, settings)
    core.start(boards[0], turns[0])
    for turn, x in zip(turns[1:], boards[1:], strict=True):
        core.step(x, turn)
    core.finish(1.0)
    expected = learn_in_turns(nets, turns, boards, 1.0, settings)
    for learnt, slow, before in zip(core.weights.reshape(3, -1), expected, nets, strict=True):
        np.testing.assert_allclose(learnt, slow.weights, atol=1e-9)
        assert (np.abs(learnt - before.weights).max() > 1e-4) == (before is not nets[2])


def test_nets_that_take_turns_must_fit_together():
    net = EvalNet.initial(2, 2, seed=1)
    for nets, words in [
        ([net, EvalNet.initial(2, 3, seed=1)], "the same shape"),
        ([net, EvalNet.initial(2, 2, seed=1, direct=False)], "the same shape"),
    ]:
        with pytest.raises(ValueError, match=words):
            core_learner(nets, TdSettings())
    with pytest.raises(ValueError, match="there are 1 nets, no number 1"):
        core_learner([net], TdSettings()).start(np.ones(2), 1)


def test_the_core_refuses_what_does_not_fit():
    core = core_learner([EvalNet.initial(2, 2, seed=1)], TdSettings())
    with pytest.raises(ValueError, match="the net has 2 inputs, not 3"):
        core.start(np.ones(3))
    for call in (lambda: core.step(np.ones(2)), lambda: core.finish(1.0)):
        with pytest.raises(ValueError, match=r"begins with start\(\)"):
            call()
    with pytest.raises(ValueError, match="12 weights, and credit and changes for 9 and 8"):
        core.resume(np.ones(9), np.ones(8), None)


@pytest.mark.parametrize("seed", range(5))
def test_exclusive_or_is_learnt(seed: int):
    net = EvalNet.initial(2, 4, seed=seed, direct=False, low=-0.5, high=0.5)
    learner = TdLearner(net, TdSettings(rate1=0.1, rate2=0.1))
    for _ in range(400):
        for x, reward in XOR.items():
            learner.start(x)
            learner.finish(0.9 * reward)
    for x, reward in XOR.items():
        assert learner.net.forward(x) * reward > 0.5


def test_steps_tell_by_how_much_the_prediction_was_wrong():
    net = EvalNet.initial(2, 2, seed=1)
    learner = TdLearner(net, TdSettings(gamma=0.5))
    first, second = net.forward([1.0, 0.0]), net.forward([0.0, 1.0])
    learner.start([1.0, 0.0])
    assert learner.step([0.0, 1.0], 0.25) == pytest.approx(0.25 + 0.5 * second - first)
    assert learner.finish(1.0) == pytest.approx(1.0 - learner_prediction(learner, net))


def learner_prediction(learner: TdLearner, before: EvalNet) -> float:
    """What the second board was worth once the first step had been learnt."""
    slow = SlowTd(before, learner.settings)
    slow.learn(np.array([[1.0, 0.0]]), 0.25 + 0.5 * before.forward([0.0, 1.0]))
    return slow.predict(np.array([0.0, 1.0]))


def test_the_scale_is_of_all_rates():
    net = EvalNet.initial(3, 2, seed=1)
    rates = TdSettings(rate1=0.2, rate2=0.1)
    halved = TdLearner(net, TdSettings(rate1=0.1, rate2=0.05))
    scaled = TdLearner(net, rates, scale=0.5)
    for learner in (halved, scaled):
        learn(learner, np.eye(3), 1.0)
    for name, array in halved.net.arrays().items():
        np.testing.assert_allclose(array, scaled.net.arrays()[name], rtol=1e-12)


def test_predictions_are_those_of_the_weights_as_they_are():
    untrained = EvalNet.initial(3, 2, seed=1)
    learner = TdLearner(untrained)
    learn(learner, np.eye(3), 1.0)
    w1, w2, w3 = learner.net.arrays().values()
    with_bias = np.column_stack([np.eye(3), np.ones(3)])
    hidden = np.column_stack([np.tanh(with_bias @ w1), np.ones(3)])
    np.testing.assert_allclose(
        learner.predict(np.eye(3)), np.tanh(hidden @ w2 + with_bias @ w3), atol=1e-6
    )
    assert not np.allclose(learner.predict(np.eye(3)), untrained.forward(np.eye(3)), atol=1e-3)


def test_the_slip_of_1997_moves_the_first_weights_by_their_own_size():
    net = EvalNet.initial(2, 2, seed=1)
    right, wrong = (TdLearner(net, TdSettings(quirks=quirks)) for quirks in (None, "lynch"))
    for learner in (right, wrong):
        learn(learner, np.array([[1.0, -1.0]]), 1.0)
    moved = [learner.net.w1 - net.w1 for learner in (right, wrong)]
    # (inputs + 1, hidden): where the right one has w2, the wrong one has w1.
    np.testing.assert_allclose(moved[1] * net.w2[:-1], moved[0] * net.w1, atol=1e-12)
    np.testing.assert_array_equal(right.net.w2, wrong.net.w2)


def test_inputs_must_fit_the_net():
    with pytest.raises(ValueError, match="the net has 2 inputs, not 3"):
        TdLearner(EvalNet.initial(2, 2, seed=1)).start([0.0, 1.0, 2.0])


def test_reward_on_the_way_counts():
    net = EvalNet.initial(2, 2, seed=1)
    plain, paid = TdLearner(net), TdLearner(net)
    for learner, reward in ((plain, 0.0), (paid, 1.0)):
        learner.start([1.0, 0.0])
        learner.step([0.0, 1.0], reward)
    assert paid.net.forward([1.0, 0.0]) > plain.net.forward([1.0, 0.0])


def test_a_walk_by_chance_teaches_the_chances_of_its_ends():
    # Five places in a row; left of the first is a loss, right of the last a win.
    rng = np.random.default_rng(3)
    settings = TdSettings(rate1=0.005, rate2=0.005, momentum=0.0, gamma=1.0, decay=0.7)
    learner = TdLearner(EvalNet.initial(5, 4, seed=4), settings)
    places = np.eye(5)
    for _ in range(4000):
        place = 2
        learner.start(places[place])
        while True:
            place += 1 if rng.random() < 0.5 else -1
            if place in (-1, 5):
                learner.finish(1.0 if place == 5 else -1.0)
                break
            learner.step(places[place])
    # From place i the right end comes first with probability (i + 1) / 6.
    expected = [2 * (i + 1) / 6 - 1 for i in range(5)]
    np.testing.assert_allclose(learner.net.forward(places), expected, atol=0.15)


def test_resumed_in_the_middle_of_a_sequence_it_ends_the_same_bit_for_bit():
    rng = np.random.default_rng(5)
    settings = TdSettings(rate1=0.1, rate2=0.1)
    sequence = rng.uniform(-1, 1, (8, 6))
    straight = TdLearner(EvalNet.initial(6, 4, seed=6), settings, scale=0.3)
    learn(straight, sequence, 1.0)
    learner = TdLearner(EvalNet.initial(6, 4, seed=6), settings, scale=0.3)
    learner.start(sequence[0])
    for x in sequence[1:]:
        arrays, plain = learner.state()
        kept: dict[str, Any] = json.loads(json.dumps(plain))
        copies = {name: array.copy() for name, array in arrays.items()}
        learner = TdLearner.from_state(copies, kept, settings)
        learner.step(x)
    learner.finish(1.0)
    assert learner.net == straight.net


def test_a_sequence_begins_with_start():
    learner = TdLearner(EvalNet.initial(2, 2, seed=1))
    for call in (lambda: learner.step([0.0, 1.0]), lambda: learner.finish(1.0)):
        with pytest.raises(ValueError, match=r"begins with start\(\)"):
            call()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rate1": -1.0}, "rate1 must be 0 to 1000, not -1.0"),
        ({"rate2": math.nan}, "rate2 must be 0 to 1000, not nan"),
        ({"decay": 1.5}, "decay must be 0 to 1, not 1.5"),
        ({"gamma": -0.1}, "gamma must be 0 to 1, not -0.1"),
        ({"trace_decay": "gamma"}, "trace_decay is lambda or gamma_lambda, not 'gamma'"),
        ({"quirks": "lunch"}, "quirks is None or lynch, not 'lunch'"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        TdSettings(**settings)


@pytest.mark.parametrize("reward", [math.nan, math.inf])
def test_what_is_no_number_reaches_no_weight(reward: float):
    learner = TdLearner(EvalNet.initial(2, 3, seed=1), TdSettings())
    learner.start([1.0, -1.0])
    before = {name: array.copy() for name, array in learner.net.arrays().items()}
    with pytest.raises(ValueError, match=f"a reward must be a finite number, not {reward}"):
        learner.finish(reward)
    for go_on in (learner.step, learner.start):
        with pytest.raises(ValueError, match="inputs must be finite numbers"):
            go_on([reward, 1.0])
    for name, array in learner.net.arrays().items():
        np.testing.assert_array_equal(array, before[name])
    arrays, plain = learner.state()
    arrays["trace.w2"] = arrays["trace.w2"] * reward
    with pytest.raises(ValueError, match="must be finite numbers"):
        TdLearner.from_state(arrays, plain, TdSettings())
