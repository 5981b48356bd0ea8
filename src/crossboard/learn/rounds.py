"""TD(lambda) for many games at once, all played with the same weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from crossboard.evaluators import EvalNet
from crossboard.learn.td import TdSettings, rate_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class Lesson(NamedTuple):
    """One side's boards of a game as inputs, a row each, and the reward at its end."""

    inputs: Array
    reward: float


def learn_round(
    net: EvalNet, sequences: Sequence[Lesson], settings: TdSettings, *, scale: float = 1.0
) -> EvalNet:
    """Return the net after all sequences, their changes summed in order.

    Predictions, errors and gradients are those of the net as it was when the games were played,
    so who played them, and in how many places, makes no difference. There is no momentum: it
    lives from change to change, and here there is one.
    """
    import numpy as np

    sequences = [one for one in sequences if len(one.inputs)]
    if not sequences:
        return net
    inputs = np.concatenate([one.inputs for one in sequences])
    values = net.forward(inputs)
    ends = np.cumsum([len(one.inputs) for one in sequences])
    begins = np.concatenate([[0], ends[:-1]])
    credits = np.concatenate(
        [
            credits_of(values[begin:end], one.reward, settings)
            for one, begin, end in zip(sequences, begins, ends, strict=True)
        ]
    )
    change = net.summed_gradient(inputs, credits)
    weights = {
        name: array + scale * rate_of(name, net, settings) * change[name]
        for name, array in net.arrays().items()
    }
    return EvalNet(weights["w1"], weights["w2"], weights.get("w3"))


def credits_of(values: Array, reward: float, settings: TdSettings) -> Array:
    """How far each prediction is to be moved: its own error and, fading, those after it."""
    import numpy as np

    later = np.append(settings.gamma * values[1:], reward)
    errors = later - values
    credit = 0.0
    credits = np.empty_like(errors)
    for at in range(len(errors) - 1, -1, -1):
        credit = errors[at] + settings.decay * credit
        credits[at] = credit
    return credits
