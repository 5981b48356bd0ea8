"""Games in a real browser: by mouse, with reload and restart."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

from crossboard.draughts import Position

MOST_MOVES = 200
PATIENCE = 30_000  # milliseconds; it waits for what is shown, not for time


def cell(page: Any, name: str) -> Any:
    return page.locator(f'cb-board [data-cell="{name}"]')


def wait_for_turn(page: Any) -> None:
    """Wait until it is our turn, or the game is over."""
    page.locator("#turn", has_text=re.compile("Your turn|wins|Drawn")).wait_for(timeout=PATIENCE)


def click_through(page: Any, path: list[str]) -> None:
    """Click the squares of a move, as many as the board needs to know it."""
    plies = page.locator(".move-list .move").count()
    for name in path:
        is_known = "walked" in (cell(page, path[-1]).get_attribute("class") or "")
        if is_known or page.locator(".move-list .move").count() > plies:
            return
        cell(page, name).click()


def state_of(page: Any) -> Any:
    """Return the game as the server has it."""
    name = page.url.rsplit("/", 1)[1]
    return page.request.get(f"{page.url.split('/games/')[0]}/api/games/{name}").json()


def play_to_the_end(page: Any, draw: random.Random) -> Any:
    """Play random moves by mouse until the game is over, and return its last state."""
    for _ in range(MOST_MOVES):
        wait_for_turn(page)
        state = state_of(page)
        if state["is_over"]:
            return state
        if state["turn"] == "B":
            click_through(page, draw.choice(state["legal_moves"])["path"])
            page.locator(".move-list .move").nth(state["ply"]).wait_for(timeout=PATIENCE)
    raise AssertionError("the game does not end")


def test_a_whole_game_by_mouse(
    start_server: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    server = start_server("--opponent", "random")
    watched = open_page(server.address, reduced_motion="reduce")
    page = watched.page
    page.locator("cb-board .piece").first.wait_for()  # it was asked for, so it has begun
    # An illegal drag is explained with the library's sentence.
    cell(page, "11").drag_to(cell(page, "20"))
    page.locator("#message", has_text="11-20").wait_for()
    state = play_to_the_end(page, random.Random(5))
    assert state["verdict"] in page.locator("#turn").inner_text()
    assert replay(state) == state["position"]
    # The tab's icon apart, nothing is asked of any other host, and nothing is complained of.
    assert all(url.startswith(server.address) for url in watched.requests)
    # A refused move is answered by 422, which the browser logs.
    assert [text for text in watched.problems if "422" not in text] == []


def replay(state: Any) -> str:
    position = Position()
    for move in state["played"]:
        position = position.after(position.parse_move(move["text"]))
    return position.fen


def test_a_game_survives_reload_and_a_restart(
    start_server: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    server = start_server("--opponent", "random")
    page = open_page(server.address).page
    page.locator("cb-board .piece").first.wait_for()
    click_through(page, ["11", "15"])
    page.locator(".move-list .move").nth(1).wait_for()
    page.reload()
    page.locator(".move-list .move").nth(1).wait_for()
    port = int(server.address.rsplit(":", 1)[1].strip("/"))
    assert server.end() == 0
    page.locator("#link-state", has_text="trying again").wait_for()
    start_server(port=port)
    page.locator("#link-state", has_text=re.compile("^$")).wait_for(state="attached")
    state = state_of(page)
    click_through(page, state["legal_moves"][0]["path"])
    page.locator(".move-list .move").nth(3).wait_for()
