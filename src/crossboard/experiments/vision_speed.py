"""The experiment `visiondraughts-speed`: time that VisionDraughts' searches save."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from crossboard.arena.bootstrap import Interval, ratio_of_sums
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.experiments.search_times import (
    PLAYER,
    VERSION_1,
    VERSION_2,
    Times,
    draw_times,
    search_all,
)
from crossboard.learn.cloning import PLAIN_SEARCH
from crossboard.systems.visiondraughts import PUBLISHED_LOOK_AHEAD

# Chosen: judged is the depth at which VisionDraughts plays, beside which lesser ones stand: deeper
# searches save more, and no paper tells its depth. Minimax goes no deeper in reasonable time.
LEAST_DEPTH, DEPTH, QUICK_DEPTH = 4, PUBLISHED_LOOK_AHEAD, 6

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
CLAIMS = (
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


def measure(lab: Lab) -> Iterator[Measurement]:
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
    lab.figures["seconds"] = draw_times(times)


def _time_vision(lab: Lab, depth: int) -> Times:
    ways = {"minimax": PLAIN_SEARCH, "version 1": VERSION_1, "version 2": VERSION_2}
    # One thread searches, so the processor's clock tells the same on a busy machine.
    found: Times = lab.kept(
        f"seconds-depth-{depth}.json",
        lambda: search_all(lab, ways, depth, time.process_time),
        told=(ways, depth),
    )
    return found


def _saved(times: Times, way: str) -> Interval:
    """Return how many of a hundred parts of minimax's time a way of searching saves."""
    found = ratio_of_sums(times[way], times["minimax"])
    return Interval(*[100 * (1 - part) for part in (found.value, found.high, found.low)])


EXPERIMENT = register(
    Experiment(
        "visiondraughts-speed",
        "Caixeta & Julia 2008, as told by MP-Draughts 2009 and D-VisionDraughts 2011",
        CLAIMS,
        measure,
        "Time that alpha-beta, deepening and a table save against minimax.",
        "It holds if all of the 95 % interval, by bootstrap over positions, is at least what was "
        f"published, at depth {DEPTH}. What is saved at depths from {LEAST_DEPTH} on stands beside "
        "it, for deeper searches save more and no paper tells its depth. The quick size ends at "
        f"depth {QUICK_DEPTH} and is not judged.",
    )
)
