"""Where the cells of the board lie on paper.

The Vortex is a regular hexagon of side 1 around the origin, the whole middle one of side 5; y grows
upwards, sector 1 lies at the bottom and the others follow clockwise.
"""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin, sqrt
from typing import TypeAlias

from crossboard._core.duchess import cells

Point: TypeAlias = tuple[float, float]

VORTEX = "V"
SECTORS = 6
FOLD = -5 * sqrt(3) / 2  # where the flap of sector 1 begins
RIM = -sqrt(3) / 2  # the Vortex's edge above it
FAN = 0.06  # how much wider each rank of a flap is than the one before, as a part of the first


def rotate(point: Point, sectors: float) -> Point:
    """Turn a point clockwise around the Vortex."""
    angle = -sectors * pi / 3
    x, y = point
    return x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)


def centre(polygon: tuple[Point, ...]) -> Point:
    """Return the middle of a polygon's corners."""
    xs, ys = zip(*polygon, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


@cache
def polygons(players: int) -> dict[str, tuple[Point, ...]]:
    """Return the corners of every cell by its name."""
    return {name: _polygon(name) for name in cells(players)}


def _polygon(name: str) -> tuple[Point, ...]:
    if name == VORTEX:
        return tuple(rotate((0.5, RIM), sector) for sector in range(SECTORS))
    sector, file, rank = int(name[0]) - 1, "abcde".index(name[1]), int(name[2])
    corners = [(file, rank - 1), (file + 1, rank - 1), (file + 1, rank), (file, rank)]
    return tuple(rotate(_lattice_point(x, y), sector) for x, y in corners)


# The lattice of core/rules/duchess/mesh.cpp: x = 0..5 from left to right, y = 0..6 inwards.
def _lattice_point(x: int, y: int) -> Point:
    if y <= 4:
        return (x - 2.5) * (1 + FAN * (4 - y)), FOLD - (4 - y)
    along = (y - 4) / 2
    if x <= 3:
        return x - 2.5, FOLD + along * (RIM - FOLD)
    # The block between two flaps lies between a corner of the Vortex, one of the hexagon, and the
    # points where the middle files of the two sectors begin.
    across = (x - 3) / 2
    near = _between((0.5, FOLD), (2.5, FOLD), across)
    far = _between((0.5, RIM), rotate((-0.5, FOLD), -1), across)
    return _between(near, far, along)


def _between(a: Point, b: Point, part: float) -> Point:
    return a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])
