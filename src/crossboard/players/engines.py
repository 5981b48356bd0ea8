"""What searches for a player: an engine for each of its evaluators, and one table for all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

from crossboard._core import StopFlag
from crossboard._core.draughts import EndgameTables
from crossboard.evaluators import Evaluation
from crossboard.players.games import DRAUGHTS, Game
from crossboard.players.settings import SETTINGS, SearchSettings

Evaluator = Evaluation | Callable[[Any], float]


class Engines:
    """The engines of a player by the places of their evaluators, each made when it is needed.

    One of them searches at a time, so they all use one table of the whole size.
    """

    def __init__(
        self,
        evaluators: Sequence[Evaluator],
        settings: SearchSettings,
        game: Game,
        tables: EndgameTables | None = None,
    ) -> None:
        self._evaluators = evaluators
        self._settings = settings
        self._game = game
        self._tables = tables
        self._made: dict[int, Any] = {}
        self._making = Lock()
        self._flags: set[StopFlag] = set()  # of the searches that have been called for

    def __getitem__(self, place: int) -> Any:
        # Two threads that both made the first engine would have two tables.
        with self._making:
            if place not in self._made:
                beside = next(iter(self._made.values()), None)
                evaluator = self._evaluators[place]
                engine = make_engine(evaluator, self._settings, self._game, beside=beside)
                if self._tables is not None:
                    engine.use_tables(self._tables)
                self._made[place] = engine
            return self._made[place]

    @contextmanager
    def watching(self, stop: StopFlag | None) -> Iterator[StopFlag]:
        """Give the flag of a search, a new one if there is none, which `stop` sets too."""
        flag = StopFlag() if stop is None else stop
        self._flags.add(flag)
        try:
            yield flag
        finally:
            self._flags.discard(flag)

    def stop(self) -> None:
        """End the search that another thread runs, or is about to run."""
        # Without the lock: a signal handler may interrupt the thread that holds it.
        for flag in list(self._flags):
            flag.set()
        for engine in list(self._made.values()):
            engine.stop()

    def clear(self) -> None:
        """Forget what earlier searches found."""
        for engine in list(self._made.values()):
            engine.clear()


def make_engine(
    evaluator: Evaluator,
    settings: SearchSettings,
    game: Game = DRAUGHTS,
    *,
    beside: Any = None,
) -> Any:
    """Make what searches with an evaluation, with its own table or that of an engine `beside` it.

    The game decides what the settings leave open.
    """
    return game.core.Engine(evaluator, beside=beside, **_keywords(settings))


def check_engine(evaluator: Evaluator, settings: SearchSettings, game: Game) -> None:
    """Raise ValueError if no engine can be made of this, without making one."""
    game.core.Engine.check(evaluator, **_keywords(settings))


def _keywords(settings: SearchSettings) -> dict[str, Any]:
    # Not `asdict`, whose deep copies take longer than making an engine.
    return {name: getattr(settings, name) for name in SETTINGS}
