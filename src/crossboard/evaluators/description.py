"""What every description of an evaluation offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
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

    def __getstate__(self) -> dict[str, Any]:
        # The core's evaluator stays in its process; it is made again where it is asked for.
        return {name: value for name, value in vars(self).items() if name != "core"}

    def evaluate(self, position: Any) -> float:
        """Judge a position for the side to move."""
        return self.core(position)

    __call__ = evaluate

    @abstractmethod
    def arrays(self) -> dict[str, NDArray[np.float64]]:
        """Return what can be learnt, by name."""

    @abstractmethod
    def _make_core(self) -> Callable[[Any], float]: ...
