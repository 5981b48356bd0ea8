"""Teaching the champion: how fast games label positions, and how fast a pass learns them."""

from __future__ import annotations

from time import perf_counter, thread_time

import numpy as np

from benchmarks.measure import (
    ClockedThreads,
    Contender,
    Demand,
    Measure,
    Row,
    Settings,
    compare,
)
from crossboard.arena.openings import SELECT, openings
from crossboard.draughts import middlegames
from crossboard.evaluators import SmallNet
from crossboard.learn.fitting import FitSettings, FitState, fit, initial_weights
from crossboard.learn.labels import LabelSettings, play_labelled
from crossboard.players import Player, load_player
from crossboard.systems.champion import TUNED, champion_search
from crossboard.systems.champion_rounds import net_of

NODES = 1000
LABELS_A_SECOND = 6000
PASS_POSITIONS, PASS_SECONDS = 1_000_000, 2.0
WORKERS = 2


def labelling(settings: Settings) -> list[Row]:
    """Labels a second of processor time that one core makes by searches of 1,000 nodes."""
    net = load_player("champion").evaluator
    assert isinstance(net, SmallNet)
    starts = [one.position for one in openings(SELECT).listed]
    best = 0.0
    for repeat in range(settings.repeats):
        seeds = range(repeat * settings.label_games, (repeat + 1) * settings.label_games)
        began = thread_time()
        played = play_labelled(net, champion_search(), LabelSettings(nodes=NODES), starts, seeds)
        best = max(best, len(played.labels) / (thread_time() - began))
    demand = Demand(LABELS_A_SECOND)
    return [
        Row(f"labels by {NODES:,} nodes, a core", best, "labels/s", "none", None, demand=demand)
    ]


def evaluation(settings: Settings) -> list[Row]:
    """Nodes a second of processor time with the net and with `treestrap`'s weights, one search."""
    net, sums = (
        _nodes_a_second(load_player(name).with_settings(champion_search()), settings)
        for name in ("champion", "treestrap")
    )
    treestrap = Contender("treestrap's weights", sums, demand=Demand(1, on="ratio"))
    return compare("search with the small net", "nodes/s", net, [treestrap], settings)


def _nodes_a_second(player: Player, settings: Settings) -> Measure:
    positions = middlegames()[: settings.search_positions]

    def measure() -> float:
        player.clear()
        began = thread_time()
        nodes = sum(player.search(one, nodes=settings.turn_nodes).nodes for one in positions)
        return nodes / (thread_time() - began)

    return measure


def fitting(settings: Settings) -> list[Row]:
    """Seconds for one pass over a million positions, by two threads; fewer are measured in quick.

    Beside it half of the processor's time, which is what an idle machine takes at best.
    """
    form = TUNED.form()
    state = FitState.begin(initial_weights(form, 1))
    boards, targets = _positions(settings.fit_positions)
    share = settings.fit_positions / PASS_POSITIONS
    clock, busy = np.inf, np.inf
    for _ in range(min(settings.repeats, 3)):
        with ClockedThreads(WORKERS) as threads:
            began = perf_counter()
            next(fit(form, state, boards, targets, FitSettings(), 1, threads))
            clock = min(clock, (perf_counter() - began) / share)
            busy = min(busy, threads.seconds / WORKERS / share)
    name = f"a pass over {PASS_POSITIONS:,} positions, {WORKERS} threads"
    demand = Demand(PASS_SECONDS)
    return [
        Row(name, float(clock), "s", "none", None, demand=demand),
        Row(f"{name}, processor time / {WORKERS}", float(busy), "s", "none", None),
    ]


def _positions(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return positions as games bring them, again and again, with targets of their own."""
    starts = [one.position for one in openings(SELECT).listed]
    net = net_of(TUNED.form(), initial_weights(TUNED.form(), 1))
    played = play_labelled(net, champion_search(), LabelSettings(nodes=100), starts, range(100))
    boards = np.resize(played.labels.boards, (count, 4))
    targets = np.random.default_rng(1).random(count).astype(np.float32)
    return boards, targets
