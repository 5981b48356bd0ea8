"""English draughts in the core."""

from collections.abc import Callable, Iterator, Sequence
import os
from typing import Annotated, overload

import numpy
import numpy.typing
from numpy.typing import NDArray

import crossboard._core


class InvalidFen(ValueError):
    pass

class IllegalMove(ValueError):
    pass

class AmbiguousMove(IllegalMove):
    pass

class Move:
    """A step or a whole multi-jump: Move('11-15'), Move('22x15x8')."""

    def __init__(self, text: str) -> None:
        """Read a whole path, 11-15 or 22x15x8; raise IllegalMove if it is none."""

    @property
    def path(self) -> tuple[int, ...]:
        """The squares touched: start, landings, end."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def captured(self) -> tuple[int, ...]:
        """The squares of the pieces taken, sorted."""

    @property
    def is_capture(self) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

class LegalMoves:
    """The legal moves of a position: iterable, countable, indexable, `in`."""

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
    """Board and turn, with no past. A value: it never changes."""

    def __init__(self) -> None:
        """Make the start position."""

    @staticmethod
    def from_fen(fen: str) -> Position:
        """
        Read a FEN such as 'W:W21-32,K5:B1-12'; raise InvalidFen if it is none.
        """

    @property
    def fen(self) -> str:
        """The position as FEN, squares sorted, White first."""

    @property
    def turn(self) -> str:
        """'B' or 'W'."""

    @property
    def has_capture(self) -> bool:
        """Whether the side to move must capture."""

    @property
    def winner(self) -> str | None:
        """'B' or 'W' once the game is over: the side to move has lost."""

    @property
    def mirrored(self) -> Position:
        """The same position for the other side: board turned, colours exchanged."""

    def format_move(self, move: Move) -> str:
        """
        Write a legal move as PDN does: 22x8, landings only where they are needed.
        """

    def pieces(self, colour: str) -> tuple[int, ...]:
        """The squares of one colour's pieces, sorted."""

    def kings(self, colour: str) -> tuple[int, ...]:
        """The squares of one colour's kings, sorted."""

    def piece_at(self, square: int) -> str | None:
        """'b' or 'w' for a man, 'B' or 'W' for a king, None for an empty square."""

    def __str__(self) -> str: ...

    @property
    def legal_moves(self) -> LegalMoves: ...

    @property
    def is_over(self) -> bool:
        """Whether there is no legal move; draws belong to the record of a game."""

    @property
    def key(self) -> int:
        """The Zobrist key, 64 bits."""

    @overload
    def after(self, move: Move) -> Position: ...

    @overload
    def after(self, move: str) -> Position:
        """
        Return the position after a move; raise IllegalMove, which says why not.
        """

    def parse_move(self, text: str) -> Move:
        """
        Find the legal move written as 11-15, 22x15, 22x8 (if only one jump leads there) or
        with some or all landings; raise IllegalMove or AmbiguousMove.
        """

    def perft(self, depth: int) -> int:
        """Count the leaves of the move tree, every route of a jump by itself."""

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
        """Plies since the last capture or move by a man."""

    @property
    def repetitions(self) -> int:
        """How often the last position has stood, this time included."""

    def draw(self, rules: crossboard._core.DrawRules) -> str | None:
        """
        'repetition', 'quiet', 'length' or 'loop' if the rules end the game here.
        """

MAX_NESTING: int = 200

MAX_NAG: int = 999999

class PdnGame:
    """One game as read: tags, nodes, result, errors."""

    @property
    def tags(self) -> dict[str, str]: ...

    @property
    def nodes(self) -> list[tuple[int, Move] | tuple[int, Move | None, Position, list[str], list[str], list[int]]]:
        """
        Parent's index and move; where there is more to say also the position, the
        comments before and after it, and the NAGs. The first is the start.
        """

    @property
    def moves(self) -> list[Move]:
        """The moves of the main line."""

    @property
    def result(self) -> str: ...

    @property
    def line(self) -> int:
        """Where it begins, from 1."""

    @property
    def errors(self) -> list[tuple[int, str, str]]:
        """Line, move, reason."""

