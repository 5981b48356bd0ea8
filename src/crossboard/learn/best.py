"""Keeps the student that did best so far beside the one that goes on learning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from crossboard.learn.phases import name_arrays, nets_of
from crossboard.learn.snapshot import Snapshot

BEST, STUDENT = "best", "student"
SCORE = "training_score"  # of each block, in its measurements


def keep_best(
    learner: Iterator[Snapshot], judge: Callable[[Snapshot], float], start: Snapshot | None
) -> Iterator[Snapshot]:
    """Yield a learner's snapshots with the student that the judge liked best so far.

    Its weights are named `best`, its block and score are `best_block` and `best_score` of the plain
    values; of equal scores the first counts. `start` is where the learner resumes.
    """
    kept = {} if start is None else name_arrays(BEST, nets_of(start.arrays, BEST))
    known = {} if start is None else {key: start.plain[key] for key in ("best_block", "best_score")}
    for snapshot in learner:
        score = judge(snapshot)
        if not known or score > known["best_score"]:
            kept = name_arrays(BEST, nets_of(snapshot.arrays, STUDENT))
            known = {"best_block": snapshot.plain["block"], "best_score": score}
        yield replace(
            snapshot,
            arrays={**snapshot.arrays, **kept},
            plain={**snapshot.plain, **known},
            measured={**snapshot.measured, SCORE: score},
        )


def show_best(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot whose student is the best one so far."""
    return replace(snapshot, arrays=name_arrays(STUDENT, nets_of(snapshot.arrays, BEST)))
