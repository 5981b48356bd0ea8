"""Choosing features: how long LS-Draughts takes."""

from __future__ import annotations

import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Demand, Row, Settings
from crossboard.farm.executors import Farm, threads, with_learners
from crossboard.systems.feature_nets import FOLDER
from crossboard.systems.ls_draughts import (
    GENERATIONS,
    INDIVIDUAL_GAMES,
    POOL,
    TRAINING_SEEDS,
    TUNED,
    LsDraughtsSettings,
)
from crossboard.systems.recipes import find_recipe
from crossboard.systems.training import Training

WORKERS = 2
SEED = 1
INDIVIDUALS = POOL * GENERATIONS
LS_DRAUGHTS_SECONDS = 8 * 60


def ls_draughts(settings: Settings) -> list[Row]:
    """Seconds for LS-Draughts' 300 individuals of two nets, by two processes.

    Fewer are measured: the time of a net that was trained, meetings of its pool included, is taken
    for that of every one. The run itself takes less, since an individual that comes again is not
    trained again. The winner's training at full length is not part of it.
    """
    asked = TUNED.with_changes(
        [
            f"pool={settings.choice_pool}",
            f"generations={settings.choice_generations}",
            f"individual_games={settings.choice_games}",
            "winner_games=1",
            "exam_every=0",
        ]
    )
    before = _processor_seconds()
    with threads(WORKERS) as here, with_learners(here, is_here=True) as farm:
        _evolve(_warm_up(asked), farm)  # which starts the processes
        seconds, nets = _evolve(asked, farm)
    # What the clock would show on an idle machine; the start is part of it.
    own_seconds = (_processor_seconds() - before) / WORKERS
    games = settings.choice_games * nets
    share = games / (INDIVIDUALS * INDIVIDUAL_GAMES * TRAINING_SEEDS)
    measured = f"measured: {nets} nets of {settings.choice_games:,} games"
    name = f"ls-draughts, {INDIVIDUALS} x {INDIVIDUAL_GAMES:,} x {TRAINING_SEEDS} games; {measured}"
    # Of shorter trainings most is the start of processes, which says nothing of longer ones.
    is_whole = settings.choice_games == INDIVIDUAL_GAMES
    demand = Demand(LS_DRAUGHTS_SECONDS) if is_whole else None
    return [
        Row(name, seconds / share, "s", "nothing", None, demand=demand),
        Row(f"{name}, processor time / {WORKERS}", own_seconds / share, "s", "nothing", None),
    ]


def _processor_seconds() -> float:
    """Return the processor time of this process, and of those it has waited for."""
    return sum(os.times()[:4])


def _warm_up(asked: LsDraughtsSettings) -> LsDraughtsSettings:
    return asked.with_changes(["pool=2", "individual_games=1", "generations=1", "mutations=0"])


def _evolve(asked: LsDraughtsSettings, farm: Farm) -> tuple[float, int]:
    """Return the seconds that an evolution takes, and how many nets it trained."""
    with TemporaryDirectory() as place:
        folder = Path(place) / "run"
        training = Training(find_recipe("ls-draughts"), asked, SEED, folder, has_report=False)
        start = time.perf_counter()
        training.conduct(farm)
        seconds = time.perf_counter() - start
        return seconds, len(list((folder / FOLDER).iterdir())) - 1  # but for the winner's
