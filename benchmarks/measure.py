"""Times contenders in turn and sets our figure beside theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, thread_time
from typing import Literal, NamedTuple

Measure = Callable[[], float]
COSTS = (
    "s",
    "µs",
    "MB",
    "KB",
    "nodes",
    "errors",
    "shift",
    "% grown",
)  # units of which fewer are better


@dataclass(frozen=True)
class Settings:
    """How long and how much to measure; `references` are further perft programs to beat."""

    repeats: int = 7
    seconds: float = 0.2  # at least, for one round of what takes less
    perft_depth: int = 11
    games: int = 200_000
    pdn_megabytes: float = 20
    references: tuple[Path, ...] = ()
    search_positions: int = 20
    minimax_depth: int = 10
    search_depth: int = 14
    turn_nodes: int = 300_000
    parallel_depth: int = 22  # at which one thread needs 3 s and more
    bare_depth: int = 18  # the same without a table
    parallel_repeats: int = 1
    node_runs: int = 5
    selective_nodes_depth: int = 15
    selective_time_depth: int = 19
    match_games: int = 45_000  # of two plies each
    overhead_games: int = 200
    farm_games: int = 120
    farm_depth: int = 8  # at which a game takes 0.1 s and more
    farm_rounds: int = 3
    training_depth: int = 12
    training_games: int = 5  # of each net
    training_seeds: tuple[int, ...] = (1, 2, 3, 4)
    share_games: int = 400
    evolution_generations: int = 50
    choice_pool: int = 20
    choice_generations: int = 2
    choice_games: int = 1000  # of each net
    duchess_games: int = 20
    duchess_depth: int = 5
    duchess_depths: tuple[int, ...] = (5, 7, 9)
    mp_boards: int = 1000
    mp_units: int = 25
    mp_games: int = 62_500  # of all agents
    clock_games: int = 1000
    label_games: int = 100
    fit_positions: int = 1_000_000
    table_pieces: int = 5
    table_probes: int = 1_000_000
    page_loads: int = 15  # of each view
    page_clicks: int = 100
    page_games: int = 50  # at a time
    page_seconds: float = 60.0


QUICK = Settings(
    repeats=1,
    seconds=0.01,
    perft_depth=8,
    games=5_000,
    pdn_megabytes=0.5,
    search_positions=2,
    minimax_depth=6,
    search_depth=10,
    turn_nodes=20_000,
    parallel_depth=12,
    bare_depth=10,
    parallel_repeats=1,
    node_runs=1,
    selective_nodes_depth=9,
    selective_time_depth=11,
    match_games=2_000,
    overhead_games=10,
    farm_games=20,
    farm_depth=7,
    farm_rounds=1,
    training_depth=6,
    training_games=2,
    training_seeds=(1, 2),
    share_games=40,
    evolution_generations=1,
    choice_pool=4,
    choice_generations=1,
    choice_games=50,
    duchess_games=2,
    duchess_depth=2,
    duchess_depths=(2, 3),
    mp_boards=40,
    mp_units=4,
    mp_games=40,
    clock_games=4,
    label_games=4,
    fit_positions=20_000,
    table_pieces=3,
    table_probes=10_000,
    page_loads=2,
    page_clicks=6,
    page_games=8,
    page_seconds=4.0,
)


class MeasurementError(ValueError):
    """A program or library does not do what it is measured for."""


@dataclass(frozen=True)
class Demand:
    """What our figure, or its ratio to the peer's, has to reach."""

    bound: float
    on: Literal["figure", "ratio"] = "figure"


class Contender(NamedTuple):
    """Someone to measure; without a measure, `note` says why not."""

    name: str
    measure: Measure | None
    note: str = ""
    demand: Demand | None = None  # on us, in comparison with this one


@dataclass(frozen=True)
class Row:
    """Our figure beside one peer's. Of seconds and nodes fewer are better, of all else more."""

    name: str
    figure: float
    unit: str
    peer: str
    peer_figure: float | None
    note: str = ""
    demand: Demand | None = None

    @property
    def ratio(self) -> float | None:
        """How many times better we are than the peer."""
        if self.peer_figure is None:
            return None
        better, worse = self.figure, self.peer_figure
        return worse / better if self.unit in COSTS else better / worse

    @property
    def holds(self) -> bool | None:
        """Whether the demand is met; None if there is none or it cannot be told."""
        if self.demand is None:
            return None
        if self.demand.on == "ratio":
            return None if self.ratio is None else self.ratio >= self.demand.bound
        if self.unit in COSTS:
            return self.figure < self.demand.bound
        return self.figure >= self.demand.bound


class ClockedThreads(ThreadPoolExecutor):
    """Threads that add up the processor time of what they do."""

    seconds = 0.0

    def submit(self, function, /, *given, **named):  # type: ignore[no-untyped-def]
        """Have a function called, with a clock beside it."""

        def run():  # type: ignore[no-untyped-def]
            start = thread_time()
            found = function(*given, **named)
            self.seconds += thread_time() - start
            return found

        return super().submit(run)


def timed(work: Callable[[], float]) -> Measure:
    """Measure units per second of work that returns how many units it did."""

    def measure() -> float:
        start = perf_counter()
        units = work()
        return units / (perf_counter() - start)

    return measure


def repeated(work: Callable[[int], object], settings: Settings) -> Measure:
    """Measure how often per second `work(times)` does its work once."""

    def measure(times: int) -> float:
        start = perf_counter()
        work(times)
        return times / (perf_counter() - start)

    times = 1
    while times / measure(times) < settings.seconds:
        times *= 2
    return lambda: measure(times)


def best_figures(
    contenders: Sequence[Contender],
    settings: Settings,
    best: Callable[[float, float], float] = max,
) -> list[float | None]:
    """Measure all contenders in turn, several times over, and keep the best figure of each.

    In turn, because on a busy machine only what was measured side by side can be compared.
    """
    figures: list[float | None] = [None] * len(contenders)
    for _ in range(settings.repeats):
        for index, contender in enumerate(contenders):
            if contender.measure is not None:
                figure, known = contender.measure(), figures[index]
                figures[index] = figure if known is None else best(known, figure)
    return figures


def compare(
    name: str,
    unit: str,
    ours: Measure,
    peers: Sequence[Contender],
    settings: Settings,
    demand: Demand | None = None,
) -> list[Row]:
    """Measure ourselves and the peers side by side: one row for each peer.

    The demand is on our figure; a demand in comparison with a peer stands in its contender.
    """
    best = min if unit in COSTS else max
    figure, *figures = best_figures([Contender("crossboard", ours), *peers], settings, best)
    assert figure is not None
    return [
        Row(name, figure, unit, peer.name, peer_figure, peer.note, peer.demand or demand)
        for peer, peer_figure in zip(peers, figures, strict=True)
    ]
