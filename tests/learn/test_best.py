"""The best student of a training: kept beside the one that learns on, also across a stop."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from crossboard.evaluators import EvalNet
from crossboard.learn import Snapshot
from crossboard.learn.best import keep_best, show_best
from crossboard.learn.phases import name_arrays, nets_of

SCORES = [0.25, 0.75, 0.5, 0.75, 0.0]


def net_of(block: int) -> EvalNet:
    return EvalNet([[float(block)], [0.0]], [1.0, 0.0])


def learner(after: int = 0) -> Iterator[Snapshot]:
    """Yield students whose weight is the number of their block."""
    for block in range(after + 1, len(SCORES) + 1):
        arrays = name_arrays("student", {"any": net_of(block)})
        yield Snapshot(10 * block, arrays, {"block": block}, {"moves": 3.0})


def judge(snapshot: Snapshot) -> float:
    return SCORES[snapshot.plain["block"] - 1]


def best_of(snapshot: Snapshot) -> float:
    return float(nets_of(show_best(snapshot).arrays, "student")["any"].w1[0, 0])


def test_of_equal_scores_the_first_is_kept() -> None:
    found = list(keep_best(learner(), judge, None))
    assert [best_of(one) for one in found] == [1, 2, 2, 2, 2]
    assert [one.plain["best_block"] for one in found] == [1, 2, 2, 2, 2]
    assert [one.plain["best_score"] for one in found] == [0.25, 0.75, 0.75, 0.75, 0.75]
    assert [one.measured["training_score"] for one in found] == SCORES
    # The student that learns on is still there.
    assert [float(one.arrays["student.w1"][0, 0]) for one in found] == [1, 2, 3, 4, 5]
    assert all(one.measured["moves"] == 3 for one in found)


@pytest.mark.parametrize("block", [1, 2, 3, 4])
def test_resumed_it_knows_what_was_best_before(block: int) -> None:
    whole = list(keep_best(learner(), judge, None))
    stop = whole[block - 1]
    rest = list(keep_best(learner(block), judge, Snapshot(stop.games, stop.arrays, stop.plain)))
    assert [one.plain for one in rest] == [one.plain for one in whole[block:]]
    for one, other in zip(rest, whole[block:], strict=True):
        assert one.arrays.keys() == other.arrays.keys()
        assert all(np.array_equal(one.arrays[n], other.arrays[n]) for n in one.arrays)
