"""Weighted sums: of pieces, of features."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from crossboard._core import draughts as core
from crossboard.evaluators.description import MAX_FEATURES, MEN, Evaluation, EvaluationTable, Scale

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from crossboard.evaluators.description import ReadArray


@dataclass(frozen=True)
class Material(Evaluation):
    """Counts pieces: a king is one and a half men."""

    scale: ClassVar[Scale] = MEN

    def arrays(self) -> dict[str, NDArray[np.float64]]:
        """Nothing here is learnt."""
        return {}

    def table(self) -> dict[str, Any]:
        """Return the kind, which is all there is."""
        return {"kind": "material"}

    def _make_core(self) -> core.Material:
        return core.Material()

    def __reduce__(self) -> tuple[Any, ...]:
        return Material, ()


class MaterialTable(EvaluationTable):
    """Pieces."""

    kind: Literal["material"]

    def evaluation(self, read_array: ReadArray) -> Material:
        """Make the evaluation, which has no arrays."""
        return Material()


@dataclass(frozen=True, init=False)
class Linear(Evaluation):
    """Features by their names, each with a weight; `man` is the weight that makes one man.

    Features look at the board from the side that has just moved, so a positive weight is for
    what is good for that side. `evaluate` answers in men for the side to move, in steps of a
    thousandth. Raises ValueError for an unknown feature or a weight that is not finite.
    """

    features: tuple[str, ...]
    weights: tuple[float, ...]
    _: KW_ONLY
    man: float
    scale: ClassVar[Scale] = MEN

    def __init__(self, features: Iterable[str], weights: Iterable[float], *, man: float) -> None:
        object.__setattr__(self, "features", tuple(features))
        object.__setattr__(self, "weights", tuple(map(float, weights)))
        object.__setattr__(self, "man", float(man))
        _ = self.core  # which complains

    def arrays(self) -> dict[str, NDArray[np.float64]]:
        """Return the weights in the order of the features."""
        import numpy as np

        return {"weights": np.array(self.weights)}

    def table(self) -> dict[str, Any]:
        """Return the features and the weight of a man."""
        return {"kind": "linear", "man": self.man, "features": list(self.features)}

    def _make_core(self) -> core.Linear:
        return core.Linear(list(self.features), list(self.weights), man=self.man)

    def __reduce__(self) -> tuple[Any, ...]:
        return _linear, (self.features, self.weights, self.man)


class LinearTable(EvaluationTable):
    """Features and the weight that makes one man; the weights are in the other file."""

    kind: Literal["linear"]
    features: list[str] = Field(min_length=1, max_length=MAX_FEATURES)
    man: float = Field(gt=0)

    def evaluation(self, read_array: ReadArray) -> Linear:
        """Make the evaluation with a weight for each feature."""
        weights = read_array("weights", (len(self.features),))
        return Linear(self.features, weights.tolist(), man=self.man)


def _linear(features: tuple[str, ...], weights: tuple[float, ...], man: float) -> Linear:
    return Linear(features, weights, man=man)
