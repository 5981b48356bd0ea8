"""Players of training games that Python drives: one thinks, the other learns as well."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from crossboard._core.draughts import Engine, Move, Position
from crossboard.evaluators import EvalNet, Network
from crossboard.learn.phases import selector_of
from crossboard.learn.td import TdSettings, core_learner
from crossboard.players import SearchSettings, make_engine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Searches a position with an engine, to a depth, and returns the best move; the seed, if there is
# one, draws among equals. Given by those who search on many processes.
Ask = Callable[[Engine, Position, Sequence[Position], int, int | None], Move]


def ask_alone(
    engine: Engine, position: Position, history: Sequence[Position], depth: int, seed: int | None
) -> Move:
    """Search in this process."""
    answer = engine.search(position, depth=depth, history=list(history), tie_seed=seed)
    return answer.best[0].move


class NetworkChooser:
    """Chooses moves in games of the core by search."""

    def __init__(
        self,
        network: Network,
        search: SearchSettings,
        depth: int,
        *,
        random_ties: bool = True,
        ask: Ask = ask_alone,
    ) -> None:
        self.network = network
        self._search = search
        self._depth = depth
        self._random_ties = random_ties
        self._ask = ask
        self._random = Random(0)
        self._engine: Engine | None = None  # None: made when it is needed
        self._new_weights: NDArray[np.float64] | None = None  # that the engine has not taken yet

    def begin_game(self, seed: int) -> None:
        """Forget the last game: what comes depends on the seed alone."""
        self._random = Random(seed)
        if self._engine is not None:
            self._engine.clear()

    def choose(self, position: Position, history: Sequence[Position]) -> Move:
        """Return the best move, or one of the best."""
        seed = self._random.getrandbits(63) if self._random_ties else None
        moves = position.legal_moves
        if len(moves) == 1:
            return moves[0]
        if self._engine is None:
            self._engine = make_engine(self.network, self._search.full_width())
        if self._new_weights is not None:
            self._engine.take_weights(self._new_weights)
            self._new_weights = None
        return self._ask(self._engine, position, history, self._depth, seed)

    def take_weights(self, weights: NDArray[np.float64]) -> None:
        """Think with other weights of the network from the next search on."""
        self._new_weights = weights


class Pupil:
    """Chooses as its thinkers do, each in its phase, and learns from the boards it leaves behind.

    Weights change after every move. Whoever lets it play tells it the reward afterwards
    (`end_game`).
    """

    def __init__(
        self, thinkers: Mapping[str, NetworkChooser], td: TdSettings, *, scale: float = 1.0
    ) -> None:
        self._names = list(thinkers)
        self._selector = selector_of(self._names)
        self._thinkers = list(thinkers.values())
        networks = [thinker.network for thinker in self._thinkers]
        self._mapping = networks[0].mapping
        self._learner = core_learner([network.net for network in networks], td, scale=scale)
        self._turn: int | None = None  # the last thinker's; None before the first move of a game

    @property
    def nets(self) -> dict[str, EvalNet]:
        """The nets as they are now, by their phases."""
        return {
            phase: thinker.network.net.with_weights(weights)
            for phase, (thinker, weights) in zip(self._names, self._learnt(), strict=True)
        }

    def begin_game(self, seed: int) -> None:
        """Forget the last game but for what it taught."""
        for thinker in self._thinkers:
            thinker.begin_game(seed)
        self._turn = None

    def choose(self, position: Position, history: Sequence[Position]) -> Move:
        """Choose a move, and learn from the board it leads to."""
        last, turn = self._turn, self._selector.select(position, self._turn)
        move = self._thinkers[turn].choose(position, history)
        inputs = self._mapping.inputs(position.after(move))
        if last is None:
            self._learner.start(inputs, turn)
        else:
            self._learner.step(inputs, turn)
            self._use_what_was_learnt()
        self._turn = turn
        return move

    def end_game(self, reward: float) -> None:
        """Learn how the game ended; nothing, if it ended before the first move."""
        if self._turn is not None:
            self._learner.finish(reward)
            self._use_what_was_learnt()

    def _use_what_was_learnt(self) -> None:
        for thinker, weights in self._learnt():
            thinker.take_weights(weights)

    def _learnt(self) -> list[tuple[NetworkChooser, NDArray[np.float64]]]:
        """Return each thinker with the weights it has now."""
        weights = self._learner.weights
        size = weights.size // len(self._thinkers)
        return [
            (each, weights[n * size : n * size + size]) for n, each in enumerate(self._thinkers)
        ]
