"""Temporal differences with traces and momentum, as NeuroDraughts learns (Lynch 1997, 5.1, 9.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from crossboard import _core
from crossboard.evaluators import EvalNet
from crossboard.evaluators.description import by_name, in_a_row
from crossboard.learn.ranges import check_numbers, check_word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

# Weights that hang on the first rate; w2 hangs on the second.
FIRST_RATE = ("w1", "w3")
# How the credit of earlier predictions fades from one to the next.
TraceDecay = Literal["lambda", "gamma_lambda"]
QUIRKS = (None, "lynch")


@dataclass(frozen=True, slots=True, kw_only=True)
class TdSettings:
    """The paper's parameters, with the values of its own example."""

    rate1: float = 0.0  # of w1 and w3; 0 means 1 / inputs
    rate2: float = 0.0  # of w2; 0 means 1 / hidden units
    momentum: float = 0.9
    gamma: float = 0.98  # how much of a later prediction counts
    decay: float = 0.1  # lambda: how fast the credit of earlier predictions fades
    # Momentum only where two changes of a weight have the same sign (5.1).
    direction_check: bool = True
    # Chosen, as in the program of 1997: credit fades by lambda alone, not by gamma too.
    trace_decay: TraceDecay = "lambda"
    quirks: str | None = None  # "lynch": the gradient of w1 as the program of 1997 had it

    def __post_init__(self) -> None:
        check_numbers(self, "rate1", "rate2")
        check_numbers(self, "momentum", "gamma", "decay", most=1)
        check_word("trace_decay", self.trace_decay, get_args(TraceDecay))
        check_word("quirks", self.quirks, QUIRKS)

    @property
    def fading(self) -> float:
        """What is left of the credit of a prediction when the next one is made."""
        return self.decay * (self.gamma if self.trace_decay == "gamma_lambda" else 1.0)


class TdLearner:
    """A net that learns from sequences of inputs and the reward at their end.

    `start` with the first inputs of a sequence, `step` with each of the others, `finish` with
    the reward. Rewards at the end are not discounted. The equations are in core/eval/td.cpp:

    - error = reward + gamma * the next prediction - the last one; at the end reward - the last one
    - credit = fading * credit + gradient of the prediction, made anew with the changed weights
    - change = rate * error * credit, and momentum * the last change where it has the same sign
    """

    def __init__(
        self, net: EvalNet, settings: TdSettings | None = None, *, scale: float = 1.0
    ) -> None:
        self.settings = settings or TdSettings()
        self._initial = net
        self._scale = scale
        self._core = core_learner([net], self.settings, scale=scale)

    @property
    def net(self) -> EvalNet:
        """The net with the weights of this moment."""
        return self._initial.with_weights(self._core.weights)

    def predict(self, rows: ArrayLike) -> Array:
        """Return the outputs for many inputs, (rows, inputs) -> (rows,)."""
        values: Array = self.net.forward(rows)
        return values

    def start(self, x: ArrayLike) -> None:
        """Begin a sequence: credit and momentum of the last one are forgotten."""
        self._core.start(_numbers(x))

    def step(self, x: ArrayLike, reward: float = 0.0) -> float:
        """Move the last prediction toward the one for x; return by how much it was wrong."""
        return self._core.step(_numbers(x), reward=reward)

    def finish(self, reward: float) -> float:
        """End the sequence: move the last prediction toward the reward; return the error."""
        return self._core.finish(reward)

    def state(self) -> tuple[dict[str, Array], dict[str, Any]]:
        """Return everything there is to save: arrays by name, and plain numbers."""
        core = self._core
        parts = {"net": core.weights, "trace": core.trace, "change": core.change}
        shapes = {name: array.shape for name, array in self._initial.arrays().items()}
        arrays = {
            f"{part}.{name}": array
            for part, flat in parts.items()
            for name, array in by_name(flat, shapes).items()
        }
        return arrays, {"prediction": core.prediction, "scale": self._scale}

    @classmethod
    def from_state(
        cls, arrays: Mapping[str, Any], plain: Mapping[str, Any], settings: TdSettings
    ) -> TdLearner:
        """Go on from what `state` returned, bit for bit."""
        parts: dict[str, dict[str, Array]] = {"net": {}, "trace": {}, "change": {}}
        for key, array in arrays.items():
            part, _, name = key.partition(".")
            parts[part][name] = array
        net = EvalNet(**parts["net"])
        learner = cls(net, settings, scale=plain.get("scale", 1.0))  # once it was always 1
        trace, change = (
            in_a_row(parts[part][name] for name in net.arrays()) for part in ("trace", "change")
        )
        learner._core.resume(trace, change, plain["prediction"])
        return learner


def _numbers(x: ArrayLike) -> Array:
    import numpy as np

    return np.ascontiguousarray(x, dtype=np.float64)


def core_learner(
    nets: Sequence[EvalNet], settings: TdSettings, *, scale: float = 1.0
) -> _core.TdLearner:
    """Return the core's learner; `scale` is of all rates: learners let it fall as they go.

    Several nets take turns: the one that is named predicts, and all learn from the error as far as
    they have credit.
    """
    return _core.TdLearner(
        [net.core for net in nets],
        rate1=scale * rate_of("w1", nets[0], settings),
        rate2=scale * rate_of("w2", nets[0], settings),
        momentum=settings.momentum,
        gamma=settings.gamma,
        fading=settings.fading,
        direction_check=settings.direction_check,
        quirk=settings.quirks is not None,
    )


def fading_sums(errors: Array, fading: float) -> Array:
    """Return for each error itself and those after it, faded: sum of fading^(j-t) errors_j."""
    import numpy as np

    sums = np.empty_like(errors)
    total = 0.0
    for at in range(len(errors) - 1, -1, -1):
        total = errors[at] + fading * total
        sums[at] = total
    return sums


def rate_of(name: str, net: EvalNet, settings: TdSettings) -> float:
    """Return the learning rate of a group of weights."""
    if name in FIRST_RATE:
        return settings.rate1 or 1 / net.inputs
    return settings.rate2 or 1 / max(1, net.hidden)
