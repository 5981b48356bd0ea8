"""Duchess in the core."""

from collections.abc import Iterator
from typing import overload


class InvalidPosition(ValueError):
    pass

class IllegalMove(ValueError):
    pass

def cells(players: int = 4) -> tuple[str, ...]:
    """The names of all cells, in their order."""

def sectors(players: int = 4) -> tuple[int, ...]:
    """The sectors in which the players sit, in order of play."""

class Move:
    """A move as written: Move('N1b2-1a4'), Move('P1d6xV=Q'), Move('pass')."""

    def __init__(self, text: str) -> None:
        """Read a whole move, no position given; raise IllegalMove if it is none."""

    @property
    def piece(self) -> str | None:
        """The letter of the piece that moves, one of KQDFWNRBP; None for a pass."""

    @property
    def start(self) -> str | None:
        """The cell it leaves; None for a pass."""

    @property
    def end(self) -> str | None:
        """The cell it goes to; None for a pass."""

    @property
    def promotion(self) -> str | None:
        """The letter of the piece that a pawn becomes, or None."""

    @property
    def is_capture(self) -> bool: ...

    @property
    def is_pass(self) -> bool: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

class LegalMoves:
    """
    The legal moves of a position: iterable, countable, indexable, `in`.
    Empty for a player who must pass.
    """

    def __len__(self) -> int: ...

    def __bool__(self) -> bool: ...

    def __iter__(self) -> Iterator[Move]: ...

    @overload
    def __getitem__(self, arg: int, /) -> Move: ...

    @overload
    def __getitem__(self, index: slice, /) -> tuple[Move, ...]: ...

    @overload
    def __contains__(self, arg: Move, /) -> bool: ...

    @overload
    def __contains__(self, arg: str, /) -> bool: ...

    @overload
    def __contains__(self, other: object | None) -> bool: ...

    def index(self, move: Move) -> int:
        """Where a move stands; raise ValueError if it is none of them."""

    def count(self, move: Move) -> int: ...

    def __repr__(self) -> str: ...

class Position:
    """Board, boxes and turn, with no past. A value: it never changes."""

    def __init__(self, players: int = 4) -> None:
        """Make the start position of 4 or 6 players."""

    @staticmethod
    def from_text(text: str) -> Position:
        """
        Read '4; 1:K1a1 P1c6; 2:K2a1; 3:K4a1; 4:K5a1; turn 1; box 1:Q,R'; raise
        InvalidPosition if it is none.
        """

    @property
    def text(self) -> str:
        """The position as text, pieces in the order of cells."""

    @property
    def players(self) -> int: ...

    @property
    def turn(self) -> int:
        """Whose turn it is: 1 to players."""

    @property
    def flags(self) -> str:
        """
        A character for every player: '.', 'c' in check, 'm' mated, 's' stalemated.
        Mated and stalemated is who could not move were it his turn now.
        """

    @property
    def legal_moves(self) -> LegalMoves: ...

    @property
    def must_pass(self) -> bool:
        """Whether the player on turn is skipped: after('pass')."""

    @property
    def is_over(self) -> bool:
        """
        Whether a team is mated to the last player, or nobody can move; the draw by
        quiet plies belongs to the record of a game.
        """

    @property
    def winner(self) -> str | None:
        """'odd' or 'even' once that team has won."""

    @property
    def key(self) -> int:
        """The Zobrist key, 64 bits."""

    @property
    def rotated(self) -> Position:
        """
        The same position with all players moved on, by one seat of six or two of four.
        """

    @overload
    def after(self, move: Move) -> Position: ...

    @overload
    def after(self, move: str) -> Position:
        """
        Return the position after a move, or after 'pass' where the player cannot move;
        raise IllegalMove, which says why not.
        """

    def parse_move(self, text: str) -> Move:
        """Find the legal move written as N1b2-1a4 or 1b2-1a4; raise IllegalMove."""

    def piece_at(self, cell: str) -> str | None:
        """Player and piece, such as '1K'; None for an empty cell."""

    def pieces(self, player: int) -> tuple[str, ...]:
        """
        One player's pieces with their cells, such as 'K1c1', in the order of cells.
        """

    def box(self, player: int) -> str:
        """The letters of one player's captured pieces, strongest first."""

    def perft(self, depth: int) -> int:
        """Count the leaves of the move tree; a forced pass is one move."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __str__(self) -> str: ...

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

class Past:
    """The part of a game's history that draws depend on."""

    def __init__(self, start: Position) -> None: ...

    def add(self, before: Position, move: Move) -> None:
        """Note that `move` was played in `before`."""

    @property
    def plies(self) -> int: ...

    @property
    def quiet_plies(self) -> int:
        """Plies since the last capture or promotion, skipped turns included."""

    @property
    def is_drawn(self) -> bool:
        """Whether there were too many quiet plies."""

MAX_QUIET_PLIES: int = 200
