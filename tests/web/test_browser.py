"""Games in a real browser: by mouse, with reload and restart."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from crossboard.draughts import Position

# Chooses a cell of a page's board.
Choose = Callable[[Any, str], None]

MOST_MOVES = 200
PATIENCE = 30_000  # milliseconds; it waits for what is shown, not for time


def cell(page: Any, name: str) -> Any:
    return page.locator(f'cb-board [data-cell="{name}"]')


def typed(page: Any, name: str) -> None:
    """Go to a cell with the arrow keys, and press Enter."""
    steps = {"ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowUp": (0, -1), "ArrowDown": (0, 1)}
    aim = middle(page, name)
    page.locator('cb-board [tabindex="0"]').focus()
    for _ in range(40):
        here = page.locator(":focus").get_attribute("data-cell")
        if here == name:
            page.keyboard.press("Enter")
            return
        x, y = (a - b for a, b in zip(aim, middle(page, here), strict=True))
        # Down and up lead to the next row, the sides stay in it.
        wanted = (0, 1 if y > 0 else -1) if abs(y) > 20 else (1 if x > 0 else -1, 0)
        page.keyboard.press(next(key for key, step in steps.items() if step == wanted))
    raise AssertionError(f"the arrows do not lead to {name}")


def middle(page: Any, name: str) -> tuple[float, float]:
    box = cell(page, name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tapped(page: Any, name: str) -> None:
    page.touchscreen.tap(*middle(page, name))


def clicked(page: Any, name: str) -> None:
    cell(page, name).click()


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# In make test one way is enough.
LATER = [pytest.mark.slow, pytest.mark.sized]
WAYS: list[Any] = [
    pytest.param(clicked, {}, id="mouse"),
    pytest.param(tapped, PHONE, id="touch", marks=LATER),
    pytest.param(typed, {}, id="keyboard", marks=LATER),
]


def wait_for_turn(page: Any) -> None:
    """Wait until it is our turn, or the game is over."""
    page.locator("#turn", has_text=re.compile("Your turn|wins|Drawn")).wait_for(timeout=PATIENCE)


def walk(page: Any, path: list[str], choose: Choose) -> None:
    """Choose the squares of a move, as many as the board needs to know it."""
    plies = page.locator(".move-list .move").count()
    for name in path:
        is_known = "walked" in (cell(page, path[-1]).get_attribute("class") or "")
        if is_known or page.locator(".move-list .move").count() > plies:
            return
        choose(page, name)


def state_of(page: Any) -> Any:
    """Return the game as the server has it."""
    name = page.url.rsplit("/", 1)[1]
    return page.request.get(f"{page.url.split('/games/')[0]}/api/games/{name}").json()


def play_to_the_end(page: Any, draw: random.Random, choose: Choose) -> Any:
    """Play random moves until the game is over, and return its last state."""
    for _ in range(MOST_MOVES):
        wait_for_turn(page)
        state = state_of(page)
        if state["is_over"]:
            return state
        if state["turn"] == "B":
            walk(page, draw.choice(state["legal_moves"])["path"], choose)
            page.locator(".move-list .move").nth(state["ply"]).wait_for(timeout=PATIENCE)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(("choose", "screen"), WAYS)
def test_a_whole_game(
    start_server: Callable[..., Any],
    open_page: Callable[..., Any],
    choose: Choose,
    screen: dict[str, Any],
) -> None:
    server = start_server("--opponent", "random")
    watched = open_page(server.address, reduced_motion="reduce", **screen)
    page = watched.page
    page.locator("cb-board .piece").first.wait_for()  # it was asked for, so it has begun
    # An illegal drag is explained with the library's sentence.
    cell(page, "11").drag_to(cell(page, "20"))
    page.locator("#message", has_text="11-20").wait_for()
    state = play_to_the_end(page, random.Random(5), choose)
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
    walk(page, ["11", "15"], clicked)
    page.locator(".move-list .move").nth(1).wait_for()
    page.reload()
    page.locator(".move-list .move").nth(1).wait_for()
    port = int(server.address.rsplit(":", 1)[1].strip("/"))
    assert server.end() == 0
    page.locator("#link-state", has_text="trying again").wait_for()
    start_server(port=port)
    page.locator("#link-state", has_text=re.compile("^$")).wait_for(state="attached")
    state = state_of(page)
    walk(page, state["legal_moves"][0]["path"], clicked)
    page.locator(".move-list .move").nth(3).wait_for()


def test_a_level_is_chosen(start_server: Callable[..., Any], open_page: Callable[..., Any]) -> None:
    page = open_page(start_server().address).page
    page.get_by_label("Opponent").first.select_option("random")
    assert not page.get_by_label("Strength").locator("option", has_text="level").count()
    page.get_by_label("Opponent").first.select_option("champion")
    page.get_by_label("Strength").select_option("level 3")
    page.get_by_role("button", name="Play draughts").click()
    page.locator("cb-board .piece").first.wait_for()
    walk(page, ["11", "15"], clicked)
    page.locator(".move-list .move").nth(1).wait_for()
    assert "champion@3" in page.locator("main").inner_text()
    assert state_of(page)["thought"]["depth"] == 2


# Two ways for Black behind the first jump, both to the last row.
JUMPS = "B:W12,18,25,26:B15"


@pytest.mark.parametrize(("choose", "screen"), WAYS)
def test_a_multi_jump_is_walked_and_crowned(
    start_server: Callable[..., Any],
    open_page: Callable[..., Any],
    choose: Choose,
    screen: dict[str, Any],
) -> None:
    server = start_server("--side", "both", "--fen", JUMPS)
    page = open_page(server.address, **screen).page
    page.locator("#message", has_text="Capture is compulsory: 15x29 or 15x31.").wait_for()
    choose(page, "15")
    choose(page, "22")
    assert page.locator(".cell.target").count() == 2
    choose(page, "31")
    page.locator(".move-list .move", has_text="15x31").wait_for()
    assert "black king" in (cell(page, "31").get_attribute("aria-label") or "")
    assert state_of(page)["position"] == "W:W12,25:BK31"


@pytest.mark.slow
@pytest.mark.sized
def test_a_forced_capture_needs_one_click(
    start_server: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    server = start_server("--side", "both", "--fen", "B:W12,18,26:B15,1")
    page = open_page(server.address).page
    cell(page, "15").click()
    page.locator(".move-list .move", has_text="15x31").wait_for()


@pytest.mark.slow
@pytest.mark.sized
def test_a_typed_move_and_an_illegal_one(
    start_server: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    server = start_server("--side", "both")
    page = open_page(server.address).page
    field = page.get_by_label("Type a move")
    field.fill("11-20")
    field.press("Enter")
    page.locator("#message", has_text="11-20").wait_for()
    field.fill("11-15")
    field.press("Enter")
    page.locator(".move-list .move", has_text="11-15").wait_for()


@pytest.mark.slow
@pytest.mark.sized
def test_a_dragged_move_and_a_dragged_mistake(
    start_server: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    server = start_server("--side", "both")
    page = open_page(server.address).page
    cell(page, "11").drag_to(cell(page, "15"))
    page.locator(".move-list .move", has_text="11-15").wait_for()
    cell(page, "22").drag_to(cell(page, "14"))
    page.locator("#message", has_text="22-14").wait_for()
    assert page.locator(".move-list .move").count() == 1
