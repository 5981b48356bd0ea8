"""The same map by MiniSom, where that is installed: a cross-check of our own loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossboard.learn.som import (
    REACH,
    MapSettings,
    TrainedMap,
    checked_rows,
    errors_of,
    first_units,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class NoMiniSom(ValueError):
    """MiniSom is not installed."""


def check_minisom() -> None:
    """Raise NoMiniSom if the package is not there."""
    try:
        import minisom  # noqa: F401
    except ImportError:
        raise NoMiniSom(
            "a map by MiniSom needs the package minisom: pip install minisom, or leave map_by=own"
        ) from None


def train_map_by_minisom(data: ArrayLike, settings: MapSettings, *, seed: int) -> TrainedMap:
    """Train a chain of units as `train_map` does, with MiniSom's winners and updates.

    MiniSom shuffles once and begins elsewhere, so first weights and the order of data are ours. Its
    neighbourhood `bubble` is open: as far as 2 is one unit on either side.
    """
    import numpy as np

    check_minisom()
    from minisom import MiniSom

    rows = checked_rows(data, settings.units)
    generator = np.random.default_rng(seed)
    som = MiniSom(
        1,
        settings.units,
        rows.shape[1],
        sigma=REACH + 1,
        decay_function=lambda rate, *_: rate,
        neighborhood_function="bubble",
        sigma_decay_function="linear_decay_to_one",
    )
    som._weights = first_units(generator, settings.units, rows)[None]
    errors = []
    for rate in settings.rates():
        som._learning_rate = rate
        for row in rows[generator.permutation(len(rows))]:
            som.update(row, som.winner(row), 0, 1)
        errors.append(errors_of(som.get_weights()[0], rows))
    quantisation, topographic = np.array(errors).T
    return TrainedMap(som.get_weights()[0], quantisation, topographic)
