"""Provenance of what an experiment keeps: it is used again only if version and terms match."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any


def origin_of(*told: Any) -> dict[str, str]:
    """Return the version at work, and a digest of all that a result depends on."""
    return {"crossboard": version_at_work(), "digest": digest_of(*told)}


def version_at_work() -> str:
    """Return the version of Crossboard that runs."""
    return version("crossboard")


def digest_of(*told: Any) -> str:
    """Return a digest of values, by how Python writes them."""
    return sha256(repr(told).encode()).hexdigest()


def read_kept(place: Path, origin: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what a file of this origin keeps, None if it has another or cannot be read."""
    try:
        kept = json.loads(place.read_text("utf-8"))
        return dict(kept) if kept["origin"] == origin else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
