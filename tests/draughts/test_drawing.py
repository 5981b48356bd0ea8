"""Positions as SVG pictures."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import pytest
from random_positions import placed_positions
from slow_rules import square_of

from crossboard.draughts import Move, Position, svg
from crossboard.draughts.drawing import (
    ARROW,
    BLACK,
    DARK,
    HIGHLIGHT,
    LAST_MOVE,
    MARGIN,
    SQUARE,
    WHITE,
)

NAMESPACE = "{http://www.w3.org/2000/svg}"
SIDE = 8 * SQUARE + 2 * MARGIN


def elements(picture: str, name: str, **attributes: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(picture)
    assert root.tag == NAMESPACE + "svg"
    return [
        element
        for element in root.iter(NAMESPACE + name)
        if attributes.items() <= element.attrib.items()
    ]


def corner(square: int, *, flipped: bool = False) -> tuple[str, str]:
    row, column = square_of(square)
    if flipped:
        row, column = 7 - row, 7 - column
    return str(MARGIN + column * SQUARE), str(MARGIN + row * SQUARE)


def centre(square: int, *, flipped: bool = False) -> tuple[float, float]:
    x, y = corner(square, flipped=flipped)
    return int(x) + SQUARE / 2, int(y) + SQUARE / 2


def corners_of(found: list[ElementTree.Element]) -> set[tuple[str, str]]:
    return {(element.attrib["x"], element.attrib["y"]) for element in found}


def test_start_is_drawn():
    picture = svg(Position())
    squares = elements(picture, "rect", fill=DARK)
    assert corners_of(squares) == {corner(square) for square in range(1, 33)}
    assert len(elements(picture, "circle", fill=BLACK)) == 12
    assert len(elements(picture, "circle", fill=WHITE)) == 12
    assert elements(picture, "polygon") == []
    assert [text.text for text in elements(picture, "text")] == [str(n) for n in range(1, 33)]


@pytest.mark.parametrize("flipped", [False, True])
def test_pieces_stand_on_their_squares(flipped: bool):
    for position in placed_positions(Random(21), 50):
        picture = svg(position, flipped=flipped)
        for colour, fill in (("B", BLACK), ("W", WHITE)):
            drawn = {
                (float(disc.attrib["cx"]), float(disc.attrib["cy"]))
                for disc in elements(picture, "circle", fill=fill)
            }
            assert drawn == {centre(square, flipped=flipped) for square in position.pieces(colour)}
        crowns = elements(picture, "polygon")
        assert len(crowns) == len(position.kings("B")) + len(position.kings("W"))


def test_square_1_is_at_the_top_left_and_32_when_flipped():
    assert corner(1) == (str(MARGIN + SQUARE), str(MARGIN))
    first = {
        flipped: elements(svg(Position(), flipped=flipped), "text")[0].attrib["x"]
        for flipped in (False, True)
    }
    assert float(first[False]) < SIDE / 2 < float(first[True])


def test_picture_names_its_position():
    assert [title.text for title in elements(svg(Position()), "title")] == [Position().fen]


def test_last_move_is_marked_along_its_path():
    picture = svg(Position.from_fen("W:W32:B19"), last_move=Move("1x10x19"))
    marked = elements(picture, "rect", fill=LAST_MOVE)
    assert corners_of(marked) == {corner(square) for square in (1, 10, 19)}
    assert elements(svg(Position()), "rect", fill=LAST_MOVE) == []


def test_highlights_are_rings():
    picture = svg(Position(), highlights=[15, 18])
    rings = elements(picture, "rect", stroke=HIGHLIGHT)
    assert len(rings) == 2
    assert {(int(x) - 2, int(y) - 2) for x, y in corners_of(rings)} == {
        tuple(map(int, corner(square))) for square in (15, 18)
    }


@pytest.mark.parametrize("flipped", [False, True])
def test_arrows_go_from_square_to_square_or_along_a_move(flipped: bool):
    arrows = [(11, 15), Move("1x10x19")]
    picture = svg(Position(), arrows=arrows, flipped=flipped)
    shafts = elements(picture, "polyline", stroke=ARROW)
    heads = elements(picture, "polygon", fill=ARROW)
    for shaft, head, path in zip(shafts, heads, [(11, 15), (1, 10, 19)], strict=True):
        points = [tuple(map(float, point.split(","))) for point in shaft.attrib["points"].split()]
        assert points[:-1] == [centre(square, flipped=flipped) for square in path[:-1]]
        tip = tuple(map(float, head.attrib["points"].split()[0].split(",")))
        assert tip == centre(path[-1], flipped=flipped)


def test_arrows_and_highlights_may_be_any_iterable():
    picture = svg(Position(), arrows=((1, square) for square in (5, 6)), highlights=iter({7, 8}))
    assert len(elements(picture, "polyline")) == 2
    assert len(elements(picture, "rect", stroke=HIGHLIGHT)) == 2


def test_size_is_in_pixels_and_free_if_not_given():
    root = ElementTree.fromstring(svg(Position(), size=200))
    assert (root.attrib["width"], root.attrib["height"]) == ("200", "200")
    assert root.attrib["viewBox"] == f"0 0 {SIDE} {SIDE}"
    free = ElementTree.fromstring(svg(Position()))
    assert "width" not in free.attrib
    assert free.attrib["viewBox"] == f"0 0 {SIDE} {SIDE}"


def test_numbers_can_be_left_out():
    assert elements(svg(Position(), numbers=False), "text") == []


def test_everything_at_once_is_well_formed():
    for position in placed_positions(Random(22), 30):
        picture = svg(
            position,
            last_move=Move("22x15x8"),
            arrows=[(1, 32), Move("6x13x22x15x6")],
            highlights=range(1, 33),
            flipped=True,
            size=1,
        )
        assert ElementTree.fromstring(picture).tag == NAMESPACE + "svg"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"size": 0}, "0 pixels"),
        ({"size": -5}, "-5 pixels"),
        ({"highlights": [33]}, "no square 33: squares are 1 to 32"),
        ({"highlights": [0]}, "no square 0: squares are 1 to 32"),
        ({"arrows": [(11, 40)]}, "no square 40: squares are 1 to 32"),
        ({"arrows": [(11, 11)]}, "from one square to another"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], reason: str):
    with pytest.raises(ValueError, match=reason):
        svg(Position(), **options)


def test_position_shows_itself_in_a_notebook():
    position = Position.from_fen("W:WK1,5:BK32,28")
    assert position._repr_svg_() == svg(position)
    assert len(elements(position._repr_svg_(), "circle", fill=WHITE)) == 2
