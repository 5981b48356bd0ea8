"""The routes that only read: games, players, openings, boards, records."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import PlainTextResponse

from crossboard.players.games import DRAUGHTS
from crossboard.web.boards import geometry_of
from crossboard.web.messages import (
    BallotInfo,
    ErrorReply,
    GamesReply,
    GameState,
    Geometry,
    Health,
    OpeningsReply,
    PlayersReply,
    TokenRequest,
)
from crossboard.web.refusals import Refusal
from crossboard.web.requests import Games
from crossboard.web.session import COOKIE, is_same

router = APIRouter(prefix="/api", tags=["lists"], responses={404: {"model": ErrorReply}})
GameName = Annotated[str, Path(max_length=40)]


@router.get("/health")
async def answer() -> Health:
    """Answer, so that others know that the server runs."""
    return Health(version=version("crossboard"))


@router.post("/session", status_code=204)
async def show_token(asked: TokenRequest, request: Request) -> Response:
    """Exchange the token of the printed address for a cookie."""
    access = request.app.state.settings.access
    if access.token is not None and not is_same(asked.token, access.token):
        raise Refusal(403, "this is not the token that the server printed")
    reply = Response(status_code=204)
    reply.set_cookie(COOKIE, access.cookie, httponly=True, samesite="strict")
    return reply


@router.get("/games")
async def list_games(games: Games) -> GamesReply:
    """Return the games that changed last."""
    return GamesReply(games=await games.games())


@router.get("/games/{name}")
async def show(name: GameName, games: Games) -> GameState:
    """Return how a game stands."""
    return (await games.room(name)).state


# A plain Response leaves errors JSON in the schema too.
@router.get(
    "/games/{name}/record",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def download(name: GameName, games: Games) -> PlainTextResponse:
    """Return the record of a game: PDN, or a record of Duchess."""
    room = await games.room(name)
    suffix = room.saved.rules.record_suffix
    disposition = f'attachment; filename="{room.saved.rules.name}-{name}{suffix}"'
    return PlainTextResponse(
        room.saved.contest.text(), headers={"content-disposition": disposition}
    )


@router.get("/players")
async def list_players(games: Games) -> PlayersReply:
    """Return the players that may be named."""
    return PlayersReply(players=await asyncio.to_thread(games.listing.players))


@router.get("/openings")
async def list_openings() -> OpeningsReply:
    """Return the three-move ballots of draughts."""
    return OpeningsReply(
        ballots=[
            BallotInfo(
                number=ballot.number,
                name=ballot.name,
                moves=" ".join(ballot.moves),
                position=ballot.position.fen,
            )
            for ballot in DRAUGHTS.ballots()
        ]
    )


@router.get("/geometry/{game}/{players}")
async def show_board(
    game: Annotated[str, Path(max_length=20)], players: Annotated[int, Path(ge=2, le=6)]
) -> Geometry:
    """Return the board of a game: cells, seats, looks."""
    return geometry_of(game, players)
