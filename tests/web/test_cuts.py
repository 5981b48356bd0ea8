"""A connection cut between a command and its answer: the command is obeyed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .test_browser import clicked, state_of, walk


def test_a_lost_answer_plays_exactly_one_move(
    start_server: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    server = start_server("--side", "both")
    page = open_page(server.address).page
    keys: list[str] = []

    def cut(route: Any) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()  # the server has obeyed, and the page never learns of it
            route.abort()
        else:
            route.continue_()

    page.locator("cb-board .piece").first.wait_for()
    page.route("**/moves", cut)
    with page.expect_response("**/moves") as answered:
        walk(page, ["11", "15"], clicked)
    assert answered.value.status == 200
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert [move["text"] for move in state_of(page)["played"]] == ["11-15"]
    walk(page, ["22", "18"], clicked)
    page.locator(".move-list .move").nth(1).wait_for()


def test_a_page_catches_up_after_its_socket_was_cut(
    start_server: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    server = start_server("--side", "both")
    page = open_page(server.address).page
    page.locator("cb-board .piece").first.wait_for()
    sockets, is_cut = [], False

    def connect(socket: Any) -> None:
        sockets.append(socket)
        if is_cut:
            socket.close()
        else:
            socket.connect_to_server()

    page.route_web_socket("**/api/socket", connect)
    page.reload()
    page.locator("cb-board .piece").first.wait_for()
    is_cut = True
    sockets[0].close()
    page.locator("#link-state", has_text="trying again").wait_for()
    keys = page.evaluate("Object.values(JSON.parse(Object.values(localStorage)[0]))")
    name = page.url.rsplit("/", 1)[1]
    reply = page.request.post(
        f"{server.address}api/games/{name}/moves",
        data={"expected_ply": 0, "text": "11-15"},
        headers={"idempotency-key": "elsewhere", "x-seat-keys": ",".join(keys)},
    )
    assert reply.ok
    assert page.locator(".move-list .move").count() == 0
    is_cut = False
    page.locator(".move-list .move", has_text="11-15").wait_for()
