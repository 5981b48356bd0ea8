"""Files of labels: back comes what was written, and damage is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from crossboard.learn.labels import Labels
from crossboard.systems.label_files import load_labels, save_labels

LABELS = Labels(
    np.arange(12, dtype=np.uint32).reshape(3, 4),
    np.array([5, -7, 30000], np.int16),
    np.array([1, -1, 2], np.int8),
)


def test_files_bring_labels_back(tmp_path: Path) -> None:
    save_labels(LABELS, tmp_path / "block")
    found = load_labels(tmp_path / "block")
    for one, other in zip(found.fields(), LABELS.fields(), strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_half_a_file_is_named(tmp_path: Path, share: float) -> None:
    path = tmp_path / "block"
    save_labels(LABELS, path)
    good = path.read_bytes()
    path.write_bytes(good[: int(share * len(good))])
    with pytest.raises(ValueError, match="block: no file of labels"):
        load_labels(path)


def test_other_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "block"
    path.write_bytes(save({"boards": LABELS.boards, "values": LABELS.values}))
    with pytest.raises(ValueError, match="no file of labels: 'results'"):
        load_labels(path)
    path.write_bytes(save(LABELS._asdict() | {"results": LABELS.results[:2]}))
    with pytest.raises(ValueError, match="its arrays differ in length"):
        load_labels(path)
