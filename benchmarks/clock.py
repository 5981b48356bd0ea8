"""Games with a clock: how many of a thousand end before the time of a side does."""

from __future__ import annotations

from benchmarks.measure import Demand, Row, Settings
from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import REPORT, openings
from crossboard.farm.executors import threads
from crossboard.players import GameTime, SearchLimits, load_player
from crossboard.players.game_time import OUT_OF_TIME

PLAYER = "treestrap"
SECONDS = 1.0  # for all moves of a side
WORKERS = 2
SEED = 1


def games_in_time(settings: Settings) -> list[Row]:
    """Games of one second a side by the wall clock, none of them lost on time."""
    limits = SearchLimits(time=GameTime(SECONDS))
    pairs = settings.clock_games // 2
    terms = Terms(pairs=pairs, openings=openings(REPORT, SEED), limits=limits, seed=SEED)
    player = load_player(PLAYER)
    with threads(WORKERS) as farm:
        result = play_match(player, player, terms, farm.executor, workers=farm.workers)
    in_time = sum(OUT_OF_TIME not in game.reason for game in result.games)
    plies = sum(game.plies for game in result.games) / (2 * pairs)
    name = f"of {2 * pairs:,} games of {SECONDS:g} s a side, in time"
    note = f"{plies:.0f} plies on average"
    return [Row(name, in_time, "games", "none", None, note, Demand(2 * pairs))]
