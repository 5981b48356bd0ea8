"""Players: whoever chooses moves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from crossboard.players.engines import make_engine
from crossboard.players.player import (
    Line,
    Player,
    RandomPlayer,
    SearchResult,
    When,
    material_balance,
    result_of,
)
from crossboard.players.settings import SearchLimits, SearchSettings

if TYPE_CHECKING:
    from crossboard.players.folder import Listed

__all__ = [
    "Line",
    "Player",
    "RandomPlayer",
    "SearchLimits",
    "SearchResult",
    "SearchSettings",
    "When",
    "list_players",
    "load_player",
    "make_engine",
    "material_balance",
    "result_of",
]


def load_player(name: str | Path, *, search: SearchSettings | None = None) -> Player:
    """Return a shipped player, one of ./players, or the one in a folder.

    `search` takes the place of the player's own settings. Raises ValueError if there is none.
    """
    from crossboard.players import folder  # reading folders needs pydantic: not everybody does

    return folder.load_player(name, search=search)


def list_players() -> list[Listed]:
    """Return shipped players, those in ./players, and those that runs have trained."""
    from crossboard.players import folder

    return folder.list_players()
