"""
The compiled core of crossboard; use crossboard.draughts or crossboard.duchess.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

from crossboard._core import draughts as draughts, duchess as duchess


def free_megabytes() -> int:
    """
    Return how much memory may still be had, of the machine and of this process's groups.
    """

MAX_WEIGHT: float = 1e+100

class EvalNet:
    """One hidden layer, tanh, direct links if w3 is given."""

    def __init__(self, w1: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], w2: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], w3: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    def forward(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The output for each row of inputs."""

class TdLearner:
    """TD(lambda) of one net, or of several that take turns."""

    def __init__(self, nets: Sequence[EvalNet], *, rate1: float, rate2: float, momentum: float, gamma: float, fading: float, direction_check: bool, quirk: bool) -> None: ...

    def start(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], net: int = 0) -> None:
        """Begin a sequence with what a net, by its number, says of x."""

    def step(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], net: int = 0, reward: float = 0.0) -> float:
        """Move the last prediction toward that for x; return the error."""

    def finish(self, reward: float) -> float:
        """Move the last prediction toward the reward; return the error."""

    @property
    def weights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """As they are now: w1 by rows, w2, w3, of one net after the other."""

    @property
    def trace(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """What credit earlier predictions still have."""

    @property
    def change(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The last changes, of which momentum comes."""

    @property
    def prediction(self) -> float | None:
        """The last; None between sequences."""

    def resume(self, trace: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], change: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], prediction: float | None) -> None:
        """Go on from such a state."""
