"""
The compiled core of crossboard; use crossboard.draughts or crossboard.duchess.
"""

from typing import Annotated

import numpy
from numpy.typing import NDArray

from crossboard._core import draughts as draughts, duchess as duchess


class EvalNet:
    """One hidden layer, tanh, direct links if w3 is given."""

    def __init__(self, w1: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], w2: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], w3: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    def forward(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The output for each row of inputs."""
