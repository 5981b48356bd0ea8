"""The search: nodes per second, time to a depth, and what two processors make of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain
from pathlib import Path
from statistics import median

from benchmarks.measure import (
    Contender,
    Demand,
    Measure,
    MeasurementError,
    Row,
    Settings,
    compare,
)
from crossboard.draughts import Position, middlegames
from crossboard.players import Player, SearchResult, SearchSettings

PLAIN = SearchSettings(algorithm="minimax", table_mb=0)
FULL = SearchSettings()
BARE = SearchSettings(table_mb=0)

SWITCHES = ("quiescence", "deepening", "killers", "history", "pvs", "aspiration")

# D-VisionDraughts, table 2: seconds a position at depth 14, on one processor and on ten.
PUBLISHED_SERIAL_SECONDS = 78.08


def speed(settings: Settings) -> list[Row]:
    """Nodes per second on one thread, with the table, from middlegame positions."""
    positions = middlegames()[: settings.search_positions]
    depth = settings.search_depth
    peers = [
        Contender("no table", _rate_of(BARE, positions, depth)),
        Contender("minimax", _rate_of(PLAIN, positions, 8)),
    ]
    # Deeper with the table, so that it is well filled.
    ours = _rate_of(FULL, positions, depth + 2)
    return compare("search", "nodes/s", ours, peers, settings, Demand(12e6))


def _rate_of(search: SearchSettings, positions: Sequence[Position], depth: int) -> Measure:
    def measure() -> float:
        player = Player("measured", search=search)
        results = [_fresh_search(player, position, depth) for position in positions]
        # The search's own clock: it leaves out making and clearing the table.
        return sum(result.nodes for result in results) / sum(result.seconds for result in results)

    return measure


def _fresh_search(player: Player, position: Position, depth: int) -> SearchResult:
    player.clear()
    return player.search(position, depth=depth)


def time_to_depth(settings: Settings) -> list[Row]:
    """Seconds a position of the D-VisionDraughts test: against minimax, and against the paper."""
    positions = middlegames()[: settings.search_positions]
    shallow, deep = settings.minimax_depth, settings.search_depth
    minimax = Contender(
        "minimax", _seconds(PLAIN, positions, shallow), demand=Demand(20, on="ratio")
    )
    published = Contender("published serial search", lambda: PUBLISHED_SERIAL_SECONDS)
    return [
        *compare(
            f"depth {shallow}", "s", _seconds(FULL, positions, shallow), [minimax], _few(settings)
        ),
        *compare(
            f"depth {deep}",
            "s",
            _seconds(FULL, positions, deep),
            [published],
            settings,
            Demand(0.06),
        ),
    ]


def switches(settings: Settings) -> list[Row]:
    """What each switch of the search is worth: seconds a position with all, and without it."""
    positions = middlegames()[: settings.search_positions]
    depth = settings.search_depth
    full = replace(FULL, killers=2)  # which by default are off beside a table
    off = {name: replace(full, **{name: False}) for name in SWITCHES}
    off["table"] = BARE
    peers = [
        Contender(f"without {name}", _seconds(search, positions, depth))
        for name, search in off.items()
    ]
    ours = _seconds(full, positions, depth)
    return compare(f"all switches, depth {depth}", "s", ours, peers, _few(settings))


def _seconds(search: SearchSettings, positions: Sequence[Position], depth: int) -> Measure:
    def measure() -> float:
        player = Player("measured", search=search)
        return sum(_fresh_search(player, p, depth).seconds for p in positions) / len(positions)

    return measure


class Values(dict[Position, float]):
    """What positions are worth, on which all who search them without a table must agree."""

    def add(self, position: Position, value: float) -> None:
        """Raise MeasurementError if another value has been found before."""
        if (known := self.setdefault(position, value)) != value:
            raise MeasurementError(f"{position.fen}: one search finds {known}, another {value}")


def two_threads(settings: Settings) -> list[Row]:
    """Two threads on one search at a time, with a table and without."""
    return [*_two_threads(settings, table_mb=256), *_two_threads(settings, table_mb=0)]


def _two_threads(settings: Settings, table_mb: int) -> list[Row]:
    """Compare with two searches of one thread side by side: what the machine has to give.

    The unit is positions searched to the same depth per second, so that nodes which only the
    parallel search visits count against it. Seconds are the searches' own.
    """
    positions = middlegames()[: settings.search_positions]
    depth = settings.parallel_depth if table_mb else settings.bare_depth
    shared = SearchSettings(threads=2, table_mb=table_mb)
    values = Values()
    apart = _two_searches(positions, depth, table_mb, values, Demand(0.9, on="ratio"))

    def ours() -> float:
        return len(positions) / sum(_search_all(iter(positions), depth, shared, values))

    name = f"two threads, depth {depth}, {'table' if table_mb else 'no table'}"
    return compare(name, "positions/s", ours, [apart], _few(settings))


def _two_searches(
    positions: Sequence[Position],
    depth: int,
    table_mb: int,
    values: Values,
    demand: Demand | None,
) -> Contender:
    """Two independent players of one thread that share the list of positions."""
    alone = SearchSettings(table_mb=table_mb)

    def measure() -> float:
        waiting = iter(positions)
        with ThreadPoolExecutor(2) as pool:
            both = pool.map(lambda _: _search_all(waiting, depth, alone, values), range(2))
            seconds = list(chain.from_iterable(both))
        # While both search: the one that finds no more positions in the end does not count.
        return 2 * len(positions) / sum(seconds)

    return Contender("two searches of one thread", measure, demand=demand)


def _search_all(
    positions: Iterator[Position], depth: int, search: SearchSettings, values: Values
) -> list[float]:
    """Return the seconds of each search."""
    player, seconds = Player("measured", search=search), []
    for position in positions:
        result = _fresh_search(player, position, depth)
        seconds.append(result.seconds)
        if not search.table_mb:
            values.add(position, result.value)
    return seconds


def _few(settings: Settings) -> Settings:
    return replace(settings, repeats=min(settings.repeats, settings.parallel_repeats))


def two_ranks(settings: Settings) -> list[Row]:
    """Two MPI processes on one search at a time, against two searches side by side.

    Without tables, which is what a figure is demanded for, and with a table for each rank.
    """
    return [*_two_ranks(settings, table_mb=0), *_two_ranks(settings, table_mb=256)]


def _two_ranks(settings: Settings, table_mb: int) -> list[Row]:
    positions = middlegames()[: settings.search_positions]
    depth = settings.parallel_depth if table_mb else settings.bare_depth
    values = Values()
    demand = None if table_mb else Demand(0.85, on="ratio")
    apart = _two_searches(positions, depth, table_mb, values, demand)

    def ours() -> float:
        seconds = [_ranks(2, p, depth, values, table_mb)["seconds"] for p in positions]
        return len(positions) / sum(seconds)

    name = f"two ranks, depth {depth}, {'tables' if table_mb else 'no table'}"
    return compare(name, "positions/s", ours, [apart], _few(settings))


def ten_ranks(settings: Settings) -> list[Row]:
    """All nodes of ten MPI processes, against the serial search's; the median of five runs."""
    positions = middlegames()[: settings.search_positions]
    depth = settings.search_depth
    player, values, serial = Player("measured", search=BARE), Values(), 0
    for position in positions:
        result = player.search(position, depth=depth)
        values.add(position, result.value)
        serial += result.nodes
    runs = [
        sum(_ranks(10, position, depth, values)["nodes"] for position in positions)
        for _ in range(settings.node_runs)
    ]
    # Fewer are better, so the ratio is turned round: 1 / 1.4 is the demand.
    return [
        Row(
            f"serial nodes per node of ten ranks, depth {depth}",
            serial / median(runs),
            "",
            "serial",
            1.0,
            demand=Demand(1 / 1.4, on="ratio"),
        )
    ]


def _ranks(
    ranks: int, position: Position, depth: int, values: Values, table_mb: int = 0
) -> dict[str, float]:
    folder = Path(sys.executable).parent
    mpiexec = shutil.which("mpiexec", path=str(folder))
    assert mpiexec, "mpiexec comes with crossboard[mpi]"
    command = [mpiexec, "-n", str(ranks), str(folder / "crossboard"), "search", "--json"]
    # As the searches of one process beside them: by material, with such a table or without.
    table = ["--table-mb", str(table_mb)] if table_mb else ["--no-table"]
    options = ["--player", "material", *table, "--fen", position.fen, "--depth", str(depth)]
    done = subprocess.run([*command, *options], check=True, capture_output=True, text=True)
    result: dict[str, float] = json.loads(done.stdout)
    if not table_mb:
        values.add(position, result["value"])
    return result
