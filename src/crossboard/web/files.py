"""The page itself: its files, sent with the first state; and the list of the routes."""

from __future__ import annotations

import asyncio
import html
import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi import Path as PathParameter
from fastapi.responses import FileResponse, HTMLResponse, Response

from crossboard.web.boards import geometry_of
from crossboard.web.lobby import Lobby
from crossboard.web.messages import FirstState
from crossboard.web.refusals import Refusal

router = APIRouter(include_in_schema=False)
FIRST = "<!-- first state -->"
MODULES = "<!-- modules of the view -->"
# Fetched beside main.js, which asks for them only when it runs.
HOME_MODULES = ("home.js",)
GAME_MODULES = ("play.js", "board.js", "sound.js")
TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


@cache
def page_folder() -> Path:
    """Return where the files of the page are."""
    return Path(str(files("crossboard.web"))) / "page"


@router.get("/")
async def home(request: Request) -> Response:
    """Send the page for its first view."""
    lobby: Lobby = request.app.state.lobby
    settings = request.app.state.settings
    if not settings.access.knows(request.headers, request.cookies):
        return _page(FirstState(needs_token=True))
    players = await asyncio.to_thread(lobby.listing.players)
    games = await lobby.games()
    setup = settings.setup
    if setup is not None and lobby.has_created(setup.command):  # it is for the first page only
        setup = setup.model_copy(update={"is_asked": False})
    return _page(FirstState(setup=setup, games=games, players=players), HOME_MODULES)


@router.get("/games/{name}")
async def game(name: Annotated[str, PathParameter(max_length=40)], request: Request) -> Response:
    """Send the page for a game, with how it stands."""
    lobby: Lobby = request.app.state.lobby
    if not request.app.state.settings.access.knows(request.headers, request.cookies):
        return _page(FirstState(needs_token=True))
    try:
        state = (await lobby.room(name)).state
    except Refusal:
        return _page(FirstState(), status=404)
    geometry = geometry_of(state.game, state.players)
    return _page(FirstState(state=state, geometry=geometry), GAME_MODULES)


@router.get("/page/{path:path}")
async def file(path: str) -> Response:
    """Send one file of the page."""
    folder = page_folder()
    known = {one.relative_to(folder).as_posix(): one for one in folder.rglob("*")}
    found = known.get(path)
    if found is None or found.suffix not in TYPES:
        raise Refusal(404, "the page has no such file")
    # Asked for again each time, and sent only if it has changed.
    return FileResponse(
        found, media_type=TYPES[found.suffix], headers={"cache-control": "no-cache"}
    )


@router.get("/api")
async def describe(request: Request) -> Response:
    """List the routes for people; /api/openapi.json has them for programs."""
    schema = request.app.openapi()
    rows = [
        f"<tr><th scope='row'><code>{method.upper()} {html.escape(path)}</code></th>"
        f"<td>{html.escape(route.get('description', ''))}</td></tr>"
        for path, methods in schema["paths"].items()
        for method, route in methods.items()
    ]
    text = (page_folder() / "api.html").read_text("utf-8")
    return HTMLResponse(text.replace("<!-- routes -->", "\n".join(rows)))


def _page(first: FirstState, modules: tuple[str, ...] = (), status: int = 200) -> HTMLResponse:
    text = (page_folder() / "index.html").read_text("utf-8")
    # "</script>" in a name must not end the element.
    data = json.dumps(first.model_dump(mode="json")).replace("<", "\\u003c")
    element = f'<script type="application/json" id="first">{data}</script>'
    links = "\n".join(f'<link rel="modulepreload" href="/page/{name}">' for name in modules)
    reply = HTMLResponse(text.replace(MODULES, links).replace(FIRST, element), status)
    reply.headers["cache-control"] = "no-store"
    return reply
