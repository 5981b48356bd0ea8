"""TD(lambda) for many games at once, all played with the same weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from crossboard.evaluators import EvalNet
from crossboard.learn.phases import Nets
from crossboard.learn.td import TdSettings, fading_sums, rate_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class Lesson(NamedTuple):
    """One side's boards of a game as inputs, a row each, with the phase of each, and the reward."""

    inputs: Array
    phases: Sequence[str]
    reward: float


def learn_round(
    nets: Nets, lessons: Sequence[Lesson], settings: TdSettings, *, scale: float = 1.0
) -> dict[str, EvalNet]:
    """Return the nets after all lessons, their changes summed in order.

    Predictions, errors and gradients are those of the nets as they were when the games were
    played, so who played them, and in how many places, makes no difference. There is no momentum:
    it lives from change to change, and here there is one.
    """
    import numpy as np

    lessons = [one for one in lessons if len(one.inputs)]
    if not lessons:
        return dict(nets)
    inputs = np.concatenate([one.inputs for one in lessons])
    owners = np.concatenate([one.phases for one in lessons])
    values = np.empty(len(inputs))
    for phase, net in nets.items():
        values[owners == phase] = net.forward(inputs[owners == phase])
    ends = np.cumsum([len(one.inputs) for one in lessons])
    credits = np.concatenate(
        [
            credits_of(own, one.reward, settings)
            for one, own in zip(lessons, np.split(values, ends[:-1]), strict=True)
        ]
    )
    return {
        phase: _moved(net, inputs[owners == phase], credits[owners == phase], settings, scale)
        for phase, net in nets.items()
    }


def credits_of(values: Array, reward: float, settings: TdSettings) -> Array:
    """How far each prediction is to be moved: its own error and, fading, those after it."""
    import numpy as np

    later = np.append(settings.gamma * values[1:], reward)
    return fading_sums(later - values, settings.fading)


def _moved(
    net: EvalNet, inputs: Array, credits: Array, settings: TdSettings, scale: float
) -> EvalNet:
    if not len(inputs):
        return net
    change = net.summed_gradient(inputs, credits, quirks=settings.quirks is not None)
    return EvalNet(
        **{
            name: array + scale * rate_of(name, net, settings) * change[name]
            for name, array in net.arrays().items()
        }
    )
