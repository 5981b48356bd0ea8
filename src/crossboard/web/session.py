"""What a request must bring: a known host, an origin of ours, a token where one is needed."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

COOKIE = "crossboard-session"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")


@dataclass(frozen=True)
class Access:
    """Which requests are let in.

    Names other than these in Host mean that another site's name was pointed at this machine; an
    Origin other than ours is another site's page.
    """

    hosts: frozenset[str]  # without the port
    token: str | None = None  # None: only this machine can reach the server
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @staticmethod
    def for_host(host: str) -> Access:
        """Return the access of a server that listens on a host."""
        if host in LOOPBACK:
            return Access(frozenset(LOOPBACK))
        return Access(frozenset({*LOOPBACK, host}), secrets.token_urlsafe(18))

    def refuse(self, headers: Mapping[str, str]) -> str | None:
        """Return why a request is refused, None if it is not."""
        host = headers.get("host", "")
        name = _without_port(host)
        listens_everywhere = self.token is not None and "0.0.0.0" in self.hosts
        if name not in self.hosts and not (listens_everywhere and _is_address(name)):
            return "this server does not answer to that Host: open the address that it printed"
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return "requests of other sites are refused: use the page of this server"
        return None

    def knows(self, headers: Mapping[str, str], cookies: Mapping[str, str]) -> bool:
        """Whether a request has the token, or needs none."""
        if self.token is None:
            return True
        given = headers.get("authorization", "").removeprefix("Bearer ")
        return is_same(given, self.token) or is_same(cookies.get(COOKIE, ""), self.cookie)


def is_same(given: str, known: str) -> bool:
    """Compare secrets in the same time, wherever they differ."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), known.encode())


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() and not name.endswith(":") else host


def _is_address(name: str) -> bool:
    return bool(name) and all(part.isdecimal() for part in name.split(".")) and name.count(".") == 3
