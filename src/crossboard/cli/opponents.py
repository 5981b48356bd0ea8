"""Players as they are named on the command line."""

from __future__ import annotations

from crossboard.players import Player, load_player


def find_player(name: str) -> Player:
    """Return the player of a name or folder."""
    return load_player(name)
