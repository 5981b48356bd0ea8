"""
The compiled core of crossboard; use crossboard.draughts or crossboard.duchess.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

from crossboard._core import draughts as draughts, duchess as duchess


def free_megabytes() -> int:
    """
    Return how much memory may still be had, of the machine and of this process's groups.
    """

class DrawRules:
    """
    The rules that draw a game in which moves are left; 0 switches a rule off.
    """

    def __init__(self, *, repetitions: int = 3, quiet_plies: int = 80, max_plies: int = 0, loop_moves: int = 0) -> None: ...

    @property
    def repetitions(self) -> int:
        """Draw when a position stands for the n-th time."""

    @property
    def quiet_plies(self) -> int:
        """Draw after n plies in a row without a capture or a move by a man."""

    @property
    def max_plies(self) -> int:
        """Draw when the game is n plies long."""

    @property
    def loop_moves(self) -> int:
        """Draw when, after 20 plies, each side has taken back n moves in a row."""

    def __repr__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple[int, int, int, int]: ...

    def __setstate__(self, arg: tuple[int, int, int, int], /) -> None: ...

class Forfeit(RuntimeError):
    pass

class StopFlag:
    """Ends games, or a search, from another thread."""

    def __init__(self) -> None: ...

    def set(self) -> None: ...

    @property
    def is_set(self) -> bool: ...

class Setting:
    """A setting of the search: its name, and what it can be."""

    @property
    def name(self) -> str: ...

    @property
    def meaning(self) -> str: ...

    @property
    def least(self) -> int | None:
        """Of a number."""

    @property
    def most(self) -> int | None:
        """Of a number."""

    @property
    def choices(self) -> list[str]:
        """Of a word."""

    @property
    def is_selective(self) -> bool:
        """Whether it may change the value; False or 0 switches it off."""

def search_settings() -> list[Setting]:
    """List the settings of the search in their order."""

class SearchSettings:
    """How to search."""

    def __init__(self, *, algorithm: str = 'alphabeta', quiescence: bool = True, deepening: bool = True, killers: int | None = None, history: bool = True, pvs: bool = True, aspiration: bool = True, exact_depth_hits: bool = False, order_only: bool = False, reductions: bool = False, verified_cuts: int = 0, only_replies: bool = False, main_captures: bool = False, threats: bool = False, kept_history: bool = False, internal_deepening: bool = False, tree_repetitions: bool = False, table_mb: int = 64, threads: int = 1, grain: int = 8, tables: bool = False, draws: DrawRules | None = None) -> None: ...

    @property
    def algorithm(self) -> str:
        """'alphabeta', or 'minimax', which cuts nothing off."""

    @property
    def quiescence(self) -> bool:
        """
        Follow captures behind the last ply until none is pending; else judge at once.
        """

    @property
    def deepening(self) -> bool:
        """Search depth 1, 2, 3 ... instead of the full depth at once."""

    @property
    def killers(self) -> int | None:
        """
        So many moves of a ply that refuted a brother come early; None: as many as pay.
        """

    @property
    def history(self) -> bool:
        """Moves that refuted anything come earlier than others."""

    @property
    def pvs(self) -> bool:
        """Younger brothers are first asked only whether they are better."""

    @property
    def aspiration(self) -> bool:
        """Deepening expects a value near the last one."""

    @property
    def exact_depth_hits(self) -> bool:
        """
        The table answers only for the very depth, so that the value stays minimax's.
        """

    @property
    def order_only(self) -> bool:
        """The table's best moves come first, but its values answer nothing."""

    @property
    def reductions(self) -> bool:
        """Quiet moves after the third are first searched less deeply."""

    @property
    def verified_cuts(self) -> int:
        """
        Cut where a search to 30 % of the depth exceeds beta by a margin, which is so many hundredths of a man for each ply of depth; 0: no cuts.
        """

    @property
    def only_replies(self) -> bool:
        """An only reply is searched one ply deeper."""

    @property
    def main_captures(self) -> bool:
        """Captures on the main line are searched one ply deeper."""

    @property
    def threats(self) -> bool:
        """One more ply where the opponent threatens to capture at the last one."""

    @property
    def kept_history(self) -> bool:
        """
        Moves tried before a refutation lose history, which is kept from move to move.
        """

    @property
    def internal_deepening(self) -> bool:
        """
        Where the table has no move a shallower search finds one to begin with.
        """

    @property
    def tree_repetitions(self) -> bool:
        """A position that stands again inside the tree is a draw."""

    @property
    def table_mb(self) -> int:
        """Megabytes of the transposition table, for all evaluators; 0: no table."""

    @property
    def threads(self) -> int:
        """Threads that search together."""

    @property
    def grain(self) -> int:
        """Nodes of less depth are not shared between threads."""

    @property
    def tables(self) -> bool:
        """Use endgame tables, where there are any."""

    @property
    def draws(self) -> DrawRules | None:
        """The rules of draws; None: the game's own."""

MAX_WEIGHT: float = 1e+100

class EvalNet:
    """One hidden layer, tanh, direct links if w3 is given."""

    def __init__(self, w1: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], w2: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], w3: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    def forward(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The output for each row of inputs."""

class TdLearner:
    """TD(lambda) of one net, or of several that take turns."""

    def __init__(self, nets: Sequence[EvalNet], *, rate1: float, rate2: float, momentum: float, gamma: float, fading: float, direction_check: bool, quirk: bool) -> None: ...

    def start(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], net: int = 0) -> None:
        """Begin a sequence with what a net, by its number, says of x."""

    def step(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], net: int = 0, reward: float = 0.0) -> float:
        """Move the last prediction toward that for x; return the error."""

    def finish(self, reward: float) -> float:
        """Move the last prediction toward the reward; return the error."""

    @property
    def weights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """As they are now: w1 by rows, w2, w3, of one net after the other."""

    @property
    def trace(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """What credit earlier predictions still have."""

    @property
    def change(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The last changes, of which momentum comes."""

    @property
    def prediction(self) -> float | None:
        """The last; None between sequences."""

    def resume(self, trace: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], change: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], prediction: float | None) -> None:
        """Go on from such a state."""
