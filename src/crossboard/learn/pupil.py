"""Players of training games that Python drives: one thinks, the other learns as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from crossboard._core.draughts import Engine, Move, Position
from crossboard.evaluators import EvalNet, Network
from crossboard.learn.td import TdLearner, TdSettings
from crossboard.players import SearchSettings, make_engine

# Searches a position with an engine, to a depth, and returns the best move; the seed, if there is
# one, draws among equals. Given by those who search on many processes.
Ask = Callable[[Engine, Position, Sequence[Position], int, int | None], Move]


def ask_alone(
    engine: Engine, position: Position, history: Sequence[Position], depth: int, seed: int | None
) -> Move:
    """Search in this process."""
    answer = engine.search(position, depth=depth, history=list(history), tie_seed=seed)
    return answer.best[0].move


class Thinker:
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
            self._engine = make_engine(self.network, self._search)
        return self._ask(self._engine, position, history, self._depth, seed)

    def take(self, network: Network) -> None:
        """Think with another network from now on."""
        self.network = network
        self._engine = None


class Pupil:
    """Chooses as a thinker does, and learns from the boards it leaves behind, move by move.

    Whoever lets it play tells it the reward afterwards (`end_game`).
    """

    def __init__(self, thinker: Thinker, td: TdSettings, *, scale: float = 1.0) -> None:
        self._thinker = thinker
        self._learner = TdLearner(thinker.network.net, td)
        self._learner.scale = scale
        self._has_moved = False

    @property
    def net(self) -> EvalNet:
        """The net as it is now."""
        return self._learner.net

    def begin_game(self, seed: int) -> None:
        """Forget the last game but for what it taught."""
        self._thinker.begin_game(seed)
        self._has_moved = False

    def choose(self, position: Position, history: Sequence[Position]) -> Move:
        """Choose a move, and learn from the board it leads to."""
        move = self._thinker.choose(position, history)
        inputs = self._thinker.network.mapping.inputs(position.after(move))
        if self._has_moved:
            self._learner.step(inputs)
            self._use_what_was_learnt()
        else:
            self._learner.start(inputs)
        self._has_moved = True
        return move

    def end_game(self, reward: float) -> None:
        """Learn how the game ended; nothing, if it ended before the first move."""
        if self._has_moved:
            self._learner.finish(reward)
            self._use_what_was_learnt()

    def _use_what_was_learnt(self) -> None:
        self._thinker.take(Network.of(self._thinker.network.mapping, self.net))
