"""Players: an evaluation, a way of searching and default limits."""

from crossboard.players.player import (
    Line,
    Player,
    SearchLimits,
    SearchResult,
    SearchSettings,
    load_player,
)

__all__ = ["Line", "Player", "SearchLimits", "SearchResult", "SearchSettings", "load_player"]
