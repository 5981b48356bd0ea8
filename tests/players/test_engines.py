"""Players of several evaluators: one table, engines made when needed, the choice of a game."""

from __future__ import annotations

import os
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from crossboard._core import draughts as core
from crossboard.draughts import Position
from crossboard.evaluators import Evaluation, Material, Network, feature_mapping
from crossboard.players import Player, SearchLimits, SearchSettings, When

NO_TABLE = SearchSettings(table_mb=0)

needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")


def resident_mb() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def count_pieces(position: Position) -> int:
    return len(position.pieces("B")) + len(position.pieces("W"))


def game_positions(seed: int) -> list[Position]:
    """Return the positions of a random game, from its start to its end."""
    random, found = Random(seed), [Position()]
    while not (after := found[-1].after(random.choice(list(found[-1].legal_moves)))).is_over:
        found.append(after)
    return found


def by_pieces(evaluators: Sequence[Evaluation]) -> list[tuple[When, Evaluation]]:
    """Give each number of pieces, from 0 on, an evaluator of its own."""
    return [(When(least_pieces=n, most_pieces=n), one) for n, one in enumerate(evaluators)]


@pytest.mark.parametrize("table_mb", [1, 8])
def test_the_evaluator_in_charge_has_the_whole_table(table_mb: int):
    search = SearchSettings(table_mb=table_mb)
    many = Player("many", phases=by_pieces([Material() for _ in range(25)]), search=search)
    for position in game_positions(seed=9)[::6]:
        alone = Player("alone", search=search)
        for _ in range(2):  # what the first search has found is there for the second
            ours, theirs = (each.search(position, depth=9) for each in (many, alone))
            assert (ours.move, ours.value, ours.nodes) == (theirs.move, theirs.value, theirs.nodes)


def test_copies_of_one_net_play_like_that_net():
    mapping = feature_mapping("lynch")
    nets = [Network.initial(mapping, 4, seed=1) for _ in range(26)]
    alone = Player("alone", nets[0], search=NO_TABLE)
    many = Player("many", nets[25], phases=by_pieces(nets[:25]), search=NO_TABLE)
    openings = [(Position(), []), (Position().after("11-15"), [])]
    games = [
        core.play_pairs(
            player.chooser(SearchLimits(depth=3)),
            core.Chooser.random(),
            openings=openings,
            seeds=[1, 2],
        )
        for player in (alone, many)
    ]
    assert games[0] == games[1]
    assert all(game.plies > 20 for pair in games[0] for game in pair)
    for position in game_positions(seed=10):
        ours, theirs = (player.search(position, depth=4) for player in (many, alone))
        assert (ours.move, ours.value, ours.nodes) == (theirs.move, theirs.value, theirs.nodes)


@needs_proc
def test_memory_does_not_grow_with_the_evaluators_times_the_threads():
    search = SearchSettings(table_mb=0, threads=32, grain=2)
    many = Player("many", phases=by_pieces([Material() for _ in range(25)]), search=search)
    positions = {count_pieces(each): each for each in game_positions(seed=9)}
    assert len(positions) >= 15
    before = resident_mb()
    for position in positions.values():
        many.search(position, depth=2)
    assert resident_mb() - before < 3 * 32


@pytest.mark.parametrize(
    ("evaluator", "settings", "told"),
    [
        (None, {"threads": 257}, "threads must be 1 to 256"),
        (None, {"grain": 0}, "the grain must be at least 1"),
        (None, {"killers": 3}, "killers are 0 to 2 moves of a ply, not 3"),
        (None, {"algorithm": "guess"}, "the algorithm is minimax or alphabeta"),
        (lambda _: 0.0, {"threads": 2}, "a Python evaluator is searched by one thread"),
        ("material", {}, "an evaluator is a function from a position to a number"),
    ],
)
def test_what_cannot_search_is_refused_without_an_engine(
    evaluator: Any, settings: dict[str, Any], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("an engine is made")

    monkeypatch.setattr("crossboard.players.engines.make_engine", fail)
    phases = [(When(most_pieces=8), evaluator)] if evaluator else []
    with pytest.raises(ValueError, match=told):
        Player("x", phases=phases, search=SearchSettings(**settings))
    fine = Player("x", phases=by_pieces([Material()]))
    with pytest.raises(AssertionError, match="an engine is made"):
        fine.search(Position(), depth=1)
