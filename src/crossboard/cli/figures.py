"""Files for figures: what their names say."""

from __future__ import annotations

import os

KINDS = ("png", "svg")


def figure_kind(path: str | None) -> str:
    """Return the format that a file's suffix tells; raise ValueError if it tells none."""
    if path is None:
        return KINDS[0]
    kind = os.path.splitext(path)[1][1:].lower()
    if kind not in KINDS:
        raise ValueError(f"{path}: a figure is a .png or an .svg file")
    return kind
