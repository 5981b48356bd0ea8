"""TreeStrap on Duchess: games played side by side, whose weights change after every move of all.

Real and Blair 2014 change the weights after each move of one game. Here some games go on together,
and where one has ended the next begins. Each of them is searched with the same weights, and may
change them by its share of what one move may change; what the searches teach is summed in the
order of the games, and then all make their moves. So a run depends on its seed and on how many
games there are at a time, but not on who searches where. There is a snapshot after every move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

from crossboard._core import duchess as core
from crossboard.duchess import Move, Past, Position, Record, random_line, result_for
from crossboard.evaluators import OneLayer
from crossboard.learn.ranges import check_numbers
from crossboard.learn.schooling import Schooling
from crossboard.learn.search_learning import (
    DUCHESS_CLAMP,
    DUCHESS_DECAY,
    DUCHESS_DEPTH,
    DUCHESS_RANDOM_PLIES,
    DUCHESS_RATE,
    check_sizes,
)
from crossboard.learn.snapshot import Snapshot, game_seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

PASS = Move("pass")
# The arrays of a snapshot: the weights of the game, and those of its end where it has its own.
MAIN, ENDGAME = "weights", "endgame_weights"
# What a snapshot has beside them: the games that are under way.
UNDER_WAY = "under_way"
# Raised when the same settings and seed begin to give other weights: what was trained before that
# is no part of what is trained after it.
EDITION = 2


@dataclass(frozen=True, kw_only=True)
class DuchessStudySettings:
    """How Duchess is learnt; the defaults are the paper's (sections V and VI).

    Raises ValueError for what makes no sense.
    """

    games: int = 140
    round_size: int = 1  # games played side by side
    depth: int = DUCHESS_DEPTH
    # Deeper with fewer pieces: at least as deep as each pair says whose pieces are not exceeded.
    depths: tuple[tuple[int, int], ...] = ((7, 9), (19, 7))
    quiescence: bool = False
    history: bool = False  # order moves by what they refuted elsewhere; killers always are
    random_plies: int = DUCHESS_RANDOM_PLIES
    rate: float = DUCHESS_RATE  # of the root
    decay: float = DUCHESS_DECAY  # of the rate, with each ply below the root
    # No weight changes by more for one move of all games, of which each has an equal share, so that
    # one wild search cannot take all; 0: no limit.
    clamp: float = DUCHESS_CLAMP
    with_slope: bool = False
    # Chosen: bounds teach no more than that a value lies beyond the window's edge. What a
    # refutation is found to be worth counts captures that can be taken back, and lets material
    # shrink (docs/duchess.md).
    at_edges: bool = True
    # Positions with fewer pieces are searched with weights of their own; 0: there are none.
    endgame: int = 0

    def __post_init__(self) -> None:
        check_sizes(self)
        check_numbers(self, "rate", "clamp", "random_plies")
        check_numbers(self, "decay", most=1)

    @property
    def selector(self) -> core.PhaseSelector:
        """Selects weights as the phases of a player do: 1 for the endgame's, otherwise 0."""
        endgame = core.Phase(most_pieces=self.endgame - 1)
        return core.PhaseSelector([(endgame, 1), (core.Phase(), 0)])

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
            "clamp": self.clamp / self.round_size,
            "with_slope": self.with_slope,
            "at_edges": self.at_edges,
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


