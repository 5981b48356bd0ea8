"""How soon the page is there, and how soon a click is answered."""

from __future__ import annotations

import random
from typing import Any, TypedDict

from playwright.sync_api import Browser, Page

from benchmarks.browser import Site, browsing, serving
from benchmarks.measure import Demand, Row, Settings
from benchmarks.page_load import many_games, quantile

__all__ = ["clicks", "first_view", "many_games"]

SEED = 1
KILOBYTE = 1000
SECOND = 1000  # of the browser's milliseconds
# Notes when what people need is there, and how much has jumped.
OBSERVE_LOAD = """
window.ready = 0;
window.shift = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.shift += one.value;
}).observe({ type: "layout-shift", buffered: true });
new MutationObserver(() => {
  const needed = "main form button:not(:disabled), cb-board .piece";
  if (!window.ready && document.querySelector(needed)) window.ready = performance.now();
}).observe(document, { childList: true, subtree: true });
"""
READ_LOAD = """() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  ready: window.ready,
  shift: window.shift,
  bytes: performance.getEntriesByType("resource")
    .filter((one) => one.name.endsWith(".js"))
    .reduce((sum, one) => sum + one.decodedBodySize, 0),
})"""
# From the release of the button to the move in the list, which comes after it is stored.
OBSERVE_CLICKS = """
window.clicked = 0;
window.answers = [];
addEventListener("pointerup", () => { window.clicked = performance.now(); }, true);
new MutationObserver(() => {
  const moves = document.querySelectorAll(".move-list .move").length;
  if (moves <= window.answers.length) return;
  window.answers.push(performance.now() - window.clicked);
}).observe(document, { childList: true, subtree: true });
"""


class Load(TypedDict):
    """What the browser tells of one load, in milliseconds and bytes."""

    paint: float
    ready: float
    shift: float
    bytes: int


def first_view(settings: Settings) -> list[Row]:
    """Open the first view and a game, each time in a new profile of the browser."""
    rows = []
    with serving() as site, browsing() as browser:
        name, keys = site.begin()
        views = {"home": site.address, "game": f"{site.address}games/{name}#seat=B&key={keys['B']}"}
        for view, address in views.items():
            loads = [_load(browser, address) for _ in range(settings.page_loads)]
            rows += _load_rows(view, loads)
    return rows


def _load(browser: Browser, address: str) -> Load:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(OBSERVE_LOAD)
    page.goto(address)
    page.wait_for_function("window.ready > 0 && performance.getEntriesByType('paint').length > 1")
    found: Load = page.evaluate(READ_LOAD)
    context.close()
    return found


def _load_rows(view: str, loads: list[Load]) -> list[Row]:
    paints = [one["paint"] / SECOND for one in loads]
    readies = [one["ready"] / SECOND for one in loads]
    shift = max(one["shift"] for one in loads)
    kilobytes = max(one["bytes"] for one in loads) / KILOBYTE
    return [
        _time_row(f"{view}: first contentful paint", paints, Demand(0.3)),
        _time_row(f"{view}: ready", readies, Demand(0.6)),
        Row(f"{view}: layout shift, worst", shift, "shift", "none", None, "", Demand(0.02)),
        Row(f"{view}: script", kilobytes, "KB", "none", None, "", Demand(150)),
    ]


def _time_row(name: str, seconds: list[float], demand: Demand) -> Row:
    note = f"worst {max(seconds):.3g} s of {len(seconds)}"
    return Row(f"{name}, median", quantile(seconds, 0.5), "s", "none", None, note, demand)


def clicks(settings: Settings) -> list[Row]:
    """Play both sides of games by mouse, so that no search is waited for."""
    draw = random.Random(SEED)
    seconds: list[float] = []
    with serving() as site, browsing() as browser:
        while len(seconds) < settings.page_clicks:
            context = browser.new_context(
                viewport={"width": 1280, "height": 800}, reduced_motion="reduce"
            )
            page = context.new_page()
            page.add_init_script(OBSERVE_CLICKS)
            seconds += _click_through(site, page, draw, settings.page_clicks - len(seconds))
            context.close()
    note = f"median {quantile(seconds, 0.5):.3g} s of {len(seconds)}"
    p95 = quantile(seconds, 0.95)
    return [Row("click to answer, p95", p95, "s", "none", None, note, Demand(0.05))]


def _click_through(site: Site, page: Page, draw: random.Random, most: int) -> list[float]:
    game, keys = site.begin()
    address = f"{site.address}games/{game}"
    for seat, key in keys.items():  # the browser keeps the keys of both
        page.goto("about:blank")
        page.goto(f"{address}#seat={seat}&key={key}")
        page.locator("cb-board .piece").first.wait_for()
    for number in range(most):
        state: Any = page.request.get(f"{site.address}api/games/{game}").json()
        if state["is_over"]:
            break
        _click_move(page, draw.choice(state["legal_moves"])["path"], number)
    answers: list[float] = page.evaluate("window.answers")
    return [one / SECOND for one in answers]


def _click_move(page: Page, path: list[str], number: int) -> None:
    """Click the cells of a move until it is in the list."""
    made = page.locator(".move-list .move").nth(number)
    page.locator("cb-board.active").wait_for()
    for name in path:
        chosen = page.locator(f'cb-board [data-cell="{path[-1]}"]')
        if "walked" in (chosen.get_attribute("class") or "") or made.count():
            break
        page.locator(f'cb-board [data-cell="{name}"]').click()
    made.wait_for()
