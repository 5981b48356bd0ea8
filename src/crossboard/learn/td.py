"""Temporal differences with traces and momentum, as NeuroDraughts learns (Lynch 1997, 5.1, 9.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crossboard import _core
from crossboard.evaluators import EvalNet
from crossboard.evaluators.description import by_name, in_a_row
from crossboard.evaluators.network import output, output_and_slopes, outputs, with_bias
from crossboard.learn.ranges import check_numbers, check_word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

# Weights that hang on the first rate; w2 hangs on the second.
FIRST_RATE = ("w1", "w3")
# How the credit of earlier predictions fades from one to the next.
TRACE_DECAYS = ("lambda", "gamma_lambda")
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
    trace_decay: str = "lambda"
    quirks: str | None = None  # "lynch": the gradient of w1 as the program of 1997 had it

    def __post_init__(self) -> None:
        check_numbers(self, "rate1", "rate2")
        check_numbers(self, "momentum", "gamma", "decay", most=1)
        check_word("trace_decay", self.trace_decay, TRACE_DECAYS)
        check_word("quirks", self.quirks, QUIRKS)

    @property
    def fading(self) -> float:
        """What is left of the credit of a prediction when the next one is made."""
        return self.decay * (self.gamma if self.trace_decay == "gamma_lambda" else 1.0)


class TdLearner:
    """A net that learns from sequences of inputs and the reward at their end.

    `start` with the first inputs of a sequence, `step` with each of the others, `finish` with
    the reward. Rewards at the end are not discounted. Weights, credit and last changes are one
    vector each: a sequence has many small steps, and numpy's price is by the call.
    """

    def __init__(self, net: EvalNet, settings: TdSettings | None = None) -> None:
        import numpy as np

        self._initial = net
        self._shapes = {name: array.shape for name, array in net.arrays().items()}
        self._inputs = np.ones(net.inputs + 1)  # the last is the bias's
        self._weights = net.weights
        # Views: they change with their vectors.
        self._groups = list(by_name(self._weights, self._shapes).values())
        self._gradient = np.empty_like(self._weights)
        self._slopes = list(by_name(self._gradient, self._shapes).values())
        self._kept_net: EvalNet | None = net  # None as soon as the weights have moved on
        self._trace = np.zeros_like(self._weights)
        self._change = np.zeros_like(self._weights)
        self._prediction: float | None = None  # None between sequences
        self.settings = settings or TdSettings()
        self.scale = 1.0  # of all rates: learners let it fall as they go

    @property
    def settings(self) -> TdSettings:
        """The parameters; they may change between two steps."""
        return self._settings

    @settings.setter
    def settings(self, settings: TdSettings) -> None:
        import numpy as np

        self._settings = settings
        self._rates = in_a_row(
            np.full(shape, rate_of(name, self._initial, settings))
            for name, shape in self._shapes.items()
        )

    @property
    def net(self) -> EvalNet:
        """The net with the weights of this moment."""
        if self._kept_net is None:
            self._kept_net = EvalNet(*self._groups)
        return self._kept_net

    def predict(self, rows: ArrayLike) -> Array:
        """Return the outputs for many inputs, (rows, inputs) -> (rows,)."""
        values, _ = outputs(self._groups, with_bias(rows))
        return values

    def start(self, x: ArrayLike) -> None:
        """Begin a sequence: credit and momentum of the last one are forgotten."""
        self._trace.fill(0.0)
        self._change.fill(0.0)
        self._look_at(self._with_bias(x))

    def step(self, x: ArrayLike, reward: float = 0.0) -> float:
        """Move the last prediction toward the one for x; return by how much it was wrong."""
        inputs = self._with_bias(x)
        later, _ = output(self._groups, inputs)
        error = reward + self._settings.gamma * later - self._last()
        self._update(error)
        self._look_at(inputs)
        return error

    def finish(self, reward: float) -> float:
        """End the sequence: move the last prediction toward the reward; return the error."""
        error = reward - self._last()
        self._update(error)
        self._prediction = None
        return error

    def _last(self) -> float:
        if self._prediction is None:
            raise ValueError("a sequence begins with start()")
        return self._prediction

    def _with_bias(self, x: ArrayLike) -> Array:
        import numpy as np

        given = np.asarray(x, dtype=np.float64)
        if given.shape != (self._inputs.size - 1,):
            raise ValueError(f"the net has {self._inputs.size - 1} inputs, not {given.size}")
        self._inputs[:-1] = given
        return self._inputs

    def _look_at(self, inputs: Array) -> None:
        """Predict with the weights as they are now, and give the prediction its credit."""
        settings = self._settings
        quirks = settings.quirks is not None
        self._prediction = output_and_slopes(self._groups, inputs, self._slopes, quirks=quirks)
        self._trace *= settings.fading
        self._trace += self._gradient

    def _update(self, error: float) -> None:
        change = self._rates * (self.scale * error)
        change *= self._trace
        momentum, before = self._settings.momentum, self._change
        if momentum:
            carried = momentum * before
            if self._settings.direction_check:
                carried *= change * before > 0
            change += carried
        # The stored change includes its momentum, so that a long slope is run down.
        self._change = change
        self._weights += change
        self._kept_net = None

    def state(self) -> tuple[dict[str, Array], dict[str, Any]]:
        """Return everything there is to save: arrays by name, and plain numbers."""
        parts = {"net": self._weights, "trace": self._trace, "change": self._change}
        arrays = {
            f"{part}.{name}": array.copy()
            for part, flat in parts.items()
            for name, array in by_name(flat, self._shapes).items()
        }
        return arrays, {"prediction": self._prediction}

    @classmethod
    def from_state(
        cls, arrays: Mapping[str, Any], plain: Mapping[str, Any], settings: TdSettings
    ) -> TdLearner:
        """Go on from what `state` returned, bit for bit."""
        parts: dict[str, dict[str, Array]] = {"net": {}, "trace": {}, "change": {}}
        for key, array in arrays.items():
            part, _, name = key.partition(".")
            parts[part][name] = array
        learner = cls(EvalNet(**parts["net"]), settings)
        learner._trace, learner._change = (
            in_a_row(parts[part][name] for name in learner._shapes) for part in ("trace", "change")
        )
        learner._prediction = plain["prediction"]
        return learner


def core_learner(
    nets: Sequence[EvalNet], settings: TdSettings, *, scale: float = 1.0
) -> _core.TdLearner:
    """Return the core's twin of TdLearner, for games that change weights after every move.

    It takes the same steps, in a fraction of the time; last bits may differ. Several nets take
    turns: the one that is named predicts, and all learn from the error as far as they have credit.
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
