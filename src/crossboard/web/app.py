"""The server's application: its routes, its errors, its life."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from crossboard.play.game_store import GameStore, StoreError
from crossboard.play.search_pool import SearchPool
from crossboard.play.wording import one_line
from crossboard.web import commands, files, lists, socket
from crossboard.web.gate import Gate
from crossboard.web.lobby import Lobby
from crossboard.web.messages import ErrorReply, SetupReply
from crossboard.web.players import Listing
from crossboard.web.refusals import Refusal
from crossboard.web.room import Surroundings
from crossboard.web.session import Access

STATUS_SENTENCES = {
    404: "there is nothing at this address: /api lists what there is",
    405: "this address does not take that method: /api lists what there is",
    500: "something went wrong in the server: its terminal shows what",
}


@dataclass(frozen=True)
class ServerSettings:
    """What a server is started with."""

    data: Path
    access: Access
    setup: SetupReply | None = None  # the first game
    grace_seconds: float = 60.0  # that a seat waits for its person
    threads: int | None = None  # for searches; None: as many as processors


def make_app(settings: ServerSettings) -> FastAPI:
    """Make the application; raise StoreError or RunIsHeld if its games cannot be opened."""
    around = Surroundings(
        GameStore(settings.data), SearchPool(settings.threads), settings.grace_seconds
    )

    @asynccontextmanager
    async def live(app: FastAPI) -> AsyncIterator[None]:
        app.state.lobby = Lobby(around, Listing())
        yield
        await app.state.lobby.close()

    app = FastAPI(
        title="Crossboard",
        version=version("crossboard"),
        description="Play English draughts and Duchess against players that teach themselves.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # its page would be fetched from elsewhere: /api is ours
        redoc_url=None,
        lifespan=live,
        responses={422: {"model": ErrorReply}},
    )
    app.state.settings = settings
    for part in (lists, commands, socket, files):
        app.include_router(part.router)
    _add_errors(app)
    app.add_middleware(Gate, access=settings.access)
    return app


def _add_errors(app: FastAPI) -> None:
    """Make every error one sentence of ours."""

    @app.exception_handler(Refusal)
    async def refuse(_: Request, error: Refusal) -> JSONResponse:
        return _answer(error.status, str(error), error)

    @app.exception_handler(StoreError)
    async def fail(_: Request, error: StoreError) -> JSONResponse:
        return _answer(503, str(error))

    @app.exception_handler(ValueError)
    async def explain(_: Request, error: ValueError) -> JSONResponse:
        return _answer(422, str(error))

    @app.exception_handler(RequestValidationError)
    async def point_out(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return _answer(422, f"{where}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def say(_: Request, error: HTTPException) -> JSONResponse:
        sentence = STATUS_SENTENCES.get(error.status_code, str(error.detail))
        return _answer(error.status_code, sentence)

    @app.exception_handler(500)
    async def hide(_: Request, error: BaseException) -> JSONResponse:
        return _answer(500, STATUS_SENTENCES[500])


def _answer(status: int, sentence: str, refusal: Refusal | None = None) -> JSONResponse:
    reply = ErrorReply(error=one_line(sentence), state=refusal.state if refusal else None)
    return JSONResponse(reply.model_dump(mode="json"), status)
