"""Matches with a clock: games that end in time, losses on time, and what is kept of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from crossboard._core import DrawRules
from crossboard._core.draughts import Chooser
from crossboard.arena.agreement import describe_agreement, list_differences
from crossboard.arena.conditions import Conditions
from crossboard.arena.game_file import keeping_games
from crossboard.arena.match import Fixture, MatchResult, Terms, play_match
from crossboard.arena.openings import openings
from crossboard.draughts import Move, Position
from crossboard.players import GameTime, Player, SearchLimits, load_player

ONE_SECOND = SearchLimits(time=GameTime(1.0), clock="cpu")


def terms(pairs: int, limits: SearchLimits, max_plies: int = 0) -> Terms:
    rules = DrawRules(max_plies=max_plies)
    return Terms(pairs=pairs, openings=openings("ballots", 1), limits=limits, rules=rules)


def play(one: Player, other: Player, agreed: Terms, workers: int = 1) -> MatchResult:
    with ThreadPoolExecutor(workers) as pool:
        return play_match(one, other, agreed, pool, workers=workers)


class Sleeper(Player):
    """Sleeps before every move, and remembers what it was told of its clock."""

    pause = 0.0

    def chooser(self, limits: SearchLimits | None = None) -> Chooser:
        self.told: list[GameTime] = []
        return Chooser.python(self)

    def begin_game(self, seed: int) -> None:
        pass

    def choose(  # type: ignore[override]
        self,
        position: Position,
        history: Sequence[Position],
        left: tuple[float, float, int] | None = None,
    ) -> Move:
        if left is not None:
            self.told.append(GameTime(*left))
        time.sleep(self.pause)
        return position.legal_moves[0]


@pytest.mark.slow
@pytest.mark.sized
def test_no_game_is_lost_on_time():
    """Twenty games of one second a side; `make bench` plays a thousand."""
    players = load_player("draft5"), load_player("material")
    told = play(*players, terms(10, ONE_SECOND), workers=2).as_json()
    assert told["games"] == 20
    assert told["reasons"] == {}


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_a_player_that_takes_too_long_loses(clock: str):
    """What Python and outside engines take is counted on the wall, whatever the clock."""
    slow = Sleeper("slow")
    slow.pause = 0.2
    limits = SearchLimits(time=GameTime(0.5), clock=clock)
    result = play(slow, Sleeper("quick"), terms(2, limits))
    told = result.as_json()
    assert (told["losses"], told["games"]) == (4, 4)
    assert told["endings"] == {"forfeit": 4}
    assert told["reasons"] == {"slow: out of time": 4}
    assert all(game.plies <= 3 + 2 * 3 for game in result.games)  # of the ballot and of its time


def test_players_are_told_what_they_have_left():
    one = Sleeper("one")
    play(one, Sleeper("other"), terms(1, SearchLimits(time=GameTime(600.0, 2.0)), max_plies=23))
    assert one.told[0] == GameTime(600.0, 2.0)
    first_game = one.told[:10]
    assert all(now.seconds > before.seconds for before, now in pairwise(first_game))
    assert one.told[10] == GameTime(600.0, 2.0)


def test_without_a_clock_they_are_told_nothing():
    one = Sleeper("one")
    play(one, Sleeper("other"), terms(1, SearchLimits(depth=1), max_plies=23))
    assert one.told == []


def keep(path: Path, agreed: Terms, *, resume: bool) -> MatchResult:
    """Play a match into a file, as the command does."""
    slow, quick = Sleeper("slow"), Sleeper("quick")
    slow.pause = 0.03
    agreement = describe_agreement([slow, quick], agreed, "match")
    result = MatchResult("slow", "quick")
    with keeping_games(str(path), agreement, resume=resume) as kept:
        kept.restore([Fixture(slow, quick, agreed, result)])
        with ThreadPoolExecutor(1) as pool:
            play_match(slow, quick, agreed, pool, on_pair=kept.keep, into=result)  # type: ignore[arg-type]
    return result


def test_losses_on_time_are_kept_and_read_back(tmp_path: Path):
    path = tmp_path / "games.pdn"
    agreed = terms(2, SearchLimits(time=GameTime(0.05)))
    before = keep(path, agreed, resume=False)
    assert path.read_text("utf-8").count("{forfeit: out of time}") == 4
    after = keep(path, agreed, resume=True)
    assert after.resumed == 2
    assert list(after.games) == list(before.games)
    assert after.as_json()["reasons"] == {"slow: out of time": 4}


def test_another_time_is_another_match(tmp_path: Path):
    path = tmp_path / "games.pdn"
    keep(path, terms(1, SearchLimits(time=GameTime(0.05))), resume=False)
    with pytest.raises(
        ValueError, match=r"other terms: limits time \(\"0\.000833333\+0\", now \"1\+2"
    ):
        keep(path, terms(1, SearchLimits(time=GameTime(60.0, 2.0))), resume=True)


def test_the_time_is_among_the_terms():
    players = [Player("a"), Player("b")]
    asked = Conditions(time="5+3", clock="cpu")
    agreed = asked.terms(players, 2)
    assert agreed.limits == SearchLimits(time=GameTime(300.0, 3.0), clock="cpu")
    told = asked.as_json(agreed, players[0].game, 2)
    assert told["limits"] == {"time": "5+3", "clock": "cpu"}
    one, other = (
        describe_agreement(players, Conditions(time=each).terms(players, 2), "match")
        for each in ("5+3", "5+4")
    )
    assert list(list_differences(one, other)) == ['limits time ("5+3", now "5+4")']


def test_a_depth_beside_the_time_makes_players_weaker():
    asked = Conditions(time="5+3", depth=1, max_plies=23)
    agreed = asked.terms([Player("a"), Player("b")], 2)
    assert agreed.limits == SearchLimits(depth=1, time=GameTime(300.0, 3.0))
    timed, plain = (
        play(load_player("draft5"), Player("b"), terms(2, limits, 23))
        for limits in (agreed.limits, SearchLimits(depth=1))
    )
    assert list(timed.games) == list(plain.games)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"time": "0"}, "--time '0': give minutes for the game"),
        ({"time": "0+0"}, r"--time 0\+0: give more than no time"),
        ({"time": "5+3", "seconds": 1.0, "nodes": 9}, "combined with --seconds, --nodes"),
        ({"time": "5+3", "own_limits": True}, "--own-limits keeps .* combined with --time"),
    ],
)
def test_a_time_that_makes_no_sense_is_refused(asked: dict[str, Any], words: str):
    players = [Player("a"), Player("b")]
    with pytest.raises(ValueError, match=words):
        Conditions(**asked).terms(players, 2)
