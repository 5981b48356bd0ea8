"""TreeStrap on Duchess: games played side by side, whose weights change after every move of all.

Real and Blair 2014 change the weights after each move of one game. Here a round of games goes on
together: each of them is searched with the same weights, what the searches teach is summed in the
order of the games, and then all make their moves. So a run depends on its seed and on the size of
its rounds, but not on who searches where.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from crossboard._core import duchess as core
from crossboard.duchess import Move, Past, Position, random_line
from crossboard.evaluators import OneLayer
from crossboard.learn.snapshot import Snapshot, game_seed
from crossboard.learn.students import check_sizes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

PASS = Move("pass")


@dataclass(frozen=True, kw_only=True)
class SideBySideSettings:
    """How Duchess is learnt; the defaults are the paper's (sections V and VI).

    Raises ValueError for what makes no sense.
    """

    games: int = 140
    round_size: int = 1  # games played side by side
    depth: int = 5
    # Deeper with fewer pieces: the first pair of pieces and depth that is not exceeded counts.
    depths: tuple[tuple[int, int], ...] = ((7, 9), (19, 7))
    quiescence: bool = False
    history: bool = False  # order moves by what they refuted elsewhere; killers always are
    random_plies: int = 4
    rate: float = 1e-4  # of the root
    decay: float = 1 / 3  # of the rate, with each ply below the root
    clamp: float = 0.001  # no weight changes by more than this for one search; 0: no limit
    with_slope: bool = False

    def __post_init__(self) -> None:
        check_sizes(self)
        for name in ("rate", "decay", "clamp", "random_plies"):
            if not 0 <= getattr(self, name) < 1000:
                raise ValueError(f"{name} must be 0 or more, not {getattr(self, name)}")

    def student_options(self) -> dict[str, Any]:
        """Return what a student of the core is told."""
        return {
            "depth": self.depth,
            "depths": list(self.depths),
            "quiescence": self.quiescence,
            "killers": 1,
            "history": self.history,
            "lessons": "tree",
            "rate": self.rate,
            "decay": self.decay,
            "clamp": self.clamp,
            "with_slope": self.with_slope,
        }


class Found(NamedTuple):
    """What one search found: a move, and a change for each weight."""

    move: Move
    changes: Array
    nodes: int


def study(
    evaluation: OneLayer,
    options: Mapping[str, Any],
    position: Position,
    history: Sequence[Position],
    seed: int,
) -> Found:
    """Search a position and learn from the tree; equally good moves are drawn from the seed."""
    student = core.Student.of(cast("core.OneLayer", evaluation.core), **options)
    student.begin_game(seed)
    move = student.choose(position, list(history))
    notes = student.take_notes()
    return Found(move, notes.changes, notes.nodes)


@dataclass
class _Game:
    """One game of a round, and where it is."""

    position: Position
    past: Past
    random: Random
    history: list[Position] = field(default_factory=list)  # since the last irreversible move
    plies: int = 0
    searches: int = 0
    nodes: int = 0

    @classmethod
    def begun(cls, players: int, plies: int, seed: int) -> _Game:
        start = Position(players)
        random = Random(seed)
        game = cls(start, Past(start), random)
        for move in random_line(start, plies, random):
            game.play(move)
        return game

    @property
    def is_over(self) -> bool:
        return self.position.is_over or self.past.is_drawn

    def play(self, move: Move) -> None:
        self.past.add(self.position, move)
        self.history.append(self.position)
        self.position = self.position.after(move)
        self.plies += 1
        if self.past.quiet_plies == 0:
            self.history.clear()

    def skip(self) -> None:
        """Pass as long as nobody can do anything else."""
        while not self.is_over and self.position.must_pass:
            self.play(PASS)

    @property
    def needs_thought(self) -> bool:
        return len(self.position.legal_moves) > 1


def learn_side_by_side(
    evaluation: OneLayer,
    settings: SideBySideSettings,
    *,
    seed: int,
    executor: Executor,
    start: Snapshot | None = None,
) -> Iterator[Snapshot]:
    """Train an evaluation in self-play, and yield a snapshot after each round of games."""
    weights = evaluation.weights if start is None else start.arrays["weights"].copy()
    games = 0 if start is None else start.games
    while games < settings.games:
        numbers = range(games, min(games + settings.round_size, settings.games))
        seeds = [game_seed(seed, "side by side", number) for number in numbers]
        playing = [_Game.begun(evaluation.players, settings.random_plies, each) for each in seeds]
        weights = _play_round(evaluation.with_weights(weights), settings, playing, executor)
        games += len(playing)
        yield Snapshot(games, {"weights": weights}, {}, measure(playing))


def _play_round(
    evaluation: OneLayer,
    settings: SideBySideSettings,
    playing: Sequence[_Game],
    executor: Executor,
) -> Array:
    """Play a round to its end; return the weights after it."""
    options = settings.student_options()
    weights = evaluation.weights
    while active := [game for game in playing if not game.is_over]:
        for game in active:
            game.skip()
        thinking = [game for game in active if not game.is_over and game.needs_thought]
        found = [
            executor.submit(
                study,
                evaluation,
                options,
                game.position,
                tuple(game.history),
                game.random.getrandbits(63),
            )
            for game in thinking
        ]
        for game in active:
            if not game.is_over and not game.needs_thought:
                game.play(game.position.legal_moves[0])
        for game, future in zip(thinking, found, strict=True):
            result = future.result()
            weights = weights + result.changes
            game.searches += 1
            game.nodes += result.nodes
            game.play(result.move)
        evaluation = evaluation.with_weights(weights)
    return weights


def measure(played: Sequence[_Game]) -> dict[str, float]:
    """Return averages of a round: plies, share of games won by anybody, nodes of a game."""
    count = len(played)
    return {
        "plies": sum(game.plies for game in played) / count,
        "decided": sum(game.position.winner is not None for game in played) / count,
        "nodes": sum(game.nodes for game in played) / count,
        "searches": sum(game.searches for game in played) / count,
    }
