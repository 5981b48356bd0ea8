"""Positions as SVG pictures and as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from crossboard._core.duchess import Move, Position, sectors
from crossboard.duchess.geometry import Point, centre, polygons, rotate

UNIT = 40  # of the picture's own coordinates: the side of a cell
MARGIN = 14

LIGHT, DARK, LINE, NAME = "#efe6d2", "#b9a98c", "#5d5240", "#453b2b"
LAST_LIGHT, LAST_DARK, HIGHLIGHT = "#f3d67a", "#d8b04a", "#2f7d4f"
# Around a King in check, with a gap between them: a rim alone would not be seen on a red one.
CHECK, GAP = "#d11f1f", "#ffffff"

# Fill and letter of each player's pieces. Red and yellow (and magenta) are one team, green and
# blue (and cyan) the other, whose pieces are square: not everybody tells red from green.
RED, GREEN, MAGENTA = ("#c62828", "#ffffff"), ("#2e7d32", "#ffffff"), ("#ad1fa0", "#ffffff")
BLUE, YELLOW, CYAN = ("#1f4fbf", "#ffffff"), ("#f6c90e", "#1d1a12"), ("#35c3d6", "#10262a")
COLOURS = {4: (RED, GREEN, YELLOW, BLUE), 6: (RED, GREEN, MAGENTA, BLUE, YELLOW, CYAN)}

# Characters for one side of a cell: a terminal's letters are twice as high as wide.
COLUMNS, ROWS = 4.6, 2.0


def svg(
    position: Position,
    *,
    last_move: Move | str | None = None,
    highlights: Iterable[str] = (),
    player: int = 1,
    size: int | None = None,
    names: bool = True,
) -> str:
    """Draw a position as seen by a player, who sits at the bottom.

    The odd team's pieces are round, the even team's square. The line behind each player's flap is
    thick for the one on turn; a red ring is around a King in check.
    With no size, in pixels of the longer side, the picture fills the space it is given. Raises
    ValueError for a cell or a player that does not exist.
    """
    view = _View(position, player)
    move = Move(last_move) if isinstance(last_move, str) else last_move
    marked = {position.cell(name) for name in (move.start, move.end) if name} if move else set()
    x, y, width, height = view.frame
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}"'
        f'{_pixels(size, width, height)} role="img" font-family="sans-serif" '
        f'text-anchor="middle">',
        f"<title>{position.text}</title>",
    ]
    parts += [view.cell(name, name in marked) for name in view.shapes]
    if names:
        parts += [view.name(cell) for cell in view.shapes if not position.piece_at(cell)]
    parts += [view.flap_line(seat) for seat in range(position.players)]
    parts += [view.ring(position.cell(name)) for name in highlights]
    for cell in view.shapes:
        if piece := position.piece_at(cell):
            parts.append(view.piece(cell, int(piece[0]), piece[1]))
    return "\n".join([*parts, "</svg>", ""])


def draw(position: Position, player: int = 1, *, names: bool = False) -> str:
    """Draw a position for a terminal: player and piece, '.' for an empty cell, 'o' the Vortex.

    With `names` the cells are called by their names, whoever stands there.
    """
    view = _View(position, player)
    places = {name: _character(shape) for name, shape in view.shapes.items()}
    left = min(column for _, column in places.values())
    top = min(row for row, _ in places.values())
    lines: dict[int, dict[int, str]] = {}
    for name, (row, column) in places.items():
        empty = "o" if name == "V" else "."
        label = name if names else position.piece_at(name) or empty
        for offset, letter in enumerate(label.rjust(2)):
            lines.setdefault(row - top, {})[column - left + offset] = letter
    return "\n".join(_line(lines.get(row, {})) for row in range(max(lines) + 1))


def _character(shape: tuple[Point, ...]) -> tuple[int, int]:
    x, y = centre(shape)
    return round(y * ROWS), round(x * COLUMNS)


def _line(letters: dict[int, str]) -> str:
    return "".join(letters.get(column, " ") for column in range(max(letters, default=-1) + 1))


def _pixels(size: int | None, width: int, height: int) -> str:
    if size is None:
        return ""
    if size < 1:
        raise ValueError(f"a picture cannot be {size} pixels wide")
    scale = size / max(width, height)
    return f' width="{max(1, round(width * scale))}" height="{max(1, round(height * scale))}"'


class _View:
    """The board as one player sees it; y grows downwards, as in pictures."""

    def __init__(self, position: Position, player: int) -> None:
        if not 1 <= player <= position.players:
            raise ValueError(f"there is no player {player}: players are 1 to {position.players}")
        self.position = position
        self.colours = COLOURS[position.players]
        self.sectors = sectors(position.players)
        self.turned = 1 - self.sectors[player - 1]
        self.shapes = {
            name: tuple(self.place(point) for point in polygon)
            for name, polygon in polygons(position.players).items()
        }

    def place(self, point: Point) -> Point:
        x, y = rotate(point, self.turned)
        return x, -y

    @property
    def frame(self) -> tuple[int, int, int, int]:
        """Left, top, width and height of the picture."""
        points = [point for shape in self.shapes.values() for point in shape]
        xs, ys = [x * UNIT for x, _ in points], [y * UNIT for _, y in points]
        left, top = round(min(xs)) - MARGIN, round(min(ys)) - MARGIN
        return left, top, round(max(xs)) + MARGIN - left, round(max(ys)) + MARGIN - top

    def cell(self, name: str, marked: bool) -> str:
        light, dark = (LAST_LIGHT, LAST_DARK) if marked else (LIGHT, DARK)
        fill = dark if _is_dark(name) else light
        return f'<polygon points="{_points(self.shapes[name])}" fill="{fill}" stroke="{LINE}"/>'

    def name(self, name: str) -> str:
        x, y = centre(self.shapes[name])
        return (
            f'<text x="{x * UNIT:.1f}" y="{y * UNIT + 3:.1f}" font-size="10" '
            f'fill="{NAME}">{name}</text>'
        )

    def flap_line(self, seat: int) -> str:
        sector = self.sectors[seat]
        ends = [self.shapes[f"{sector}a1"][0], self.shapes[f"{sector}e1"][1]]
        width = 8 if self.position.turn == seat + 1 else 2
        # Outside the flap, so that the line does not cover the cells.
        x, y = (sum(values) / 2 for values in zip(*ends, strict=True))
        away = 6 / UNIT / (x * x + y * y) ** 0.5
        points = _points([(px + x * away, py + y * away) for px, py in ends])
        return (
            f'<polyline points="{points}" fill="none" stroke="{self.colours[seat][0]}" '
            f'stroke-width="{width}"/>'
        )

    def ring(self, name: str) -> str:
        middle = centre(self.shapes[name])
        inner = [_towards(point, middle, 0.1) for point in self.shapes[name]]
        return (
            f'<polygon points="{_points(inner)}" fill="none" stroke="{HIGHLIGHT}" '
            f'stroke-width="4"/>'
        )

    def piece(self, name: str, player: int, letter: str) -> str:
        fill, ink = self.colours[player - 1]
        x, y = (value * UNIT for value in centre(self.shapes[name]))
        in_check = letter == "K" and self.position.flags[player - 1] in "cm"
        ring = _token(x, y, 18, player, f'fill="{GAP}" stroke="{CHECK}" stroke-width="3.5"')
        body = f'fill="{fill}" stroke="{LINE}" stroke-width="1"'
        return (
            f"{ring if in_check else ''}{_token(x, y, 13.5 if in_check else 15, player, body)}"
            f'<text x="{x:.1f}" y="{y + 7:.1f}" font-size="20" '
            f'font-weight="bold" fill="{ink}">{letter}</text>'
        )


def _token(x: float, y: float, radius: float, player: int, look: str) -> str:
    """Draw a disc for a player of the odd team, a square with round corners for the even team."""
    if player % 2:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" {look}/>'
    half = 0.9 * radius  # which looks as large
    return (
        f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" '
        f'height="{2 * half:.1f}" rx="{half / 3:.1f}" {look}/>'
    )


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{x * UNIT:.1f},{y * UNIT:.1f}" for x, y in points)


def _towards(point: Point, aim: Point, part: float) -> Point:
    return point[0] + part * (aim[0] - point[0]), point[1] + part * (aim[1] - point[1])


# Every edge step changes the colour; the Vortex and the corners of the flaps are dark.
def _is_dark(name: str) -> bool:
    return name == "V" or ("abcde".index(name[1]) + int(name[2])) % 2 == 1
