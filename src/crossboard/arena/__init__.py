"""Games between players, and what results mean: scores, sequential tests, ratings."""

from __future__ import annotations

from crossboard.arena.elo import Elo, elo_of, expected_score
from crossboard.arena.pool import PoolTable, PoolTerms, play_knock_out, play_round_robin
from crossboard.arena.ratings import (
    Encounter,
    Rating,
    Ratings,
    cross_table,
    format_cross_table,
    rate,
)
from crossboard.arena.score import Score, Tally, score_pairs
from crossboard.arena.sprt import Decision, Sprt
from crossboard.arena.standings import Standing, Standings, draw_standings
from crossboard.arena.teams import TeamGame, TeamRating, rate_teams, team_standings

__all__ = [
    "Decision",
    "Elo",
    "Encounter",
    "PoolTable",
    "PoolTerms",
    "Rating",
    "Ratings",
    "Score",
    "Sprt",
    "Standing",
    "Standings",
    "Tally",
    "TeamGame",
    "TeamRating",
    "cross_table",
    "draw_standings",
    "elo_of",
    "expected_score",
    "format_cross_table",
    "play_knock_out",
    "play_round_robin",
    "rate",
    "rate_teams",
    "score_pairs",
    "team_standings",
]