class PdnStream:
    """Reads the games of a text that comes in pieces."""

    def __init__(self) -> None: ...

    def feed(self, piece: bytes) -> None: ...

    def close(self) -> None:
        """Say that no more pieces will come."""

    def next(self) -> PdnGame | None:
        """Return the next game; None if another piece is needed or all is read."""

    @property
    def failure(self) -> tuple[int, str, str] | None:
        """Line, move and reason if reading had to stop before the end."""

MAX_FEATURE_BITS: int = 10

class Mapping:
    """How a board becomes the inputs of a network."""

    @staticmethod
    def binary(*, off: float = -1.0) -> Mapping:
        """Three inputs a square, 96 in all."""

    @staticmethod
    def direct(*, quirks: bool = False) -> Mapping:
        """One input a square, 32 in all."""

    @staticmethod
    def of_features(features: Sequence[tuple[str, int]], *, off: float = -1.0, quirks: bool = False) -> Mapping:
        """Features with their bits, least significant first."""

    @staticmethod
    def counts() -> Mapping:
        """Two inputs: how many men and kings own has more than other."""

    @staticmethod
    def material() -> Mapping:
        """An input for each balance of men and kings."""

    @staticmethod
    def pieces() -> Mapping:
        """
        Four inputs a square, 128 in all, of which one is on where a piece stands.
        """

    @staticmethod
    def patterns(squares: Sequence[Sequence[int]], *, states: int = 3) -> Mapping:
        """
        An input for everything that can stand on some squares together; with 3
        states a square shows men only, with 5 kings too.
        """

    @staticmethod
    def joined(parts: Sequence[Mapping]) -> Mapping:
        """The inputs of several mappings, one after the other."""

    @property
    def kind(self) -> str:
        """
        'binary', 'direct', 'features', 'counts', 'material', 'pieces', 'patterns'
        or 'joined'.
        """

    @property
    def size(self) -> int:
        """How many inputs."""

    @property
    def features(self) -> list[tuple[str, int]]:
        """Names and bits, if it is of features."""

    @property
    def squares(self) -> list[list[int]]:
        """The squares of each pattern, if it is of patterns."""

    @property
    def states(self) -> int:
        """Of a pattern's square: 3 or 5."""

    @property
    def parts(self) -> list[Mapping]:
        """What it is joined from, if it is."""

    @property
    def off(self) -> float:
        """The level of an input that is off; on is 1."""

    @property
    def quirks(self) -> bool:
        """Whether boards are coded as in 1997."""

    def inputs(self, position: Position) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The inputs for a board, seen from the side that has just moved."""

    def batch(self, positions: Sequence[Position]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """The inputs for many boards, a row for each."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[str, list[tuple[str, int]], float, bool, list[list[int]], int, list[Mapping]]: ...

    def __setstate__(self, arg: tuple[str, Sequence[tuple[str, int]], float, bool, Sequence[Sequence[int]], int, Sequence[Mapping]], /) -> None: ...

class Feature:
    """One number that a board has, seen from who has just moved."""

    @property
    def name(self) -> str: ...

    @property
    def family(self) -> str: ...

    @property
    def meaning(self) -> str: ...

    @property
    def least(self) -> int: ...

    @property
    def most(self) -> int: ...

    @property
    def bits(self) -> int:
        """Inputs of a network it gets if nobody says otherwise."""

    def __call__(self, position: Position) -> int:
        """Count it for the side that has just moved."""

    def is_same_as(self, other: Feature) -> bool:
        """
        Whether both names stand for the same numbers, but for the bits these are cut to.
        """

    def __repr__(self) -> str: ...

def features() -> tuple[Feature, ...]:
    """List every feature of draughts."""

def feature(name: str) -> Feature:
    """
    Find a feature by its name, family.tag; raise ValueError if there is none.
    """

