"""How boards become the inputs of networks: by squares, features, pieces, patterns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from crossboard._core.draughts import Mapping, feature, features
from crossboard.evaluators.description import MAX_FEATURES, Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Inputs = NDArray[np.intp]

QUIRKS = ("lynch",)
# Chosen: eight squares with 3 states have 6,561 codes, which games meet often enough to learn.
ROWS = [[4 * row + place for place in range(1, 9)] for row in range(7)]
BLOCKS = [
    [4 * (row + step) + place + side for step in range(4) for side in (0, 1)]
    for row in (0, 2, 4)
    for place in (1, 2, 3)
]


def binary_mapping(*, off: float = -1.0) -> Mapping:
    """Three inputs a square, 96 in all: what stands there as a binary number."""
    return Mapping.binary(off=off)


def direct_mapping(*, quirks: str | None = None) -> Mapping:
    """One input a square, 32 in all: 0, 0.25, 0.5, 0.75 or 1.

    `quirks="lynch"` divides in whole numbers, as the program of 1997 did: 1 for the other side's
    king, 0 for all else.
    """
    return Mapping.direct(quirks=_has_quirks(quirks))


def feature_mapping(
    chosen: str | Iterable[str | tuple[str, int]] = "lynch",
    *,
    off: float = -1.0,
    quirks: str | None = None,
) -> Mapping:
    """Inputs from a whole family of features, or from those named, with bits where not the usual.

    `quirks="lynch"` codes Lynch's features as the program of 1997 did. Raises ValueError for an
    unknown family, feature or quirk.
    """
    has_quirks = _has_quirks(quirks)
    if isinstance(chosen, str):
        listed = [(f.name, f.bits) for f in features() if f.family == chosen]
        if not listed:
            families = ", ".join(dict.fromkeys(f.family for f in features()))
            raise ValueError(
                f"there is no family {chosen!r} of features: the families are {families}"
            )
    else:
        listed = [
            (one, feature(one).bits) if isinstance(one, str) else (one[0], one[1]) for one in chosen
        ]
    return Mapping.of_features(listed, off=off, quirks=has_quirks)


def refuse_second_names(names: Iterable[str]) -> None:
    """Raise ValueError if two of the names stand for one feature."""
    for one, other in combinations(map(feature, names), 2):
        if one is not other and one.is_same_as(other):
            raise ValueError(f"features: {other.name} is {one.name} again: name only one")


def _has_quirks(quirks: str | None) -> bool:
    if quirks is not None and quirks not in QUIRKS:
        raise ValueError(f"quirks is None or 'lynch', not {quirks!r}")
    return quirks is not None


def count_mapping() -> Mapping:
    """Two inputs: how many men, and how many kings, own has more than other."""
    return Mapping.counts()


def material_mapping() -> Mapping:
    """One input for each balance, 2,704 in all: men of both sides, and kings up to three."""
    return Mapping.material()


def piece_mapping() -> Mapping:
    """Four inputs a square, 128 in all: own man, other's man, own king, other's king."""
    return Mapping.pieces()


def pattern_mapping(
    squares: Iterable[Iterable[int]] = (*ROWS, *BLOCKS), *, states: int = 3
) -> Mapping:
    """One input for everything that can stand on some squares together, for each pattern.

    Without squares they are two rows each, and blocks of four rows and two columns. With 3 states
    a square shows men only, with 5 kings too. Raises ValueError for squares that are not there.
    """
    return Mapping.patterns([list(pattern) for pattern in squares], states=states)


def joined_mapping(*parts: Mapping) -> Mapping:
    """The inputs of several mappings, one after the other."""
    return Mapping.joined(list(parts))


class MappingTable(Table):
    """What player.toml says of a mapping, or of a part of one."""

    mapping: Literal["binary", "direct", "features", "counts", "material", "pieces", "patterns"]
    features: list[str] = Field(default_factory=list, max_length=MAX_FEATURES)
    bits: list[Annotated[int, Field(ge=0, le=32)]] = Field(
        default_factory=list, max_length=MAX_FEATURES
    )
    off: float = -1.0  # the level of an input that is off
    quirks: bool = False
    squares: list[Annotated[list[int], Field(max_length=32)]] = Field(
        default_factory=list, max_length=1000
    )
    states: int = 3  # of a pattern's square

    def make_mapping(self) -> Mapping:
        """Return the mapping; raise ValueError if the keys do not fit together."""
        match self.mapping:
            case "binary":
                return Mapping.binary(off=self.off)
            case "direct":
                return Mapping.direct(quirks=self.quirks)
            case "counts":
                return Mapping.counts()
            case "material":
                return Mapping.material()
            case "pieces":
                return Mapping.pieces()
            case "patterns":
                return Mapping.patterns(self.squares, states=self.states)
            case "features":
                if not self.features or len(self.features) != len(self.bits):
                    raise ValueError("features and bits must be lists of the same length")
                listed = list(zip(self.features, self.bits, strict=True))
                return Mapping.of_features(listed, off=self.off, quirks=self.quirks)


class JoinedTable(MappingTable):
    """What player.toml says of any mapping, of several joined ones too."""

    mapping: Literal[  # type: ignore[assignment]
        "binary", "direct", "features", "counts", "material", "pieces", "patterns", "joined"
    ]
    parts: list[MappingTable] = Field(default_factory=list, max_length=100)

    def make_mapping(self) -> Mapping:
        """Return the mapping; raise ValueError if the keys do not fit together."""
        if self.mapping == "joined":
            return Mapping.joined([part.make_mapping() for part in self.parts])
        return super().make_mapping()


def mapping_table(mapping: Mapping) -> dict[str, Any]:
    """Return what player.toml says of a mapping."""
    fields: dict[str, Any] = {"mapping": mapping.kind}
    match mapping.kind:
        case "binary":
            fields |= {"off": mapping.off}
        case "direct" if mapping.quirks:
            fields |= {"quirks": True}
        case "features":
            names, bits = zip(*mapping.features, strict=True)
            fields |= {"features": list(names), "bits": list(bits)}
            fields |= {"off": mapping.off, "quirks": mapping.quirks}
        case "patterns":
            fields |= {"squares": mapping.squares, "states": mapping.states}
        case "joined":
            fields |= {"parts": [mapping_table(part) for part in mapping.parts]}
    return fields


# The codes of a square, the sides changed: empty, own man, other's man, own king, other's king.
CHANGED_SIDES = (0, 2, 1, 4, 3)


def mirror_image(mapping: Mapping) -> tuple[Inputs, Inputs]:
    """Return for each input the one that shows the same with the sides changed, and its sign.

    The sign is -1 where the level is the other way round. Raises ValueError for mappings that have
    no image of everything they show: features have none.
    """
    import numpy as np

    parts = mapping.parts or [mapping]
    firsts = np.cumsum([0, *(part.size for part in parts)])
    images = [first + _image_of(part) for first, part in zip(firsts, parts, strict=False)]
    signs = [np.full(part.size, -1 if part.kind == "counts" else 1) for part in parts]
    return np.concatenate(images), np.concatenate(signs)


def _image_of(part: Mapping) -> Inputs:
    import numpy as np

    match part.kind:
        case "counts":
            return np.arange(part.size)
        case "pieces":
            squares, pieces = np.divmod(np.arange(part.size), 4)
            image: Inputs = 4 * (31 - squares) + np.take(CHANGED_SIDES, pieces + 1) - 1
            return image
        case "material":
            side = math.isqrt(part.size)
            return np.arange(part.size).reshape(side, side).T.ravel()
        case "patterns":
            return _image_of_patterns(part.squares, part.states)
        case kind:
            raise ValueError(f"a mapping of {kind} has no mirror image")


def _image_of_patterns(patterns: Sequence[Sequence[int]], states: int) -> Inputs:
    import numpy as np

    sizes = [states ** len(squares) for squares in patterns]
    firsts = np.cumsum([0, *sizes])
    places = {frozenset(squares): place for place, squares in enumerate(patterns)}
    images = []
    for squares, size in zip(patterns, sizes, strict=True):
        turned = [33 - square for square in squares]
        place = places.get(frozenset(turned))
        if place is None:
            raise ValueError(f"there is no mirror image of the pattern {list(squares)}")
        powers = [states ** list(patterns[place]).index(square) for square in turned]
        codes = np.arange(size)
        shown = [codes // states**k % states for k in range(len(squares))]
        image = sum(
            power * np.take(CHANGED_SIDES, code) for power, code in zip(powers, shown, strict=True)
        )
        images.append(firsts[place] + image)
    return np.concatenate(images)
