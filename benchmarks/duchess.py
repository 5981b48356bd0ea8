"""Duchess: leaves and nodes per second, and what carrying the evaluation along is worth."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from benchmarks.measure import Contender, Demand, Measure, Row, Settings, compare, timed
from crossboard.duchess import Position, random_line
from crossboard.evaluators import OneLayer
from crossboard.players import Player, SearchSettings

SEED = 1
PERFT_DEPTH = 6
SEARCH_DEPTH = 4
# The paper's search, its moves ordered by what refuted others.
SEARCH = SearchSettings(quiescence=False, table_mb=0, killers=1)


def perft(settings: Settings) -> list[Row]:
    """Leaves per second of four players from the start, beside six players'."""
    ours = timed(lambda: Position(4).perft(PERFT_DEPTH))
    six = Contender("six players", timed(lambda: Position(6).perft(PERFT_DEPTH)))
    return compare("Duchess: perft", "leaves/s", ours, [six], settings, Demand(10e6))


def search(settings: Settings) -> list[Row]:
    """Nodes per second on one thread with the third stage's weights, beside the first stage's."""
    first = Contender("first stage", _rate(OneLayer.initial()))
    ours = _rate(third_stage())
    return compare("Duchess: search", "nodes/s", ours, [first], settings, Demand(1e6))


def cumulative(settings: Settings) -> list[Row]:
    """The same search with sums that are carried along, beside one that begins anew every time."""
    anew = OneLayer(third_stage().arrays(), cumulative=False)
    peers = [Contender("from scratch", _rate(anew), demand=Demand(2, "ratio"))]
    return compare("Duchess: carried", "nodes/s", _rate(third_stage()), peers, settings)


def third_stage() -> OneLayer:
    """Weights of all groups: the paper's first ones, and small random ones, which cost the same."""
    whole = OneLayer.initial().extended(attack="plain", piece_square=True)
    noise = np.random.default_rng(SEED).uniform(-0.002, 0.002, whole.weights.size)
    return whole.with_weights(whole.weights + noise)


def _rate(evaluation: OneLayer) -> Measure:
    def measure() -> float:
        player = Player("measured", evaluation, search=SEARCH)
        results = [player.search(position, depth=SEARCH_DEPTH) for position in _positions()]
        return sum(result.nodes for result in results) / sum(result.seconds for result in results)

    return measure


def _positions() -> Iterator[Position]:
    for plies in (4, 30, 60, 90):
        position = Position()
        for move in random_line(position, plies, Random(SEED)):
            position = position.after(move)
        yield position
