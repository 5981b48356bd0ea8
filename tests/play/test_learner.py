"""A computer that learns from a game against a person: once, and not if the game goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossboard.draughts import Position
from crossboard.evaluators import Network, feature_mapping
from crossboard.learn.people import CannotLearn
from crossboard.play.contest import Contest
from crossboard.play.learner import GameLesson, Learner, make_learner
from crossboard.play.thinkers import Dice, Thinker
from crossboard.players import Player, SearchLimits, load_player

NETWORK = Network.initial(feature_mapping("lynch"), 3, seed=1)


@pytest.fixture
def thinker(tmp_path: Path) -> Thinker:
    Player("net", NETWORK, limits=SearchLimits(depth=1)).save(tmp_path / "net")
    return Thinker(str(tmp_path / "net"))


@pytest.fixture
def learner(thinker: Thinker) -> Learner:
    return make_learner(thinker, Thinker("material"), "W")


def lost_game(thinker: Thinker) -> Contest:
    game = Contest(Position(), {"W": thinker})
    game.play("11-15")
    game.answer()
    game.resign()
    return game


def test_a_game_is_learnt_once_and_saved(thinker: Thinker, learner: Learner):
    record = lost_game(thinker).record()
    lesson = learner.learn(record)
    assert lesson is not None
    assert (lesson.name, lesson.folder, lesson.boards) == ("net", learner.folder, 2)
    assert 0 < lesson.mean_error <= lesson.max_error
    assert load_player(learner.folder).evaluator == thinker.player.evaluator != NETWORK
    assert learner.learn(record) is None


def test_a_game_that_goes_on_is_forgotten(thinker: Thinker, learner: Learner):
    learner.learn(lost_game(thinker).record())
    assert learner.forget()
    assert load_player(learner.folder).evaluator == thinker.player.evaluator == NETWORK
    assert not learner.forget()


def test_what_was_learnt_stays_when_another_game_begins(thinker: Thinker, learner: Learner):
    learner.learn(lost_game(thinker).record())
    learner.begin()
    assert not learner.forget()
    assert thinker.player.evaluator != NETWORK


def test_without_a_move_there_is_no_lesson(thinker: Thinker, learner: Learner):
    game = Contest(Position(), {"W": thinker})
    game.resign()
    assert learner.learn(game.record()) == GameLesson("net", learner.folder)
    assert thinker.player.evaluator == NETWORK


def test_a_computer_that_does_not_think_cannot_learn():
    with pytest.raises(CannotLearn, match="random cannot learn from a game: it does not think"):
        make_learner(Dice("random", "draughts", 1), Thinker("material"), "W")
