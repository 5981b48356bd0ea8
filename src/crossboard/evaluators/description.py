"""What every description of an evaluation offers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Evaluation(ABC):
    """Plain data from which the core makes an evaluator; equal data, equal evaluations.

    An evaluation is a function of a position, so players take it where they take a function; the
    engine looks for `core` and then never comes back to Python.
    """

    game: ClassVar[str] = "draughts"  # whose positions it judges

    @cached_property
    def core(self) -> Callable[[Any], float]:
        """The core's evaluator."""
        return self._make_core()

    def evaluate(self, position: Any) -> float:
        """Judge a position for the side to move."""
        return self.core(position)

    __call__ = evaluate

    @abstractmethod
    def arrays(self) -> dict[str, NDArray[np.float64]]:
        """Return what can be learnt, by name."""

    @abstractmethod
    def _make_core(self) -> Callable[[Any], float]: ...


def size_of(row: NDArray[np.float64]) -> str:
    """Say how many numbers there are in what should have been a row of them."""
    return str(row.size) if row.ndim == 1 else f"an array of shape {row.shape}"


def in_a_row(arrays: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return all numbers of some arrays, one array after the other."""
    import numpy as np

    return np.concatenate([array.ravel() for array in arrays])


def by_name(
    row: NDArray[np.float64], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, NDArray[np.float64]]:
    """Return views of a row of numbers as arrays; raise ValueError if it has not as many."""
    import numpy as np

    ends = np.cumsum([math.prod(shape) for shape in shapes.values()])
    if row.shape != (ends[-1],):
        raise ValueError(f"there are {ends[-1]} weights, not {size_of(row)}")
    parts = np.split(row, ends[:-1])
    return {
        name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)
    }
