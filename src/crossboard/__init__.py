"""Board-game players that teach themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crossboard.players import Player, load_player

__all__ = ["Player", "load_player"]


# Importing the package alone must stay light: players come when they are first asked for.
def __getattr__(name: str) -> Any:
    if name in __all__:
        from crossboard import players

        return getattr(players, name)
    raise AttributeError(f"module 'crossboard' has no attribute {name!r}")
