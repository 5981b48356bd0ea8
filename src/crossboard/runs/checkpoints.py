"""Checkpoints: everything a run is at a moment, in one file that is whole or refused.

A checkpoint is a safetensors file, so any tool can read its arrays. Its metadata hold what is not
an array (`content`, JSON: step, state, seconds, and how long the journals were) and a SHA-256 over
content and arrays, since the file itself is not written in a fixed order.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crossboard.runs.errors import DamagedCheckpoint, UnfitValue
from crossboard.runs.plain import check_plain, from_json, to_json
from crossboard.storage import read_plain, write_whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]

KIND = "checkpoint 1"
NAME = re.compile(r"step-(\d+)\.safetensors")
CONTENT: dict[str, tuple[type, ...]] = {
    "step": (int,),
    "state": (dict,),
    "seconds": (int, float),
    "journals": (dict,),
}


@dataclass(frozen=True)
class Checkpoint:
    """The state of a run at a moment."""

    step: int
    tensors: dict[str, Array]
    state: dict[str, Any]
    seconds: float  # of work so far; not compared when runs are
    journals: dict[str, int]  # how many bytes of each file that only grows belong to it


def path_of(folder: Path, step: int) -> Path:
    return folder / f"step-{step:012d}.safetensors"


def list_checkpoints(folder: Path) -> list[tuple[int, Path]]:
    """List steps and files of a folder's checkpoints, good or bad, the newest first."""
    if not folder.is_dir():
        return []
    found = ((NAME.fullmatch(path.name), path) for path in folder.iterdir())
    return sorted(((int(name[1]), path) for name, path in found if name), reverse=True)


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write durably; raise UnfitValue, with nothing written, for what would not come back."""
    from safetensors.numpy import save

    check_plain(checkpoint.state, "state")
    tensors = {name: _fit(name, array) for name, array in checkpoint.tensors.items()}
    content = to_json({name: getattr(checkpoint, name) for name in CONTENT})
    metadata = {"crossboard": KIND, "content": content, "sha256": _digest(content, tensors)}
    write_whole(path, save(tensors, metadata))


def read_checkpoint(path: Path) -> Checkpoint:
    """Read and check; raise DamagedCheckpoint, which says what is wrong, unless all is well."""
    data = read_plain(path)
    try:
        metadata = _metadata(data)
        tensors = _tensors(data)
        if metadata.get("crossboard") != KIND:
            raise ValueError(f"its metadata do not say crossboard = {KIND!r}")
        for name in ("content", "sha256"):
            if name not in metadata:
                raise ValueError(f"its metadata have no {name!r}")
        if _digest(metadata["content"], tensors) != metadata["sha256"]:
            raise ValueError("its sha256 does not fit what it holds")
        content = from_json(metadata["content"])
        for name, kinds in CONTENT.items():
            if not isinstance(content, dict) or not isinstance(content.get(name), kinds):
                raise ValueError(f"its content has no right {name!r}")
        for name, array in tensors.items():
            if _has_nan(array):
                raise ValueError(f"the tensor {name!r} holds NaN")
    except ValueError as error:
        raise DamagedCheckpoint(f"{path}: no good checkpoint: {error}") from error
    return Checkpoint(tensors=tensors, **{name: content[name] for name in CONTENT})


def same_tensors(one: Mapping[str, Array], other: Mapping[str, Array]) -> bool:
    """Compare arrays bit for bit: names, types, shapes, bytes. Files need not be equal for that."""
    return one.keys() == other.keys() and not any(differ(one[name], other[name]) for name in one)


def differ(one: Array, other: Array) -> bool:
    """Say whether two arrays differ in type, shape or any bit."""
    return (one.dtype, one.shape, one.tobytes()) != (other.dtype, other.shape, other.tobytes())


def generator_state(generator: np.random.Generator) -> dict[str, Any]:
    """Return where a random generator is, as plain values to keep in a checkpoint."""
    import numpy as np

    def plain(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: plain(item) for key, item in value.items()}
        return value.tolist() if isinstance(value, np.ndarray | np.generic) else value

    state: dict[str, Any] = plain(generator.bit_generator.state)
    return state


def generator_from_state(state: Mapping[str, Any]) -> np.random.Generator:
    """Return a generator that goes on from where `generator_state` was taken."""
    import numpy as np

    kinds = {"PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937"}
    kind = state.get("bit_generator")
    if kind not in kinds:
        raise UnfitValue(f"bit_generator: {kind!r} is none of {', '.join(sorted(kinds))}")
    bits = getattr(np.random, kind)()
    try:
        bits.state = state
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise UnfitValue(f"this is no state of {kind}: {error!r}") from error
    return np.random.Generator(bits)


def _fit(name: str, array: Any) -> Array:
    import numpy as np

    if not isinstance(array, np.ndarray):
        raise UnfitValue(f"tensor {name!r}: a {type(array).__name__} is no numpy array")
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise UnfitValue(f"tensor {name!r}: arrays of {array.dtype} cannot be kept")
    if _has_nan(array):
        raise UnfitValue(f"tensor {name!r} holds NaN")
    return np.asarray(array, dtype=array.dtype.newbyteorder("="), order="C")


def _has_nan(array: Array) -> bool:
    import numpy as np

    return array.dtype.kind == "f" and bool(np.isnan(array).any())


def _digest(content: str, tensors: Mapping[str, Array]) -> str:
    digest = hashlib.sha256(content.encode())
    for name, array in sorted(tensors.items()):
        digest.update(to_json([name, array.dtype.str, list(array.shape)]).encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def _metadata(data: bytes) -> dict[str, str]:
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 + length:
        raise ValueError("it is cut off, or no safetensors file")
    header = from_json(data[8 : 8 + length])
    metadata = header.get("__metadata__") if isinstance(header, dict) else None
    if not isinstance(metadata, dict):
        raise ValueError("it has no metadata")
    return metadata


def _tensors(data: bytes) -> dict[str, Array]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        # Copied, because what safetensors gives may not be written to, and learners do.
        return {name: array.copy() for name, array in load(data).items()}
    except (SafetensorError, KeyError, TypeError) as error:
        raise ValueError(f"safetensors says {error}") from error
