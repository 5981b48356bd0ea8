"""TD(lambda) over a round of games: the same as traces on frozen weights, one board at a time."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from crossboard.evaluators import EvalNet
from crossboard.learn.phases import ALONE, ANY
from crossboard.learn.rounds import Lesson, learn_round
from crossboard.learn.td import TdSettings, rate_of

SETTINGS = TdSettings(momentum=0.0, gamma=0.9, decay=0.6)


def slow_round(net, lessons, settings, scale):
    """Sum changes with a trace that fades from board to board, all on the first weights."""
    total = {name: np.zeros_like(array) for name, array in net.arrays().items()}
    for inputs, _, reward in lessons:
        values = [net.forward(x) for x in inputs]
        trace = {name: np.zeros_like(array) for name, array in net.arrays().items()}
        for at, x in enumerate(inputs):
            for name, slope in net.gradient(x).items():
                if settings.quirks and name == "w1":
                    slope = slope / net.w2[:-1] * net.w1
                trace[name] = settings.fading * trace[name] + slope
            is_last = at == len(inputs) - 1
            later = reward if is_last else settings.gamma * values[at + 1]
            for name, credit in trace.items():
                rate = scale * rate_of(name, net, settings)
                total[name] += rate * (later - values[at]) * credit
    return {name: array + total[name] for name, array in net.arrays().items()}


@pytest.mark.parametrize("direct", [True, False])
@pytest.mark.parametrize(
    "settings",
    [SETTINGS, replace(SETTINGS, trace_decay="gamma_lambda"), replace(SETTINGS, quirks="lynch")],
)
def test_a_round_equals_traces_on_frozen_weights(direct, settings):
    generator = np.random.default_rng(4)
    net = EvalNet.initial(5, 3, seed=1, direct=direct)
    lessons = [
        Lesson(generator.choice([-1.0, 1.0], size=(length, 5)), ALONE * length, reward)
        for length, reward in [(7, 1.0), (1, -1.0), (4, 0.2)]
    ]
    learnt = learn_round({ANY: net}, lessons, settings, scale=0.5)[ANY].arrays()
    for name, array in slow_round(net, lessons, settings, 0.5).items():
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
    assert learn_round({ANY: net}, [Lesson(np.empty((0, 5)), (), 1.0)], SETTINGS) == {ANY: net}


TRAINED = """
from concurrent.futures import ThreadPoolExecutor
from crossboard.learn import Schooling, TdSettings
from crossboard.learn.cloning import CloningSettings, learn_by_cloning
from crossboard.evaluators import Network, feature_mapping
settings = CloningSettings(
    most_games=80, games=40, round_size=40, depth=1, random_plies=6, td=TdSettings(momentum=0.0)
)
network = Network.initial(feature_mapping("lynch"), 12, seed=1)
with ThreadPoolExecutor(1) as executor:
    *_, last = learn_by_cloning(network, settings, Schooling(1, executor))
print({name: array.tobytes().hex() for name, array in last.arrays.items()})
"""


def test_threads_of_blas_make_no_difference():
    # Forty games have a thousand boards: enough for OpenBLAS to share out a product of matrices.
    trained = [
        subprocess.run(
            [sys.executable, "-c", TRAINED],
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    ]
    assert trained[0] == trained[1]
