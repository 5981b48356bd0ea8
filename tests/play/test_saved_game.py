"""Games that survive their process: proposed, stored, applied, and played again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crossboard.draughts import IllegalMove, Position
from crossboard.play.game_store import StoredEvent, StoredGame, StoreError
from crossboard.play.saved_game import Occupant, SavedGame, Setup

START = Position().fen
OPPONENT = Occupant("random", seconds=0.5)


def make(**computers: Occupant) -> SavedGame:
    return SavedGame(Setup("draughts", START, computers))


class Kept:
    """Applies events, and keeps them as a store would."""

    def __init__(self, game: SavedGame) -> None:
        self.game = game
        self.events: list[StoredEvent] = []

    def take(self, event: dict[str, Any], command: str | None = None) -> None:
        event = json.loads(json.dumps(event))
        summary = self.game.preview(event)
        self.game.apply(event, command)
        assert self.game.summary() == summary
        self.events.append(StoredEvent(self.game.number, event, command))

    def again(self) -> SavedGame:
        setup = json.loads(json.dumps(self.game.setup.as_json()))
        return SavedGame.restore(StoredGame(setup, self.events, {}))


def played(game: SavedGame) -> list[str]:
    return [one.text for one in game.contest.played]


def test_a_game_is_played_again_from_its_events() -> None:
    kept = Kept(make(W=OPPONENT))
    kept.take(kept.game.propose_move("11-15", 1.25), "first")
    thought = {"value": "+0.10", "bar": 0.1, "depth": 3, "line": "22-18", "seconds": 0.5}
    kept.take(kept.game.propose_move("22-18", 0.5, thought))
    again = kept.again()
    assert played(again) == ["11-15", "22-18"]
    assert again.thoughts == {1: thought}
    assert (again.number, again.commands) == (2, {"first": 1})
    assert again.occupants == {"W": OPPONENT}
    assert again.contest.text() == kept.game.contest.text()


def test_undo_resignation_and_draw_are_events() -> None:
    kept = Kept(make(W=OPPONENT))
    kept.take(kept.game.propose_move("11-15", 0))
    kept.take(kept.game.propose_move("22-18", 0, {"bar": 0}))
    kept.take(kept.game.propose_resignation("B"))
    assert kept.again().contest.verdict == "White (random) wins: Black resigns."
    kept.take(kept.game.propose_back())
    assert kept.again().contest.ending is None
    assert played(kept.again()) == ["11-15", "22-18"]
    kept.take(kept.game.propose_back())
    assert played(kept.again()) == []
    assert kept.again().thoughts == {}
    kept.take(kept.game.propose_draw())
    assert kept.again().contest.verdict == "Drawn: by agreement."


def test_a_seat_changes_hands() -> None:
    start = "4; 1:K1a1 R1a2; 2:K2a1; 3:K4a1; 4:K5a1; turn 1"
    kept = Kept(SavedGame(Setup("duchess", start, {})))
    kept.take(kept.game.propose_occupant(2, OPPONENT, is_deputy=True))
    again = kept.again()
    assert again.occupants == {2: OPPONENT}
    assert again.deputies == {2}
    kept.take(kept.game.propose_occupant(2, None))
    assert kept.again().occupants == {}
    assert kept.again().deputies == set()


def test_what_makes_no_sense_is_not_proposed() -> None:
    game = make(W=OPPONENT)
    with pytest.raises(IllegalMove):
        game.propose_move("11-20", 0)
    with pytest.raises(ValueError, match="nothing to take back"):
        game.propose_back()
    game.apply(game.propose_draw())
    for propose in (lambda: game.propose_move("11-15", 0), game.propose_draw):
        with pytest.raises(ValueError, match="the game is over"):
            propose()


@pytest.mark.parametrize(
    "event",
    [{}, {"kind": "none"}, {"kind": "move"}, {"kind": "move", "move": "11-20", "seconds": 0}],
)
def test_a_damaged_event_is_named(event: dict[str, Any]) -> None:
    stored = StoredGame(make().setup.as_json(), [StoredEvent(1, event)], {})
    with pytest.raises(StoreError, match="event 1 of a game is damaged"):
        SavedGame.restore(stored)


def test_a_damaged_setup_is_named() -> None:
    with pytest.raises(StoreError, match="a stored game is damaged"):
        Setup.from_json({"game": "draughts"})


def test_clocks_are_restored_with_what_every_move_took() -> None:
    kept = Kept(SavedGame(Setup("draughts", START, {}, "1+2")))
    kept.take(kept.game.propose_move("11-15", 12.5))
    again = kept.again()
    assert again.contest.seconds_left("B") == 60 + 2 - 12.5 + 2
    kept.take(kept.game.propose_lateness("W"))
    assert kept.again().contest.verdict == "Black wins: White is out of time."
