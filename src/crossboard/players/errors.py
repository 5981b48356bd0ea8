"""What can be wrong with a player's folder."""

from __future__ import annotations


class PlayerError(ValueError):
    """A folder that is no player: says which file and key, and what is wrong with it."""
