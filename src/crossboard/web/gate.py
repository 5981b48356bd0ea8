"""What stands before every route: limits, hosts, tokens, and the headers of every answer."""

from __future__ import annotations

import json
from contextlib import suppress

from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from crossboard.web.session import Access

MOST_BODY = 64 * 1024
MOST_DIGITS = 12  # of a length, before it is read as a number
TOO_LARGE = f"a request holds at most {MOST_BODY:,} bytes"
HEADERS = {
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'self'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
# What needs no token: whether the server is there, and how to show the token.
FREE = ("/api/health", "/api/session")


class BodyTooLarge(Exception):
    """A body that is longer than any that the page sends."""


class Gate:
    """ASGI middleware: refuses what no page of ours sends, before anything else reads it."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it with a sentence."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = {
            key.decode("latin-1").lower(): value.decode("latin-1")
            for key, value in scope["headers"]
        }
        refused = self._refuse(scope, headers)
        if refused is not None:
            await _answer(scope, receive, send, *refused)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        await self._pass(scope, receive, send)

    def _refuse(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        if reason := self._access.refuse(headers):
            return 403, reason
        path: str = scope["path"]
        # Other servers of this machine may have set cookies that no standard allows.
        cookies = cookie_parser(headers.get("cookie", ""))
        needs_token = path.startswith("/api") and path not in FREE
        if needs_token and not self._access.knows(headers, cookies):
            return 401, "this server needs its token: open the whole address that it printed"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > MOST_DIGITS or int(length) > MOST_BODY:
            return 413, TOO_LARGE
        return None

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        taken = 0

        async def limited() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > MOST_BODY:
                raise BodyTooLarge
            return message

        async def with_headers(message: Message) -> None:
            if taken > MOST_BODY:  # whatever the route made of it
                return
            if message["type"] == "http.response.start":
                own = [(key.encode(), value.encode()) for key, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", ()), *own]
            await send(message)

        with suppress(BodyTooLarge):
            await self._app(scope, limited, with_headers)
        if taken > MOST_BODY:
            await _answer(scope, receive, send, 413, TOO_LARGE)


async def _answer(scope: Scope, receive: Receive, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": sentence[:100]})
        return
    body = json.dumps({"error": sentence, "state": None}).encode()
    own = [(key.encode(), value.encode()) for key, value in HEADERS.items()]
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [
                (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
                *own,
            ],
        }
    )
    await send({"type": "http.response.body", "body": body})
