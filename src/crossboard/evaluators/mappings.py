"""How boards become the inputs of networks: by squares or by features."""

from __future__ import annotations

from collections.abc import Iterable

from crossboard._core.draughts import Mapping, feature, features

QUIRKS = ("lynch",)


def binary_mapping(*, off: float = -1.0) -> Mapping:
    """Three inputs a square, 96 in all: what stands there as a binary number."""
    return Mapping.binary(off=off)


def direct_mapping() -> Mapping:
    """One input a square, 32 in all: 0, 0.25, 0.5, 0.75 or 1."""
    return Mapping.direct()


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
    if quirks is not None and quirks not in QUIRKS:
        raise ValueError(f"quirks is None or 'lynch', not {quirks!r}")
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
    return Mapping.of_features(listed, off=off, quirks=quirks is not None)
