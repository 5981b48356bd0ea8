"""Players as they are named on the command line."""

from __future__ import annotations

from crossboard.players import Player, load_player

OUTSIDE = "hub:"


def find_player(name: str) -> Player:
    """Return the player of a name or folder, or the outside engine of a command, once it answers.

    Raises ValueError if there is none.
    """
    if not name.startswith(OUTSIDE):
        return load_player(name)
    from crossboard.protocols import HubPlayer  # most matches are between our own

    player = HubPlayer(name.removeprefix(OUTSIDE))
    player.check()
    return player
