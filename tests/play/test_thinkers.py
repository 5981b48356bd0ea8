"""Computers in a game: random ones, those that search, and those that give hints."""

from __future__ import annotations

import random

import pytest

from crossboard.draughts import Position
from crossboard.play.thinkers import DEFAULT_LIMITS, Thinker, find_adviser, find_computer
from crossboard.players import SearchLimits
from crossboard.players.games import DRAUGHTS

HINT_DEPTH = DRAUGHTS.hint_depth


def test_random_moves_come_from_the_generator() -> None:
    def choose(seed: int) -> str:
        dice = find_computer("random", Position(), SearchLimits(), seed)
        return str(dice.choose(Position(), ()))

    moves = [choose(seed) for seed in range(200)]
    assert set(moves) == {str(move) for move in Position().legal_moves}
    assert choose(7) == moves[7] == str(random.Random(7).choice(Position().legal_moves))


def test_a_hint_looks_deeper_than_an_easy_opponent() -> None:
    def limits_for(asked: SearchLimits) -> SearchLimits:
        return find_adviser(find_computer("material", Position(), asked, 0), Position()).limits

    assert limits_for(SearchLimits(depth=1)) == SearchLimits(depth=HINT_DEPTH)
    assert limits_for(SearchLimits(depth=20)) == SearchLimits(depth=20)
    assert limits_for(SearchLimits(seconds=2)) == SearchLimits(seconds=2)


def test_a_thinker_neither_thinks_about_a_forced_move_nor_needs_a_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("it thinks")

    monkeypatch.setattr("crossboard.play.thinkers.find_player", fail)
    thinker = Thinker("material", SearchLimits(seconds=1.0))
    forced = Position.from_fen("B:W18:B14")
    assert str(thinker.choose(forced, ())) == "14x23"
    with pytest.raises(AssertionError, match="it thinks"):
        thinker.choose(Position(), ())


def test_a_thinker_remembers_nothing_of_what_was_taken_back() -> None:
    thinker = Thinker("material", SearchLimits(depth=9))
    first, second = (thinker.think(Position(), ()) for _ in range(2))
    assert first.nodes == second.nodes


def test_the_replies_of_a_level_depend_on_the_seed_and_on_the_game() -> None:
    def replies(seed: int) -> list[str]:
        level = find_computer("champion@1", Position(), SearchLimits(), seed)
        history, found = [Position()], []
        for _ in range(12):
            found.append(str(level.choose(history[-1], history[:-1])))
            # What it was asked before has no part in it: moves may be taken back.
            assert str(level.choose(history[-1], history[:-1])) == found[-1]
            history.append(history[-1].after(history[-1].parse_move(found[-1])))
        return found

    assert replies(1) == replies(1)
    assert len({tuple(replies(seed)) for seed in range(5)}) == 5


def test_a_hint_against_a_level_is_that_of_the_usual_player() -> None:
    adviser = find_adviser(find_computer("champion@2", Position(), SearchLimits(), 0), Position())
    assert adviser.called == "champion"
    assert adviser.limits == DEFAULT_LIMITS
