"""Duchess in the core."""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, overload

import numpy
import numpy.typing
from numpy.typing import NDArray

import crossboard._core


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

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

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
        """Return the index of a move; raise ValueError if it is not legal."""

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
    def must_pass(self) -> bool:
        """Whether the player on turn is skipped: after('pass')."""

    @property
    def winner(self) -> str | None:
        """'odd' or 'even' once that team has won."""

    @property
    def rotated(self) -> Position:
        """
        The same position with all players moved on, by one seat of six or two of four.
        """

    def cell(self, name: str) -> str:
        """
        Return a cell's name as positions have it: cells between two sectors have two; raise
        ValueError if there is none.
        """

    def piece_at(self, cell: str) -> str | None:
        """Player and piece, such as '1K'; None for an empty cell."""

    def pieces(self, player: int) -> tuple[str, ...]:
        """
        One player's pieces with their cells, such as 'K1c1', in the order of cells.
        """

    def box(self, player: int) -> str:
        """The letters of one player's captured pieces, strongest first."""

    def __str__(self) -> str: ...

    @property
    def legal_moves(self) -> LegalMoves: ...

    @property
    def is_over(self) -> bool:
        """
        Whether a team is mated to the last player, or nobody can move; the draw by
        quiet plies belongs to the record of a game.
        """

    @property
    def key(self) -> int:
        """The Zobrist key, 64 bits."""

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

    def perft(self, depth: int) -> int:
        """Count the leaves of the move tree; a forced pass is one move."""

    def __hash__(self) -> int: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

class Past:
    """The part of a game's history that draws depend on."""

    def __init__(self, start: Position) -> None: ...

    def add(self, before: Position, move: Move) -> None:
        """
        Note that `move` was played in `before`; raise ValueError if the game does not stand
        there.
        """

    @property
    def plies(self) -> int: ...

    @property
    def quiet_plies(self) -> int:
        """Plies since the last capture or promotion, skipped turns included."""

    @property
    def is_drawn(self) -> bool:
        """Whether there were too many quiet plies."""

MAX_QUIET_PLIES: int = 200

def weight_shapes(players: int = 4, *, attack: bool = False, attack_modes: bool = False, piece_square: bool = False, king_reach: bool = False) -> dict[str, tuple[int, ...]]:
    """The groups of weights in their order, with their shapes: sets first."""

class OneLayer:
    """A weighted sum whose sigmoid is the chance to win."""

    def __init__(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, players: int = 4, attack: bool = False, attack_modes: bool = False, piece_square: bool = False, king_reach: bool = False, cumulative: bool = True) -> None:
        """
        All weights in a row, in the order of weight_shapes(). A search does not begin anew
        at every position unless cumulative=False.
        """

    def evaluate(self, position: Position) -> int:
        """Judge a position for the team to move, in units."""

    @property
    def units(self) -> int: ...

    def __call__(self, position: Position) -> float:
        """Judge a position for the team to move: the weighted sum."""

    def features(self, position: Position) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """How often each weight counts in a position, in their order."""

class RankedMove:
    """A move with its value, in the evaluator's units."""

    @property
    def move(self) -> Move: ...

    @property
    def value(self) -> int: ...

    @property
    def pv(self) -> list[Move]: ...

    @property
    def win_in(self) -> int | None:
        """
        Plies to a forced win, negative for a forced loss; None if neither is seen.
        """

