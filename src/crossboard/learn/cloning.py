"""Self-play with cloning: a net learns against its own copy, which follows once it is beaten.

Lynch 1997, 6.2 to 6.4 and 8.1: blocks of training games, then a test of two games without
learning; the copy takes over the weights when the student passes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from crossboard._core.draughts import Chooser, DrawRules, PlayedGame, play_games
from crossboard.draughts import Move, Position, StartBoard, random_line
from crossboard.evaluators import EvalNet, Network
from crossboard.learn.pupil import Ask, Pupil, Thinker, ask_alone
from crossboard.learn.rounds import Lesson, learn_round
from crossboard.learn.snapshot import Snapshot, game_seed
from crossboard.learn.td import TdSettings
from crossboard.players import SearchSettings, make_engine, material_balance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REGIMES = ("test", "share", "straight", "mirror")
# Points of a test: two for a win, one for a draw.
MOST_POINTS = 4
# Chosen: with more boards than that hardly any student passes on every one of them, so that the
# points of all boards together decide.
FEW_BOARDS = 2
ENOUGH_POINTS = 0.6
# The program of 1997 knew no repetition, and drew a game after 50 moves of each side.
FIFTY_MOVES = DrawRules(repetitions=0, quiet_plies=0, max_plies=100)
PLAIN_SEARCH = SearchSettings(algorithm="minimax", quiescence=False, table_mb=0)


@dataclass(frozen=True, kw_only=True)
class CloningSettings:
    """How a net is trained by cloning; the defaults are the paper's.

    Raises ValueError for what makes no sense.
    """

    td: TdSettings = field(default_factory=TdSettings)
    boards: tuple[StartBoard, ...] = (StartBoard(),)
    blocks: int = 100  # "gamelimit"
    games: int = 10  # on each board of a block: "testafter"
    depth: int = 2  # plies to look ahead, from the root
    search: SearchSettings = PLAIN_SEARCH
    # "test": 6.3's ten games and two, "share": cloned when enough of a block was won,
    # "straight": 6.2, two nets that both learn, "mirror": one net on both sides.
    regime: str = "test"
    clone_share: float = 0.85
    # So many games are played with the same weights; 1: weights change after every move.
    round_size: int = 1
    first_scale: float = 1.0  # of the learning rates, falling to
    last_scale: float = 1.0
    random_plies: int = 0  # before the players take over
    random_ties: bool = True  # equally good moves are drawn from the seed
    rules: DrawRules = FIFTY_MOVES

    def __post_init__(self) -> None:
        if self.regime not in REGIMES:
            raise ValueError(f"the regime is one of {', '.join(REGIMES)}, not {self.regime!r}")
        if not self.boards:
            raise ValueError("training needs a board to start from")
        for name in ("blocks", "games", "depth", "round_size"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, not {getattr(self, name)}")
        if not 0 < self.clone_share <= 1:
            raise ValueError(f"clone_share must be above 0 and up to 1, not {self.clone_share}")
        if self.regime == "straight" and self.round_size > 1:
            raise ValueError("two nets that both learn change after every move: round_size is 1")
        if self.regime == "mirror" and self.round_size == 1:
            raise ValueError("a net that plays itself learns in rounds: round_size is 2 or more")

    @property
    def games_of_block(self) -> int:
        return self.games * len(self.boards)

    def scale(self, block: int) -> float:
        """Return what the rates of a block are multiplied by: falling by the same share each."""
        share = block / max(1, self.blocks - 1)
        return float(self.first_scale * (self.last_scale / self.first_scale) ** share)


class _Start(NamedTuple):
    """One game to be played: all that it depends on but the nets."""

    board: StartBoard
    line: tuple[Move, ...]
    seed: int
    seat: int  # the student's

    @property
    def opening(self) -> tuple[Position, list[Move]]:
        return self.board.position, list(self.line)

    def lesson(self, game: PlayedGame, network: Network, seat: int) -> Lesson:
        boards = game.boards_after(seat, skip=len(self.line))
        return Lesson(network.mapping.batch(boards), self.board.reward(game, seat))


@dataclass
class _State:
    student: EvalNet
    opponent: EvalNet
    block: int = 0
    clones: int = 0

    @classmethod
    def of(cls, snapshot: Snapshot) -> _State:
        nets: dict[str, dict[str, NDArray[np.float64]]] = {"student": {}, "opponent": {}}
        for key, array in snapshot.arrays.items():
            who, _, name = key.partition(".")
            nets[who][name] = array
        student, opponent = (EvalNet(n["w1"], n["w2"], n.get("w3")) for n in nets.values())
        return cls(student, opponent, snapshot.plain["block"], snapshot.plain["clones"])

    def snapshot(
        self, games: int, measured: Mapping[str, float], played: Sequence[PlayedGame]
    ) -> Snapshot:
        nets = {"student": self.student, "opponent": self.opponent}
        arrays = {
            f"{who}.{name}": array
            for who, net in nets.items()
            for name, array in net.arrays().items()
        }
        plain: dict[str, Any] = {"block": self.block, "clones": self.clones}
        return Snapshot(games, arrays, plain, measured, played)


def learn_by_cloning(
    network: Network,
    settings: CloningSettings,
    *,
    seed: int,
    executor: Executor,
    workers: int = 1,
    start: Snapshot | None = None,
    ask: Ask = ask_alone,
) -> Iterator[Snapshot]:
    """Train a network, and yield a snapshot after each block.

    The result does not depend on the executor or the number of workers. `measured` tells the
    block's average moves and material at the end (man 2, king 3, the student's less the other's),
    the share of points won, those of the test, whether the student was cloned, and clones so far.
    Where weights change after every move, `ask` searches.
    """
    school = _School(network, settings, seed, executor, workers, ask)
    state = _State(network.net, network.net) if start is None else _State.of(start)
    while state.block < settings.blocks:
        starts, games = school.train(state)
        points = school.test(state)
        cloned = school.passes(points, starts, games)
        if cloned:
            state.opponent = state.student
            state.clones += 1
        state.block += 1
        measured = {
            **measure_block([one.seat for one in starts], games),
            "test_points": float(sum(points)),
            "cloned": float(cloned),
            "clones": float(state.clones),
        }
        yield state.snapshot(state.block * settings.games_of_block, measured, games)


def measure_block(seats: Sequence[int], games: Sequence[PlayedGame]) -> dict[str, float]:
    """Return the averages that the paper draws: moves of a side, and material left at the end."""
    count = len(games)
    pieces = [_pieces(game, seat) for seat, game in zip(seats, games, strict=True)]
    points = [
        0.5 if game.winner is None else float(game.winner == seat)
        for seat, game in zip(seats, games, strict=True)
    ]
    return {
        "moves": sum(game.plies for game in games) / (2 * count),
        "pieces": sum(pieces) / count,
        "won": sum(points) / count,
    }


def _pieces(game: PlayedGame, seat: int) -> float:
    """How much material a seat is ahead at the end: a man counts 2, a king 3."""
    last = game.last
    is_to_move = game.plies % 2 == seat
    return (2 if is_to_move else -2) * material_balance(last)


@dataclass(frozen=True)
class _School:
    network: Network
    settings: CloningSettings
    seed: int
    executor: Executor
    workers: int
    ask: Ask

    def train(self, state: _State) -> tuple[list[_Start], list[PlayedGame]]:
        """Play a block's training games and let the student learn from them."""
        starts = self._starts(state.block)
        scale = self.settings.scale(state.block)
        if self.settings.round_size == 1:
            games = self._train_move_by_move(state, starts, scale)
        else:
            games = self._train_in_rounds(state, starts, scale)
        return starts, games

    def _starts(self, block: int) -> list[_Start]:
        settings = self.settings
        starts = []
        for place in range(settings.games_of_block):
            number = block * settings.games_of_block + place
            seed = game_seed(self.seed, "training", number)
            board = settings.boards[place // settings.games]
            line = random_line(board.position, settings.random_plies, Random(seed))
            # The student is Black in even games.
            is_first = (place % 2 == 0) == (board.position.turn == "B")
            starts.append(_Start(board, line, seed, 0 if is_first else 1))
        return starts

    def _train_move_by_move(
        self, state: _State, starts: Sequence[_Start], scale: float
    ) -> list[PlayedGame]:
        thinkers = [self._thinker(net, learning=True) for net in (state.student, state.opponent)]
        pupils = [Pupil(thinker, self.settings.td, scale=scale) for thinker in thinkers]
        student = pupils[0]
        rival = pupils[1] if self.settings.regime == "straight" else thinkers[1]
        choosers = [Chooser.python(student), Chooser.python(rival)]
        games = []
        for one in starts:
            game = _play(choosers, one, self.settings.rules)
            student.end_game(one.board.reward(game, one.seat))
            if isinstance(rival, Pupil):
                rival.end_game(one.board.reward(game, 1 - one.seat))
            games.append(game)
        state.student = student.net
        if isinstance(rival, Pupil):
            state.opponent = rival.net
        return games

    def _train_in_rounds(
        self, state: _State, starts: Sequence[_Start], scale: float
    ) -> list[PlayedGame]:
        played: list[PlayedGame] = []
        for first in range(0, len(starts), self.settings.round_size):
            some = starts[first : first + self.settings.round_size]
            games = self._play_apart(state, some)
            is_mirror = self.settings.regime == "mirror"
            lessons = [
                one.lesson(game, self.network, seat)
                for one, game in zip(some, games, strict=True)
                for seat in ([0, 1] if is_mirror else [one.seat])
            ]
            state.student = learn_round(state.student, lessons, self.settings.td, scale=scale)
            if is_mirror:
                state.opponent = state.student
            played += games
        return played

    def _play_apart(self, state: _State, starts: Sequence[_Start]) -> list[PlayedGame]:
        """Play games on all workers; their order is that of the starts."""
        nets = [Network.of(self.network.mapping, net) for net in (state.student, state.opponent)]
        size = -(-len(starts) // self.workers)
        parts = [starts[at : at + size] for at in range(0, len(starts), size)]
        futures = [self.executor.submit(_play_part, nets, part, self.settings) for part in parts]
        return [game for future in futures for game in future.result()]

    def test(self, state: _State) -> list[float]:
        """Let the student play its copy without learning, on each board once with each colour."""
        if self.settings.regime != "test":
            return []
        nets = (state.student, state.opponent)
        choosers = [Chooser.python(self._thinker(net, learning=False)) for net in nets]
        return [
            sum(
                _points(_play(choosers, _Start(board, (), 0, seat), self.settings.rules), seat)
                for seat in (0, 1)
            )
            for board in self.settings.boards
        ]

    def passes(
        self, points: Sequence[float], starts: Sequence[_Start], games: Sequence[PlayedGame]
    ) -> bool:
        """Whether the student is to be cloned."""
        settings = self.settings
        if settings.regime in ("straight", "mirror"):
            return False
        if settings.regime == "share":
            won = sum(game.winner == one.seat for one, game in zip(starts, games, strict=True))
            return won >= settings.clone_share * len(games)
        if len(settings.boards) > FEW_BOARDS:
            return sum(points) >= ENOUGH_POINTS * MOST_POINTS * len(points)
        return all(
            got >= board.points_to_clone for got, board in zip(points, settings.boards, strict=True)
        )

    def _thinker(self, net: EvalNet, *, learning: bool) -> Thinker:
        settings = self.settings
        return Thinker(
            Network.of(self.network.mapping, net),
            settings.search,
            settings.depth,
            random_ties=learning and settings.random_ties,
            ask=self.ask,
        )


def _points(game: PlayedGame, seat: int) -> float:
    return 1.0 if game.winner is None else 2.0 * (game.winner == seat)


def _play(choosers: Sequence[Chooser], start: _Start, rules: DrawRules) -> PlayedGame:
    """Play one game between the student, who is the first chooser, and its opponent."""
    first, second = choosers if start.seat == 0 else reversed(choosers)
    games = play_games(first, second, openings=[start.opening], seeds=[start.seed], rules=rules)
    return games[0]


def _play_part(
    nets: Sequence[Network], starts: Sequence[_Start], settings: CloningSettings
) -> list[PlayedGame]:
    choosers = [
        Chooser.engine(
            make_engine(net, settings.search),
            depth=settings.depth,
            random_ties=settings.random_ties,
        )
        for net in nets
    ]
    return [_play(choosers, start, settings.rules) for start in starts]
