"""Positions as SVG pictures and as text."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from crossboard.duchess import Move, Position, cells, draw, sectors, svg
from crossboard.duchess.drawing import (
    CHECK,
    COLOURS,
    DARK,
    HIGHLIGHT,
    LAST_DARK,
    LAST_LIGHT,
    LIGHT,
    NAME,
)
from crossboard.duchess.geometry import centre, polygons

NAMESPACE = "{http://www.w3.org/2000/svg}"


def elements(picture: str, name: str, **attributes: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(picture)
    assert root.tag == NAMESPACE + "svg"
    return [
        element
        for element in root.iter(NAMESPACE + name)
        if attributes.items() <= element.attrib.items()
    ]


def area(polygon: tuple[tuple[float, float], ...]) -> float:
    following = (*polygon[1:], polygon[0])
    return sum(x * v - u * y for (x, y), (u, v) in zip(polygon, following, strict=True)) / 2


@pytest.mark.parametrize("players", [4, 6])
def test_cells_are_drawn_side_by_side(players: int):
    shapes = polygons(players)
    assert list(shapes) == list(cells(players))
    assert len(shapes["V"]) == 6
    areas = [area(shape) for shape in shapes.values()]
    assert all(abs(a) > 0.8 for a in areas)
    # Every inner edge belongs to two cells, so the points of neighbours must be the same ones.
    points = {(round(x, 6), round(y, 6)) for shape in shapes.values() for x, y in shape}
    assert len(points) == {4: 150, 6: 198}[players]


def test_sector_1_is_at_the_bottom_and_2_at_its_left():
    shapes = polygons(6)
    assert centre(shapes["1c1"])[1] < -7
    assert centre(shapes["2c1"])[0] < -6
    assert centre(shapes["1a1"])[0] < centre(shapes["1e1"])[0]


@pytest.mark.parametrize(("players", "dark", "light"), [(4, 59, 58), (6, 79, 78)])
def test_start_is_drawn(players: int, dark: int, light: int):
    picture = svg(Position(players))
    assert len(elements(picture, "polygon", fill=DARK)) == dark
    assert len(elements(picture, "polygon", fill=LIGHT)) == light
    # Teams are told apart by form, not by colour alone.
    for seat, (fill, _) in enumerate(COLOURS[players]):
        assert len(elements(picture, ("circle", "rect")[seat % 2], fill=fill)) == 15
    assert [title.text for title in elements(picture, "title")] == [Position(players).text]


@pytest.mark.parametrize("player", [1, 2, 3, 4])
def test_player_who_looks_sits_at_the_bottom(player: int):
    fill = COLOURS[4][player - 1][0]
    picture = svg(Position(), player=player)
    tokens = elements(picture, "circle", fill=fill) + elements(picture, "rect", fill=fill)
    assert len(tokens) == 15
    assert all(_centre(token)[1] > 180 for token in tokens)


def test_cells_have_names_where_there_is_no_piece():
    texts = [text.text for text in elements(svg(Position()), "text")]
    assert "1c4" in texts
    assert "V" in texts
    assert "1c3" not in texts
    assert "1c4" not in [text.text for text in elements(svg(Position(), names=False), "text")]


def test_last_move_is_marked():
    for move in ("N1b2-1a4", Move("N1b2-1a4")):
        picture = svg(Position().after("N1b2-1a4"), last_move=move)
        marked = elements(picture, "polygon", fill=LAST_DARK) + elements(
            picture, "polygon", fill=LAST_LIGHT
        )
        assert len(marked) == 2
    assert svg(Position(), last_move="pass") == svg(Position())


def test_highlights_are_rings_inside_the_cells():
    picture = svg(Position(), highlights=(name for name in ["V", "1c4"]))
    assert len(elements(picture, "polygon", stroke=HIGHLIGHT)) == 2


def test_highlights_may_name_a_cell_as_the_sector_on_the_right_does():
    assert svg(Position(), highlights=["1a5"]) == svg(Position(), highlights=["2e5"])


@pytest.mark.parametrize("players", [4, 6])
def test_king_in_check_has_a_red_ring_that_is_seen_around_every_colour(players: int):
    sides = sectors(players)
    # A Rook of the player who comes next stands before every King.
    armies = (f"{seat + 1}:K{sides[seat]}c1 R{sides[seat - 1]}c4" for seat in range(players))
    position = Position.from_text(f"{players}; {'; '.join(armies)}; turn 1")
    tokens = elements(svg(position), "circle") + elements(svg(position), "rect")
    rings = [token for token in tokens if token.attrib["stroke"] == CHECK]
    assert len(rings) == players
    for ring in rings:
        (inner,) = (each for each in tokens if _is_around(ring, each))
        gap = _radius(ring) - float(ring.attrib["stroke-width"]) / 2
        assert gap - _radius(inner) >= 1.5
        assert ring.attrib["fill"] not in (CHECK, inner.attrib["fill"])


def _radius(token: ElementTree.Element) -> float:
    """Half the breadth of a disc or a square."""
    return float(token.attrib["r"]) if "r" in token.attrib else float(token.attrib["width"]) / 2


def _centre(token: ElementTree.Element) -> tuple[float, float]:
    if "cx" in token.attrib:
        return float(token.attrib["cx"]), float(token.attrib["cy"])
    half = _radius(token)
    return float(token.attrib["x"]) + half, float(token.attrib["y"]) + half


def _is_around(ring: ElementTree.Element, inner: ElementTree.Element) -> bool:
    return ring is not inner and _centre(ring) == pytest.approx(_centre(inner), abs=0.2)


def test_names_are_dark_enough_to_be_read_on_every_cell():
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    # What the guidelines for the web (WCAG 2, AA) ask of small letters.
    for ground in (LIGHT, DARK, LAST_LIGHT, LAST_DARK):
        assert (light(ground) + 0.05) / (light(NAME) + 0.05) >= 4.5


def test_player_on_turn_has_a_thick_line():
    position = Position.from_text("4; 1:K1d6; 2:K2a1 PV; 3:K4a1; 4:K5a1; turn 2")
    assert len(elements(svg(position), "circle", stroke=CHECK)) == 1
    (thick,) = elements(svg(position), "polyline", **{"stroke-width": "8"})
    assert thick.attrib["stroke"] == COLOURS[4][1][0]


def test_size_is_in_pixels_of_the_longer_side():
    root = ElementTree.fromstring(svg(Position(), size=600))
    assert max(int(root.attrib["width"]), int(root.attrib["height"])) == 600
    assert "width" not in ElementTree.fromstring(svg(Position())).attrib


@pytest.mark.parametrize("players", [4, 6])
def test_pieces_can_be_read_at_600_pixels(players: int):
    root = ElementTree.fromstring(svg(Position(players), size=600))
    pixels = 600 / max(float(side) for side in root.attrib["viewBox"].split()[2:])
    heights = [float(text.attrib["font-size"]) for text in root.iter(NAMESPACE + "text")]
    assert heights.count(max(heights)) == 15 * players  # the letters of all pieces
    assert pixels * max(heights) >= 14


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"size": 0}, "0 pixels"),
        ({"player": 5}, "there is no player 5: players are 1 to 4"),
        ({"player": 0}, "there is no player 0"),
        ({"highlights": ["3a1"]}, "there is no cell '3a1' with 4 players"),
        ({"last_move": "P3a1-3a2"}, "there is no cell '3a"),
        ({"last_move": "rubbish"}, "is not a move"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], reason: str):
    with pytest.raises(ValueError, match=reason):
        svg(Position(), **options)


def test_position_shows_itself_in_a_notebook_and_on_a_terminal():
    position = Position(6)
    assert position._repr_svg_() == svg(position)
    assert str(position) == draw(position)


@pytest.mark.parametrize("players", [4, 6])
def test_terminal_shows_every_piece_and_every_cell(players: int):
    for player in range(1, players + 1):
        text = draw(Position(players), player)
        words = text.split()
        assert len(words) == len(cells(players))
        assert words.count(".") == len(cells(players)) - 1 - 15 * players
        assert words.count("o") == 1
        assert words.count(f"{player}P") == 5
        assert words[-3] == f"{player}K"
        assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("players", [4, 6])
@pytest.mark.parametrize("player", [1, 2])
def test_names_of_cells_do_not_run_into_each_other(players: int, player: int):
    names = draw(Position(players), player, names=True).split()
    assert sorted(names) == sorted(cells(players))
