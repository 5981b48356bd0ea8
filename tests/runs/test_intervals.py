"""Checkpoints come soon after the start, then at growing intervals."""

from __future__ import annotations

from itertools import pairwise

from crossboard.runs.intervals import Intervals


def moments(most: float, blocks: float, until: float) -> list[float]:
    """Return when a learner with blocks of so many seconds would save."""
    now, saved = 100.0, []
    intervals = Intervals(most, clock=lambda: now)
    while now - 100 < until:
        now += blocks
        if intervals.is_over:
            saved.append(now - 100)
            now += 0.5  # writing takes time, which no interval counts
            intervals.begin_next()
    return saved


def test_the_first_comes_after_a_second_and_the_last_wait_is_the_longest():
    assert moments(15, 0.5, 70) == [1, 3.5, 8, 16.5, 32, 47.5, 63]


def test_a_killed_process_loses_two_thirds_of_its_time_at_most():
    saved = moments(15, 0.25, 200)
    assert len(saved) > 10
    late = 0.75  # a block, and the writing of the checkpoint before
    for before, after in pairwise(saved):
        assert after - before <= min(15, after * 2 / 3) + late


def test_long_blocks_are_each_saved():
    assert moments(15, 20, 80) == [20, 40.5, 61, 81.5]


def test_without_any_wait_every_block_is_saved():
    assert moments(0, 0.25, 3) == [0.25, 1, 1.75, 2.5]
