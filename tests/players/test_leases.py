"""Players lent to one search at a time."""

from __future__ import annotations

import pytest

from crossboard.draughts import Position
from crossboard.players import Player, SearchSettings
from crossboard.players.leases import Leases


def find(name: str) -> Player:
    if name == "none":
        raise ValueError("there is no player 'none'")
    return Player(name, search=SearchSettings(table_mb=256, threads=4))


def test_a_player_is_lent_to_one_at_a_time_and_used_again() -> None:
    leases = Leases(find)
    with leases.lend("a") as first, leases.lend("a") as second, leases.lend("b") as third:
        assert first is not second
        assert third.name == "b"
    with leases.lend("a") as again:
        assert again in (first, second)


def test_a_lent_player_has_one_thread_and_a_small_table() -> None:
    with Leases(find, table_mb=1).lend("a") as player:
        assert (player.settings.threads, player.settings.table_mb) == (1, 1)


def test_a_lent_player_knows_nothing_of_earlier_searches() -> None:
    leases, nodes = Leases(find, table_mb=1), []
    for _ in range(2):
        with leases.lend("a") as player:
            nodes.append(player.search(Position(), depth=7).nodes)
    assert nodes[0] == nodes[1]


def test_only_some_idle_players_are_kept() -> None:
    leases = Leases(find, table_mb=0, most_idle=2)
    seen = []
    for name in "abc":
        with leases.lend(name) as player:
            seen.append(player)
    with leases.lend("a") as a, leases.lend("c") as c:
        assert a is not seen[0]
        assert c is seen[2]


def test_a_player_whose_search_fails_is_not_used_again() -> None:
    leases = Leases(find, table_mb=0)
    with pytest.raises(ValueError, match="over"), leases.lend("a") as failed:
        failed.search(Position.from_fen("B:W18:B"))
    with leases.lend("a") as other:
        assert other is not failed


def test_a_player_that_is_not_found_is_an_error() -> None:
    with pytest.raises(ValueError, match="there is no player 'none'"), Leases(find).lend("none"):
        pass
