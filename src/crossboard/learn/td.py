"""Temporal differences with traces and momentum, as NeuroDraughts learns (Lynch 1997, 5.1, 9.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crossboard.evaluators import EvalNet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Arrays = dict[str, NDArray[np.float64]]

# Weights that hang on the first rate; w2 hangs on the second.
FIRST_RATE = ("w1", "w3")


@dataclass(frozen=True, slots=True, kw_only=True)
class TdSettings:
    """The paper's parameters, with the values of its own example."""

    rate1: float = 0.0  # of w1 and w3; 0 means 1 / inputs
    rate2: float = 0.0  # of w2; 0 means 1 / hidden units
    momentum: float = 0.9  # only where two changes of a weight have the same sign
    gamma: float = 0.98  # how much of a later prediction counts
    decay: float = 0.1  # lambda: how fast the credit of earlier predictions fades

    def __post_init__(self) -> None:
        for name in ("rate1", "rate2"):
            if not 0 <= getattr(self, name) < 1000:
                raise ValueError(f"{name} must be 0 or more, not {getattr(self, name)}")
        for name in ("momentum", "gamma", "decay"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be 0 to 1, not {getattr(self, name)}")


class TdLearner:
    """A net that learns from sequences of inputs and the reward at their end.

    `start` with the first inputs of a sequence, `step` with each of the others, `finish` with
    the reward. Rewards at the end are not discounted.
    """

    def __init__(self, net: EvalNet, settings: TdSettings | None = None) -> None:
        self.settings = settings or TdSettings()
        self.net = net
        self._prediction: float | None = None  # None between sequences
        self._trace = _zeros(net)
        self._change = _zeros(net)

    def start(self, x: ArrayLike) -> None:
        """Begin a sequence: credit and momentum of the last one are forgotten."""
        self._trace = _zeros(self.net)
        self._change = _zeros(self.net)
        self._look_at(x)

    def step(self, x: ArrayLike, reward: float = 0.0) -> None:
        """Move the last prediction toward the one for x."""
        error = reward + self.settings.gamma * self.net.forward(x) - self._last()
        self._update(error)
        self._look_at(x)

    def finish(self, reward: float) -> None:
        """End the sequence: move the last prediction toward the reward."""
        self._update(reward - self._last())
        self._prediction = None

    def _last(self) -> float:
        if self._prediction is None:
            raise ValueError("a sequence begins with start()")
        return self._prediction

    def _look_at(self, x: ArrayLike) -> None:
        """Predict with the weights as they are now, and give the prediction its credit."""
        self._prediction, gradient = self.net.value_and_gradient(x)
        for name, slope in gradient.items():
            # Chosen, as in the program of 1997: credit fades by lambda alone, not by gamma too.
            self._trace[name] = self.settings.decay * self._trace[name] + slope

    def _update(self, error: float) -> None:
        import numpy as np

        weights = self.net.arrays()
        for name, trace in self._trace.items():
            change = self._rate(name) * error * trace
            before = self._change[name]
            # The stored change includes its momentum, so that a long slope is run down.
            same_way = change * before > 0
            change = np.where(same_way, change + self.settings.momentum * before, change)
            self._change[name] = change
            weights[name] = weights[name] + change
        self.net = EvalNet(weights["w1"], weights["w2"], weights.get("w3"))

    def _rate(self, name: str) -> float:
        if name in FIRST_RATE:
            return self.settings.rate1 or 1 / self.net.inputs
        return self.settings.rate2 or 1 / self.net.hidden

    def state(self) -> tuple[Arrays, dict[str, Any]]:
        """Return everything there is to save: arrays by name, and plain numbers."""
        parts = {"net": self.net.arrays(), "trace": self._trace, "change": self._change}
        arrays = {
            f"{part}.{name}": array
            for part, named in parts.items()
            for name, array in named.items()
        }
        return arrays, {"prediction": self._prediction}

    @classmethod
    def from_state(
        cls, arrays: Mapping[str, Any], plain: Mapping[str, Any], settings: TdSettings
    ) -> TdLearner:
        """Go on from what `state` returned, bit for bit."""
        parts: dict[str, Arrays] = {"net": {}, "trace": {}, "change": {}}
        for key, array in arrays.items():
            part, _, name = key.partition(".")
            parts[part][name] = array
        net = parts["net"]
        learner = cls(EvalNet(net["w1"], net["w2"], net.get("w3")), settings)
        learner._trace, learner._change = parts["trace"], parts["change"]
        learner._prediction = plain["prediction"]
        return learner


def _zeros(net: EvalNet) -> Arrays:
    import numpy as np

    return {name: np.zeros_like(array) for name, array in net.arrays().items()}
