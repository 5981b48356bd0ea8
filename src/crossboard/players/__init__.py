"""Players: whoever chooses moves."""

from __future__ import annotations

from crossboard.players.engines import make_engine
from crossboard.players.folder import list_players, load_player
from crossboard.players.game_time import GameTime
from crossboard.players.levels import LEVELS, LevelPlayer
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
from crossboard.players.specialists import Specialists

__all__ = [
    "LEVELS",
    "GameTime",
    "LevelPlayer",
    "Line",
    "Player",
    "RandomPlayer",
    "SearchLimits",
    "SearchResult",
    "SearchSettings",
    "Specialists",
    "When",
    "list_players",
    "load_player",
    "make_engine",
    "material_balance",
    "result_of",
]
