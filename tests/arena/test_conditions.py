"""Conditions: what is asked for, and what is usual where nothing is, become terms."""

from __future__ import annotations

from typing import Any

import pytest

from crossboard._core import DrawRules
from crossboard.arena.conditions import Conditions
from crossboard.arena.sprt import Sprt
from crossboard.players import Player, RandomPlayer, SearchLimits, load_player
from crossboard.players.games import GAMES

DRAUGHTS = [RandomPlayer(), load_player("draft5")]
DUCHESS = [RandomPlayer(game="duchess"), load_player("duchess-2")]


def test_draughts_has_ballots_and_a_depth():
    terms = Conditions().terms(DRAUGHTS, 2)
    assert (terms.pairs, terms.limits, terms.rules) == (50, SearchLimits(depth=6), DrawRules())
    assert (terms.seed, terms.sprt, terms.first) == (0, None, 0)
    assert len(terms.openings.listed) > 100


def test_duchess_has_random_plies_and_the_limits_of_the_first_that_searches():
    terms = Conditions().terms(DUCHESS, 4)
    assert (terms.limits, terms.rules) == (DUCHESS[1].limits, GAMES["duchess"].draws)
    assert (len(terms.openings.listed), terms.openings.random_plies) == (1, 4)
    assert Conditions().terms([DUCHESS[0]] * 2, 4).limits == DUCHESS[0].limits


def test_what_is_asked_for_is_agreed_on():
    asked = Conditions(
        games=7, opening_source="random:5", nodes=9, seed=3, sprt="0,10", max_plies=8
    )
    terms = asked.terms(DRAUGHTS, 2)
    assert (terms.pairs, terms.limits, terms.seed) == (4, SearchLimits(nodes=9), 3)
    assert (terms.openings.random_plies, terms.openings.seed) == (5, 3)
    assert (terms.sprt, terms.rules) == (Sprt(0, 10), DrawRules(max_plies=8))
    assert Conditions(own_limits=True).terms(DRAUGHTS, 2).limits is None


def test_the_ufu_rule_replaces_repetition():
    rules = Conditions(loop_rule="ufu").terms(DRAUGHTS, 2).rules
    assert rules == DrawRules(repetitions=0, loop_moves=5)


def test_players_search_as_they_are_asked_to():
    assert Conditions().prepare(DRAUGHTS) == DRAUGHTS
    players = [Player("a"), load_player("draft5"), RandomPlayer()]
    for asked in (True, False):
        found = Conditions(quiescence=asked).prepare(players)
        assert [one.settings.quiescence for one in found[:2]] == [asked, asked]
        assert found[2] is players[2]


def test_the_clock_is_that_of_the_limits_or_of_every_player():
    asked = Conditions(clock="cpu", seconds=0.5)
    assert asked.terms(DRAUGHTS, 2).limits == SearchLimits(seconds=0.5, clock="cpu")
    players = [Player("a", limits=SearchLimits(seconds=2.0)), RandomPlayer()]
    own = Conditions(clock="cpu", own_limits=True).prepare(players)
    assert own[0].limits == SearchLimits(seconds=2.0, clock="cpu")
    assert own[1] is players[1]


@pytest.mark.parametrize(
    ("asked", "players", "words"),
    [
        ({"clock": "cpu", "depth": 3}, DRAUGHTS, "--clock cpu counts seconds: give --seconds"),
        ({"clock": "sun", "seconds": 1.0}, DRAUGHTS, "the clock is wall or cpu, not 'sun'"),
        ({"own_limits": True, "seconds": 1.0}, DRAUGHTS, "cannot be combined with --seconds"),
        ({"loop_rule": "usf"}, DRAUGHTS, "--loop-rule is none or ufu, not 'usf'"),
        ({"loop_rule": "ufu"}, DUCHESS, "a rule of draughts"),
        ({"sprt": "5"}, DRAUGHTS, "two Elo differences"),
        ({"depth": 0}, DRAUGHTS, "depth must be 1 to 200"),
        ({"opening_source": "nowhere"}, DUCHESS, "there is no 'nowhere'"),
    ],
)
def test_what_makes_no_sense_is_refused(asked: dict[str, Any], players: list[Player], words: str):
    with pytest.raises(ValueError, match=words):
        Conditions(**asked).terms(players, 4)
