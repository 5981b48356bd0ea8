"""A table of Duchess with two browsers: a shared seat, taken over and given back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from .test_browser import cell, state_of


def make_table(page: Any) -> None:
    page.locator(".seat-choice input").nth(1).check()
    page.get_by_role("button", name="Make a table").click()
    page.locator("cb-board .piece").first.wait_for()


def play_first(page: Any) -> None:
    """Play the first legal move by mouse."""
    path = state_of(page)["legal_moves"][0]["path"]
    cell(page, path[0]).click()
    cell(page, path[1]).click()


@pytest.mark.slow
@pytest.mark.sized
def test_two_browsers_and_two_computers(
    start_server: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    server = start_server("--grace", 1)
    host = open_page(server.address, permissions=["clipboard-read", "clipboard-write"]).page
    make_table(host)
    host.locator(".seat-row", has_text="Player 2").get_by_role("button").click()
    host.locator("#message", has_text="The link for Player 2 is copied").wait_for()
    link = host.evaluate("navigator.clipboard.readText()")
    assert re.search(r"#seat=2&key=\S+$", link)
    friend = open_page(link).page
    friend.locator("#turn", has_text="Player 1 to move").wait_for()
    assert "key=" not in friend.url
    play_first(host)
    friend.locator("#turn", has_text="Your turn").wait_for()
    play_first(friend)
    # The two computers move, then it is the host's turn again.
    host.locator("#turn", has_text="Your turn").wait_for()
    assert len(state_of(host)["played"]) == 4
    friend.close()
    host.locator(".seat-row", has_text="until its player is back").wait_for()
    again = friend.context.new_page()
    again.goto(link)
    host.locator(".seat-row", has_text="a player").wait_for()
    again.locator(".seat-row", has_text="Player 2").get_by_text("you").wait_for()
