"""The routes: what they answer, what they refuse, and that every refusal is a sentence."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from crossboard.web.app import ServerSettings, make_app
from crossboard.web.session import Access

HOST = "http://127.0.0.1:8064"
NUMBERS = itertools.count()
FORCED = "B:W18:B14"


def make_client(folder: Path, host: str = "127.0.0.1") -> TestClient:
    app = make_app(ServerSettings(folder / "games", Access.for_host(host), threads=1))
    return TestClient(app, base_url=HOST)


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.chdir(tmp_path)
    with make_client(tmp_path) as client:
        yield client


def command(keys: dict[str, str] | None = None, key: str | None = None) -> dict[str, str]:
    """Return the headers of a command."""
    own = {"Idempotency-Key": key or f"command-{next(NUMBERS)}"}
    return own | ({"X-Seat-Keys": ",".join(keys.values())} if keys else {})


def begin(client: TestClient, **game: Any) -> tuple[dict[str, Any], dict[str, str]]:
    reply = client.post("/api/games", json={"game": "draughts", **game}, headers=command())
    assert reply.status_code == 201, reply.text
    return reply.json()["state"], reply.json()["keys"]


def move(client: TestClient, state: Any, text: str, keys: dict[str, str], key: str = "") -> Any:
    body = {"expected_ply": state["ply"], "text": text}
    return client.post(
        f"/api/games/{state['id']}/moves", json=body, headers=command(keys, key or None)
    )


def wait_for_ply(client: TestClient, game: str, ply: int) -> Any:
    """Return the state as soon as so many moves are made."""
    for _ in range(3000):
        state = client.get(f"/api/games/{game}").json()
        if state["ply"] >= ply:
            return state
        time.sleep(0.01)
    raise AssertionError(f"ply {ply} does not come")


def test_a_game_begins_and_a_computer_answers(client: TestClient) -> None:
    state, keys = begin(client, computers={"W": {"player": "random"}})
    assert list(keys) == ["B"]
    assert state["legal_moves"][0]["text"] == "9-13"
    after = move(client, state, "11-15", keys).json()
    assert after["played"][0]["text"] == "11-15"
    state = wait_for_ply(client, state["id"], 2)
    assert (state["turn"], state["played"][1]["seat"]) == ("B", "W")


def test_a_move_needs_the_key_of_the_seat_on_turn(client: TestClient) -> None:
    state, keys = begin(client)
    for wrong in (None, {"W": keys["W"]}, {"B": "x" * 24}):
        refused = move(client, state, "11-15", wrong or {})
        assert refused.status_code == 403
        assert "the turn of Black" in refused.json()["error"]
    assert move(client, state, "11-15", {"B": keys["B"]}).status_code == 200


def test_a_stale_ply_is_refused_with_the_state(client: TestClient) -> None:
    state, keys = begin(client)
    move(client, state, "11-15", keys)
    refused = move(client, state, "9-13", keys)
    assert refused.status_code == 409
    assert refused.json()["state"]["ply"] == 1
    assert "ply 1, not at 0" in refused.json()["error"]


def test_a_command_that_comes_twice_is_obeyed_once(client: TestClient) -> None:
    state, keys = begin(client)
    first, second = (move(client, state, "11-15", keys, "the-same-key") for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json() == second.json()
    again = client.get(f"/api/games/{state['id']}").json()
    assert [one["text"] for one in again["played"]] == ["11-15"]


def test_a_game_is_begun_once_by_a_command_that_comes_twice(client: TestClient) -> None:
    headers = command()
    first, second = (
        client.post("/api/games", json={"game": "draughts"}, headers=headers) for _ in range(2)
    )
    assert first.json() == second.json()
    assert len(client.get("/api/games").json()["games"]) == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("11-20", "11-20"), ("22-18", "22-18"), ("hello", "hello"), ("", "text or cells")],
)
def test_an_illegal_move_gets_the_librarys_sentence(
    client: TestClient, text: str, sentence: str
) -> None:
    state, keys = begin(client)
    refused = move(client, state, text, keys)
    assert refused.status_code == 422
    assert sentence in refused.json()["error"]
    assert "is not legal in" not in refused.json()["error"]


def test_why_a_move_of_duchess_is_illegal_is_short(client: TestClient) -> None:
    state, keys = begin(client, game="duchess")
    refused = move(client, state, "1c3-V", keys)
    assert refused.status_code == 422
    sentence = refused.json()["error"]
    assert sentence.startswith("'1c3-V': the P on 1c3 does not reach V")
    assert len(sentence) <= 130


def test_undo_resign_and_the_record(client: TestClient) -> None:
    state, keys = begin(client)
    move(client, state, "11-15", keys)
    path = f"/api/games/{state['id']}"
    undone = client.post(f"{path}/undo", json={"expected_ply": 1}, headers=command(keys)).json()
    assert (undone["ply"], undone["can_undo"]) == (0, False)
    ended = client.post(f"{path}/resignation", json={"expected_ply": 0}, headers=command(keys))
    assert ended.json()["verdict"] == "White wins: Black resigns."
    record = client.get(f"{path}/record")
    assert '[Result "0-1"]' in record.text
    assert "attachment" in record.headers["content-disposition"]


def test_a_draw_is_accepted_at_most_equal(client: TestClient) -> None:
    computers = {"W": {"player": "material", "depth": 5}}
    for fen, is_accepted in (("B:WK1:BK32", True), ("B:W21,22,23,24,25:B5", False)):
        state, keys = begin(client, start=fen, computers=computers)
        reply = client.post(
            f"/api/games/{state['id']}/draw", json={"expected_ply": 0}, headers=command(keys)
        ).json()
        assert reply["is_accepted"] == is_accepted, fen
        assert bool(reply["state"]["verdict"]) == is_accepted


def test_a_hint_is_a_legal_move(client: TestClient) -> None:
    state, _ = begin(client, start=FORCED)
    path = f"/api/games/{state['id']}/hint"
    hint = client.post(path, json={"expected_ply": 0}, headers=command()).json()
    assert hint["move"]["text"] == "14x23"
    assert hint["thought"]["bar"] == 1.0


def test_idle_games_are_read_again(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossboard.web.lobby.MOST_ROOMS", 2)
    games = [begin(client) for _ in range(6)]
    for state, keys in games:
        assert move(client, state, "11-15", keys).json()["ply"] == 1
    assert len(client.app.state.lobby._rooms) <= 3  # type: ignore[attr-defined]


def test_captures_are_pointed_out(client: TestClient) -> None:
    state, _ = begin(client, start=FORCED)
    assert state["note"] == "Capture is compulsory: 14x23."
    assert state["legal_moves"][0]["captures"] == ["18"]


# ---- what is refused


@pytest.mark.parametrize("player", ["hub:rm -rf /", "../champion", "/etc", "none", "random@3"])
def test_only_listed_players_are_found(client: TestClient, player: str) -> None:
    refused = client.post(
        "/api/games",
        json={"game": "draughts", "computers": {"W": {"player": player}}},
        headers=command(),
    )
    assert refused.status_code == 422
    assert "error" in refused.json()


HOSTILE = [
    b"",
    b"null",
    b"[" * 60_000,
    b'{"game": NaN}',
    b'{"game": "draughts", "players": 1e999}',
    b'{"game": "draughts", "start": "\\ud800"}',
    b'{"game": "\\ud800"}',
    b'{"game": "draughts", "computers": {"W": {"player": "champion", "seconds": NaN}}}',
    b'{"game": "draughts", "computers": {"W": {"player": "champion", "depth": 1e999}}}',
    b'{"game": "draughts", "computers": {"\\ud800": {"player": "champion"}}}',
    b"\xff\xfe",
]


@pytest.mark.parametrize("body", HOSTILE, ids=lambda body: repr(body[:40]))
def test_a_hostile_body_is_refused_with_a_sentence(client: TestClient, body: bytes) -> None:
    headers = command() | {"content-type": "application/json"}
    refused = client.post("/api/games", content=body, headers=headers)
    assert 400 <= refused.status_code < 500
    assert refused.json()["error"]
    assert client.get("/api/games").json() == {"games": []}


@pytest.mark.parametrize("is_announced", [True, False])
def test_a_body_of_10_megabytes_is_not_read(client: TestClient, is_announced: bool) -> None:
    piece = b" " * 100_000
    content = piece * 100 if is_announced else (piece for _ in range(100))
    headers = command() | {"content-type": "application/json"}
    refused = client.post("/api/games", content=content, headers=headers)
    assert 400 <= refused.status_code < 500
    assert "65,536 bytes" in refused.json()["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:8064"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
    ],
    ids=str,
)
def test_strange_hosts_and_origins_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    refused = client.get("/api/games", headers=headers)
    assert refused.status_code == 403
    assert refused.json()["error"]


@pytest.mark.parametrize(
    "path",
    [
        *("/page/../app.py", "/page/%2e%2e/app.py", "/page//etc/passwd", "/page/index.html"),
        *("/api/games/..%2f..%2fetc", "/api/games/none", "/games/none", "/none"),
        "/api/games/" + "x" * 41,
    ],
)
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (404, 422)


def test_every_answer_forbids_scripts_from_elsewhere(client: TestClient) -> None:
    for path in ("/", "/api/health", "/page/main.js", "/none", "/api"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert headers["x-content-type-options"] == "nosniff"


def test_the_api_describes_itself_without_anything_from_elsewhere(client: TestClient) -> None:
    text = client.get("/api").text
    assert "POST /api/games/{name}/moves" in text
    assert "https://" not in text
    assert client.get("/api/openapi.json").json()["paths"]


def test_beyond_this_machine_a_token_is_needed(tmp_path: Path) -> None:
    with make_client(tmp_path, "192.0.2.1") as client:
        token = client.app.state.settings.access.token  # type: ignore[attr-defined]
        assert client.get("/api/games").status_code == 401
        assert client.get("/api/health").status_code == 200
        assert '"needs_token": true' in client.get("/").text
        assert client.post("/api/session", json={"token": "wrong"}).status_code == 403
        assert client.post("/api/session", json={"token": token}).status_code == 204
        assert client.get("/api/games").status_code == 200


def test_a_folder_of_games_has_one_server(client: TestClient, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is writing these games"):
        make_client(tmp_path)


def test_a_seat_that_runs_out_of_time_loses(client: TestClient) -> None:
    state, keys = begin(client, time="0.01+0")
    assert state["time"] == "0.01+0"
    for _ in range(3000):
        after = client.get(f"/api/games/{state['id']}").json()
        if after["is_over"]:
            break
        time.sleep(0.01)
    assert after["verdict"] == "White wins: Black is out of time."
    assert move(client, state, "11-15", keys).status_code == 422
    bad = client.post("/api/games", json={"game": "draughts", "time": "x"}, headers=command())
    assert bad.status_code == 422


def test_a_copy_learns_from_a_game_and_forgets_it(client: TestClient, tmp_path: Path) -> None:
    state, keys = begin(client, computers={"W": {"player": "neurodraughts", "depth": 1}})
    move(client, state, "11-15", keys)
    assert wait_for_ply(client, state["id"], 2)["can_learn"]
    path, plies = f"/api/games/{state['id']}", {"expected_ply": 2}
    early = client.post(f"{path}/lesson", json=plies, headers=command(keys))
    assert early.status_code == 422
    assert "when it is over" in early.json()["error"]
    client.post(f"{path}/resignation", json=plies, headers=command(keys))
    learnt = client.post(f"{path}/lesson", json=plies, headers=command(keys)).json()["lesson"]
    assert (learnt["player"], learnt["origin"]) == ("my-neurodraughts", "neurodraughts")
    description = tmp_path / "players" / "my-neurodraughts" / "player.toml"
    assert "a copy of neurodraughts" in description.read_text()
    again = client.post(f"{path}/lesson", json=plies, headers=command(keys))
    assert again.status_code == 409
    undone = client.post(f"{path}/unlearning", json=plies, headers=command(keys)).json()
    assert undone["lesson"] is None
    assert not description.exists()


def test_a_lesson_of_a_copy_is_undone_to_what_it_was(client: TestClient, tmp_path: Path) -> None:
    description = tmp_path / "players" / "my-neurodraughts" / "player.toml"
    told = []
    for player in ("neurodraughts", "my-neurodraughts"):
        state, keys = begin(client, computers={"W": {"player": player, "depth": 1}})
        move(client, state, "11-15", keys)
        wait_for_ply(client, state["id"], 2)
        path, plies = f"/api/games/{state['id']}", {"expected_ply": 2}
        client.post(f"{path}/resignation", json=plies, headers=command(keys))
        client.post(f"{path}/lesson", json=plies, headers=command(keys))
        told.append(description.read_text())
        client.app.state.lobby.listing.forget()  # type: ignore[attr-defined]
    assert told[0] != told[1]
    client.post(f"{path}/unlearning", json=plies, headers=command(keys))
    assert description.read_text() == told[0]


def test_a_player_that_cannot_learn_says_so(client: TestClient) -> None:
    state, keys = begin(client, computers={"W": {"player": "material", "depth": 1}})
    path = f"/api/games/{state['id']}"
    client.post(f"{path}/resignation", json={"expected_ply": 0}, headers=command(keys))
    refused = client.post(f"{path}/lesson", json={"expected_ply": 0}, headers=command(keys))
    assert refused.status_code == 422
    assert "nothing can be learnt" in refused.json()["error"]
