"""How much faster VisionDraughts searches than NeuroDraughts, and D-VisionDraughts than both."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from crossboard.arena.bootstrap import Interval, ratio_of_sums
from crossboard.draughts import Position, middlegames
from crossboard.farm.executors import count_cores
from crossboard.learn.cloning import PLAIN_SEARCH
from crossboard.players import Player, SearchSettings, load_player
from crossboard.systems import visiondraughts
from crossboard.systems.claims import Claim, Measurement, Relation
from crossboard.systems.experiments import Experiment, Lab, register

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLAYER = "visiondraughts"
# Version 1: depth-limited alpha-beta, nothing else. Version 2: deepening, a table, its ordering.
# The same as in training, but with draws as in any game, and a table for deeper searches.
VERSION_1 = replace(visiondraughts.VERSION_1.make_search(), draws=None)
VERSION_2 = replace(visiondraughts.VERSION_2.make_search(), draws=None, table_mb=64)
# Chosen: judged is the depth at which VisionDraughts plays, beside which lesser ones stand: deeper
# searches save more, and no paper tells its depth. Minimax goes no deeper in reasonable time.
LEAST_DEPTH, DEPTH, QUICK_DEPTH = 4, visiondraughts.PUBLISHED_LOOK_AHEAD, 6
# D-VisionDraughts 2011, table 2.
PUBLISHED_DEPTH, QUICK_PUBLISHED_DEPTH = 14, 10
SERIAL_SECONDS, SHARED_SECONDS, PROCESSORS = 78.08, 12.99, 10

SAVED_CLAIMS = (
    Claim(
        "saved-v2",
        "time saved by alpha-beta with deepening and table, against minimax",
        95,
        relation=Relation.AT_LEAST,
        unit="%",
        where="MP-Draughts 2009, II",
    ),
    Claim(
        "saved-v1",
        "time saved by depth-limited alpha-beta, against minimax",
        90,
        relation=Relation.AT_LEAST,
        unit="%",
        where="D-VisionDraughts 2011, 4",
    ),
)
VISION_CLAIMS = (
    *SAVED_CLAIMS,
    *(
        replace(
            claim,
            name=f"{claim.name}-depth-{depth}",
            what=f"{claim.what}, at depth {depth}",
            relation=Relation.BESIDE,
        )
        for depth in range(LEAST_DEPTH, DEPTH)
        for claim in SAVED_CLAIMS
    ),
)
DISTRIBUTED_CLAIMS = (
    Claim(
        "serial-seconds",
        "seconds a position, one processor, version 1",
        SERIAL_SECONDS,
        relation=Relation.AT_MOST,
        unit="s",
        where=f"table 2: at depth {PUBLISHED_DEPTH}",
    ),
    Claim(
        "shared-seconds",
        "seconds a position, shared by all processors",
        SHARED_SECONDS,
        relation=Relation.AT_MOST,
        unit="s",
        where=f"table 2: at depth {PUBLISHED_DEPTH}, on ten processors",
    ),
    Claim(
        "efficiency",
        "speed-up by sharing for each processor",
        SERIAL_SECONDS / SHARED_SECONDS / PROCESSORS,
        relation=Relation.BESIDE,  # of ten less is to be expected than of two
        where=f"table 2: 6.01 at depth {PUBLISHED_DEPTH}, on ten processors",
    ),
)

Times = Mapping[str, Sequence[float]]  # seconds for each position, by way of searching


def measure_vision(lab: Lab) -> Iterator[Measurement]:
    """Search the middlegames with minimax and both versions, and compare the times."""
    deepest = QUICK_DEPTH if lab.quick else DEPTH
    for depth in range(LEAST_DEPTH, deepest + 1):
        times = _time_vision(lab, depth)
        found = {"saved-v2": _saved(times, "version 2"), "saved-v1": _saved(times, "version 1")}
        note = (
            f"{len(times['minimax'])} positions at depth {depth}, network of {PLAYER}, "
            "by the processor's clock"
        )
        for claim, saved in found.items():
            if depth < DEPTH:
                yield Measurement(f"{claim}-depth-{depth}", *saved, note)
            if depth == deepest:
                yield Measurement(claim, *saved, note, is_other=depth != DEPTH)
    lab.figures["seconds"] = _draw(times)


def _time_vision(lab: Lab, depth: int) -> Times:
    ways = {"minimax": PLAIN_SEARCH, "version 1": VERSION_1, "version 2": VERSION_2}
    # One thread searches, so the processor's clock tells the same on a busy machine.
    found: Times = lab.kept(
        f"seconds-depth-{depth}.json",
        lambda: _search_all(lab, ways, depth, time.process_time),
        told=(ways, depth),
    )
    return found


def _saved(times: Times, way: str) -> Interval:
    """Return how many of a hundred parts of minimax's time a way of searching saves."""
    found = ratio_of_sums(times[way], times["minimax"])
    return Interval(*[100 * (1 - part) for part in (found.value, found.high, found.low)])


