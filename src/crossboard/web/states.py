"""A saved game as the page is told it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from crossboard.play.game_store import StoredSummary
from crossboard.play.saved_game import SavedGame
from crossboard.players.games import Seat, find_game
from crossboard.web.boards import BOARDS
from crossboard.web.messages import (
    GameEvent,
    GameState,
    GameSummary,
    LegalMove,
    LessonState,
    PlayedMove,
    SeatState,
    Thought,
)


def topic_of(game: str) -> str:
    """Return the topic under which the events of a game are sent."""
    return f"games/{game}"


def state_of(
    name: str, saved: SavedGame, connected: Collection[Seat], *, can_learn: bool = False
) -> GameState:
    """Return all that the page shows of a game."""
    contest, rules = saved.contest, saved.rules
    board, position = BOARDS[rules.name], contest.position
    turn, ending = contest.turn, contest.ending
    is_over = ending is not None
    return GameState(
        id=name,
        number=saved.number,
        game=rules.name,
        title=_title(rules.title),
        players=len(contest.seats),
        ply=len(contest.moves),
        position=rules.format(position),
        turn=None if turn is None else str(turn),
        turn_title="" if turn is None else rules.seat_title(turn),
        is_over=is_over,
        verdict=contest.verdict,
        winner=ending.winner if ending else None,
        note="" if is_over else board.note(position),
        pieces=board.pieces(position),
        legal_moves=[] if is_over else board.legal_moves(position),
        must_pass=contest.must_pass,
        seats=[_seat(saved, seat, seat in connected) for seat in contest.seats],
        played=_played(saved),
        boxes=board.boxes(position),
        thought=_last_thought(saved),
        is_thinking=contest.computer_on_turn is not None,
        can_undo=_can_undo(saved),
        can_learn=can_learn,
        lesson=_lesson(saved),
        time=saved.setup.time,
    )


def event_of(name: str, number: int, event: Mapping[str, Any]) -> GameEvent:
    """Return a stored event without the state after it."""
    seat = event.get("seat")
    return GameEvent(
        topic=topic_of(name),
        number=number,
        kind=event["kind"],
        seat=None if seat is None else str(seat),
        text=event.get("move", ""),
    )


def summary_of(stored: StoredSummary) -> GameSummary:
    """Return a game as the list of games shows it."""
    told = dict(stored.summary)
    del told["position"]
    title = _title(find_game(told["game"]).title)
    return GameSummary(id=stored.game, changed=stored.changed, title=title, **told)


def thought_of(saved: SavedGame, seat: Seat, told: Mapping[str, Any]) -> Thought:
    """Return what a computer found, its bar seen by the side that begins."""
    begins = saved.rules.side_of_seat(seat) == saved.rules.sides[0]
    bar = told["bar"] if begins else -told["bar"]
    return Thought(seat=str(seat), **{**told, "bar": bar})


def legal_move_of(saved: SavedGame, text: str) -> LegalMove:
    """Return a legal move of the position now by its text."""
    moves = BOARDS[saved.rules.name].legal_moves(saved.contest.position)
    return next(move for move in moves if move.text == text)


def _title(title: str) -> str:
    return title[:1].upper() + title[1:]


def _seat(saved: SavedGame, seat: Seat, is_connected: bool) -> SeatState:
    occupant = saved.occupants.get(seat)
    if occupant is None:
        name = manner = ""
    else:
        name, manner = occupant.player, occupant.manner
    holder = "person" if occupant is None else "deputy" if seat in saved.deputies else "computer"
    return SeatState(
        seat=str(seat),
        holder=cast("Any", holder),
        name=name,
        manner=manner,
        is_connected=is_connected,
        seconds_left=_seconds_left(saved, seat),
    )


def _seconds_left(saved: SavedGame, seat: Seat) -> float | None:
    return None if saved.setup.time is None else round(saved.contest.seconds_left(seat), 2)


def _lesson(saved: SavedGame) -> LessonState | None:
    if saved.lesson is None:
        return None
    return LessonState(**{name: saved.lesson[name] for name in LessonState.model_fields})


def _played(saved: SavedGame) -> list[PlayedMove]:
    board, contest = BOARDS[saved.rules.name], saved.contest
    before = contest.history
    return [
        PlayedMove(
            ply=ply,
            seat=str(one.seat),
            text=one.text,
            path=board.path(before[ply - 1], one.move),
        )
        for ply, one in enumerate(contest.played, 1)
    ]


def _last_thought(saved: SavedGame) -> Thought | None:
    if not saved.thoughts:
        return None
    ply = max(saved.thoughts)
    return thought_of(saved, saved.contest.history[ply].turn, saved.thoughts[ply])


def _can_undo(saved: SavedGame) -> bool:
    if saved.lesson is not None:  # which must be undone first
        return False
    try:
        saved.contest.plies_to_take_back()
    except ValueError:
        return False
    return True
