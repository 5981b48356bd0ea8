"""Requests drawn from the OpenAPI schema, and hostile ones: no 500, nothing outside the data."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from starlette.testclient import TestClient

import crossboard
from benchmarks.browser import Site
from crossboard.web.app import ServerSettings, make_app
from crossboard.web.session import Access

HOST = "http://127.0.0.1:8064"
NUMBERS = itertools.count()
EXAMPLES, FEW_EXAMPLES = 60, 8  # of each route
RANDOM = {"player": "random"}


@pytest.mark.slow
@pytest.mark.sized
def test_answers_are_as_the_schema_has_them(
    start_server: Callable[..., Any], tmp_path: Path, is_reduced: bool
) -> None:
    schemathesis = pytest.importorskip("schemathesis")
    known = pytest.importorskip("schemathesis.specs.openapi.checks")
    failures = pytest.importorskip("schemathesis.core.failures")
    checks = [
        schemathesis.checks.not_a_server_error,
        known.status_code_conformance,
        known.content_type_conformance,
        known.response_schema_conformance,
    ]
    server = start_server()
    game, keys = Site(server.process, server.address).begin(computers={"W": RANDOM})
    schema = schemathesis.openapi.from_url(f"{server.address}api/openapi.json")
    tried, wrong = [], []
    for found in schema.get_all_operations():
        operation = found.ok()
        tried.append(operation.label)

        @settings(
            max_examples=FEW_EXAMPLES if is_reduced else EXAMPLES,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            # Every other request is for a game that there is.
            if "name" in (case.path_parameters or {}) and next(NUMBERS) % 2:
                case.path_parameters["name"] = game
                case.headers["X-Seat-Keys"] = ",".join(keys.values())
            reply = case.call()
            case.validate_response(reply, checks=checks)
            if reply.status_code >= 400:
                assert reply.json()["error"]

        try:
            check()
        except failures.FailureGroup as group:
            wrong += [f"{operation.label}: {one}" for one in group.exceptions]
    assert wrong == []
    assert len(tried) >= 14
    assert [one.name for one in tmp_path.iterdir()] == ["games"]


# ---- hostile requests, and what they touch

NAMES = ["../champion", "..%2f..%2fetc%2fpasswd", "/etc/passwd", "hub:touch hostile", "~/x", "\0"]
BODIES = [
    *({"game": name} for name in NAMES),
    *({"game": "draughts", "start": name} for name in NAMES),
    *({"game": "draughts", "computers": {"W": {"player": name}}} for name in NAMES),
    *({"game": "draughts", "computers": {"W": {"player": f"{name}@1"}}} for name in NAMES),
    *({"game": "draughts", "computers": {name[:2]: RANDOM}} for name in NAMES),
]
RAW = [
    b'{"game": "draughts", "players": NaN}',
    b'{"expected_ply": 1e999, "text": "11-15"}',
    b'{"expected_ply": 0, "text": "\\ud800"}',
    b'{"expected_ply": 0, "cells": ["\\udfff", "15"]}',
    b'{"expected_ply": 0, "text": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    b'{"expected_ply": ' + b"9" * 5_000 + b"}",
    b"{" * 60_000,
    b" " * 10_000_000,
]
WRITING = ("w", "a", "x", "+")


class Witness:
    """Notes which files are opened and which programs are started, while it watches."""

    def __init__(self) -> None:
        self.is_watching = False
        self.opened: list[Path] = []
        self.started: list[str] = []
        sys.addaudithook(self._note)  # for good: Python takes none back

    def _note(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.is_watching:
            return
        if event in ("open", "sqlite3.connect") and isinstance(arguments[0], str):
            self.opened.append(Path(arguments[0]).absolute())
        elif event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"):
            self.started.append(str(arguments))

    @contextmanager
    def watching(self) -> Iterator[None]:
        self.is_watching = True
        try:
            yield
        finally:
            self.is_watching = False


@pytest.fixture(scope="module")
def witness() -> Witness:
    return Witness()


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.chdir(tmp_path)
    app = make_app(ServerSettings(tmp_path / "games", Access.for_host("127.0.0.1"), threads=1))
    with TestClient(app, base_url=HOST) as client:
        yield client


def headers() -> dict[str, str]:
    key = f"command-{next(NUMBERS)}"
    return {"content-type": "application/json", "idempotency-key": key}


def hostile_requests(client: TestClient, game: str) -> Iterator[Any]:
    """Send them all; give the answers."""
    paths = [f"/api/games/{game}/{one}" for one in ("moves", "undo", "resignation", "draw", "hint")]
    for body in BODIES:
        yield client.post("/api/games", content=json.dumps(body), headers=headers())
    for path, body in itertools.product(["/api/games", *paths], RAW):
        yield client.post(path, content=body, headers=headers())
    for name, place in itertools.product(
        NAMES, ("/api/games/{}", "/games/{}", "/page/{}", "/api/geometry/{}/2")
    ):
        yield client.get(place.format(name.replace("\0", "%00")))


def test_hostile_requests_touch_nothing_outside_the_data(
    client: TestClient, tmp_path: Path, witness: Witness
) -> None:
    begun = client.post("/api/games", json={"game": "draughts"}, headers=headers()).json()
    package = Path(crossboard.__file__).parent
    with witness.watching():
        answers = list(hostile_requests(client, begun["state"]["id"]))
    for answer in answers:
        assert 400 <= answer.status_code < 500, (answer.request.url, answer.request.content[:80])
        is_view = answer.headers["content-type"].startswith("text/html")
        assert is_view or answer.json()["error"]
    assert witness.started == []
    allowed = (tmp_path / "games", tmp_path / "players", package, Path(sys.prefix))
    allowed += (Path(sys.base_prefix), Path("/dev"))
    outside = [one for one in witness.opened if not any(one.is_relative_to(a) for a in allowed)]
    assert outside == []
    assert [one.name for one in tmp_path.iterdir()] == ["games"]
    # It would have seen it.
    with witness.watching():
        (tmp_path / "other").write_text("x")
    assert tmp_path / "other" in witness.opened


@pytest.mark.parametrize(
    "cookie", ["a@b=1; x", "{}=1", "=", ";;", "crossboard-session=\xff", "\xff"]
)
def test_cookies_of_other_servers_do_no_harm(client: TestClient, cookie: str) -> None:
    assert client.get("/api/games", headers={"cookie": cookie.encode("latin-1")}).status_code == 200
    assert client.get("/", headers={"cookie": cookie.encode("latin-1")}).status_code == 200


def test_a_length_of_many_digits_is_too_long(client: TestClient) -> None:
    given = headers() | {"content-length": "9" * 5000}
    assert client.post("/api/games", content=b"{}", headers=given).status_code == 413
