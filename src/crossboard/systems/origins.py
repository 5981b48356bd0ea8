"""Where what an experiment keeps on its way came from: it goes on only with what is still true."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any


def origin_of(*told: Any) -> dict[str, str]:
    """Return the version at work, and a digest of all that a training or a match is told."""
    digest = sha256(repr(told).encode()).hexdigest()
    return {"crossboard": version("crossboard"), "digest": digest}


def read_kept(place: Path, origin: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what a file of this origin keeps; one that cannot be read is as good as none."""
    try:
        kept = json.loads(place.read_text("utf-8"))
        return dict(kept) if kept["origin"] == origin else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
