"""The network of NeuroDraughts, for boards and for anything else."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from pydantic import Field

from crossboard import _core
from crossboard._core import draughts as core
from crossboard._core.draughts import Mapping, Position
from crossboard.evaluators.description import (
    LOSS_TO_WIN,
    Evaluation,
    EvaluationTable,
    Scale,
    by_name,
    in_a_row,
    size_of,
)
from crossboard.evaluators.mappings import JoinedTable, mapping_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from crossboard.evaluators.description import ReadArray

    Array = NDArray[np.float64]

# Initial weights stand on a grid of this fineness, as the program of 1997 drew them.
GRID = 1000
# Where they are drawn from, in the paper's example (Lynch 1997, 9.1).
LOW, HIGH = -0.2, 0.2


class EvalNet:
    """One hidden layer, tanh, bias 1 in every group of weights, direct links if there is a w3.

    With N inputs and H hidden units w1 is (N+1, H), w2 is (H+1,) and w3 is (N+1,); the last row
    is the bias's. Without hidden units (H = 0) w3 must be there: a net of one layer. A value: its
    arrays cannot be written to. Raises ValueError for shapes that do not fit together and for
    weights that are not finite.
    """

    def __init__(self, w1: ArrayLike, w2: ArrayLike, w3: ArrayLike | None = None) -> None:
        self.w1 = _frozen("w1", w1, dimensions=2)
        self.w2 = _frozen("w2", w2, dimensions=1)
        self.w3 = None if w3 is None else _frozen("w3", w3, dimensions=1)
        if self.w3 is not None and self.w3.size == 0:
            raise ValueError("w3 has no weights; a net without direct links has None")
        _ = self.core  # which complains

    @classmethod
    def initial(
        cls,
        inputs: int,
        hidden: int,
        *,
        seed: int | np.random.Generator,
        direct: bool = True,
        low: float = LOW,
        high: float = HIGH,
    ) -> EvalNet:
        """Draw weights from low to below high on a grid of thousandths: w1 by rows, w2, w3."""
        import numpy as np

        width = high - low
        steps = int(GRID * width + 1e-9) if math.isfinite(width) else 0
        if inputs < 1 or hidden < 1 or steps < 1:
            raise ValueError(
                "a net needs inputs, hidden units and a range for its weights, not "
                f"{inputs}, {hidden} and {low} to {high}"
            )
        generator = np.random.default_rng(seed)

        def drawn(*shape: int) -> Array:
            return low + generator.integers(steps, size=shape) / GRID

        return cls(
            drawn(inputs + 1, hidden), drawn(hidden + 1), drawn(inputs + 1) if direct else None
        )

    @property
    def inputs(self) -> int:
        return len(self.w1) - 1

    @property
    def hidden(self) -> int:
        return len(self.w2) - 1

    @cached_property
    def core(self) -> _core.EvalNet:
        """The core's net."""
        return _core.EvalNet(self.w1, self.w2, self.w3)

    def arrays(self) -> dict[str, Array]:
        """Return the weights by name."""
        named = {"w1": self.w1, "w2": self.w2, "w3": self.w3}
        return {name: array for name, array in named.items() if array is not None}

    @property
    def weights(self) -> Array:
        """All weights in one row: w1 by rows, w2, w3, as the core has them."""
        return in_a_row(self.arrays().values())

    def with_weights(self, weights: Array) -> EvalNet:
        """Return the same net with other weights, in a row as `weights` has them."""
        shapes = {name: array.shape for name, array in self.arrays().items()}
        return EvalNet(**by_name(weights, shapes))

    def forward(self, x: ArrayLike) -> Any:
        """Return the output for inputs, a number for (N,), an array for (boards, N)."""
        import numpy as np

        rows = np.atleast_2d(np.ascontiguousarray(x, dtype=np.float64))
        outputs = self.core.forward(rows)
        return outputs if np.ndim(x) > 1 else float(outputs[0])

    def gradient(self, x: ArrayLike) -> dict[str, Array]:
        """Return the derivative of the output for one x by each weight, in arrays as `arrays`."""
        import numpy as np

        given = np.asarray(x, dtype=np.float64)
        if given.shape != (self.inputs,):
            raise ValueError(f"the net has {self.inputs} inputs, not {size_of(given)}")
        return self.summed_gradient(given[np.newaxis], np.ones(1))

    def summed_gradient(
        self, x: ArrayLike, amounts: ArrayLike, *, quirks: bool = False
    ) -> dict[str, Array]:
        """Return the sum of the gradients for the rows of x, each times its amount.

        `quirks` is the slip of the program of 1997: a weight of w1 counts itself where its hidden
        unit's in w2 belongs.
        """
        import numpy as np

        inputs = with_bias(x)
        values, hidden = outputs(list(self.arrays().values()), inputs)
        outward = np.asarray(amounts) * (1 - values**2)
        inward = outward[:, None] * (1.0 if quirks else self.w2[:-1]) * (1 - hidden**2)
        first = sum_products("ri,rj->ij", inputs, inward)
        sums = {
            "w1": first * self.w1 if quirks else first,
            "w2": np.append(sum_products("r,rj->j", outward, hidden), outward.sum()),
        }
        if self.w3 is not None:
            sums["w3"] = sum_products("r,ri->i", outward, inputs)
        return sums

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EvalNet) and self._state() == other._state()

    def __hash__(self) -> int:
        return hash(self._state())

    def __repr__(self) -> str:
        links = "with" if self.w3 is not None else "without"
        return f"<EvalNet {self.inputs}-{self.hidden}-1 {links} direct links>"

    def __reduce__(self) -> tuple[Any, ...]:
        return EvalNet, (self.w1, self.w2, self.w3)

    def _state(self) -> tuple[object, ...]:
        return self.w1.shape, *(array.tobytes() for array in self.arrays().values())


