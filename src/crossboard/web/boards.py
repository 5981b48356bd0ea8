"""The boards of the games as the page draws them: cells, looks of the seats, legal paths."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache

from crossboard.duchess.drawing import COLOURS
from crossboard.duchess.geometry import centre, polygons
from crossboard.players.games import AnyMove, AnyPosition, Game, find_game
from crossboard.web.messages import Cell, Geometry, LegalMove, Piece, Point, SeatLook

DUCHESS_WORDS = {
    "K": "King",
    "Q": "Queen",
    "D": "Duchess",
    "F": "Fortress",
    "W": "Wizard",
    "N": "Knight",
    "R": "Rook",
    "B": "Bishop",
    "P": "Pawn",
}
FULL_TURN = 360


class BoardView(ABC):
    """What the page is told of the board of one game."""

    @abstractmethod
    def geometry(self, players: int) -> Geometry:
        """Return the board; raise ValueError if so many cannot play."""

    @abstractmethod
    def pieces(self, position: AnyPosition) -> list[Piece]:
        """Return the pieces that stand on the board."""

    @abstractmethod
    def path(self, position: AnyPosition, move: AnyMove) -> list[str]:
        """Return the cells that a move touches."""

    @abstractmethod
    def legal_moves(self, position: AnyPosition) -> list[LegalMove]:
        """Return the moves of the seat on turn."""

    @abstractmethod
    def note(self, position: AnyPosition) -> str:
        """Say what restricts the seat on turn, if anything does."""

    def boxes(self, position: AnyPosition) -> dict[str, str]:
        """Return the captured pieces that may come back, by seat."""
        return {}


class CheckeredBoard(BoardView):
    """The board of draughts: 32 of 64 squares, square 1 at the top left."""

    def geometry(self, players: int) -> Geometry:
        """Return the squares, White at the bottom."""
        game = _game_with("draughts", players)
        squares = [_square(number) for number in range(1, 33)]
        taken = {(cell.points[0]) for cell in squares}
        ground = [
            _corners(column, row)
            for row in range(8)
            for column in range(8)
            if (column, row) not in taken
        ]
        looks = {
            "W": ("#f7f3ea", "#5b5347", "#4a443b", 0.0),
            "B": ("#33302d", "#e9e2d3", "#0d0d0d", 180.0),
        }
        seats = [
            SeatLook(
                seat=str(seat),
                title=game.seat_title(seat),
                side=game.side_of_seat(seat),
                shape="disc",
                fill=looks[str(seat)][0],
                ink=looks[str(seat)][1],
                rim=looks[str(seat)][2],
                turn=looks[str(seat)][3],
                edge=[],
            )
            for seat in game.sides
        ]
        return Geometry(
            game=game.name,
            players=players,
            cells=squares,
            ground=ground,
            seats=seats,
            narrow_turn=0,
            has_names=True,
        )

    def pieces(self, position: AnyPosition) -> list[Piece]:
        """Return men and kings."""
        found = []
        for number in range(1, 33):
            if piece := position.piece_at(number):
                is_king = piece.isupper()
                colour = {"b": "black", "w": "white"}[piece.lower()]
                found.append(
                    Piece(
                        cell=str(number),
                        seat=piece.upper(),
                        mark="crown" if is_king else "",
                        title=f"{colour} {'king' if is_king else 'man'}",
                        is_in_check=False,
                    )
                )
        return found

    def path(self, position: AnyPosition, move: AnyMove) -> list[str]:
        """Return the squares touched: start, landings, end."""
        return [str(number) for number in move.path]

    def legal_moves(self, position: AnyPosition) -> list[LegalMove]:
        """Return the moves, every route of a jump by itself."""
        return [
            LegalMove(
                text=str(move),
                path=self.path(position, move),
                captures=[str(number) for number in move.captured],
                choice=None,
            )
            for move in position.legal_moves
        ]

    def note(self, position: AnyPosition) -> str:
        """Say that a capture is compulsory, and which ones there are."""
        if not position.has_capture:
            return ""
        moves = " or ".join(sorted({position.format_move(m) for m in position.legal_moves}))
        return f"Capture is compulsory: {moves}."


class MeshBoard(BoardView):
    """The board of Duchess: flaps around a Vortex."""

    def geometry(self, players: int) -> Geometry:
        """Return the cells, player 1 at the bottom."""
        game = _game_with("duchess", players)
        shapes = {
            name: [(round(x, 4), round(-y, 4)) for x, y in shape]
            for name, shape in polygons(players).items()
        }
        cells = [
            Cell(
                name=name,
                points=shape,
                middle=_rounded(centre(tuple(shape))),
                is_dark=name == "V" or ("abcde".index(name[1]) + int(name[2])) % 2 == 1,
            )
            for name, shape in shapes.items()
        ]
        sectors = game.core.sectors(players)
        seats = [
            SeatLook(
                seat=str(number),
                title=game.seat_title(number),
                side=game.side_of_seat(number),
                shape="disc" if number % 2 else "square",
                fill=COLOURS[players][number - 1][0],
                ink=COLOURS[players][number - 1][1],
                rim="#000000aa",
                turn=(1 - sector) * 60.0 % FULL_TURN,
                edge=[shapes[f"{sector}a1"][0], shapes[f"{sector}e1"][1]],
            )
            for number, sector in enumerate(sectors, 1)
        ]
        return Geometry(
            game=game.name,
            players=players,
            cells=cells,
            ground=[],
            seats=seats,
            narrow_turn=30 if players == 4 else 0,
            has_names=False,
        )

    def pieces(self, position: AnyPosition) -> list[Piece]:
        """Return the pieces; a King in check is marked."""
        found = []
        for name in game_cells(position.players):
            if piece := position.piece_at(name):
                seat, letter = piece[0], piece[1]
                in_check = letter == "K" and position.flags[int(seat) - 1] in "cm"
                found.append(
                    Piece(
                        cell=name,
                        seat=seat,
                        mark=letter,
                        title=f"{DUCHESS_WORDS[letter]} of player {seat}",
                        is_in_check=in_check,
                    )
                )
        return found

    def path(self, position: AnyPosition, move: AnyMove) -> list[str]:
        """Return the cell that is left and the one that is entered; none for a pass."""
        if move.is_pass:
            return []
        return [position.cell(move.start), position.cell(move.end)]

    def legal_moves(self, position: AnyPosition) -> list[LegalMove]:
        """Return the moves; promotions are several moves of one path."""
        return [
            LegalMove(
                text=str(move),
                path=self.path(position, move),
                captures=[position.cell(move.end)] if move.is_capture else [],
                choice=move.promotion,
            )
            for move in position.legal_moves
        ]

    def note(self, position: AnyPosition) -> str:
        """Say that the player on turn is in check."""
        in_check = not position.is_over and position.flags[position.turn - 1] == "c"
        return f"Player {position.turn} is in check." if in_check else ""

    def boxes(self, position: AnyPosition) -> dict[str, str]:
        """Return every player's box."""
        return {str(n): position.box(n) for n in range(1, position.players + 1)}


BOARDS: Mapping[str, BoardView] = {"draughts": CheckeredBoard(), "duchess": MeshBoard()}


@cache
def geometry_of(game: str, players: int) -> Geometry:
    """Return the board of a game; raise ValueError if there is none."""
    return BOARDS[find_game(game).name].geometry(players)


@cache
def game_cells(players: int) -> Sequence[str]:
    """Return the names of the cells of Duchess."""
    return tuple(polygons(players))


def _game_with(name: str, players: int) -> Game:
    game = find_game(name)
    if players not in game.players:
        allowed = " or ".join(map(str, game.players))
        raise ValueError(f"{game.title} is for {allowed} players, not {players}")
    return game


def _square(number: int) -> Cell:
    row, place = divmod(number - 1, 4)
    column = 2 * place + (row + 1) % 2
    return Cell(
        name=str(number),
        points=_corners(column, row),
        middle=(column + 0.5, row + 0.5),
        is_dark=True,
    )


def _corners(column: int, row: int) -> list[Point]:
    return [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]


def _rounded(point: tuple[float, float]) -> Point:
    return round(point[0], 4), round(point[1], 4)
