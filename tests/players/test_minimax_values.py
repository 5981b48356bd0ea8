"""Every way of searching that does not prune forward gives plain minimax's value, in full depth.

The core's own tests throw all switches at random in trees small enough for a second minimax
(core/tests/search/searcher.cpp); here the trees of real games are searched whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from crossboard.draughts import DrawRules, Position
from crossboard.players import SearchSettings, load_player

DEPTHS = 7
# Draws depend on the way to a position, which a table does not know.
NO_DRAWS = DrawRules(repetitions=0, quiet_plies=0)
MINIMAX = SearchSettings(algorithm="minimax", table_mb=0, draws=NO_DRAWS)
# With the table at its hits of equal depth alone: a deeper one is another value, if a better one.
WAYS = (
    SearchSettings(table_mb=0, draws=NO_DRAWS),
    SearchSettings(table_mb=4, exact_depth_hits=True, draws=NO_DRAWS),
    SearchSettings(table_mb=4, exact_depth_hits=True, killers=2, draws=NO_DRAWS),
    SearchSettings(table_mb=0, threads=3, grain=2, draws=NO_DRAWS),
    SearchSettings(table_mb=4, exact_depth_hits=True, threads=2, grain=3, draws=NO_DRAWS),
)


def positions(count: int, seed: int) -> Iterator[Position]:
    """Yield positions of random games, each of another game."""
    random = Random(seed)
    while count:
        position = Position()
        for _ in range(random.randrange(60)):
            if not position.is_over:
                position = position.after(random.choice(position.legal_moves))
        if not position.is_over:
            yield position
            count -= 1


@pytest.mark.slow
@pytest.mark.sized
@pytest.mark.parametrize(("name", "count"), [("material", 2100), ("draft5", 280)])
def test_every_way_of_searching_gives_the_value_of_minimax(name: str, count: int, is_reduced: bool):
    minimax, *others = (load_player(name, search=way.full_width()) for way in (MINIMAX, *WAYS))
    for number, position in enumerate(positions(count // 10 if is_reduced else count, seed=7)):
        depth = 1 + number % DEPTHS
        expected = minimax.search(position, depth=depth)
        for player in others:
            player.clear()
            found = player.search(position, depth=depth)
            assert (found.value, found.win_in) == (expected.value, expected.win_in), (
                f"{position.fen} at depth {depth} by {player.settings}"
            )