class BoardAttributes:
    """A board as a vector, by which a map groups boards."""

    def __init__(self, features: Sequence[str], *, coding: str = 'presence', with_material: bool = False) -> None:
        """
        Name the features. Coded by 'presence' an attribute is 1 where a feature is above 0, or
        where a debit is not made; by 'counts' it is the feature over its largest value. The
        material balance may be one more attribute, 1 for a full side of men.
        Raises ValueError for no, unknown or repeated features.
        """

    @property
    def size(self) -> int:
        """How many attributes."""

    @property
    def features(self) -> list[str]: ...

    @property
    def coding(self) -> str: ...

    @property
    def with_material(self) -> bool: ...

    def of(self, positions: Sequence[Position]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """Return a row for each position, seen by its side to move."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[list[str], str, bool]: ...

    def __setstate__(self, arg: tuple[Sequence[str], str, bool], /) -> None: ...

class Material:
    """Counts pieces: a king is one and a half men."""

    def __init__(self) -> None: ...

    def evaluate(self, position: Position) -> int:
        """Judge a position for the side to move, in units."""

    @property
    def units(self) -> int: ...

    def __call__(self, position: Position) -> float:
        """Judge a position for the side to move, units divided out."""

    def evaluate_often(self, positions: Sequence[Position], times: int) -> int:
        """
        Judge all positions so many times over and sum the values: for measuring.
        """

class Linear:
    """A weighted sum of features."""

    def __init__(self, features: Sequence[str], weights: Sequence[float], *, man: float) -> None:
        """Weigh features by their names; `man` is the weight that makes one man."""

    def evaluate(self, position: Position) -> int:
        """Judge a position for the side to move, in units."""

    @property
    def units(self) -> int: ...

    def __call__(self, position: Position) -> float:
        """Judge a position for the side to move, units divided out."""

    def evaluate_often(self, positions: Sequence[Position], times: int) -> int:
        """
        Judge all positions so many times over and sum the values: for measuring.
        """

class Network:
    """A net behind a mapping; a sure win is 1."""

    def __init__(self, mapping: Mapping, net: crossboard._core.EvalNet) -> None: ...

    def evaluate(self, position: Position) -> int:
        """Judge a position for the side to move, in units."""

    @property
    def units(self) -> int: ...

    def __call__(self, position: Position) -> float:
        """Judge a position for the side to move, units divided out."""

    def evaluate_often(self, positions: Sequence[Position], times: int) -> int:
        """
        Judge all positions so many times over and sum the values: for measuring.
        """

    def output(self, position: Position) -> float:
        """What the net says for the side that has just moved, unrounded."""

    @property
    def weight_count(self) -> int: ...

    def sum_gradients(self, positions: Sequence[Position], amounts: Sequence[float]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        Sum amounts times the derivatives, by each weight, of what arrives at the output,
        for the side to move: w1 by rows, w2, w3.
        """

class SmallNet:
    """A net of whole numbers for each phase of the game."""

    def __init__(self, weights: numpy.typing.NDArray[numpy.int16], *, hidden: int, second: int, phases: Sequence[tuple[bool, int]], way: str = '') -> None:
        """
        All weights in a row, phase by phase, in the order of small_net_shapes(). A phase
        is whether it has kings and its least pieces. `way` is one of small_net_ways().
        """

    def evaluate(self, position: Position) -> int:
        """Judge a position for the side to move, in units."""

    @property
    def units(self) -> int: ...

    def __call__(self, position: Position) -> float:
        """Judge a position for the side to move, units divided out."""

    def evaluate_often(self, positions: Sequence[Position], times: int) -> int:
        """
        Judge all positions so many times over and sum the values: for measuring.
        """

    @property
    def way(self) -> str:
        """The way through the layers: one of small_net_ways()."""

def small_net_ways() -> list[str]:
    """
    The ways through a net that this processor has, the fastest first. Values are the same.
    """

def small_net_shapes(hidden: int, second: int) -> dict[str, tuple[int, ...]]:
    """The arrays of one phase in their order, with their shapes."""

def small_net_integers(weights: numpy.typing.NDArray[numpy.float32], *, hidden: int, second: int) -> numpy.typing.NDArray[numpy.int16]:
    """
    Round the weights of some phases, in a row, to the whole numbers that players keep.
    """

def small_net_floats(weights: numpy.typing.NDArray[numpy.int16], *, hidden: int, second: int) -> numpy.typing.NDArray[numpy.float32]:
    """Return the weights for which whole numbers stand."""

class RandomGames:
    """How a batch of random games ended."""

    @property
    def first_side_wins(self) -> int: ...

    @property
    def second_side_wins(self) -> int: ...

    @property
    def draws(self) -> int: ...

    @property
    def plies(self) -> int: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[int, int, int, int]: ...

    def __setstate__(self, arg: tuple[int, int, int, int], /) -> None: ...

def play_random_games(games: int, *, seed: int, first: int = 0, start: Position = ..., rules: crossboard._core.DrawRules = ...) -> RandomGames:
    """
    Play games first .. first+games-1 of the series that the seed stands for, each legal
    move equally likely, on the calling thread without the GIL.
    """

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

    def use_tables(self, tables: EndgameTables) -> None:
        """
        Probe endgame tables from now on: inside the tree, and at the root, where moves that
        give the value away are left out. What was found without them is forgotten.
        """

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

class MapSelector(Selector):
    """Selects a specialist by a map of boards."""

    def __init__(self, base: Selector, attributes: BoardAttributes, prototypes: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, most_pieces: int, keeps: bool) -> None:
        """
        Leave the choice to `base` down to `most_pieces`; then the nearest of the prototypes,
        a row for each specialist, decides: for the rest of the game, or at every turn anew.
        The places of the specialists are behind those of `base`. Raises ValueError for
        prototypes that do not fit the attributes or are not finite.
        """

    def nearest(self, position: Position) -> int:
        """Return the number of the prototype nearest to a position's attributes."""

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
    def of(evaluator: Network, *, depth: int, depths: Sequence[tuple[int, int]] = [], algorithm: str = 'alphabeta', quiescence: bool = True, deepening: bool = True, killers: int | None = None, history: bool = True, pvs: bool = True, aspiration: bool = True, exact_depth_hits: bool = False, order_only: bool = False, reductions: bool = False, verified_cuts: int = 0, only_replies: bool = False, main_captures: bool = False, threats: bool = False, kept_history: bool = False, internal_deepening: bool = False, tree_repetitions: bool = False, draws: crossboard._core.DrawRules | None = None, lessons: str = 'tree', rate: float = 1.0, decay: float = 1.0, clamp: float = 0.0, quiet_only: bool = False, with_slope: bool = False, at_edges: bool = False) -> Student:
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

class LabelledGames:
    """Positions labelled by the searches of games."""

    @property
    def boards(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None, None))]:
        """
        A row for each: own men, the other side's men, own kings, the other side's kings, a
        bit for each square, turned for White.
        """

    @property
    def values(self) -> Annotated[NDArray[numpy.int16], dict(shape=(None,))]:
        """
        What searches say, in hundredths of a man for the side to move; SURE_VALUE if won.
        """

    @property
    def results(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
        """
        1: the side to move won the game, 0: a draw, -1: it lost; UNKNOWN_RESULT of what was
        drawn from a search.
        """

    @property
    def nodes(self) -> int: ...

    @property
    def searches(self) -> int: ...

    @property
    def plies(self) -> int: ...

    @property
    def wins(self) -> tuple[int, int]:
        """Of the side that moved first, and of the other."""

    @property
    def draws(self) -> int: ...

SURE_VALUE: int = 30000

UNKNOWN_RESULT: int = 2

def label_games(net: SmallNet, *, search: crossboard._core.SearchSettings, openings: Sequence[Position], reserved: Sequence[Position], seeds: Sequence[int], nodes: int = 1000, samples: int = 1, plies_after_opening: int = 4, least_random_plies: int = 4, most_random_plies: int = 10, worst_opening: int = 150, random_every: int = 12, random_plies: int = 24, clear_value: int = 700, clear_plies: int = 6, quiet_plies: int = 40, tables: EndgameTables | None = None, stop: crossboard._core.StopFlag | None = None) -> LabelledGames:
    """
    Play a game for each seed on the calling thread without the GIL, and label its quiet
    positions and some that its searches saw. No opening leads through a reserved position.
    Endgame tables end the games whose result they know, and searches probe them. A set flag
    ends all that: only games that were finished count.
    """

class SmallNetFit:
    """Fits one phase of a small net to labels, by Adam."""

    def __init__(self, *, hidden: int, second: int, weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], means: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], spreads: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], batches: int = 0, batch: int = 1024, rate: float = 0.001, warm_up: int = 100, last: int = 1000, steepness: float = 1.5384615384615385) -> None: ...

    def learn(self, boards: Annotated[NDArray[numpy.uint32], dict(shape=(None, 4), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int) -> float:
        """
        Learn all boards once, in an order drawn from the seed; return the mean cross-entropy.
        """

    def judge(self, boards: Annotated[NDArray[numpy.uint32], dict(shape=(None, 4), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """Return what the net says of each board, in men."""

    @property
    def weights(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    @property
    def means(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """Of the gradients."""

    @property
    def spreads(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """Means of the squares of the gradients."""

    @property
    def batches(self) -> int:
        """How many have been learnt."""

class TablesError(ValueError):
    pass

MOST_TABLE_PIECES: int = 7

class EndgameTables:
    """Endgame tables of a folder; threads may share them."""

    @staticmethod
    def open(folder: str | os.PathLike[str]) -> EndgameTables:
        """
        Open what is there: tables of 0 pieces where there is none. Raises TablesError for a
        file that is truncated, foreign, of another version or damaged in its header.
        """

    @property
    def pieces(self) -> int:
        """All slices with up to so many pieces are there."""

    @property
    def distance_pieces(self) -> int:
        """All slices with up to so many pieces have their distances."""

    def probe(self, position: Position) -> int | None:
        """
        Return 1, 0 or -1 if the side to move wins, draws or loses; None if no table knows.
        """

    def distance(self, position: Position) -> int | None:
        """
        Return the plies to the next capture or promotion with best play, None for draws.
        """

    def probe_seconds(self, positions: Sequence[Position], times: int) -> float:
        """
        Return the seconds of processor time for probing positions without captures so often.
        """

    def take_warning(self) -> str | None:
        """Return, once, which block proved to be damaged."""

    @property
    def slices(self) -> list[tuple[tuple[int, int, int, int], int, int, int]]:
        """
        Each slice as Black's men and kings and White's men and kings, with the positions
        that Black, to move, wins, draws and loses.
        """

class TablesBuilder:
    """Builds tables slice by slice."""

    def __init__(self, *, workers: int) -> None: ...

    def build(self, slice: tuple[int, int, int, int], progress: Callable[[float], object]) -> list[tuple[str, bytes]]:
        """
        Solve a slice and its swap; return the names and contents of their files. Slices
        with fewer pieces, or as many and fewer men, must have been built or loaded.
        `progress` is called with the share that is done.
        """

    def load(self, folder: str | os.PathLike[str], slice: tuple[int, int, int, int]) -> None:
        """
        Take a slice and its swap from their files; raise TablesError if they are not whole.
        """

    def drop_before(self, pieces: int, men: int) -> None:
        """Forget what no slice with so many pieces and men, or more men, needs."""

def table_slices(pieces: int) -> list[tuple[int, int, int, int]]:
    """
    Return the slices with so many pieces, in an order in which they can be built.
    """

def table_size(slice: tuple[int, int, int, int]) -> int:
    """Return how many positions a slice has, with Black to move."""

def table_memory(slice: tuple[int, int, int, int]) -> int:
    """Return the bytes that solving a slice takes, beside what is solved."""

def table_file_names(slice: tuple[int, int, int, int]) -> tuple[str, str]:
    """Return the names of the files of a slice: outcomes, distances."""

def check_table(folder: str | os.PathLike[str], slice: tuple[int, int, int, int]) -> None:
    """
    Read both files of a slice, block by block; raise TablesError if they are not whole.
    """
