"""The weights of a player's folder, read with care: it may come from anybody."""

from __future__ import annotations

import math
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crossboard.players.errors import PlayerError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from crossboard.evaluators.description import NumberType, ReadArray

WEIGHTS = "weights.safetensors"
# The usual name, and the names that weights have while a player is replaced.
WEIGHTS_PATTERN = r"weights(\.[0-9a-f]{8})?\.safetensors"
# Chosen: far more than any player of ours needs.
MAX_WEIGHTS_BYTES = 64_000_000
# The types in a file that may stand for one that is asked for.
ACCEPTED = {"float64": ("float64", "float32"), "int16": ("int16",)}


class Weights:
    """The arrays of a folder, all of them out of one file that is read when it is needed."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self._path = folder / name
        self._arrays: dict[str, NDArray[Any]] | None = None
        self._taken: set[str] = set()

    def array(
        self, name: str, shape: tuple[int, ...], *, dtype: NumberType = "float64"
    ) -> NDArray[Any]:
        """Return one array; raise PlayerError if it is not what was promised."""
        import numpy as np

        if not math.prod(shape):  # saving writes no array without numbers
            return np.zeros(shape, dtype)
        self._taken.add(name)
        if self._arrays is None:
            self._arrays = self._read()
        if name not in self._arrays:
            raise PlayerError(f"{self._path} has no {name!r}")
        found = self._arrays[name]
        if found.shape != shape:
            raise PlayerError(f"{self._path}: {name} has shape {found.shape}, it must be {shape}")
        if found.dtype not in ACCEPTED[dtype]:
            raise PlayerError(f"{self._path}: {name} is of type {found.dtype}, it must be {dtype}")
        array = np.asarray(found, dtype=dtype)
        if not np.isfinite(array).all():
            raise PlayerError(f"{self._path}: {name} has a weight that is no finite number")
        return array

    def part(self, key: str) -> ReadArray:
        """Return the function that reads the arrays whose names begin with a key."""

        def read(
            name: str, shape: tuple[int, ...], *, dtype: NumberType = "float64"
        ) -> NDArray[Any]:
            return self.array(f"{key}.{name}", shape, dtype=dtype)

        return read

    def check_all_taken(self) -> None:
        """Raise PlayerError if the file has arrays that nobody asked for."""
        if left := sorted(set(self._arrays or ()) - self._taken):
            known = ", ".join(sorted(self._taken))
            raise PlayerError(
                f"{self._path}: nothing asks for {left[0]!r}: there should be {known}"
            )

    def _read(self) -> dict[str, NDArray[Any]]:
        from safetensors import SafetensorError
        from safetensors.numpy import load

        try:
            return load(self._read_bytes())
        except OSError as error:
            raise PlayerError(f"{self._path}: {error.strerror or error}") from None
        except (SafetensorError, KeyError, TypeError, ValueError) as error:
            if isinstance(error, PlayerError):
                raise
            where = f"{self._path} is damaged or no safetensors file"
            raise PlayerError(f"{where}: {error}") from None

    def _read_bytes(self) -> bytes:
        try:
            return read_file(self._path, MAX_WEIGHTS_BYTES)
        except FileNotFoundError:
            # It had that name for a moment only (see saving.py).
            self._path = self.folder / WEIGHTS
            return read_file(self._path, MAX_WEIGHTS_BYTES)


def read_file(path: Path, most_bytes: int) -> bytes:
    """Read a file that must be one, and not too large; raise PlayerError or OSError."""
    if not stat.S_ISREG(path.stat().st_mode):  # a pipe would keep us waiting
        raise PlayerError(f"{path} is no file")
    with path.open("rb") as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise PlayerError(f"{path} is too large: more than {most_bytes // 10**6} MB")
    return data
