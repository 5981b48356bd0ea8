"""Duchess: leaves and nodes per second, what ways of searching cost, hours of training."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from typing import NamedTuple, cast

from benchmarks.measure import (
    Contender,
    Demand,
    Measure,
    MeasurementError,
    Row,
    Settings,
    compare,
    timed,
)
from crossboard._core import duchess as core
from crossboard.duchess import Position, random_line
from crossboard.evaluators import OneLayer
from crossboard.learn import Schooling
from crossboard.learn.treestrap_duchess import learn_duchess_by_treestrap
from crossboard.players import Player, SearchSettings, load_player
from crossboard.systems.duchess import SEARCH, STAGE_1

SEED = 1
PERFT_DEPTH = 6
SEARCH_DEPTH = 6
# From the plainest alpha-beta to what play adds; those with quiescence find other values.
PLAINEST = SearchSettings(
    quiescence=False, table_mb=0, killers=0, history=False, pvs=False, aspiration=False
)
PAPERS = "one killer, as the paper's"
WAYS = {
    "no killer, no history, full windows": PLAINEST,
    PAPERS: replace(PLAINEST, killers=1),
    "two killers": replace(PLAINEST, killers=2),
    "one killer and history": replace(PLAINEST, killers=1, history=True),
    "the same, PVS and aspiration": SEARCH,
    "the same, a table of 16 MB": replace(SEARCH, table_mb=16),
    "with quiescence, no table": replace(SEARCH, quiescence=True),
    "with quiescence and the table": replace(SEARCH, quiescence=True, table_mb=16),
}
# Section VI: so long did 140 games of the first stage take.
PUBLISHED_SECONDS = 8 * 3600
# Of a game on average, when the shipped player of that stage was trained (docs/measurements.md).
STAGE_1_NODES = 90e6
PROCESSORS = 2


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


def switches(settings: Settings) -> list[Row]:
    """Nodes and processor seconds that each way of searching takes for all positions."""
    depth = settings.duchess_depth
    costs = {name: _cost(search, depth) for name, search in WAYS.items()}
    exact = [costs[name].values for name, search in WAYS.items() if not search.quiescence]
    if any(values != exact[0] for values in exact):
        raise MeasurementError("searches of Duchess without quiescence find different values")
    papers = costs[PAPERS]
    return [
        row
        for name, cost in costs.items()
        for row in (
            Row(f"Duchess: depth {depth}, {name}", cost.nodes, "nodes", PAPERS, papers.nodes),
            Row(f"processor time, {name}", cost.seconds, "s", PAPERS, papers.seconds),
        )
    ]


def training(settings: Settings) -> list[Row]:
    """Seconds that the first stage takes on two processors, by the clock and by their own.

    Its first games are played, as many side by side as in the whole, and the whole takes so much
    longer as it has more nodes: early games are short.
    """
    games = settings.duchess_games
    asked = STAGE_1.model_copy(
        update={
            "games": games,
            "round_size": min(STAGE_1.round_size, games),
            "depth": settings.duchess_depth,
            "depths": STAGE_1.depths if settings.duchess_depth == STAGE_1.depth else (),
        }
    )
    start, own_start, nodes = time.perf_counter(), time.process_time(), 0.0
    with ThreadPoolExecutor(PROCESSORS) as executor:
        schooling = Schooling(SEED, executor)
        for moment in learn_duchess_by_treestrap(asked.initial(), asked.study(), schooling):
            nodes += len(moment.played) * moment.measured.get("nodes", 0)
    times = STAGE_1.games * STAGE_1_NODES / nodes
    seconds = times * (time.perf_counter() - start)
    own_seconds = times * (time.process_time() - own_start) / PROCESSORS
    name = (
        f"Duchess: stage 1, {STAGE_1.games} games of {STAGE_1_NODES / 1e6:g} M nodes, as fast as "
        f"the first {games} at depth {asked.depth}"
    )
    peer = (f"published, {STAGE_1.games} games", PUBLISHED_SECONDS)
    return [
        Row(name, seconds, "s", *peer, demand=Demand(3600)),
        Row(f"the same, processor time / {PROCESSORS}", own_seconds, "s", *peer),
    ]


def depths(settings: Settings) -> list[Row]:
    """Seconds a search of the training takes in the middlegame, deeper and deeper."""
    asked = STAGE_1.study()
    times = []
    for depth in settings.duchess_depths:
        options = {**asked.student_options(), "depth": depth, "depths": []}
        start = time.process_time()
        for position in _positions():
            student = core.Student.of(cast("core.OneLayer", OneLayer.initial().core), **options)
            student.begin_game(SEED)
            student.choose(position)
        times.append((depth, (time.process_time() - start) / len(list(_positions()))))
    shallow = times[0]
    return [
        Row(f"Duchess: a search of depth {depth}", seconds, "s", f"depth {shallow[0]}", shallow[1])
        for depth, seconds in times
    ]


def third_stage() -> OneLayer:
    """Return the weights of the shipped player of that stage."""
    evaluation = load_player("duchess-3").evaluator
    assert isinstance(evaluation, OneLayer)
    return evaluation


def _rate(evaluation: OneLayer) -> Measure:
    def measure() -> float:
        player = Player("measured", evaluation, search=SEARCH)
        results = [player.search(position, depth=SEARCH_DEPTH) for position in _positions()]
        return sum(result.nodes for result in results) / sum(result.seconds for result in results)

    return measure


class Cost(NamedTuple):
    """What it took to search all positions, and what was found."""

    nodes: int
    seconds: float  # of the processor
    values: list[float]


def _cost(search: SearchSettings, depth: int) -> Cost:
    player = Player("measured", third_stage(), search=search)
    player.search(Position(), depth=1)  # makes the table, which is no part of it
    results, start = [], time.process_time()
    for position in _positions():
        player.clear()
        results.append(player.search(position, depth=depth))
    seconds = time.process_time() - start
    nodes = sum(result.nodes for result in results)
    return Cost(nodes, seconds, [result.value for result in results])


def _positions() -> Iterator[Position]:
    for plies in (4, 30, 60, 90):
        position = Position()
        for move in random_line(position, plies, Random(SEED)):
            position = position.after(move)
        yield position
