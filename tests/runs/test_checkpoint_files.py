"""Checkpoints as files: whole or refused, with the file and the key named."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save

from crossboard.runs import (
    Checkpoint,
    DamagedCheckpoint,
    UnfitValue,
    generator_from_state,
    generator_state,
    same_tensors,
)
from crossboard.runs.checkpoints import KIND, read_checkpoint, write_checkpoint

TENSORS = {
    "weights": np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4),
    "counts": np.arange(5, dtype=np.int64),
    "nothing": np.zeros((0, 3)),
    "single": np.array(2.5),
    "half": np.ones(2, np.float16),
    "bits": np.array([1, 255], np.uint8),
    "endless": np.array([np.inf, -np.inf]),
}
WHOLE = Checkpoint(7, TENSORS, {"games": 3}, 1.5, {"metrics.jsonl": 40})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "step-000000000007.safetensors"
    write_checkpoint(path, WHOLE)
    return path


def with_state(state: dict[str, Any]) -> Checkpoint:
    return Checkpoint(1, {}, state, 0, {})


def test_everything_comes_back(path: Path):
    back = read_checkpoint(path)
    assert same_tensors(back.tensors, TENSORS)
    assert (back.step, back.state, back.seconds, back.journals) == (
        7,
        {"games": 3},
        1.5,
        {"metrics.jsonl": 40},
    )


def test_other_tools_read_the_tensors(path: Path):
    assert same_tensors(load_file(path), TENSORS)


def test_arrays_may_lie_in_memory_as_they_like(tmp_path: Path):
    square = np.arange(9.0).reshape(3, 3)
    given = {"turned": square.T, "part": square[::2, 1:], "big": square.astype(">f8")}
    write_checkpoint(tmp_path / "c", Checkpoint(1, given, {}, 0, {}))
    back = read_checkpoint(tmp_path / "c").tensors
    for name, array in given.items():
        assert np.array_equal(back[name], array)


def test_a_file_cut_off_anywhere_is_refused(path: Path):
    data = path.read_bytes()
    for size in range(len(data)):
        path.write_bytes(data[:size])
        with pytest.raises(DamagedCheckpoint, match=path.name):
            read_checkpoint(path)


def test_a_flipped_bit_anywhere_is_refused_or_changes_nothing(path: Path):
    data = path.read_bytes()
    rng = np.random.default_rng(4)
    for place in rng.integers(8 * len(data), size=1000):
        torn = bytearray(data)
        torn[place // 8] ^= 1 << (place % 8)
        path.write_bytes(torn)
        try:
            back = read_checkpoint(path)
        except DamagedCheckpoint:
            continue
        assert same_tensors(back.tensors, TENSORS)
        assert back.state == WHOLE.state


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "it has no metadata|cut off|Expecting value"),
        (b"PK\x03\x04 this is a zip file", "cut off"),
        (save({"w": np.zeros(2)}), "it has no metadata"),
        (save({"w": np.zeros(2)}, {"format": "pt"}), "do not say crossboard"),
        (save({"w": np.zeros(2)}, {"crossboard": KIND}), "have no 'content'"),
        (
            save({"w": np.zeros(2)}, {"crossboard": KIND, "content": "{}", "sha256": "0"}),
            "sha256 does not fit",
        ),
    ],
)
def test_a_foreign_file_is_refused(tmp_path: Path, data: bytes, told: str):
    path = tmp_path / "foreign.safetensors"
    path.write_bytes(data)
    with pytest.raises(DamagedCheckpoint, match=rf"foreign\.safetensors: .*({told})"):
        read_checkpoint(path)


def forge(path: Path, tensors: dict[str, np.ndarray], content: str) -> None:
    """Write what has the right checksum, but what no run would write."""
    from crossboard.runs.checkpoints import _digest

    metadata = {"crossboard": KIND, "content": content, "sha256": _digest(content, tensors)}
    path.write_bytes(save(tensors, metadata))


def test_not_a_number_is_refused_with_its_name(path: Path):
    content = json.dumps({"step": 1, "state": {}, "seconds": 0, "journals": {}})
    forge(path, {"good": np.ones(2), "bad": np.array([1, math.nan])}, content)
    with pytest.raises(DamagedCheckpoint, match="the tensor 'bad' holds NaN"):
        read_checkpoint(path)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "Expecting"),
        ("[]", "no right 'step'"),
        ('{"step": "1"}', "no right 'step'"),
        ('{"step": 1, "state": NaN}', "NaN is no number"),
        ('{"step": 1, "state": {}, "seconds": 0}', "no right 'journals'"),
    ],
)
def test_content_is_checked(path: Path, content: str, told: str):
    forge(path, {}, content)
    with pytest.raises(DamagedCheckpoint, match=told):
        read_checkpoint(path)


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path: Path):
    with pytest.raises(FileNotFoundError) as caught:
        read_checkpoint(tmp_path / "none")
    assert caught.value.filename == str(tmp_path / "none")


@pytest.mark.parametrize(
    ("array", "told"),
    [
        (np.array([1, math.nan]), "'w' holds NaN"),
        (np.array([None]), "'w': arrays of object cannot be kept"),
        (np.array(["a"]), "'w': arrays of <U1 cannot be kept"),
        (np.array([1j]), "'w': arrays of complex128 cannot be kept"),
        (np.array(["2020"], "M8[Y]"), "'w': arrays of datetime64"),
        ([1.0], "'w': a list is no numpy array"),
    ],
)
def test_an_array_that_would_not_come_back_is_refused(tmp_path: Path, array: Any, told: str):
    with pytest.raises(UnfitValue, match=told):
        write_checkpoint(tmp_path / "c", Checkpoint(1, {"w": array}, {}, 0, {}))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ({"a": {"b": math.nan}}, "state.a.b: nan cannot be kept"),
        ({"a": [1, (2,)]}, r"state.a\[1\]: a tuple cannot be kept"),
        ({"a": {1: 2}}, "state.a: the key 1 is no text"),
        ({"a": np.int64(1)}, "state.a: a int64 cannot be kept"),
        ({"a": np.zeros(1)}, "state.a: a ndarray cannot be kept"),
        ({"a": {1, 2}}, "state.a: a set cannot be kept"),
    ],
)
def test_state_that_would_not_come_back_is_refused(tmp_path: Path, state: Any, told: str):
    with pytest.raises(UnfitValue, match=told):
        write_checkpoint(tmp_path / "c", with_state(state))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937"])
def test_a_random_generator_goes_on(tmp_path: Path, kind: str):
    generator = np.random.Generator(getattr(np.random, kind)(5))
    generator.integers(3, size=7, dtype=np.int32)  # leaves half a word over
    write_checkpoint(tmp_path / "c", with_state({"random": generator_state(generator)}))
    again = generator_from_state(read_checkpoint(tmp_path / "c").state["random"])
    assert again.integers(2**62, size=20).tolist() == generator.integers(2**62, size=20).tolist()


@pytest.mark.parametrize(
    "state", [{}, {"bit_generator": "Generator"}, {"bit_generator": "PCG64"}, {"bit_generator": 1}]
)
def test_what_is_no_state_of_a_generator(state: dict[str, Any]):
    with pytest.raises(UnfitValue, match=r"bit_generator|no state of PCG64"):
        generator_from_state(state)


def test_tensors_are_compared_by_every_bit():
    one = {"w": np.array([0.0, 1.0])}
    assert same_tensors(one, {"w": np.array([0.0, 1.0])})
    assert not same_tensors(one, {"w": np.array([-0.0, 1.0])})
    assert not same_tensors(one, {"w": np.array([0.0, 1.0], np.float32)})
    assert not same_tensors(one, {"w": np.array([[0.0, 1.0]])})
    assert not same_tensors(one, {"v": np.array([0.0, 1.0])})
