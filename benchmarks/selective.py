"""The selective search against the plain one, by the same evaluation."""

from __future__ import annotations

from dataclasses import replace
from time import thread_time

from benchmarks.measure import Contender, Demand, Measure, Row, Settings, compare
from crossboard.draughts import middlegames
from crossboard.players import SearchSettings, load_player

EVALUATION = "treestrap"
# A quarter of the nodes, a third of the time.
NODES_DEMAND, TIME_DEMAND = Demand(4, on="ratio"), Demand(3, on="ratio")
SELECTIVE, PLAIN = SearchSettings.selective(), SearchSettings()


def nodes(settings: Settings) -> list[Row]:
    """Nodes a position to a depth; they are the same in every run."""
    return _compare("nodes", settings.selective_nodes_depth, NODES_DEMAND, settings)


def seconds(settings: Settings) -> list[Row]:
    """Processor time a position to a greater depth."""
    return _compare("s", settings.selective_time_depth, TIME_DEMAND, settings)


def _compare(unit: str, depth: int, demand: Demand, settings: Settings) -> list[Row]:
    plain = Contender("the plain search", _cost(PLAIN, unit, depth, settings), demand=demand)
    once = replace(settings, repeats=1)  # both take the same whenever they are measured
    ours = _cost(SELECTIVE, unit, depth, settings)
    return compare(f"selective search, {EVALUATION}, depth {depth}", unit, ours, [plain], once)


def _cost(search: SearchSettings, unit: str, depth: int, settings: Settings) -> Measure:
    positions = middlegames()[: settings.search_positions]

    def measure() -> float:
        player, cost = load_player(EVALUATION, search=search), 0.0
        for position in positions:
            player.clear()
            began = thread_time()
            found = player.search(position, depth=depth).nodes
            cost += found if unit == "nodes" else thread_time() - began
        return cost / len(positions)

    return measure