class _Game:
    """One game of a round, and where it is. All that is random in it comes from its seed."""

    def __init__(self, players: int, random_plies: int, number: int, seed: int) -> None:
        start = Position(players)
        self.number = number
        self.record = Record(start)
        self.past = Past(start)
        self.random = Random(seed)
        self.history: list[Position] = []  # since the last irreversible move
        self.searches = 0
        self.nodes = 0
        for move in random_line(start, random_plies, self.random):
            self.play(move)

    @property
    def position(self) -> Position:
        return self.record.position

    @property
    def plies(self) -> int:
        return len(self.record.moves)

    @property
    def is_over(self) -> bool:
        return self.position.is_over or self.past.is_drawn

    def play(self, move: Move) -> None:
        self.past.add(self.position, move)
        self.history.append(self.position)
        self.record.play(move)
        if self.past.quiet_plies == 0:
            self.history.clear()

    def finished(self) -> Record:
        """Return the game with its result."""
        self.record.result = result_for(self.position.winner)
        return self.record

    def draw_seed(self) -> int:
        """Return the seed of the next search."""
        self.searches += 1
        return self.random.getrandbits(63)

    @property
    def state(self) -> dict[str, Any]:
        """What has happened so far, as plain values; the seed tells the rest."""
        moves = " ".join(map(str, self.record.moves))
        return {
            "number": self.number,
            "moves": moves,
            "searches": self.searches,
            "nodes": self.nodes,
        }

    def caught_up(self, state: Mapping[str, Any]) -> Self:
        """Go on to where the same game once was."""
        for text in state["moves"].split()[self.plies :]:
            self.play(self.position.parse_move(text))
        while self.searches < state["searches"]:
            self.draw_seed()
        self.nodes = state["nodes"]
        return self

    def skip(self) -> None:
        """Pass while the player to move has no other move."""
        while not self.is_over and self.position.must_pass:
            self.play(PASS)

    def phase(self, settings: DuchessStudySettings) -> str:
        """Return the weights that the next search has, and teaches."""
        return (MAIN, ENDGAME)[settings.selector.select(self.position)]

    def count_pieces(self) -> int:
        players = range(1, self.position.players + 1)
        return sum(len(self.position.pieces(player)) for player in players)

    @property
    def needs_thought(self) -> bool:
        return len(self.position.legal_moves) > 1


def learn_duchess_by_treestrap(
    evaluation: OneLayer, settings: DuchessStudySettings, schooling: Schooling
) -> Iterator[Snapshot]:
    """Train an evaluation in self-play, and yield a snapshot after each move of all games.

    Those after which games have ended have measurements and records of these.
    """
    start = schooling.start
    phases = (MAIN, ENDGAME) if settings.endgame else (MAIN,)
    weights = {
        phase: evaluation.weights if start is None else start.arrays[phase].copy()
        for phase in phases
    }
    begin = partial(_begin, evaluation.players, settings, schooling.seed)
    ended = 0 if start is None else start.games
    states = [] if start is None else start.plain.get(UNDER_WAY, [])
    playing = [begin(state["number"]).caught_up(state) for state in states]
    while ended < settings.games:
        # As many as may be, while there are any left, so that no worker waits for one long game.
        numbers = range(ended + len(playing), settings.games)
        playing += map(begin, numbers[: settings.round_size - len(playing)])
        weights = _play_moves(evaluation, weights, settings, playing, schooling.executor)
        over = [game for game in playing if game.is_over]
        playing = [game for game in playing if not game.is_over]
        ended += len(over)
        plain = {UNDER_WAY: [game.state for game in playing]}
        yield Snapshot(ended, weights, plain, measure(over), [game.finished() for game in over])


def _begin(players: int, settings: DuchessStudySettings, seed: int, number: int) -> _Game:
    game = game_seed(seed, "side by side", number)
    return _Game(players, settings.random_plies, number, game)


def _play_moves(
    evaluation: OneLayer,
    weights: dict[str, Array],
    settings: DuchessStudySettings,
    active: Sequence[_Game],
    executor: Executor,
) -> dict[str, Array]:
    """Let every game make a move; return the weights, by phase, with what all of them taught."""
    for game in active:
        game.skip()
    thinking = [game for game in active if not game.is_over and game.needs_thought]
    options = settings.student_options()
    evaluations = {phase: evaluation.with_weights(row) for phase, row in weights.items()}
    phases = {game.number: game.phase(settings) for game in thinking}
    found = {
        game.number: executor.submit(
            study,
            evaluations[phases[game.number]],
            options,
            game.position,
            tuple(game.history),
            game.draw_seed(),
        )
        # Few pieces are searched deepest, so their long searches start first.
        for game in sorted(thinking, key=_Game.count_pieces)
    }
    for game in active:
        if not game.is_over and not game.needs_thought:
            game.play(game.position.legal_moves[0])
    taught = {phase: row * 0 for phase, row in weights.items()}
    for game in thinking:
        result = found[game.number].result()
        taught[phases[game.number]] += result.changes
        game.nodes += result.nodes
        game.play(result.move)
    return {phase: row + taught[phase] for phase, row in weights.items()}


def measure(played: Sequence[_Game]) -> dict[str, float]:
    """Return averages of games: plies, share of those won by anybody, nodes of a game."""
    if not played:
        return {}
    count = len(played)
    return {
        "plies": sum(game.plies for game in played) / count,
        "decided": sum(game.position.winner is not None for game in played) / count,
        "nodes": sum(game.nodes for game in played) / count,
        "searches": sum(game.searches for game in played) / count,
    }
