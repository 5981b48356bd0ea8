"""The time of a game: how it is written, what a move leaves, and searches that have a share."""

from __future__ import annotations

import math
import time

import pytest

from crossboard import duchess
from crossboard.draughts import Position
from crossboard.players import GameTime, Player, SearchLimits, SearchSettings, load_player

FORCED = Position.from_fen("W:W18:B14")


@pytest.mark.parametrize(
    ("text", "seconds", "increment"),
    [("5+3", 300.0, 3.0), ("0.5+0", 30.0, 0.0), ("0+0.25", 0.0, 0.25), ("60+0", 3600.0, 0.0)],
)
def test_times_are_read_and_written(text: str, seconds: float, increment: float):
    found = GameTime.from_text(text)
    assert found == GameTime(seconds, increment)
    assert str(found) == text


@pytest.mark.parametrize(
    "text",
    ["", "0", "x", "5", "5+", "+3", "-5+3", "5+-3", "5 + 3", "1e3+0", "5+3+1", "nan+0"],
)
def test_what_is_no_time_is_refused(text: str):
    with pytest.raises(ValueError, match=r"minutes for the game \+ seconds a move, such as 5\+3"):
        GameTime.from_text(text)


@pytest.mark.parametrize("text", ["0+0", "0.0+0", "1000000+0", "9" * 400 + "+0"])
def test_no_time_and_endless_time_are_refused(text: str):
    with pytest.raises(ValueError, match="more than no time, and at most"):
        GameTime.from_text(text)


def test_a_move_leaves_the_rest_and_the_increment():
    after = GameTime(10.0, 2.0).after(5.0)
    assert after == GameTime(7.0, 2.0)
    assert after.for_next_move == 9.0
    assert after.after(9.5).seconds < 0


@pytest.mark.parametrize(
    "given",
    [GameTime(math.nan), GameTime(math.inf), GameTime(1.0, -1.0), GameTime(1.0, 0.0, -1)],
)
def test_limits_need_a_time_that_is_one(given: GameTime):
    with pytest.raises(ValueError, match="a time has finite seconds"):
        SearchLimits(time=given)


def test_limits_show_their_time_as_it_is_written():
    limits = SearchLimits(depth=5, time=GameTime(300.0, 3.0))
    assert not SearchLimits(time=GameTime(1.0)).is_none
    assert limits.as_json() == {"depth": 5, "time": "5+3"}
    assert limits.for_engine()["time"] == (300.0, 3.0, 0)


def test_a_players_own_limits_have_no_time_of_a_game():
    with pytest.raises(ValueError, match="a player's own limits are for each move"):
        Player("x", limits=SearchLimits(time=GameTime(60.0)))


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_a_search_ends_within_what_is_left(clock: str):
    player = load_player("draft5")
    began = time.thread_time()
    limits = SearchLimits(time=GameTime(5.0), clock=clock)
    result = player.search(Position(), limits=limits)
    assert result.depth >= 1
    # A fifteenth of the time would do; the machine may be busy.
    assert time.thread_time() - began < 5.0


@pytest.mark.parametrize("left", [0.0, -3.0, 1e-9])
def test_without_time_a_move_comes_all_the_same(left: float):
    result = load_player("treestrap").search(Position(), limits=SearchLimits(time=GameTime(left)))
    assert result.move in Position().legal_moves


def test_an_only_move_is_answered_at_once():
    limits = SearchLimits(time=GameTime(1_000_000.0, 0.0, 1))
    result = load_player("draft5").search(FORCED, limits=limits)
    assert (result.depth, str(result.move)) == (1, str(FORCED.legal_moves[0]))


def test_another_limit_ends_the_search_first():
    time_of_game = GameTime(1_000_000.0)
    player = Player("x", search=SearchSettings(table_mb=1))
    assert player.search(Position(), limits=SearchLimits(depth=3, time=time_of_game)).depth == 3
    nodes = SearchLimits(nodes=1000, time=time_of_game)
    assert player.search(Position(), limits=nodes).nodes == 1000


def test_a_time_changes_nothing_that_depth_decides():
    player = load_player("treestrap")
    plain = player.search(Position(), depth=8)
    player.clear()
    timed = player.search(Position(), limits=SearchLimits(depth=8, time=GameTime(1_000_000.0)))
    assert (plain.move, plain.value, plain.nodes) == (timed.move, timed.value, timed.nodes)


def test_duchess_has_times_too():
    limits = SearchLimits(time=GameTime(2.0))
    result = load_player("duchess-0").search(duchess.Position(4), limits=limits)
    assert result.depth >= 1


def test_a_table_is_as_large_as_a_share_of_the_time_fills():
    short, long = (SearchLimits(time=GameTime(each)).table_mb for each in (1.0, 600.0))
    assert 1 <= short < long
