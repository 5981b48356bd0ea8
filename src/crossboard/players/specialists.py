"""Specialists for the end of a game of draughts: a map of boards says which of them plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from crossboard.evaluators import BoardAttributes, Evaluation, Table, features
from crossboard.players.engines import Evaluator

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from crossboard.evaluators.description import ReadArray

# Chosen: with the main evaluator as many as a player's folder holds.
MAX_UNITS = 99
# MP-Draughts' specialists play from here on.
SPECIALIST_PIECES = 12
ALL_PIECES = 24
PROTOTYPES = "prototypes"


@dataclass(frozen=True, init=False, eq=False)
class Specialists:
    """Evaluators, each for the boards that are nearest to its prototype.

    At a player's first turn with `most_pieces` or fewer the nearest row of `prototypes` to the
    position's attributes picks the evaluator, which judges the rest of the game (`keeps`) or is
    picked anew at every turn. Where the player's main evaluator stands among `evaluators`, no
    specialist takes its place. Raises ValueError for prototypes that do not fit.
    """

    attributes: BoardAttributes
    prototypes: NDArray[np.float64]  # (units, attributes)
    evaluators: tuple[Evaluator, ...]  # one for each unit
    most_pieces: int = SPECIALIST_PIECES
    keeps: bool = True

    def __init__(
        self,
        attributes: BoardAttributes,
        prototypes: ArrayLike,
        evaluators: Sequence[Evaluator],
        *,
        most_pieces: int = SPECIALIST_PIECES,
        keeps: bool = True,
    ) -> None:
        object.__setattr__(self, "attributes", attributes)
        object.__setattr__(self, "prototypes", _checked(prototypes, attributes.size))
        object.__setattr__(self, "evaluators", tuple(evaluators))
        object.__setattr__(self, "most_pieces", most_pieces)
        object.__setattr__(self, "keeps", bool(keeps))
        if len(self.evaluators) != len(self.prototypes):
            raise ValueError(
                f"every unit of the map needs an evaluator: there are {len(self.prototypes)} "
                f"prototypes and {len(self.evaluators)} evaluators"
            )
        if not 0 <= most_pieces <= ALL_PIECES:
            raise ValueError(
                f"most_pieces: specialists begin with 0 to {ALL_PIECES} pieces, not {most_pieces}"
            )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Specialists):
            return NotImplemented
        return self._data() == other._data()

    def __hash__(self) -> int:
        return hash(self.prototypes.tobytes())

    def _data(self) -> tuple[Any, ...]:
        rows = self.prototypes.tolist()
        return self.attributes, rows, self.evaluators, self.most_pieces, self.keeps

    def selector(self, core: Any, base: Any) -> Any:
        """Return what selects a specialist, or leaves the choice to `base`, in a game's core."""
        return core.MapSelector(
            base,
            self.attributes,
            self.prototypes,
            most_pieces=self.most_pieces,
            keeps=self.keeps,
        )

    def arrays(self) -> dict[str, NDArray[np.float64]]:
        """Return what weights.safetensors holds."""
        return {PROTOTYPES: self.prototypes}

    def table(self, names: Mapping[int, str]) -> dict[str, Any]:
        """Return what player.toml holds; `names` are the evaluators' by their ids."""
        return {
            "features": self.attributes.features,
            "coding": self.attributes.coding,
            "with_material": self.attributes.with_material,
            "most_pieces": self.most_pieces,
            "keeps": self.keeps,
            "agents": [names[id(evaluator)] for evaluator in self.evaluators],
        }


class SpecialistsTable(Table):
    """As `Specialists`: `agents` has the key of an evaluator for each unit of the map."""

    features: list[str] = Field(min_length=1, max_length=len(features()))
    coding: Literal["presence", "counts"] = "presence"
    with_material: bool = False
    most_pieces: Annotated[int, Field(ge=0, le=ALL_PIECES)] = SPECIALIST_PIECES
    keeps: bool = True
    agents: list[str] = Field(min_length=1, max_length=MAX_UNITS)

    def specialists(
        self, evaluations: Mapping[str, Evaluation], read_array: ReadArray
    ) -> Specialists:
        """Make the specialists; raise ValueError for what makes no sense."""
        attributes = BoardAttributes(
            self.features, coding=self.coding, with_material=self.with_material
        )
        for unit, key in enumerate(self.agents, start=1):
            if key not in evaluations:
                known = ", ".join(evaluations)
                raise ValueError(f"unit {unit} asks for evaluator {key!r}: there are {known}")
        return Specialists(
            attributes,
            read_array(PROTOTYPES, (len(self.agents), attributes.size)),
            [evaluations[key] for key in self.agents],
            most_pieces=self.most_pieces,
            keeps=self.keeps,
        )


def _checked(given: ArrayLike, size: int) -> NDArray[np.float64]:
    """Return a copy that cannot be written to; it is made after the shape has been checked."""
    import numpy as np

    found = np.asarray(given)
    if found.ndim != 2 or not 1 <= len(found) <= MAX_UNITS or found.shape[1] != size:
        raise ValueError(
            f"prototypes are 1 to {MAX_UNITS} rows of {size} attributes, not an array of shape "
            f"{found.shape}"
        )
    if found.dtype.kind not in "fiu":
        raise ValueError(f"prototypes are numbers, not an array of {found.dtype}")
    prototypes = np.array(found, dtype=np.float64, order="C")
    if not np.isfinite(prototypes).all():
        unit = int(np.argmin(np.isfinite(prototypes).all(axis=1))) + 1
        raise ValueError(f"prototype {unit} has an attribute that is no finite number")
    prototypes.setflags(write=False)
    return prototypes