class Answer:
    """What a search found."""

    @property
    def best(self) -> list[RankedMove]: ...

    @property
    def depth(self) -> int: ...

    @property
    def stopped(self) -> bool: ...

    @property
    def selective_depth(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def trace(self) -> list[tuple[Position, int, str, int, int]]:
        """
        Position, value, bound ('lower', 'upper', 'exact'), depth and ply of every inner node.
        """

class Border:
    """One process's side of a search that several share."""

    def lend(self, min_depth: int, guest: int | None = None) -> tuple[int, bytes] | None:
        """
        Give a young brother away: its number and the parcel; None if there is none.
        """

    def settle(self, lent: int, outcome: bytes | None) -> None:
        """Take a lent brother back."""

    def receive(self, ticket: int, parcel: bytes, lent: int | None = None) -> None:
        """Take a guest in."""

    def narrow(self, ticket: int, alpha: int, beta: int) -> None: ...

    def abort(self, ticket: int) -> None: ...

    def news(self) -> tuple[list[tuple[int, int, int, bool]], list[tuple[int, bytes | None]], int, list[int]]:
        """
        What has happened since the last call: windows of lent brothers' parents (number,
        alpha, beta, useless), guests that are done, idle workers, lent brothers waited for.
        """

    def set_carrier(self, carrier: Callable[[], None] | None) -> None:
        """
        Have a function called by the searching thread that carries the messages; it must not
        raise. None ends that.
        """

class Engine:
    """An evaluation and a way of searching."""

    def __init__(self, evaluator: Callable[[Position], float] | None = None, *, algorithm: str = 'alphabeta', quiescence: bool = True, deepening: bool = True, killers: int | None = None, history: bool = True, pvs: bool = True, aspiration: bool = True, exact_depth_hits: bool = False, order_only: bool = False, reductions: bool = False, verified_cuts: int = 0, only_replies: bool = False, main_captures: bool = False, threats: bool = False, kept_history: bool = False, internal_deepening: bool = False, tree_repetitions: bool = False, table_mb: int = 64, threads: int = 1, grain: int = 8, tables: bool = False, draws: crossboard._core.DrawRules | None = None, random_delays: bool = False, seed: int = 0, beside: Engine | None = None) -> None:
        """
        Make an engine: material counts without an evaluator; table_mb=0 does without a
        table. Engines made `beside` another one use its table, of whatever size, in turn:
        it is cleared when another of them searches.
        """

    @staticmethod
    def check(evaluator: Callable[[Position], float] | None = None, *, algorithm: str = 'alphabeta', quiescence: bool = True, deepening: bool = True, killers: int | None = None, history: bool = True, pvs: bool = True, aspiration: bool = True, exact_depth_hits: bool = False, order_only: bool = False, reductions: bool = False, verified_cuts: int = 0, only_replies: bool = False, main_captures: bool = False, threats: bool = False, kept_history: bool = False, internal_deepening: bool = False, tree_repetitions: bool = False, table_mb: int = 64, threads: int = 1, grain: int = 8, tables: bool = False, draws: crossboard._core.DrawRules | None = None, random_delays: bool = False, seed: int = 0, beside: Engine | None = None) -> None:
        """Raise ValueError for what no engine can be made of; make none."""

    def search(self, position: Position, *, depth: int = 200, nodes: int = 0, seconds: float = 0.0, clock: str = 'wall', floors: Sequence[tuple[int, int]] = [], time: tuple[float, float, int] | None = None, multipv: int = 1, history: Sequence[Position] = [], trace: bool = False, tie_seed: int | None = None, noise: tuple[int, int] = (1, 0), noise_seed: int = 0, on_depth: Callable[[Answer], None] | None = None, stop: crossboard._core.StopFlag | None = None) -> Answer:
        """
        Search a position to a depth, a number of nodes or a time, whichever ends first.
        With the clock 'cpu' seconds are those that a processor works for this thread.
        With fewer pieces than one of the `floors` says it goes at least as deep as that.
        `time` is what is left of a game's time, of which the move takes a share: seconds,
        more of them before each move, and the moves they are for (0: all that are left).
        With a `tie_seed` one of several equally good moves is drawn. With `noise`, moves and
        hundredths of a man, the `noise_seed` decides which of so many best moves comes first:
        values have errors of that standard deviation, but those returned have none.
        `history` are earlier positions of the game, oldest first; `on_depth` is called with
        what has been found after every depth, when only this thread's nodes are counted.
        A `stop` flag ends the search, also one that was set before; stop() does so without.
        """

    def evaluate(self, position: Position) -> int:
        """Judge a position without search, in units()."""

    @property
    def units(self) -> int:
        """How many of the engine's units make one man."""

    def stop(self) -> None:
        """End a search that goes on in another thread."""

    def clear(self) -> None:
        """Forget what earlier searches found."""

    def take_weights(self, weights: numpy.typing.NDArray[numpy.float64]) -> None:
        """
        Judge by other weights from now on: w1 by rows, w2, w3 of a network. What was found
        with the old ones is forgotten.
        """

    def serve(self) -> int:
        """
        Work on what comes over the border until stop(); return the nodes searched.
        """

    @property
    def border(self) -> Border:
        """Where the engine shares its searches with other processes."""

class Phase:
    """A part of the game: so many pieces, such a balance."""

    def __init__(self, *, least_pieces: int = 0, most_pieces: int = 90, balance: str = 'any') -> None: ...

class Selector:
    """Decides which of several agents judges a position."""

    def select(self, position: Position, last: int | None = None) -> int:
        """
        Return the place of the agent for a position; `last` is the choice of the same
        player's previous turn in the game, None at its start and for a position by itself.
        """

    @property
    def count(self) -> int:
        """How many agents there are to choose from."""

    def select_along(self, turns: Sequence[Position]) -> list[int]:
        """
        Return the choices of one player's turns in a game, in their order from its start.
        """

class PhaseSelector(Selector):
    """Selects by the first phase that holds."""

    def __init__(self, roles: Sequence[tuple[Phase, int]]) -> None:
        """`roles` are phases, each with the place of its agent."""

class Chooser:
    """Chooses moves in games that the core plays."""

    @staticmethod
    def random() -> Chooser:
        """Every legal move is equally likely."""

    @staticmethod
    def engine(engine: Engine, *, depth: int = 200, nodes: int = 0, seconds: float = 0.0, clock: str = 'wall', floors: Sequence[tuple[int, int]] = [], time: tuple[float, float, int] | None = None, random_ties: bool = False, noise: tuple[int, int] = (1, 0)) -> Chooser:
        """
        Searches every position to the limits; the game's seed may draw among equals. With
        `noise` it chooses among so many best moves, whose values the seed changes by so many
        hundredths of a man, a standard deviation.
        """

    @staticmethod
    def selecting(selector: Selector, choosers: Sequence[Chooser]) -> Chooser:
        """
        Asks the chooser of the agent that is selected, by its place; agents may share one.
        The last choice is forgotten when a game begins.
        """

    @staticmethod
    def python(chooser: object) -> Chooser:
        """
        Asks an object with begin_game(seed) and choose(position, history); in a game with a
        clock choose is given what is left as well: seconds, increment and moves.
        """

class PlayedGame:
    """A game that the core has played."""

    @property
    def start(self) -> Position: ...

    @property
    def moves(self) -> list[Move]: ...

    @property
    def plies(self) -> int: ...

    @property
    def last(self) -> Position:
        """The position at the end."""

    def boards_after(self, seat: int, *, skip: int = 0) -> list[Position]:
        """
        The positions after the moves of one seat (0: who moved first), those of the first
        `skip` plies left out.
        """

    @property
    def ending(self) -> str:
        """
        'no move', 'repetition', 'quiet', 'length', 'loop' or 'forfeit'; of Duchess also
        'mate'.
        """

    @property
    def winner(self) -> int | None:
        """0: who moved first, 1: the other, None: nobody."""

    @property
    def reason(self) -> str:
        """Why the loser had to give up, after a forfeit."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple[Position, list[Move], int, int, str]: ...

    def __setstate__(self, arg: tuple[Position, Sequence[Move], int, int, str], /) -> None: ...

def play_games(first: Chooser, second: Chooser, *, openings: Sequence[tuple[Position, list[Move]]], seeds: Sequence[int], rules: crossboard._core.DrawRules = ..., stop: crossboard._core.StopFlag | None = None) -> list[PlayedGame]:
    """
    Play a game from each opening on the calling thread without the GIL; `first` moves first
    in the opening's start. A set flag ends the games: those that were finished are returned.
    """

def play_pairs(one: Chooser, other: Chooser, *, openings: Sequence[tuple[Position, list[Move]]], seeds: Sequence[int], rules: crossboard._core.DrawRules = ..., time: tuple[float, float, int] | None = None, clock: str = 'wall', stop: crossboard._core.StopFlag | None = None) -> list[tuple[PlayedGame, PlayedGame]]:
    """
    Play two games from each opening, one after the other with the same seed: `one` moves
    first in the first of them, `other` in the second. Otherwise as play_games; a pair of
    which one game was not finished is not returned. With a `time` (seconds, increment,
    moves) each side has so much for each game, and who takes longer forfeits it.
    """

def play_pool(pool: Sequence[Chooser], *, meetings: Sequence[tuple[int, int, int]], openings: Sequence[tuple[Position, list[Move]]], seeds: Sequence[int], rules: crossboard._core.DrawRules = ..., stop: crossboard._core.StopFlag | None = None) -> list[PlayedGame]:
    """
    Play games between the choosers of a pool: each of the `meetings` has the places of the
    player that moves first, of the other, and of the opening. Otherwise as play_games.
    """

def find_winners(pool: Sequence[Chooser], *, meetings: Sequence[tuple[int, int, int]], openings: Sequence[tuple[Position, list[Move]]], seeds: Sequence[int], rules: crossboard._core.DrawRules = ..., stop: crossboard._core.StopFlag | None = None) -> list[int]:
    """
    Play as play_pool does and keep the winners alone: 0 the player that moved first, 1 the
    other, -1 none.
    """

class Notes:
    """What a student's searches found, one entry for each."""

    @property
    def roots(self) -> list[Position]: ...

    @property
    def values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """For the side to move at the root: -1 to 1, or 0 to 1 of Duchess."""

    @property
    def leaves(self) -> list[Position]:
        """Where the principal variations end."""

    @property
    def signs(self) -> list[int]:
        """
        1 if the root's side is to move at the leaf too, -1 if not, 0 if the value is a
        win, a loss or a draw by rule, which the evaluation has no part in.
        """

    @property
    def changes(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        What the trees teach each weight, summed over the searches: w1 by rows, w2, w3.
        """

    @property
    def nodes(self) -> int: ...

class Student(Chooser):
    """Plays by search and takes notes of what each search found."""

    @staticmethod
    def of(evaluator: OneLayer, *, depth: int, depths: Sequence[tuple[int, int]] = [], algorithm: str = 'alphabeta', quiescence: bool = True, deepening: bool = True, killers: int | None = None, history: bool = True, pvs: bool = True, aspiration: bool = True, exact_depth_hits: bool = False, order_only: bool = False, reductions: bool = False, verified_cuts: int = 0, only_replies: bool = False, main_captures: bool = False, threats: bool = False, kept_history: bool = False, internal_deepening: bool = False, tree_repetitions: bool = False, draws: crossboard._core.DrawRules | None = None, lessons: str = 'tree', rate: float = 1.0, decay: float = 1.0, clamp: float = 0.0, quiet_only: bool = False, with_slope: bool = False, at_edges: bool = False) -> Student:
        """
        Search to `depth`, at least to that of each of `depths`, pairs of pieces and depth,
        whose pieces are not exceeded, in full width and with full windows. Lessons come from
        the 'tree', from the 'root' alone, or 'none'; bounds are what refutations are worth,
        or the edges of the window.
        """

    def begin_game(self, seed: int) -> None: ...

    def choose(self, position: Position, history: Sequence[Position] = []) -> Move:
        """
        Search a position; `history` are earlier positions of the game, oldest first.
        """

    def take_notes(self) -> Notes:
        """Return what was noted since the last call."""
