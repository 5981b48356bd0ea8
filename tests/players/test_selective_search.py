"""The selective search as players use it: single moves, scales, sameness."""

from __future__ import annotations

import pytest

from crossboard.draughts import Position, middlegames
from crossboard.players import Player, SearchLimits, SearchSettings, load_player

# Black has one move, a capture, and the game goes on for long.
ONE_MOVE = Position.from_fen("B:W18,21,27,30,31,32:B2,3,5,6,8,15")
SELECTIVE = SearchSettings.selective()
# Without extensions, which find more than the plain search at the same depth.
SHORTENED = SearchSettings(reductions=True, verified_cuts=10)


@pytest.mark.parametrize("settings", [SearchSettings(), SELECTIVE])
def test_one_legal_move_is_answered_at_once_where_only_time_is_limited(settings: SearchSettings):
    assert len(ONE_MOVE.legal_moves) == 1
    player = Player("x", search=settings)
    found = player.search(ONE_MOVE, seconds=60.0)
    assert found.depth == 1
    assert found.nodes < 100
    assert not found.stopped


def test_one_legal_move_is_searched_at_a_fixed_depth_and_by_nodes():
    player = Player("x")
    assert player.search(ONE_MOVE, depth=9).depth == 9
    assert player.search(ONE_MOVE, limits=SearchLimits(depth=9, seconds=60.0)).depth == 9
    player.clear()
    assert player.search(ONE_MOVE, nodes=20_000).nodes == 20_000


def test_several_legal_moves_are_searched_until_time_is_up():
    assert Player("x").search(Position(), seconds=0.05).depth > 1


@pytest.mark.parametrize("name", ["treestrap", "neurodraughts", "material", "draft5"])
def test_values_are_told_on_the_scale_of_the_evaluation(name: str):
    plain, selective = load_player(name), load_player(name, search=SHORTENED)
    for position in middlegames()[:5]:
        full = plain.search(position, depth=7)
        some = selective.search(position, depth=7)
        win = plain.value_of_win(position)
        assert -win <= some.value <= win
        assert some.value == pytest.approx(full.value, abs=0.35)


def test_a_cleared_player_finds_the_same_again():
    player = load_player("treestrap", search=SELECTIVE)
    found = []
    for _ in range(2):
        player.clear()
        searches = [player.search(position, nodes=5000) for position in middlegames()[:5]]
        found.append([(one.move, one.value, one.depth, one.pv) for one in searches])
    assert found[0] == found[1]


def test_a_trace_is_told_on_the_same_scale():
    player = load_player("treestrap", search=SELECTIVE)
    trace = player.search(middlegames()[0], depth=5, trace=True).trace
    assert trace
    assert all(-1 <= value <= 1 for _, value, *_ in trace)
