"""The socket that carries events: each topic with its sequence of numbers."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from crossboard.web.lobby import Lobby
from crossboard.web.messages import ErrorReply, GameEvent, SubscribeRequest
from crossboard.web.refusals import Refusal
from crossboard.web.room import Room

router = APIRouter()
# Chosen: a page watches one game; a few more while it changes views.
MOST_TOPICS = 8
# Chosen: a page that has not read so many events asks again for what it missed.
MOST_UNSENT = 200
PREFIX = "games/"


@router.websocket("/api/socket")
async def carry(websocket: WebSocket) -> None:
    """Send the events of the topics that are asked for, until the page leaves."""
    await websocket.accept()
    await Subscriber(websocket).serve()


class Subscriber:
    """One page at the other end of a socket."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._lobby: Lobby = websocket.app.state.lobby
        self._unsent: asyncio.Queue[str | None] = asyncio.Queue(MOST_UNSENT)
        self._rooms: dict[str, Room] = {}

    async def serve(self) -> None:
        """Read requests and send events until either side ends."""
        sending = asyncio.create_task(self._send_all())
        reading = asyncio.create_task(self._read_all())
        try:
            await asyncio.wait({sending, reading}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for room in self._rooms.values():
                room.leave(self.put)
            for task in (sending, reading):
                task.cancel()
            await asyncio.gather(sending, reading, return_exceptions=True)

    def put(self, event: GameEvent) -> None:
        """Send an event as soon as the page takes it; a page that is too slow is let go."""
        self._put(event.model_dump_json())

    def _put(self, text: str | None) -> None:
        if self._unsent.full():
            self._unsent.get_nowait()
            text = None
        self._unsent.put_nowait(text)

    async def _send_all(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the page has gone
            while (text := await self._unsent.get()) is not None:
                await self._websocket.send_text(text)
            await self._websocket.close(1013, "too slow: ask again for what was missed")

    async def _read_all(self) -> None:
        with suppress(WebSocketDisconnect):
            while True:
                message: dict[str, Any] = dict(await self._websocket.receive())
                if message["type"] == "websocket.disconnect":
                    return
                await self._obey(message.get("text") or "")

    async def _obey(self, text: str) -> None:
        try:
            asked = SubscribeRequest.model_validate_json(text)
            await self._subscribe(asked)
        except ValidationError:
            self._complain("a message is a topic, a number after which to begin, and keys of seats")
        except Refusal as error:
            self._complain(str(error))

    async def _subscribe(self, asked: SubscribeRequest) -> None:
        if not asked.topic.startswith(PREFIX):
            raise Refusal(404, "there is no such topic: games/ID is one")
        if len(self._rooms) >= MOST_TOPICS and asked.topic not in self._rooms:
            raise Refusal(409, f"a socket carries at most {MOST_TOPICS} topics")
        room = await self._lobby.room(asked.topic.removeprefix(PREFIX))
        self._rooms[asked.topic] = room
        room.watch(self.put, asked.keys, asked.after)

    def _complain(self, sentence: str) -> None:
        self._put(ErrorReply(error=sentence).model_dump_json())
