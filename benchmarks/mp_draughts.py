"""MP-Draughts: what boards, their map, and all endgame agents cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from benchmarks.measure import Demand, Row, Settings
from crossboard.farm.executors import Farm, processes, threads
from crossboard.systems.board_collection import collect_boards
from crossboard.systems.endgame_agents import train_agents
from crossboard.systems.endgame_boards import EndgameBoard
from crossboard.systems.mp_settings import TUNED, MpDraughtsSettings
from crossboard.systems.mp_stages import MapProgress, agent_parts

WORKERS = 2
SEED = 1
# Demanded seconds on two idle processors, for 1,000 boards, 25 units and 2,500 games of each agent.
BOARDS, MAP, AGENTS = 15.0, 3.0, 240.0
# The paper's look-ahead, and the seconds that its trainings should stay within.
DEEP, DEEP_AGENTS = 8, 3600.0

T = TypeVar("T")


def stages(settings: Settings) -> list[Row]:
    """Seconds of each stage of a training, by the clock: the machine must be idle."""
    asked = TUNED.with_changes(
        [f"boards={settings.mp_boards}", f"units={settings.mp_units}", f"games={settings.mp_games}"]
    )
    with ExitStack() as stack:
        farm = stack.enter_context(threads(WORKERS))
        learners = stack.enter_context(processes(WORKERS))
        folder = Path(stack.enter_context(TemporaryDirectory()))
        collecting = asked.collecting(held_out=False, seed=SEED)
        (*_, found), of_boards = _timed(
            lambda: list(collect_boards(collecting, farm.executor, WORKERS))
        )
        now, of_map = _timed(lambda: _with_map(asked, found.boards))
        trained, of_agents = _timed(lambda: _train(asked, now, folder / "all", learners))
        deep = asked.with_changes([f"look_ahead={DEEP}"])
        measured, of_deep = _timed(lambda: _train(deep, now, folder / "deep", learners, WORKERS))
    figures = {
        f"{len(found.boards)} boards of twelve pieces": (of_boards, BOARDS),
        f"map of {asked.units} units": (of_map, MAP),
        f"{trained} agents, {asked.games} games at depth {asked.look_ahead}": (of_agents, AGENTS),
        f"{trained} agents, {asked.games} games at depth {DEEP}; measured: {measured} agents": (
            of_deep * trained / measured,
            DEEP_AGENTS,
        ),
    }
    return [
        Row(name, seconds, "s", "", None, demand=Demand(most))
        for name, (seconds, most) in figures.items()
    ]


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    made = work()
    return made, time.perf_counter() - start


def _with_map(asked: MpDraughtsSettings, boards: Sequence[EndgameBoard]) -> MapProgress:
    positions = [board.position for board in boards]
    return MapProgress([*boards], map=asked.map_options().train(positions, SEED))


def _train(
    asked: MpDraughtsSettings, now: MapProgress, folder: Path, learners: Farm, most: int = 0
) -> int:
    """Train all agents, or `most` of them, with the matches that choose students and judge them.

    Those few are spread evenly over the chain of units. Return how many they are.
    """
    parts = agent_parts(asked, now, SEED, folder)
    if most:
        parts = parts[len(parts) // (2 * most) :: len(parts) // most][:most]
    return len(list(train_agents(parts, learners.executor)))
