"""Positions as SVG pictures."""

from __future__ import annotations

from collections.abc import Iterable

from crossboard._core.draughts import Move, Position

SQUARE = 40  # units of the picture's own coordinates
MARGIN = 4

LIGHT, DARK = "#f0e2c4", "#8a5a3c"
EDGE, NUMBER = "#4a2f20", "#d9b48f"
LAST_MOVE, HIGHLIGHT, ARROW = "#c9a227", "#5b8c5a", "#1f6fb2"
BLACK, WHITE = "#2b2b2b", "#f7f3ea"
BLACK_RIM, WHITE_RIM = "#0d0d0d", "#9d9484"


def svg(
    position: Position,
    *,
    last_move: Move | str | None = None,
    arrows: Iterable[tuple[int, int] | Move | str] = (),
    highlights: Iterable[int] = (),
    flipped: bool = False,
    size: int | None = None,
    numbers: bool = True,
) -> str:
    """Draw a position, square 1 at the top left; flipped shows it from Black's side.

    Arrows go from square to square or along a move; moves may be texts such as 22x15x8. With no
    size, in pixels, the picture fills the space it is given. Raises ValueError for a square that
    is not on the board.
    """
    board = _Board(flipped)
    paths = [arrow if isinstance(arrow, tuple) else _path(arrow) for arrow in arrows]
    marked = set(_path(last_move)) if last_move else set()
    side = 8 * SQUARE + 2 * MARGIN
    pixels = "" if size is None else f' width="{_positive(size)}" height="{size}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}"{pixels} role="img">',
        f"<title>{position.fen}</title>",
        f'<rect width="{side}" height="{side}" rx="{MARGIN}" fill="{EDGE}"/>',
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{8 * SQUARE}" height="{8 * SQUARE}" '
        f'fill="{LIGHT}"/>',
    ]
    parts += [board.square(number, number in marked, numbers) for number in range(1, 33)]
    parts += [board.ring(number) for number in highlights]
    for number in range(1, 33):
        if piece := position.piece_at(number):
            parts.append(board.piece(number, piece))
    parts += [board.arrow(path) for path in paths]
    return "\n".join([*parts, "</svg>", ""])


def _path(move: Move | str) -> tuple[int, ...]:
    return (Move(move) if isinstance(move, str) else move).path


def _positive(size: int) -> int:
    if size < 1:
        raise ValueError(f"a picture cannot be {size} pixels wide")
    return size


class _Board:
    def __init__(self, flipped: bool) -> None:
        self.flipped = flipped

    def corner(self, number: int) -> tuple[int, int]:
        if not 1 <= number <= 32:
            raise ValueError(f"there is no square {number}: squares are 1 to 32")
        row, place = divmod(number - 1, 4)
        column = 2 * place + (row + 1) % 2
        if self.flipped:
            row, column = 7 - row, 7 - column
        return MARGIN + column * SQUARE, MARGIN + row * SQUARE

    def centre(self, number: int) -> tuple[int, int]:
        x, y = self.corner(number)
        return x + SQUARE // 2, y + SQUARE // 2

    def square(self, number: int, marked: bool, numbers: bool) -> str:
        x, y = self.corner(number)
        fill = LAST_MOVE if marked else DARK
        text = f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{fill}"/>'
        if numbers:
            text += (
                f'<text x="{x + 2}" y="{y + 9}" font-size="8" font-family="sans-serif" '
                f'fill="{EDGE if marked else NUMBER}">{number}</text>'
            )
        return text

    def ring(self, number: int) -> str:
        x, y = self.corner(number)
        return (
            f'<rect x="{x + 2}" y="{y + 2}" width="{SQUARE - 4}" height="{SQUARE - 4}" '
            f'fill="none" stroke="{HIGHLIGHT}" stroke-width="4"/>'
        )

    def piece(self, number: int, piece: str) -> str:
        x, y = self.centre(number)
        black = piece.lower() == "b"
        fill, rim = (BLACK, BLACK_RIM) if black else (WHITE, WHITE_RIM)
        disc = (
            f'<circle cx="{x}" cy="{y}" r="15" fill="{fill}" stroke="{rim}" stroke-width="2"/>'
            f'<circle cx="{x}" cy="{y}" r="10" fill="none" stroke="{WHITE_RIM}" '
            f'stroke-opacity="0.5"/>'
        )
        return disc + (_crown(x, y, WHITE if black else BLACK) if piece.isupper() else "")

    def arrow(self, path: tuple[int, ...]) -> str:
        points = [self.centre(number) for number in path]
        if len(points) < 2 or points[-1] == points[-2]:
            raise ValueError(f"an arrow goes from one square to another, not along {path}")
        (x1, y1), (x2, y2) = points[-2:]
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        # The shaft ends where the head begins, so that the tip stays sharp.
        neck = (x2 - 12 * dx, y2 - 12 * dy)
        shaft = " ".join(f"{x:.1f},{y:.1f}" for x, y in [*points[:-1], neck])
        wings = [(neck[0] - 7 * dy, neck[1] + 7 * dx), (neck[0] + 7 * dy, neck[1] - 7 * dx)]
        head = " ".join(f"{x:.1f},{y:.1f}" for x, y in [(x2, y2), *wings])
        return (
            f'<g opacity="0.85"><polyline points="{shaft}" fill="none" stroke="{ARROW}" '
            f'stroke-width="5" stroke-linejoin="round" stroke-linecap="round"/>'
            f'<polygon points="{head}" fill="{ARROW}"/></g>'
        )


def _crown(x: int, y: int, fill: str) -> str:
    points = [(-8, 5), (-8, -5), (-4, 0), (0, -7), (4, 0), (8, -5), (8, 5)]
    shape = " ".join(f"{x + dx},{y + dy}" for dx, dy in points)
    return f'<polygon points="{shape}" fill="{fill}"/>'
