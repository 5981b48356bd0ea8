"""What every evaluation offers: its evaluator, its scale, its part of a player's folder."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What a player's weights are kept as.
NumberType = Literal["float64", "int16"]


class ReadArray(Protocol):
    """Reads the array of a name, which must have a shape and a type, from a player's weights."""

    def __call__(
        self, name: str, shape: tuple[int, ...], *, dtype: NumberType = "float64"
    ) -> NDArray[Any]: ...


# Chosen: far more than any evaluation of ours needs.
MAX_FEATURES = 10_000


class Scale(NamedTuple):
    """What values count, and what a forced win counts among them."""

    unit: str
    win: float
    is_range: bool = False  # a unit that does not stand behind a number, as "men" does


# A forced win counts more than any board can hold.
MEN = Scale("men", 100.0)
LOSS_TO_WIN = Scale("-1 to 1", 1.0, is_range=True)
LOG_ODDS = Scale("log-odds", 100.0)


class Evaluation(ABC):
    """Plain data from which the core makes an evaluator; equal data, equal evaluations.

    An evaluation is a function of a position, so players take it where they take a function; the
    engine looks for `core` and then never comes back to Python.
    """

    game: ClassVar[str] = "draughts"  # whose positions it judges
    scale: ClassVar[Scale]  # of its values

    @property
    def seats(self) -> int | None:
        """For how many players it is; None where the game leaves no choice."""
        return None

    @cached_property
    def core(self) -> Callable[[Any], float]:
        """The core's evaluator."""
        return self._make_core()

    def evaluate(self, position: Any) -> float:
        """Judge a position for the side to move."""
        return self.core(position)

    __call__ = evaluate

    @abstractmethod
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what can be learnt, by name: what weights.safetensors holds of it."""

    @abstractmethod
    def table(self) -> dict[str, Any]:
        """Return what player.toml holds of it, `kind` first: an `EvaluationTable` reads it."""

    @abstractmethod
    def _make_core(self) -> Callable[[Any], float]: ...


def scale_of(evaluator: object) -> Scale:
    """Return the scale of an evaluator's values; functions count men."""
    return evaluator.scale if isinstance(evaluator, Evaluation) else MEN


class Table(BaseModel):
    """A table of player.toml: no other keys than its own, and no values of other types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class EvaluationTable(Table):
    """What player.toml says of an evaluation of one `kind`, the literal that tells it apart."""

    @property
    def seats(self) -> int | None:
        """For how many players the evaluation is; None where the game leaves no choice."""
        return None

    @abstractmethod
    def evaluation(self, read_array: ReadArray) -> Evaluation:
        """Make the evaluation with its arrays; raise ValueError for what makes no sense."""


def size_of(row: NDArray[Any]) -> str:
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
