"""The one-layer evaluation of Duchess (Real and Blair 2014), as plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from crossboard._core import duchess as core
from crossboard.evaluators.description import (
    LOG_ODDS,
    Evaluation,
    EvaluationTable,
    Scale,
    by_name,
    in_a_row,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from crossboard.evaluators.description import ReadArray

    Array = NDArray[np.float64]

KINDS = "KQDFWNRBP"
# The paper's initial weights (section VI): of pieces by their letters, of two wizards (Chosen: and
# of three), of check and mate for the enemy, of a pawn on the Vortex and for each step away.
MATERIAL = {"Q": 0.1, "D": 0.1, "F": 0.1, "W": 0.05, "N": 0.05, "R": 0.05, "B": 0.05, "P": 0.05}
WIZARDS = 0.05
CHECK, CHECKMATE = 0.05, 0.25
PAWN_ON_VORTEX, PAWN_STEP = 0.04, 0.01
ATTACKS = ("none", "plain", "modes")


class OneLayer(Evaluation):
    """A weighted sum of features whose sigmoid is the chance of the team to move to win.

    `weights` are arrays by name, as `crossboard._core.duchess.weight_shapes` lists them: material,
    wizards, pawn_square, check, checkmate, bias, and, in later stages, attack, piece_square and
    king_reach.
    Their first extent is the set: four players have one for the odd and one for the even team. A
    value: its arrays cannot be written to. Raises ValueError for arrays that do not fit.
    """

    game: ClassVar[str] = "duchess"
    scale: ClassVar[Scale] = LOG_ODDS

    def __init__(
        self, weights: Mapping[str, ArrayLike], *, players: int = 4, cumulative: bool = True
    ) -> None:
        import numpy as np

        self.players = players
        self.cumulative = cumulative  # False: searches begin anew at every position, slowly
        dimensions = np.ndim(weights["attack"]) if "attack" in weights else 0
        self.attack = ATTACKS[0 if not dimensions else 2 if dimensions == 6 else 1]
        self.piece_square = "piece_square" in weights
        self.king_reach = "king_reach" in weights
        self._arrays = _fitted(weights, self.shapes)
        _ = self.core  # which complains

    @property
    def seats(self) -> int:
        """For how many players it is."""
        return self.players

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The names of the arrays in their order, and their shapes."""
        return shapes_of(self.players, self.attack, self.piece_square, self.king_reach)

    @classmethod
    def initial(cls, players: int = 4) -> OneLayer:
        """Return the paper's initial weights of the first stage."""
        import numpy as np

        arrays = {name: np.zeros(shape) for name, shape in shapes_of(players).items()}
        signs = np.array([1 if player % 2 == 0 else -1 for player in range(players)])
        arrays["material"][:] = [MATERIAL.get(kind, 0.0) for kind in KINDS]
        arrays["wizards"][:] = WIZARDS
        arrays["check"][:] = -CHECK * signs
        arrays["checkmate"][:] = -CHECKMATE * signs
        steps = np.array([steps_to_vortex(cell) for cell in core.cells(players)])
        arrays["pawn_square"][:] = np.outer(signs, PAWN_ON_VORTEX - PAWN_STEP * steps)
        return cls(arrays, players=players)

    def extended(
        self, *, attack: str = "none", piece_square: bool = False, king_reach: bool = False
    ) -> OneLayer:
        """Return the same with more groups of weights, all zero: the next stage's beginning.

        What is there already stays, but for attack weights of another kind.
        """
        import numpy as np

        if attack not in ATTACKS:
            raise ValueError(f"attack is one of {', '.join(ATTACKS)}, not {attack!r}")
        wanted = self.attack if attack == "none" else attack
        shapes = shapes_of(
            self.players,
            wanted,
            piece_square or self.piece_square,
            king_reach or self.king_reach,
        )
        kept = {name: array for name, array in self._arrays.items() if array.shape == shapes[name]}
        arrays = {name: kept.get(name, np.zeros(shape)) for name, shape in shapes.items()}
        return OneLayer(arrays, players=self.players, cumulative=self.cumulative)

    def arrays(self) -> dict[str, Array]:
        """Return the weights by name."""
        return dict(self._arrays)

    def table(self) -> dict[str, Any]:
        """Return which groups of weights there are."""
        fields = {"kind": "one-layer", "players": self.players, "attack": self.attack}
        return fields | {"piece_square": self.piece_square, "king_reach": self.king_reach}

    @property
    def weights(self) -> Array:
        """All weights in a row."""
        return in_a_row(self._arrays.values())

    def with_weights(self, weights: Array) -> OneLayer:
        """Return the same evaluation with other weights, given in a row."""
        arrays = by_name(weights, self.shapes)
        return OneLayer(arrays, players=self.players, cumulative=self.cumulative)

    def features(self, position: core.Position) -> Array:
        """Return how often each weight counts in a position, in the order of `weights`."""
        return cast("core.OneLayer", self.core).features(position)

    def chance(self, position: core.Position) -> float:
        """Return the probability that the team to move wins, as far as the weights know."""
        return 1 / (1 + math.exp(-self.evaluate(position)))

    def _make_core(self) -> core.OneLayer:
        return core.OneLayer(
            self.weights,
            players=self.players,
            attack=self.attack == "plain",
            attack_modes=self.attack == "modes",
            piece_square=self.piece_square,
            king_reach=self.king_reach,
            cumulative=self.cumulative,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OneLayer) and self._state() == other._state()

    def __hash__(self) -> int:
        return hash(self._state())

    def __repr__(self) -> str:
        parts = [f"{self.players} players"]
        parts += [] if self.attack == "none" else [f"attack {self.attack}"]
        parts += ["piece_square"] if self.piece_square else []
        parts += ["king_reach"] if self.king_reach else []
        return f"<OneLayer {', '.join(parts)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.arrays(), self.players, self.cumulative)

    def _state(self) -> tuple[object, ...]:
        shapes = tuple(self.shapes.items())
        return self.players, self.cumulative, shapes, self.weights.tobytes()


