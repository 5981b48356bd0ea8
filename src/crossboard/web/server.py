"""Runs the server: where it listens, what it prints, how it ends."""

from __future__ import annotations

import asyncio
import errno
import secrets
import signal
import socket
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from crossboard.play.page_request import FirstGame, PageRequest
from crossboard.players.games import game_of
from crossboard.web.app import ServerSettings, make_app
from crossboard.web.messages import SetupReply
from crossboard.web.session import Access

MOST_MESSAGE_BYTES = 16 * 1024
# Chosen: long enough for what is being stored; open sockets are closed then.
GRACEFUL_SECONDS = 2
SHARED = (
    "Other machines can reach this server: give its whole address, with the token, to the people "
    "who may play."
)


class PageServer(uvicorn.Server):
    """Prints its address once it listens, and ends on the first SIGINT or SIGTERM."""

    def __init__(self, config: uvicorn.Config, address: str, opens_browser: bool) -> None:
        super().__init__(config)
        self._address = address
        self._opens_browser = opens_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, then print the address on one line."""
        await super().startup(sockets)
        if self.should_exit:
            return
        print(self._address, flush=True)
        if self._opens_browser:
            await asyncio.to_thread(webbrowser.open, self._address)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on a signal, without raising it again: the server ends as it was asked to."""
        names = [signal.SIGINT, signal.SIGTERM]
        before = {each: signal.signal(each, self.handle_exit) for each in names}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def serve(request: PageRequest) -> None:
    """Serve the page until Ctrl-C or SIGTERM; raise OSError if the port is taken."""
    access = Access.for_host(request.host)
    with _listen(request) as listener:
        setup = None if request.first is None else setup_of(request.first)
        app = make_app(ServerSettings(request.data, access, setup, request.grace_seconds))
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            ws="websockets-sansio",
            ws_max_size=MOST_MESSAGE_BYTES,
            server_header=False,
            timeout_graceful_shutdown=GRACEFUL_SECONDS,
        )
        address = address_of(request.host, listener.getsockname()[1], access)
        if access.token is not None:
            print(SHARED, file=sys.stderr)
        PageServer(config, address, request.opens_browser).run([listener])


def setup_of(first: FirstGame) -> SetupReply:
    """Return the first game as the page is told it."""
    game = game_of(first.start)
    seats = game.seats(first.start)
    is_usual_start = first.start == game.start(len(seats))
    return SetupReply(
        game=game.name,
        players=len(seats),
        start=None if is_usual_start else game.format(first.start),
        people=[str(seat) for seat in seats if seat in first.people],
        player=first.player,
        seconds=first.seconds,
        depth=first.depth,
        time=first.time,
        is_asked=first.is_asked,
        command=secrets.token_urlsafe(16),
    )


def address_of(host: str, port: int, access: Access) -> str:
    """Return the address to open; with a token it stands in the fragment."""
    token = "" if access.token is None else f"#token={access.token}"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/{token}"


def _listen(request: PageRequest) -> socket.socket:
    family = socket.AF_INET6 if ":" in request.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    # A server that has just ended leaves its port to the next one.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((request.host, request.port))
    except OSError as error:
        listener.close()
        where = f"{request.host}:{request.port}"
        if error.errno == errno.EADDRINUSE:
            hint = "another program listens there: try --port 0, which takes a free one"
            raise OSError(error.errno, hint, where) from error
        raise OSError(error.errno, error.strerror, where) from error
    return listener
