"""Labels as files: a safetensors file for each block of games."""

from __future__ import annotations

from pathlib import Path

from crossboard.learn.labels import Labels
from crossboard.storage import read_plain, write_whole


def save_labels(labels: Labels, path: Path) -> None:
    """Write labels durably."""
    from safetensors.numpy import save

    write_whole(path, save(dict(zip(Labels._fields, labels.fields(), strict=True))))


def load_labels(path: Path) -> Labels:
    """Read what `save_labels` wrote; raise ValueError, which names the file, for anything else."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        found = load(read_plain(path))
        labels = Labels(*(found[name] for name in Labels._fields))
    except (SafetensorError, KeyError) as error:
        raise ValueError(f"{path}: no file of labels: {error}") from None
    if len({len(each) for each in labels.fields()}) != 1:
        raise ValueError(f"{path}: no file of labels: its arrays differ in length")
    return labels
