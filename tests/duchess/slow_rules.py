"""Duchess once more, slowly and straight from the rules: what the core is compared with.

Nothing is shared with the core and nothing is precomputed but the neighbours of cells; a move is
legal if, once it is made, no enemy piece could go to the King's cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

FULL = Counter("KQDFWNRRBBPPPPP")
ORDER = "KQDFWNRBP"
FLAPS = {4: (1, 2, 4, 5), 6: (1, 2, 3, 4, 5, 6)}  # the sectors in which players sit
FILES = "abcde"


def next_sector(sector: int) -> int:
    return sector % 6 + 1


def own_name(name: str) -> str:
    """Give a cell's own name for one that it has in the sector on the right."""
    other = {"a5": "e5", "a6": "d5", "b5": "e6", "b6": "d6"}.get(name[1:])
    return name if other is None else f"{next_sector(int(name[0]))}{other}"


def all_cells(players: int) -> list[str]:
    cells = []
    for sector in range(1, 7):
        ranks = range(1, 5) if sector in FLAPS[players] else ()
        cells += [f"{sector}{file}{rank}" for rank in ranks for file in FILES]
        cells += [f"{sector}{file}{rank}" for rank in (5, 6) for file in "cde"]
    return [*cells, "V"]


class Mesh:
    """The board as polygons: a cell is the ring of its corners, and everything follows."""

    def __init__(self, players: int) -> None:
        self.order = all_cells(players)
        self.rings = {name: _ring(name) for name in self.order}

    @cache  # noqa: B019 - there are two of them
    def across_edges(self, cell: str) -> list[tuple[str, int] | None]:
        """For each edge the cell beyond and the number of the same edge there."""
        return [self._beyond(cell, edge) for edge in edges_of(self.rings[cell])]

    def _beyond(self, cell: str, edge: frozenset[object]) -> tuple[str, int] | None:
        for other, ring in self.rings.items():
            if other != cell and edge in edges_of(ring):
                return other, edges_of(ring).index(edge)
        return None

    @cache  # noqa: B019
    def across_corners(self, cell: str) -> list[tuple[str, int] | None]:
        """For each corner the cell beyond that shares no edge, and the corner's number there."""
        edges = set(edges_of(self.rings[cell]))
        found: list[tuple[str, int] | None] = []
        for corner in self.rings[cell]:
            others = [
                (other, ring.index(corner))
                for other, ring in self.rings.items()
                if other != cell and corner in ring and not edges & set(edges_of(ring))
            ]
            assert len(others) <= 1
            found.append(others[0] if others else None)
        return found

    @cache  # noqa: B019
    def beside(self, cell: str) -> list[str]:
        return [step[0] for step in self.across_edges(cell) if step]

    @cache  # noqa: B019
    def diagonal(self, cell: str) -> list[str]:
        return [step[0] for step in self.across_corners(cell) if step]

    @cache  # noqa: B019
    def around(self, cell: str) -> list[str]:
        return self.beside(cell) + self.diagonal(cell)

    @cache  # noqa: B019
    def rook_lines(self, cell: str) -> list[list[str]]:
        return self._lines(cell, self.across_edges)

    @cache  # noqa: B019
    def bishop_lines(self, cell: str) -> list[list[str]]:
        return self._lines(cell, self.across_corners)

    def _lines(self, cell: str, across) -> list[list[str]]:
        lines = []
        for step in across(cell):
            line = []
            while step:
                line.append(step[0])
                ways = across(step[0])
                step = ways[(step[1] + len(ways) // 2) % len(ways)]
            lines.append(line)
        return lines

    @cache  # noqa: B019
    def knight(self, cell: str) -> set[str]:
        """Three edge steps, straight on and one turn, in either order."""
        found = set()
        for first in filter(None, self.across_edges(cell)):
            for turn in ("last", "first"):
                for second in self._go_on(first, turning=turn == "first"):
                    for third in self._go_on(second, turning=turn == "last"):
                        found.add(third[0])
        return found - {cell, *self.beside(cell)}

    def _go_on(self, step: tuple[str, int], *, turning: bool) -> Iterator[tuple[str, int]]:
        ways = self.across_edges(step[0])
        straight = (step[1] + len(ways) // 2) % len(ways)
        for number, way in enumerate(ways):
            if way and number != step[1] and (number != straight) == turning:
                yield way


def _ring(name: str) -> list[object]:
    if name == "V":
        return [_point(sector, 3, 6) for sector in range(1, 7)]
    sector, x, y = int(name[0]), FILES.index(name[1]), int(name[2])
    return [_point(sector, *at) for at in ((x, y - 1), (x + 1, y - 1), (x + 1, y), (x, y))]


def _point(sector: int, x: int, y: int) -> object:
    return (next_sector(sector), 9 - y, 4 + x) if x <= 2 and y >= 4 else (sector, x, y)


def edges_of(ring: list[object]) -> list[frozenset[object]]:
    return [frozenset((ring[i], ring[(i + 1) % len(ring)])) for i in range(len(ring))]


MESHES = {players: Mesh(players) for players in (4, 6)}


class Piece(NamedTuple):
    seat: int  # from 1
    kind: str


class SlowPosition:
    def __init__(
        self, players: int, board: dict[str, Piece], turn: int, boxes: dict[int, Counter[str]]
    ) -> None:
        self.players = players
        self.mesh = MESHES[players]
        self.board = board
        self.turn = turn
        self.boxes = boxes

    @classmethod
    def from_text(cls, text: str) -> SlowPosition:
        first, *parts = text.split("; ")
        board: dict[str, Piece] = {}
        boxes = {seat: Counter[str]() for seat in range(1, int(first) + 1)}
        turn = 0
        for part in parts:
            if part.startswith("turn "):
                turn = int(part[5:])
            elif part.startswith("box "):
                boxes[int(part[4])] = Counter(part[6:].split(","))
            else:
                for word in part[2:].split():
                    board[own_name(word[1:])] = Piece(int(part[0]), word[0])
        return cls(int(first), board, turn, boxes)

    @property
    def text(self) -> str:
        parts = [str(self.players)]
        for seat in range(1, self.players + 1):
            own = [c for c in self.mesh.order if c in self.board and self.board[c].seat == seat]
            parts.append(f"{seat}:" + " ".join(self.board[cell].kind + cell for cell in own))
        parts.append(f"turn {self.turn}")
        for seat, box in self.boxes.items():
            if +box:
                parts.append(f"box {seat}:" + ",".join(sorted(box.elements())))
        return "; ".join(parts)

    def are_partners(self, a: int, b: int) -> bool:
        return a % 2 == b % 2

    def direct(self, cell: str) -> set[str]:
        """Where the piece on a cell could go or capture but for teleports, Kings included."""
        seat, kind = self.board[cell]
        mesh, reached = self.mesh, set()
        if kind == "P":
            reached = {c for c in mesh.beside(cell) if c not in self.board}
            reached |= {c for c in mesh.diagonal(cell) if c in self.board}
        if kind in "KW":
            reached |= set(mesh.around(cell))
        if kind in "NDF":
            reached |= mesh.knight(cell)
        if kind in "RQF":
            reached |= self._visible(mesh.rook_lines(cell))
        if kind in "BQD":
            reached |= self._visible(mesh.bishop_lines(cell))
        return {
            c
            for c in reached
            if c not in self.board or not self.are_partners(self.board[c].seat, seat)
        }

    def _visible(self, lines: list[list[str]]) -> set[str]:
        seen = set()
        for line in lines:
            for cell in line:
                seen.add(cell)
                if cell in self.board:
                    break
        return seen

    def teleports(self, cell: str) -> set[str]:
        seat, kind = self.board[cell]
        wizards = [
            c for c, p in self.board.items() if p.kind == "W" and self.are_partners(p.seat, seat)
        ]
        if kind == "W":
            reached = {
                to for wizard in wizards if wizard != cell for to in self.mesh.around(wizard)
            }
        else:
            reached = set()
        zone = {to for wizard in wizards for to in self.mesh.around(wizard)}
        if cell in zone:
            reached |= zone - {cell}
        return {
            c
            for c in reached
            if c not in self.board or not self.are_partners(self.board[c].seat, seat)
        }

    def is_in_check(self, seat: int) -> bool:
        (king,) = (c for c, piece in self.board.items() if piece == Piece(seat, "K"))
        return any(
            king in self.direct(cell)
            for cell, piece in self.board.items()
            if not self.are_partners(piece.seat, seat)
        )

    def moves(self) -> list[str]:
        """The legal moves of the player on turn, sorted."""
        return sorted(self.moves_of(self.turn))

    def moves_of(self, seat: int) -> Iterator[str]:
        """Yield the legal moves that a player would have on turn now."""
        for cell, piece in self.board.items():
            if piece.seat != seat:
                continue
            for to in self.direct(cell) | self.teleports(cell):
                if to in self.board and self.board[to].kind == "K":
                    continue
                text = f"{piece.kind}{cell}{'x' if to in self.board else '-'}{to}"
                if self._made(text, seat).is_in_check(seat):
                    continue
                yield text
                if piece.kind == "P" and to == "V":
                    yield from (f"{text}={kind}" for kind in +self.boxes[seat] if kind != "P")

    def _made(self, text: str, seat: int) -> SlowPosition:
        board = dict(self.board)
        boxes = {owner: Counter(box) for owner, box in self.boxes.items()}
        if text != "pass":
            move, _, promoted = text.partition("=")
            start, end = move[1:].replace("x", "-").split("-")
            if end in board:
                boxes[board[end].seat][board[end].kind] += 1
            board[end] = board.pop(start)
            if promoted:
                boxes[seat] -= Counter(promoted)
                boxes[seat]["P"] += 1
                board[end] = Piece(seat, promoted)
        return SlowPosition(self.players, board, seat % self.players + 1, boxes)

    def after(self, text: str) -> SlowPosition:
        return self._made(text, self.turn)

    @property
    def flags(self) -> str:
        flags = ""
        for seat in range(1, self.players + 1):
            check, movable = self.is_in_check(seat), any(self.moves_of(seat))
            flags += {(False, True): ".", (True, True): "c", (True, False): "m"}.get(
                (check, movable), "s"
            )
        return flags

    @property
    def winner(self) -> str | None:
        """The team that has just moved, if all its opponents are mated."""
        opponents = self.flags[(self.turn - 1) % 2 :: 2]
        if set(opponents) != {"m"}:
            return None
        return "even" if self.turn % 2 else "odd"

    @property
    def is_over(self) -> bool:
        return self.winner is not None or set(self.flags) <= {"m", "s"}

    def perft(self, depth: int) -> int:
        if depth == 0:
            return 1
        moves = self.moves()
        if not moves:
            moves = [] if self.is_over else ["pass"]
        return sum(self.after(move).perft(depth - 1) for move in moves)