class Network(Evaluation):
    """A net behind a mapping: judges boards.

    The net sees the board as its last mover left it and speaks for that side; `evaluate` answers
    for the side to move, -1 to 1 in steps of a millionth.
    """

    scale: ClassVar[Scale] = LOSS_TO_WIN

    def __init__(
        self, mapping: Mapping, w1: ArrayLike, w2: ArrayLike, w3: ArrayLike | None = None
    ) -> None:
        self.mapping = mapping
        self.net = EvalNet(w1, w2, w3)
        _ = self.core  # which complains

    @classmethod
    def of(cls, mapping: Mapping, net: EvalNet) -> Network:
        """Put a net behind a mapping."""
        return cls(mapping, net.w1, net.w2, net.w3)

    @classmethod
    def initial(
        cls,
        mapping: Mapping,
        hidden: int,
        *,
        seed: int | np.random.Generator,
        direct: bool = True,
        low: float = LOW,
        high: float = HIGH,
    ) -> Network:
        """Draw a network's weights, as EvalNet.initial does."""
        net = EvalNet.initial(mapping.size, hidden, seed=seed, direct=direct, low=low, high=high)
        return cls.of(mapping, net)

    @classmethod
    def one_layer(cls, mapping: Mapping) -> Network:
        """Make a network without hidden units, all of whose weights are 0."""
        import numpy as np

        inputs = mapping.size + 1
        return cls(mapping, np.zeros((inputs, 0)), np.zeros(1), np.zeros(inputs))

    def arrays(self) -> dict[str, Array]:
        """Return the weights by name."""
        return self.net.arrays()

    def table(self) -> dict[str, Any]:
        """Return the mapping and the size of the net."""
        fields = {"kind": "network", **mapping_table(self.mapping), "hidden": self.net.hidden}
        return fields | {"direct_links": self.net.w3 is not None}

    @property
    def weights(self) -> Array:
        """All weights in one row: w1 by rows, w2, w3, as the core sums their changes."""
        return self.net.weights

    def with_weights(self, weights: Array) -> Network:
        """Return the same network with other weights, in a row as `weights` has them."""
        return Network.of(self.mapping, self.net.with_weights(weights))

    def sum_gradients(self, positions: Sequence[Position], amounts: ArrayLike) -> Array:
        """Sum amounts times gradients, in a row as `weights`.

        Of what arrives at the output, before the last tanh, for the side to move.
        """
        import numpy as np

        listed = np.asarray(amounts, dtype=np.float64).tolist()
        return cast("core.Network", self.core).sum_gradients(list(positions), listed)

    def forward(self, x: ArrayLike) -> Any:
        """Return the net's output for inputs, for the side that has just moved."""
        return self.net.forward(x)

    def gradient(self, x: ArrayLike) -> dict[str, Array]:
        """Return the derivative of the output for one x by each weight."""
        return self.net.gradient(x)

    def output(self, position: Position) -> float:
        """Judge a board for the side that has just moved, unrounded."""
        return cast("core.Network", self.core).output(position)

    def _make_core(self) -> core.Network:
        return core.Network(self.mapping, self.net.core)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Network) and (self.mapping, self.net) == (other.mapping, other.net)

    def __hash__(self) -> int:
        return hash((self.mapping, self.net))

    def __repr__(self) -> str:
        return f"<Network {self.mapping!r} {self.net!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Network, (self.mapping, self.net.w1, self.net.w2, self.net.w3)


class NetworkTable(JoinedTable, EvaluationTable):
    """What a network sees of the board and how large it is; the weights are in the other file."""

    kind: Literal["network"]
    hidden: int = Field(ge=0, le=10_000)  # 0: one layer
    direct_links: bool = True

    def evaluation(self, read_array: ReadArray) -> Network:
        """Make the network with its groups of weights."""
        mapping = self.make_mapping()
        w1 = read_array("w1", (mapping.size + 1, self.hidden))
        w2 = read_array("w2", (self.hidden + 1,))
        w3 = read_array("w3", (mapping.size + 1,)) if self.direct_links else None
        return Network(mapping, w1, w2, w3)


def with_bias(rows: ArrayLike) -> Array:
    """Return rows of inputs with the bias at their ends."""
    import numpy as np

    given = np.asarray(rows, dtype=np.float64)
    return np.column_stack([given, np.ones(len(given))])


def outputs(groups: Sequence[Array], inputs: Array) -> tuple[Array, Array]:
    """Return a net's outputs for rows of inputs that end with the bias, and its hidden units."""
    import numpy as np

    w1, w2 = groups[:2]
    hidden: Array = np.tanh(sum_products("ri,ij->rj", inputs, w1))
    direct = sum_products("ri,i->r", inputs, groups[2]) if len(groups) > 2 else 0.0
    values: Array = np.tanh(sum_products("rj,j->r", hidden, w2[:-1]) + w2[-1] + direct)
    return values, hidden


def sum_products(indices: str, one: Array, other: Array) -> Array:
    """Multiply arrays and sum over the indices that the result lacks, always in the same order.

    The operator @ leaves sums to BLAS, whose last bits depend on how many threads it has.
    """
    import numpy as np

    total: Array = np.einsum(indices, one, other, optimize=False)
    return total


def _frozen(name: str, weights: ArrayLike, *, dimensions: int) -> Array:
    import numpy as np

    try:
        array = np.array(weights, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array of numbers: {error}") from None
    if array.ndim != dimensions:
        raise ValueError(f"{name} has {array.ndim} dimensions instead of {dimensions}")
    array.flags.writeable = False
    return array
