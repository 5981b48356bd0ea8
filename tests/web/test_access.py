"""Views that all people can use: nothing serious found by axe, pieces that stand out, no noise."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from benchmarks.browser import Site
from benchmarks.screenshots import SIZES, THEMES, make_views, show
from crossboard.web.boards import geometry_of
from crossboard.web.files import page_folder

Colour = tuple[float, float, float]
SERIOUS = ("serious", "critical")
# WCAG 2.2: 1.4.11 for the outline of a piece, 1.4.3 for the letter on it, which is large.
LEAST_OUTLINE = 3.0
LEAST_LETTER = 3.0
REDUCED = {("phone", "light"), ("wide", "dark")}


@pytest.mark.slow
@pytest.mark.sized
def test_every_view_is_accessible_and_quiet(
    start_server: Callable[..., Any], open_page: Callable[..., Any], is_reduced: bool
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    server = start_server()
    paths = make_views(Site(server.process, server.address))
    found = []
    for size, theme in itertools.product(SIZES, THEMES):
        if is_reduced and (size, theme) not in REDUCED:
            continue
        width, height = SIZES[size]
        options = {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce"}
        watched = open_page("about:blank", color_scheme=theme, **options)
        sockets: list[str] = []
        watched.page.on("websocket", lambda socket, sockets=sockets: sockets.append(socket.url))
        for view, path in paths.items():
            show(watched.page, view, path)
            found += [f"{view} {size} {theme}: {one}" for one in serious(axe, watched.page)]
            needed = watched.page.evaluate("document.documentElement.scrollWidth")
            if needed > width:
                found.append(f"{view} {size} {theme}: {needed} pixels wide")
        asked = [*watched.requests, *(url.replace("ws:", "http:") for url in sockets)]
        assert sockets
        found += [url for url in asked if not url.startswith((server.address, "about:"))]
        # The page of a game that does not exist is answered by 404, which the browser logs.
        found += [text for text in watched.problems if "404" not in text]
    assert found == []
    watched.page.set_content("<main><button></button></main>")
    assert any(one.startswith("button-name") for one in serious(axe, watched.page))


def serious(axe: Any, page: Any) -> list[str]:
    """Return what axe finds serious, with the first element of each."""
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in axe.run(page).response["violations"]
        if one["impact"] in SERIOUS
    ]


# ---- pieces on cells


def themes() -> Iterator[dict[str, str]]:
    """Return the colours of the light theme and of the dark one."""
    text = (page_folder() / "style.css").read_text("utf-8")
    both = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", text))
    pairs = re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", text)
    assert both
    assert pairs
    yield both | {name: light for name, light, _ in pairs}
    yield both | {name: dark for name, _, dark in pairs}


def colour(text: str, below: Colour = (0, 0, 0)) -> Colour:
    """Read #rrggbb, or #rrggbbaa as it looks on what is below it."""
    parts = [int(text[at : at + 2], 16) / 255 for at in range(1, len(text), 2)]
    share = parts[3] if len(parts) == 4 else 1.0
    return mix((parts[0], parts[1], parts[2]), below, share)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (a * share + b * (1 - share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """Return the ratio of WCAG, from 1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(of: Colour) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in of)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def cells_of(game: str, theme: dict[str, str]) -> dict[str, Colour]:
    """Return the colours that a cell with a piece can have, by why it has them."""
    names = ("dark-cell",) if game == "draughts" else ("mesh-light", "mesh-dark")
    found = {name: colour(theme[name]) for name in (*names, "walked")}
    text = (page_folder() / "style.css").read_text("utf-8")
    marks = re.findall(r"var\(--last\) (\d+)%, var\(--([a-z-]+)\)", text)
    assert {name for _, name in marks} == {"dark-cell", "mesh-light"}
    for share, name in marks:
        if name in names:
            found["last"] = mix(colour(theme["last"]), colour(theme[name]), int(share) / 100)
    return found


@pytest.mark.parametrize(("game", "players"), [("draughts", 2), ("duchess", 4), ("duchess", 6)])
def test_pieces_stand_out_from_every_cell(game: str, players: int) -> None:
    for theme, look in itertools.product(themes(), geometry_of(game, players).seats):
        fill = colour(look.fill)
        for name, cell in cells_of(game, theme).items():
            # Half of the rim lies on the piece, half beside it: either shows where the piece ends.
            rims = (colour(look.rim, fill), colour(look.rim, cell))
            best = max(contrast(each, cell) for each in (fill, *rims))
            assert best >= LEAST_OUTLINE, f"seat {look.seat} on {name} {cell}: {best:.2f}"


@pytest.mark.parametrize(("game", "players"), [("draughts", 2), ("duchess", 4), ("duchess", 6)])
def test_letters_and_crowns_can_be_read(game: str, players: int) -> None:
    for look in geometry_of(game, players).seats:
        found = contrast(colour(look.ink), colour(look.fill))
        assert found >= LEAST_LETTER, f"seat {look.seat}: {found:.2f}"


def test_contrast_knows_black_on_white() -> None:
    assert contrast(colour("#000000"), colour("#ffffff")) == pytest.approx(21)
    assert colour("#00000080", colour("#ffffff")) == pytest.approx((0.498,) * 3, abs=1e-3)
