"""The experiment `dvision-speed`: seconds a position, on one processor and on all."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from crossboard.arena.bootstrap import ratio_of_sums
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.experiments.search_times import VERSION_1, draw_times, search_all
from crossboard.farm.executors import count_cores

# D-VisionDraughts 2011, table 2.
PUBLISHED_DEPTH, QUICK_PUBLISHED_DEPTH = 14, 10
SERIAL_SECONDS, SHARED_SECONDS, PROCESSORS = 78.08, 12.99, 10


CLAIMS = (
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


def measure(lab: Lab) -> Iterator[Measurement]:
    """Search the middlegames with version 1 alone and by Young Brothers Wait."""
    cores = count_cores()
    depth = QUICK_PUBLISHED_DEPTH if lab.quick else PUBLISHED_DEPTH
    ways = {"serial": VERSION_1, "shared": replace(VERSION_1, threads=cores)}
    times = lab.kept(
        "seconds.json",
        lambda: search_all(lab, ways, depth, time.monotonic),
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
    lab.figures["seconds"] = draw_times(times)


EXPERIMENT = register(
    Experiment(
        "dvision-speed",
        "Barcelos, Julia & Matias 2011, table 2",
        CLAIMS,
        measure,
        "Seconds a position, on one processor and on all.",
        "It holds if all of the 95 % interval, by bootstrap over positions, is at most the "
        "published seconds; the speed-up for each processor stands beside that of the paper's ten. "
        f"Searches that are not {PUBLISHED_DEPTH} plies deep, as the paper's, are not judged.",
    )
)
