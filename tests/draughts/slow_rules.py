"""The rules of English draughts once more, slow and simple: the oracle of the fast ones.

Nothing here is shared with the core: a board is a list of eight rows of eight characters, 'b' and
'w' for men, 'B' and 'W' for kings, '.' for an empty square; row 0 is Black's home.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

Square = tuple[int, int]  # row, column

FORWARD = {"B": 1, "W": -1}
CROWNING_ROW = {"B": 7, "W": 0}


def square_of(number: int) -> Square:
    """Number 1 stands in row 0 in the second column, 5 in row 1 in the first."""
    row = (number - 1) // 4
    place = (number - 1) % 4
    return row, 2 * place + (1 if row % 2 == 0 else 0)


NUMBERS = {square_of(number): number for number in range(1, 33)}


class SlowPosition:
    """A board and the side to move, 'B' or 'W'."""

    def __init__(self, board: list[list[str]], turn: str) -> None:
        self.board = board
        self.turn = turn

    @classmethod
    def from_fen(cls, fen: str) -> SlowPosition:
        """Read a FEN without ranges, dots or blanks, as Position.fen writes it."""
        turn, *sides = fen.split(":")
        board = [["."] * 8 for _ in range(8)]
        for side in sides:
            for word in filter(None, side[1:].split(",")):
                row, column = square_of(int(word.removeprefix("K")))
                board[row][column] = side[0] if word.startswith("K") else side[0].lower()
        return cls(board, turn)

    @property
    def fen(self) -> str:
        return f"{self.turn}:W{self._words('W')}:B{self._words('B')}"

    def _words(self, colour: str) -> str:
        words = []
        for number in range(1, 33):
            piece = self._at(square_of(number))
            if piece.upper() == colour:
                words.append(f"K{number}" if piece.isupper() else str(number))
        return ",".join(words)

    def _at(self, square: Square) -> str:
        return self.board[square[0]][square[1]]

    def moves(self) -> list[tuple[int, ...]]:
        """List the legal moves as the numbers of all squares touched."""
        own = [square for square in NUMBERS if self._at(square).upper() == self.turn]
        paths = [path for square in own for path in self._jumps(square)]
        if not paths:  # whoever can jump must
            paths = [path for square in own for path in self._steps(square)]
        return [tuple(NUMBERS[square] for square in path) for path in paths]

    def _directions(self, piece: str) -> list[tuple[int, int]]:
        rows = [1, -1] if piece.isupper() else [FORWARD[self.turn]]
        return [(row, column) for row in rows for column in (1, -1)]

    def _steps(self, square: Square) -> Iterator[list[Square]]:
        for down, right in self._directions(self._at(square)):
            target = square[0] + down, square[1] + right
            if target in NUMBERS and self._at(target) == ".":
                yield [square, target]

    def _jumps(self, square: Square) -> Iterator[list[Square]]:
        piece = self._at(square)
        for path in self._routes(piece, [square], taken=[]):
            if len(path) > 1:
                yield path

    def _routes(
        self, piece: str, path: list[Square], taken: list[Square]
    ) -> Iterator[list[Square]]:
        """Yield every way to jump on from the end of the path until no jump is left."""
        row, column = path[-1]
        is_complete = True
        for down, right in self._directions(piece):
            over = row + down, column + right
            landing = row + 2 * down, column + 2 * right
            if landing not in NUMBERS or over in taken:
                continue
            if self._at(over) == "." or self._at(over).upper() == self.turn:
                continue
            # The jumping piece has left its first square.
            if self._at(landing) != "." and landing != path[0]:
                continue
            is_complete = False
            is_crowned = piece.islower() and landing[0] == CROWNING_ROW[self.turn]
            if is_crowned:  # the move ends here
                yield [*path, landing]
            else:
                yield from self._routes(piece, [*path, landing], [*taken, over])
        if is_complete:
            yield path

    def after(self, path: tuple[int, ...]) -> SlowPosition:
        """Return the position after a move that moves() lists."""
        board = [list(row) for row in self.board]
        squares = [square_of(number) for number in path]
        piece = self._at(squares[0])
        board[squares[0][0]][squares[0][1]] = "."
        for here, there in pairwise(squares):
            if abs(there[0] - here[0]) == 2:
                board[(here[0] + there[0]) // 2][(here[1] + there[1]) // 2] = "."
        row, column = squares[-1]
        board[row][column] = piece.upper() if row == CROWNING_ROW[self.turn] else piece
        return SlowPosition(board, "W" if self.turn == "B" else "B")

    def perft(self, depth: int) -> int:
        """Count the leaves of the move tree; depth is at least 1."""
        moves = self.moves()
        if depth == 1:
            return len(moves)
        return sum(self.after(move).perft(depth - 1) for move in moves)
