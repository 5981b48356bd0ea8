"""Makes pictures of every view of the page: python -m benchmarks.screenshots FOLDER."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.browser import Site, browsing, serving
from benchmarks.measure import MeasurementError

SIZES = {"phone": (390, 844), "wide": (1280, 800)}
THEMES = ("light", "dark")
STARTED = ("11-15", "23-19", "8-11", "22-17")
# A choice of jumps of two and three men for Black, with kings on the board.
CAPTURE = "B:W14,15,18,22,23,26,32,K7:B5,10,11,K29"
ENDED = "B:W18:B14"
MATE_NEAR = "4; 1:K1a1 Q1c3 P1b3; 2:K2a1 R2a2; 3:K4a1 R4a2 P4b3; 4:K5a1 R5a2; turn 1"
PROMOTION = "4; 1:K1a1 P1c6; 2:K2a1; 3:K4a1; 4:K5a1; turn 1; box 1:Q,R"
RANDOM = {"player": "random"}
CLICKED = {"draughts-capture": ["10"], "duchess-choice": ["1c6", "V"]}
SEEING = {"player": "champion", "depth": 5}


def main() -> None:
    """Make all pictures."""
    parser = ArgumentParser("python -m benchmarks.screenshots", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--only", default="", help="only those whose name contains this")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    try:
        with serving() as site, browsing() as browser:
            paths = make_views(site)
            for name in take_all(browser, paths, options.folder, options.only):
                print(name)
    except MeasurementError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def make_views(site: Site) -> dict[str, str]:
    """Return the address of each view, with the games that some of them show."""
    address = site.address
    paths = {"home-first": address}
    paths["draughts"] = _begun_game(site)
    paths["draughts-thought"] = _answered_game(site)
    paths["draughts-capture"] = _seat_of(site, "B", start=CAPTURE, computers={"W": RANDOM})
    paths["draughts-ended"] = _ended_game(site)
    for players in (4, 6):
        others = {str(seat): RANDOM for seat in range(3, players + 1)}
        paths[f"duchess-{players}"] = _seat_of(
            site, "1", game="duchess", players=players, computers=others
        )
    paths["duchess-choice"] = _seat_of(site, "1", game="duchess", start=PROMOTION)
    paths["duchess-late"] = _seat_of(
        site, "1", game="duchess", start=MATE_NEAR, computers={"3": RANDOM, "4": RANDOM}
    )
    paths["home-later"] = address
    paths["no-game"] = f"{address}games/none"
    paths["api"] = f"{address}api"
    return paths


def take_all(browser: Browser, paths: dict[str, str], folder: Path, only: str) -> list[str]:
    """Make a picture of each view in each size and theme; return their names."""
    made = []
    for size, (width, height) in SIZES.items():
        for theme in THEMES:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if theme == "dark" else "light",
                reduced_motion="reduce",
                has_touch=size == "phone",
                is_mobile=size == "phone",
                device_scale_factor=2 if size == "phone" else 1,
            )
            page = context.new_page()
            for view, path in paths.items():
                name = f"{view}-{size}-{theme}.png"
                if only in name:
                    show(page, view, path)
                    page.screenshot(path=folder / name, full_page=True)
                    made.append(name)
            context.close()
    return made


def show(page: Page, view: str, path: str) -> None:
    """Open a view and wait until it is whole."""
    page.goto("about:blank")  # a new fragment alone would not load the page again
    page.goto(path)
    page.locator("main :is(h1, h2)").first.wait_for(state="attached")
    if view == "draughts-thought":
        page.locator(".line strong").wait_for()
    for cell in CLICKED.get(view, ()):
        page.locator(f'[data-cell="{cell}"]').click()


def _seat_of(site: Site, seat: str, **game: object) -> str:
    name, keys = site.begin(**game)
    return f"{site.address}games/{name}#seat={seat}&key={keys[seat]}"


def _begun_game(site: Site) -> str:
    name, keys = site.begin()
    for ply, text in enumerate(STARTED):
        site.move(name, ply, text, keys)
    return f"{site.address}games/{name}#seat=B&key={keys['B']}"


def _answered_game(site: Site) -> str:
    name, keys = site.begin(computers={"W": SEEING})
    site.move(name, 0, STARTED[0], keys)
    return f"{site.address}games/{name}#seat=B&key={keys['B']}"


def _ended_game(site: Site) -> str:
    name, keys = site.begin(start=ENDED, computers={"W": {"player": "treestrap"}})
    site.move(name, 0, "14x23", keys)
    return f"{site.address}games/{name}#seat=B&key={keys['B']}"


if __name__ == "__main__":
    main()
