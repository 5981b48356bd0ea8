"""Duchess on a phone: the board turned, taps near a cell, promotion by choice, zoom."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.browser import Site

from .test_browser import PHONE, middle, state_of, tapped

pytestmark = [pytest.mark.slow, pytest.mark.sized]

PROMOTION = "4; 1:K1a1 P1c6; 2:K2a1; 3:K4a1; 4:K5a1; turn 1; box 1:Q,R"
TURN = 30  # degrees


@pytest.fixture
def open_table(
    start_server: Callable[..., Any], open_page: Callable[..., Any]
) -> Callable[..., Any]:
    """Give a function that opens a table for four on a phone, in the seat of player 1."""

    def open_one(**game: Any) -> Any:
        server = start_server()
        others = {seat: {"player": "random"} for seat in "234"}
        site = Site(server.process, server.address)
        name, keys = site.begin(game="duchess", computers=others, **game)
        page = open_page(f"{server.address}games/{name}#seat=1&key={keys['1']}", **PHONE).page
        page.locator("#turn", has_text="Your turn").wait_for()
        return page

    return open_one


def first_move(page: Any) -> str:
    page.locator(".move-list .move").first.wait_for()
    return str(state_of(page)["played"][0]["text"])


def test_a_tap_beside_a_legal_cell_is_meant_for_it(open_table: Callable[..., Any]) -> None:
    page = open_table()
    tapped(page, "1c3")
    here, beside = middle(page, "1c4"), middle(page, "1d4")
    page.touchscreen.tap(*(a + 0.65 * (b - a) for a, b in zip(here, beside, strict=True)))
    assert first_move(page) == "P1c3-1c4"


def test_a_pawn_is_promoted_by_a_choice(open_table: Callable[..., Any]) -> None:
    page = open_table(start=PROMOTION)
    tapped(page, "1c6")
    tapped(page, "V")
    choices = page.locator(".choices button")
    assert sorted(choices.all_inner_texts()) == ["Become Q", "Become R", "Stay as it is"]
    choices.filter(has_text="Become Q").tap()
    assert first_move(page) == "P1c6-V=Q"


def test_the_board_is_turned_and_can_be_zoomed(open_table: Callable[..., Any]) -> None:
    page = open_table()
    (left, top), (right, bottom) = middle(page, "1a1"), middle(page, "1e1")
    assert math.degrees(math.atan2(bottom - top, right - left)) == pytest.approx(TURN, abs=0.5)
    board = page.locator("cb-board")
    width = board.bounding_box()["width"]
    page.get_by_role("button", name="Zoom in").tap()
    page.get_by_role("button", name="Zoom out").wait_for()
    assert board.bounding_box()["width"] == pytest.approx(2 * width, rel=0.01)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
