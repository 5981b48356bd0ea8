"""What routes take from a request besides its body: the lobby, seat keys, the command's key."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Header, Request

from crossboard.web.lobby import Lobby
from crossboard.web.refusals import Refusal

MOST_KEYS = 6


def find_lobby(request: Request) -> Lobby:
    """Return the games of this server."""
    return cast("Lobby", request.app.state.lobby)


def read_keys(
    x_seat_keys: Annotated[
        str, Header(max_length=400, description="keys of seats, separated by commas")
    ] = "",
) -> list[str]:
    """Return the keys of seats that a request brings."""
    keys = [key.strip() for key in x_seat_keys.split(",") if key.strip()]
    if len(keys) > MOST_KEYS:
        raise Refusal(422, f"X-Seat-Keys holds at most {MOST_KEYS} keys")
    return keys


def read_command(
    idempotency_key: Annotated[
        str,
        Header(
            pattern="^[A-Za-z0-9_-]{8,64}$",
            description="drawn anew for each command, the same when it is sent again",
        ),
    ],
) -> str:
    """Return the key of a command."""
    return idempotency_key


Games = Annotated[Lobby, Depends(find_lobby)]
SeatKeys = Annotated[list[str], Depends(read_keys)]
CommandKey = Annotated[str, Depends(read_command)]
