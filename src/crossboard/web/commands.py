"""The routes that change games."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Path

from crossboard.players import SearchLimits
from crossboard.web.messages import (
    Created,
    DrawReply,
    ErrorReply,
    GameState,
    Hint,
    MoveCommand,
    NewGame,
    PlyCommand,
)
from crossboard.web.refusals import Refusal
from crossboard.web.requests import CommandKey, Games, SeatKeys

HINT_SECONDS = 1.0
# Chosen: three lines on a phone.
MOST_REASON = 130

router = APIRouter(
    prefix="/api/games",
    tags=["games"],
    responses={status: {"model": ErrorReply} for status in (403, 404, 409)},
)
GameName = Annotated[str, Path(max_length=40)]


@router.post("", status_code=201)
async def begin(asked: NewGame, games: Games, command: CommandKey) -> Created:
    """Begin a game; the reply has the keys of the seats that people have."""
    return await games.create(asked, command)


@router.post("/{name}/moves")
async def move(
    name: GameName, asked: MoveCommand, games: Games, keys: SeatKeys, command: CommandKey
) -> GameState:
    """Make a move; the reply comes after it is stored."""
    room = await games.room(name)
    text = asked.text or "-".join(asked.cells)
    if not text:
        raise Refusal(422, "text or cells: a move is one of them, such as 11-15")
    try:
        return await room.move(room.seats_with(keys), command, asked.expected_ply, text)
    except Refusal:
        raise
    except ValueError as error:
        raise Refusal(422, _why(error, room.state.position)) from error


@router.post("/{name}/undo")
async def undo(
    name: GameName, asked: PlyCommand, games: Games, keys: SeatKeys, command: CommandKey
) -> GameState:
    """Take the last move of a person back, with the answers to it."""
    room = await games.room(name)
    return await room.undo(room.seats_with(keys), command, asked.expected_ply)


@router.post("/{name}/resignation")
async def resign(
    name: GameName, asked: PlyCommand, games: Games, keys: SeatKeys, command: CommandKey
) -> GameState:
    """Give the game up."""
    room = await games.room(name)
    return await room.resign(room.seats_with(keys), command, asked.expected_ply)


@router.post("/{name}/draw")
async def offer_draw(
    name: GameName, asked: PlyCommand, games: Games, keys: SeatKeys, command: CommandKey
) -> DrawReply:
    """Offer a draw; a computer accepts if its search says that it is at most equal."""
    room = await games.room(name)
    return await room.offer_draw(room.seats_with(keys), command, asked.expected_ply)


@router.post("/{name}/lesson")
async def learn(
    name: GameName, asked: PlyCommand, games: Games, keys: SeatKeys, command: CommandKey
) -> GameState:
    """Let the computer learn from the finished game, in a copy that names its origin."""
    room = await games.room(name)
    return await room.learn(room.seats_with(keys), command, asked.expected_ply)


@router.post("/{name}/unlearning")
async def unlearn(
    name: GameName, asked: PlyCommand, games: Games, keys: SeatKeys, command: CommandKey
) -> GameState:
    """Undo what was learnt from the game."""
    room = await games.room(name)
    return await room.unlearn(room.seats_with(keys), command, asked.expected_ply)


@router.post("/{name}/hint")
async def give_hint(name: GameName, asked: PlyCommand, games: Games) -> Hint:
    """Search for the best move of the seat on turn."""
    room = await games.room(name)
    usual = room.saved.rules.usual_player(room.saved.contest.position)
    return await room.hint(asked.expected_ply, usual, SearchLimits(seconds=HINT_SECONDS))


def _why(error: ValueError, position: str) -> str:
    """Return why a move is illegal, without what the page shows anyway.

    That is the position, and all legal moves where they are many.
    """
    text = re.sub(" is not legal in '[^']*'", "", str(error))  # a long one is cut off there
    text = text.replace(f" is not legal in {position}", "")
    return text if len(text) <= MOST_REASON else text.partition("; legal: ")[0]
