"""A small net of whole numbers, fast enough for the search (docs/small-net.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from crossboard._core import draughts as core
from crossboard.evaluators.description import (
    MEN,
    Evaluation,
    EvaluationTable,
    Scale,
    Table,
    size_of,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from crossboard.evaluators.description import ReadArray

    Integers = NDArray[np.int16]
    Floats = NDArray[np.float32]

HIDDEN, SECOND = 128, 32
# Chosen: far beyond what the core takes, and within its numbers.
MOST_UNITS = 10_000
MOST_PIECES = 24


class NetPhase(NamedTuple):
    """When one of a small net's nets judges: at men alone or any pieces, and at so many."""

    kings: bool = True  # may there be kings?
    least_pieces: int = 0  # of both sides together


USUAL_PHASES = (NetPhase(False, 16), NetPhase(False), NetPhase(True, 8), NetPhase(True))


class SmallNet(Evaluation):
    """Two clipped layers and direct links, one net for each phase; the first that fits judges.

    The inputs are the pieces as the side to move sees them, and `evaluate` answers in men for that
    side, in steps of a hundredth. `arrays` hold 16-bit integers by name, as `shapes` lists them:
    their first extent is the phase. A value: its arrays cannot be written to. Raises ValueError for
    arrays that do not fit.
    """

    scale: ClassVar[Scale] = MEN

    def __init__(
        self, arrays: Mapping[str, ArrayLike], *, phases: Iterable[NetPhase] = USUAL_PHASES
    ) -> None:
        import numpy as np

        self.phases = tuple(NetPhase(*phase) for phase in phases)
        self.hidden = _extent(arrays, "first")
        self.second = _extent(arrays, "second")
        self._arrays = _fitted(arrays, self.shapes)
        rows = [array.reshape(len(self.phases), -1) for array in self._arrays.values()]
        self.weights: Integers = np.concatenate(rows, axis=1).ravel()
        self.weights.flags.writeable = False
        _ = self.core  # which complains

    @classmethod
    def from_weights(
        cls,
        weights: Integers,
        *,
        hidden: int = HIDDEN,
        second: int = SECOND,
        phases: Sequence[NetPhase] = USUAL_PHASES,
    ) -> SmallNet:
        """Make a net of all its weights in a row: phase by phase, in the order of `shapes`."""
        import numpy as np

        arrays = {}
        shapes = core.small_net_shapes(hidden, second)
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        count = len(phases) * sum(sizes)
        if weights.shape != (count,):
            raise ValueError(f"there are {count} weights, not {size_of(weights)}")
        parts = np.split(weights.reshape(len(phases), -1), np.cumsum(sizes)[:-1], axis=1)
        for (name, shape), part in zip(shapes.items(), parts, strict=True):
            arrays[name] = part.reshape(len(phases), *shape)
        return cls(arrays, phases=phases)

    @classmethod
    def from_floats(
        cls,
        weights: ArrayLike,
        *,
        hidden: int = HIDDEN,
        second: int = SECOND,
        phases: Sequence[NetPhase] = USUAL_PHASES,
    ) -> SmallNet:
        """Round learnt weights, in a row as `weights` has them; larger ones than may be are cut."""
        import numpy as np

        floats = np.ascontiguousarray(weights, dtype=np.float32)
        integers = core.small_net_integers(floats, hidden=hidden, second=second)
        return cls.from_weights(integers, hidden=hidden, second=second, phases=phases)

    @classmethod
    def initial(
        cls,
        *,
        seed: int | np.random.Generator,
        hidden: int = HIDDEN,
        second: int = SECOND,
        phases: Sequence[NetPhase] = USUAL_PHASES,
        largest: float = 0.2,
    ) -> SmallNet:
        """Draw weights from -largest to largest."""
        import numpy as np

        shapes = core.small_net_shapes(hidden, second).values()
        size = len(phases) * sum(int(np.prod(shape)) for shape in shapes)
        drawn = np.random.default_rng(seed).uniform(-largest, largest, size)
        return cls.from_floats(drawn, hidden=hidden, second=second, phases=phases)

    @classmethod
    def zero(
        cls,
        *,
        hidden: int = HIDDEN,
        second: int = SECOND,
        phases: Sequence[NetPhase] = USUAL_PHASES,
    ) -> SmallNet:
        """Return a net that takes every position for even."""
        return cls.initial(seed=0, hidden=hidden, second=second, phases=phases, largest=0.0)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The names of the arrays in their order, and their shapes."""
        shapes = core.small_net_shapes(self.hidden, self.second)
        return {name: (len(self.phases), *shape) for name, shape in shapes.items()}

    @property
    def floats(self) -> Floats:
        """The weights in a row as a learner has them."""
        return core.small_net_floats(self.weights, hidden=self.hidden, second=self.second)

    def arrays(self) -> dict[str, Integers]:
        """Return the weights by name."""
        return dict(self._arrays)

    def table(self) -> dict[str, Any]:
        """Return the size of the net and its phases."""
        fields = {"kind": "small-net", "hidden": self.hidden, "second": self.second}
        return fields | {"phases": [phase._asdict() for phase in self.phases]}

    def _make_core(self) -> core.SmallNet:
        return core.SmallNet(
            self.weights, hidden=self.hidden, second=self.second, phases=self.phases
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SmallNet) and self._state() == other._state()

    def __hash__(self) -> int:
        return hash(self._state())

    def __repr__(self) -> str:
        return f"<SmallNet 128-{self.hidden}-{self.second}-1, {len(self.phases)} phases>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.arrays(), self.phases)

    def _state(self) -> tuple[object, ...]:
        return self.phases, self.hidden, self.second, self.weights.tobytes()


class NetPhaseTable(Table):
    """As `NetPhase`."""

    kings: bool = True
    least_pieces: int = Field(0, ge=0, le=MOST_PIECES)


class SmallNetTable(EvaluationTable):
    """How large a small net is, and its phases; the weights are in the other file."""

    kind: Literal["small-net"]
    hidden: int = Field(HIDDEN, ge=1, le=MOST_UNITS)
    second: int = Field(SECOND, ge=1, le=MOST_UNITS)
    phases: list[NetPhaseTable] = Field(
        [NetPhaseTable(**phase._asdict()) for phase in USUAL_PHASES], max_length=100
    )

    def evaluation(self, read_array: ReadArray) -> SmallNet:
        """Make the net with its arrays of integers."""
        phases = [NetPhase(phase.kings, phase.least_pieces) for phase in self.phases]
        shapes = core.small_net_shapes(self.hidden, self.second)
        arrays = {
            name: read_array(name, (len(phases), *shape), dtype="int16")
            for name, shape in shapes.items()
        }
        return SmallNet(arrays, phases=phases)


def _restored(arrays: Mapping[str, ArrayLike], phases: Sequence[NetPhase]) -> SmallNet:
    return SmallNet(arrays, phases=phases)


def _extent(arrays: Mapping[str, ArrayLike], name: str) -> int:
    """Return the last extent of an array: how many units a layer has."""
    import numpy as np

    if name not in arrays:
        raise ValueError(f"the weights {name!r} are missing")
    shape: tuple[int, ...] = np.shape(arrays[name])
    if len(shape) != 3:
        raise ValueError(f"{name} has {len(shape)} dimensions instead of 3")
    return shape[2]


def _fitted(
    arrays: Mapping[str, ArrayLike], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, Integers]:
    """Return the arrays, frozen, in their order; raise ValueError for one that does not fit."""
    import numpy as np

    if unknown := sorted(set(arrays) - set(shapes)):
        raise ValueError(f"there are no weights {unknown[0]!r}: there are {', '.join(shapes)}")
    fitted = {}
    for name, shape in shapes.items():
        if name not in arrays:
            raise ValueError(f"the weights {name!r} are missing")
        given = np.asarray(arrays[name])
        if given.dtype != np.int16:
            raise ValueError(f"{name} is of type {given.dtype}, it must be int16")
        if given.shape != shape:
            raise ValueError(f"{name} has shape {given.shape}, it must be {shape}")
        array = np.array(given, order="C")
        array.flags.writeable = False
        fitted[name] = array
    return fitted
