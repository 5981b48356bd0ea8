"""Training: how many games in the papers' time, and what of it is the learner's own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import permutations
from typing import Any

from benchmarks.measure import ClockedThreads, Demand, Row, Settings
from crossboard._core.draughts import Move
from crossboard.draughts import middlegames
from crossboard.experiments.dvision_training import SEARCHES
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.pupil import ask_alone
from crossboard.players import Player, SearchSettings, load_player
from crossboard.systems import neurodraughts, visiondraughts
from crossboard.systems.neurodraughts import NeuroDraughtsSettings

# D-VisionDraughts 2011, 4: the time in which one processor played its games.
PUBLISHED_SECONDS = 4 * 3600
PUBLISHED_SERIAL_SECONDS = 78.08
SEED = 1


def training_games(settings: Settings) -> list[Row]:
    """Training games in four hours of one processor at depth 12, by the processor's own clock.

    First nets order moves well or badly by chance, so several begin.
    """
    rows = []
    versions = ((1, visiondraughts.VERSION_1, 4), (2, visiondraughts.VERSION_2, 50))
    for version, trained, times in versions:
        asked = trained.model_copy(
            update={
                "look_ahead": settings.training_depth,
                "games": settings.training_games,
                "test_after": settings.training_games,
            }
        )
        start = time.process_time()
        games = sum(_train(asked, seed).games for seed in settings.training_seeds)
        # The two games of each test are part of the time, but are no training games.
        rate = PUBLISHED_SECONDS * games / (time.process_time() - start)
        seeds = len(settings.training_seeds)
        name = f"training at depth {settings.training_depth}, version {version}, {seeds} nets"
        rows.append(
            Row(
                name,
                rate,
                "games in 4 h",
                "published",
                visiondraughts.SERIAL_GAMES,
                demand=Demand(times, on="ratio"),
            )
        )
    return rows


def network_depth(settings: Settings) -> list[Row]:
    """Seconds a position at depth 14 with the network of `visiondraughts`, one thread."""
    player = Player("measured", load_player("visiondraughts").evaluator, search=SearchSettings())
    positions = middlegames()[: settings.search_positions]
    rounds = []
    for _ in range(min(settings.repeats, 3)):
        seconds = 0.0
        for position in positions:
            player.clear()
            seconds += player.search(position, depth=settings.search_depth).seconds
        rounds.append(seconds / len(positions))
    name = f"depth {settings.search_depth}, network of visiondraughts"
    peer = "published serial search"
    return [Row(name, min(rounds), "s", peer, PUBLISHED_SERIAL_SECONDS, demand=Demand(0.5))]


def side_by_side(settings: Settings) -> list[Row]:
    """What both versions cost each other that learn alone, side by side, in `dvision-training`."""
    evaluator = load_player("visiondraughts").evaluator
    players = [
        Player(f"version {version}", evaluator, search=search)
        for version, search in SEARCHES.items()
    ]
    rows = []
    for player, neighbour in permutations(players):
        alone, beside = [], []
        for _ in range(min(settings.repeats, 3)):
            alone.append(_search_seconds(player, settings))
            with _searching(neighbour, settings):
                beside.append(_search_seconds(player, settings))
        name = f"depth {settings.training_depth}, {player.name} beside {neighbour.name}"
        rows.append(Row(name, min(beside), "s", "with nobody beside", min(alone)))
    return rows


@contextmanager
def _searching(player: Player, settings: Settings) -> Iterator[None]:
    """Let a player search on another processor meanwhile; what goes wrong there is raised."""
    is_over = threading.Event()
    with ThreadPoolExecutor(1) as executor:
        searching = executor.submit(_search_until, is_over, player, settings)
        try:
            yield
        finally:
            is_over.set()
        searching.result()


def _search_until(is_over: threading.Event, player: Player, settings: Settings) -> None:
    while not is_over.is_set():
        for position in middlegames()[: settings.search_positions]:
            if not is_over.is_set():
                player.clear()
                player.search(position, depth=settings.training_depth)


def _search_seconds(player: Player, settings: Settings) -> float:
    start = time.perf_counter()
    for position in middlegames()[: settings.search_positions]:
        player.clear()
        player.search(position, depth=settings.training_depth)
    return time.perf_counter() - start


def learners_share(settings: Settings) -> list[Row]:
    """The part of a training at look-ahead 4 that is not the learner's own.

    In rounds that is whole games, which the core plays, with the engines that are made for them;
    after every move it is the searches alone, so that playing their moves counts as learning.
    """
    games = settings.share_games
    by_rounds = neurodraughts.TUNED.model_copy(update={"look_ahead": 4, "games": games})
    by_moves = neurodraughts.PUBLISHED.model_copy(update={"look_ahead": 4, "games": games})
    rows = []
    counted = {"games' share of a training in rounds": by_rounds}
    counted |= {"searches' share of a training after every move": by_moves}
    for name, asked in counted.items():
        share = max(_share_of_play(asked) for _ in range(min(settings.repeats, 3)))
        rows.append(Row(name, share, "", "all", 1.0, demand=Demand(0.9)))
    return rows


def _share_of_play(asked: NeuroDraughtsSettings) -> float:
    """Train on one thread with a clock around what plays."""
    searching = 0.0

    def ask(*question: Any) -> Move:
        nonlocal searching
        start = time.process_time()
        move = ask_alone(*question)
        searching += time.process_time() - start
        return move

    start = time.process_time()
    with ClockedThreads(1) as executor:
        for _ in neurodraughts.learn(asked, Schooling(SEED, executor, ask=ask)):
            pass
    return (searching + executor.seconds) / (time.process_time() - start)


def _train(asked: NeuroDraughtsSettings, seed: int) -> Snapshot:
    with ThreadPoolExecutor(1) as executor:
        snapshots: Iterator[Snapshot] = neurodraughts.learn(asked, Schooling(seed, executor))
        *_, last = snapshots
        return last