def measure_distributed(lab: Lab) -> Iterator[Measurement]:
    """Search the middlegames with version 1 alone and by Young Brothers Wait."""
    cores = count_cores()
    depth = QUICK_PUBLISHED_DEPTH if lab.quick else PUBLISHED_DEPTH
    ways = {"serial": VERSION_1, "shared": replace(VERSION_1, threads=cores)}
    times = lab.kept(
        "seconds.json",
        lambda: _search_all(lab, ways, depth, time.monotonic),
        told=(ways, depth),
    )
    note = f"{len(times['serial'])} positions at depth {depth}, {cores} processors"
    # Shallower searches say nothing of the published seconds, nor of how deep ones are shared.
    is_other = depth != PUBLISHED_DEPTH
    for way in ways:
        ones = [1.0] * len(times[way])
        yield Measurement(f"{way}-seconds", *ratio_of_sums(times[way], ones), note, is_other)
    found = ratio_of_sums(times["serial"], times["shared"])
    speed_up = f"speed-up {found.value:.2f} ({found.low:.2f} to {found.high:.2f})"
    yield Measurement("efficiency", *found.times(1 / cores), f"{speed_up}; {note}", is_other)
    lab.figures["seconds"] = _draw(times)


def _search_all(
    lab: Lab, ways: Mapping[str, SearchSettings], depth: int, clock: Callable[[], float]
) -> Times:
    """Search each position in every way before the next, so that all meet the same machine."""
    evaluator = load_player(PLAYER).evaluator
    times: dict[str, list[float]] = {way: [] for way in ways}
    for number, position in enumerate(middlegames(), start=1):
        for way, search in ways.items():
            player = Player(way, evaluator, search=search)
            times[way].append(_seconds(player, position, depth, clock))
        lab.tell(f"position {number} searched to depth {depth}")
    return times


def _seconds(player: Player, position: Position, depth: int, clock: Callable[[], float]) -> float:
    player.search(position, depth=1)  # what is made once, like the table, takes its time here
    began = clock()
    player.search(position, depth=depth)
    return clock() - began


def _draw(times: Times) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    for way, seconds in times.items():
        axes.plot(range(1, len(seconds) + 1), seconds, marker="o", linestyle="", label=way)
    axes.set_yscale("log")
    axes.set_xlabel("position")
    axes.set_ylabel("seconds")
    axes.legend(fontsize="small")
    return figure


VISION_SPEED = register(
    Experiment(
        "visiondraughts-speed",
        "Caixeta & Julia 2008, as told by MP-Draughts 2009 and D-VisionDraughts 2011",
        VISION_CLAIMS,
        measure_vision,
        "Time that alpha-beta, deepening and a table save against minimax.",
        "It holds if all of the 95 % interval, by bootstrap over positions, is at least what was "
        f"published, at depth {DEPTH}. What is saved at depths from {LEAST_DEPTH} on stands beside "
        "it, for deeper searches save more and no paper tells its depth. The quick size ends at "
        f"depth {QUICK_DEPTH} and is not judged.",
    )
)
DISTRIBUTED_SPEED = register(
    Experiment(
        "dvision-speed",
        "Barcelos, Julia & Matias 2011, table 2",
        DISTRIBUTED_CLAIMS,
        measure_distributed,
        "Seconds a position, on one processor and on all.",
        "It holds if all of the 95 % interval, by bootstrap over positions, is at most the "
        "published seconds; the speed-up for each processor stands beside that of the paper's ten. "
        f"Searches that are not {PUBLISHED_DEPTH} plies deep, as the paper's, are not judged.",
    )
)