class InitialTable(EvaluationTable):
    """Duchess as its training begins: the paper's first weights."""

    kind: Literal["initial"]
    players: Literal[4, 6] = 4

    @property
    def seats(self) -> int:
        """For how many players it is."""
        return self.players

    def evaluation(self, read_array: ReadArray) -> OneLayer:
        """Make the evaluation, whose arrays are known."""
        return OneLayer.initial(self.players)


class OneLayerTable(EvaluationTable):
    """Which groups of weights Duchess's evaluation has; the weights are in the other file."""

    kind: Literal["one-layer"]
    players: Literal[4, 6] = 4
    attack: Literal["none", "plain", "modes"] = "none"
    piece_square: bool = False
    king_reach: bool = False

    @property
    def seats(self) -> int:
        """For how many players it is."""
        return self.players

    def evaluation(self, read_array: ReadArray) -> OneLayer:
        """Make the evaluation with the arrays of its groups."""
        shapes = shapes_of(self.players, self.attack, self.piece_square, self.king_reach)
        arrays = {name: read_array(name, shape) for name, shape in shapes.items()}
        return OneLayer(arrays, players=self.players)


def steps_to_vortex(cell: str) -> int:
    """Return how many moves a King needs from a cell to the Vortex."""
    if cell == "V":
        return 0
    # Every rank is a step; only the corners of the inner ring lie one further off.
    return 7 - int(cell[2]) + (cell[1:] == "e6")


def shapes_of(
    players: int, attack: str = "none", piece_square: bool = False, king_reach: bool = False
) -> dict[str, tuple[int, ...]]:
    """Return the names of the arrays in their order, and their shapes."""
    return core.weight_shapes(
        players,
        attack=attack == "plain",
        attack_modes=attack == "modes",
        piece_square=piece_square,
        king_reach=king_reach,
    )


def _restored(weights: Mapping[str, Array], players: int, cumulative: bool) -> OneLayer:
    return OneLayer(weights, players=players, cumulative=cumulative)


def _fitted(
    weights: Mapping[str, ArrayLike], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, Array]:
    """Return the arrays, frozen, in their order; raise ValueError for one that does not fit."""
    import numpy as np

    if unknown := sorted(set(weights) - set(shapes)):
        raise ValueError(f"there are no weights {unknown[0]!r}: there are {', '.join(shapes)}")
    arrays = {}
    for name, shape in shapes.items():
        if name not in weights:
            raise ValueError(f"the weights {name!r} are missing")
        array = np.array(weights[name], dtype=np.float64, order="C")
        if array.shape != shape:
            raise ValueError(f"{name} has shape {array.shape}, it must be {shape}")
        array.flags.writeable = False
        arrays[name] = array
    return arrays
