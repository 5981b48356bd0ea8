"""TD(lambda) over a round of games: the same as traces on frozen weights, one board at a time."""

from __future__ import annotations

import numpy as np
import pytest

from crossboard.evaluators import EvalNet
from crossboard.learn.rounds import Lesson, learn_round
from crossboard.learn.td import TdSettings, rate_of

SETTINGS = TdSettings(momentum=0.0, gamma=0.9, decay=0.6)


def slow_round(net, lessons, settings, scale):
    """Sum changes with a trace that fades from board to board, all on the first weights."""
    total = {name: np.zeros_like(array) for name, array in net.arrays().items()}
    for inputs, reward in lessons:
        values = [net.forward(x) for x in inputs]
        trace = {name: np.zeros_like(array) for name, array in net.arrays().items()}
        for at, x in enumerate(inputs):
            for name, slope in net.gradient(x).items():
                trace[name] = settings.decay * trace[name] + slope
            is_last = at == len(inputs) - 1
            later = reward if is_last else settings.gamma * values[at + 1]
            for name, credit in trace.items():
                rate = scale * rate_of(name, net, settings)
                total[name] += rate * (later - values[at]) * credit
    return {name: array + total[name] for name, array in net.arrays().items()}


@pytest.mark.parametrize("direct", [True, False])
def test_a_round_equals_traces_on_frozen_weights(direct):
    generator = np.random.default_rng(4)
    net = EvalNet.initial(5, 3, seed=1, direct=direct)
    lessons = [
        Lesson(generator.choice([-1.0, 1.0], size=(length, 5)), reward)
        for length, reward in [(7, 1.0), (1, -1.0), (4, 0.2)]
    ]
    learnt = learn_round(net, lessons, SETTINGS, scale=0.5).arrays()
    for name, array in slow_round(net, lessons, SETTINGS, 0.5).items():
        np.testing.assert_allclose(learnt[name], array, rtol=1e-9, atol=1e-12)


def test_the_summed_gradient_is_the_sum_of_gradients():
    generator = np.random.default_rng(2)
    net = EvalNet.initial(6, 4, seed=2)
    rows, amounts = generator.normal(size=(9, 6)), generator.normal(size=9)
    summed = net.summed_gradient(rows, amounts)
    for name in summed:
        each = [a * net.gradient(x)[name] for a, x in zip(amounts, rows, strict=True)]
        np.testing.assert_allclose(summed[name], sum(each), rtol=1e-9, atol=1e-12)


def test_no_boards_teach_nothing():
    net = EvalNet.initial(5, 3, seed=1)
    assert learn_round(net, [Lesson(np.empty((0, 5)), 1.0)], SETTINGS) == net
