"""Self-play with cloning: a net learns against its own copy, which follows once it is beaten.

Lynch 1997, 6.2 to 6.4 and 8.1: blocks of training games, then a test of two games without
learning; the copy takes over the weights when the student passes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any, NamedTuple

from crossboard._core import DrawRules
from crossboard._core.draughts import Chooser, PlayedGame, play_games
from crossboard.draughts import Move, Position, StartBoard, random_line
from crossboard.draughts.board_files import MAX_POINTS
from crossboard.evaluators import Mapping as BoardMapping
from crossboard.evaluators import Network
from crossboard.learn.fan_out import spread
from crossboard.learn.phases import (
    ALONE,
    BY_MATERIAL,
    Nets,
    name_arrays,
    nets_of,
    phases_of,
    selector_of,
)
from crossboard.learn.pupil import NetworkChooser, Pupil
from crossboard.learn.ranges import check_counts, check_positive, check_word
from crossboard.learn.rounds import Lesson, learn_round
from crossboard.learn.schooling import Schooling
from crossboard.learn.snapshot import Snapshot, game_seed
from crossboard.learn.td import TdSettings
from crossboard.players import SearchSettings, make_engine, material_balance

REGIMES = ("test", "share", "straight", "mirror")
# Chosen: with more boards than that hardly any student passes on every one of them, so that the
# points of all boards together decide.
FEW_BOARDS = 2
ENOUGH_POINTS = 0.6
# The program of 1997 knew no repetition, and drew a game after 50 moves of each side.
FIFTY_MOVES = DrawRules(repetitions=0, quiet_plies=0, max_plies=100)
PLAIN_SEARCH = SearchSettings(algorithm="minimax", quiescence=False, table_mb=0)
# Its searches know of no repetition either.
ENDLESS_SEARCH = replace(PLAIN_SEARCH, draws=DrawRules(repetitions=0, quiet_plies=0))


@dataclass(frozen=True, kw_only=True)
class CloningSettings:
    """How a net is trained by cloning; the defaults are the paper's.

    Raises ValueError for what makes no sense.
    """

    td: TdSettings = field(default_factory=TdSettings)
    phases: tuple[str, ...] = ALONE  # or BY_MATERIAL: a net for each
    boards: tuple[StartBoard, ...] = (StartBoard(),)
    most_games: int = 1000  # in all; the last block may be shorter than the others
    games: int = 10  # on each board of a block: "testafter"
    block_games: int = 0  # of a block, spread over its boards in turn; 0: `games` on each board
    depth: int = 2  # plies to look ahead, from the root
    search: SearchSettings = ENDLESS_SEARCH
    # "test": 6.3's ten games and two, "share": cloned when enough of a block was won,
    # "straight": 6.2, two nets that both learn, "mirror": one net on both sides.
    regime: str = "test"
    clone_share: float = 0.85  # Chosen: the paper has 80 to 90 % (6.3)
    # So many games are played with the same weights; 1: weights change after every move.
    round_size: int = 1
    first_scale: float = 1.0  # of the learning rates, falling to
    last_scale: float = 1.0
    random_plies: int = 0  # before the players take over, if they leave a game
    random_ties: bool = True  # equally good moves are drawn from the seed
    rules: DrawRules = FIFTY_MOVES

    def __post_init__(self) -> None:
        check_word("the regime", self.regime, REGIMES)
        if self.phases not in (ALONE, BY_MATERIAL):
            raise ValueError(f"phases are {ALONE} or {BY_MATERIAL}, not {self.phases}")
        if not self.boards:
            raise ValueError("training needs a board to start from")
        for board in self.boards:
            if board.position.is_over:
                raise ValueError(f"no game can start where it is over: {board.position.fen}")
        check_counts(self, "most_games", "games", "depth", "round_size")
        check_counts(self, "random_plies", "block_games", least=0)
        for name in ("first_scale", "last_scale"):
            check_positive(name, getattr(self, name))
        if not 0 < self.clone_share <= 1:
            raise ValueError(f"clone_share must be above 0 and up to 1, not {self.clone_share}")
        if self.td.momentum and self.round_size > 1:
            raise ValueError(
                "momentum goes from one move's change to the next: "
                f"with a round_size of {self.round_size} it must be 0, not {self.td.momentum}"
            )
        if self.regime == "straight" and self.round_size > 1:
            raise ValueError("two nets that both learn change after every move: round_size is 1")
        if self.regime == "mirror" and self.round_size == 1:
            raise ValueError("a net that plays itself learns in rounds: round_size is 2 or more")

    @property
    def has_tests(self) -> bool:
        """Whether the student is tested after each block."""
        return self.regime == "test"

    @property
    def has_clones(self) -> bool:
        """Whether its opponent is a copy that follows it."""
        return self.regime in ("test", "share")

    @property
    def games_of_block(self) -> int:
        return self.block_games or self.games * len(self.boards)

    @property
    def blocks(self) -> int:
        """How many there are: the paper's "gamelimit"."""
        return -(-self.most_games // self.games_of_block)

    def games_after(self, blocks: int) -> int:
        """Return how many games have been played after so many blocks."""
        return min(blocks * self.games_of_block, self.most_games)

    def seat_at(self, place: int, start: Position) -> int:
        """Return the student's seat in a game of a block: it is Black in even games of a board."""
        is_black = (place if self.block_games else place % self.games) % 2 == 0
        return 0 if is_black == (start.turn == "B") else 1

    def board_at(self, block: int, place: int) -> StartBoard:
        """Return the board of a game of a block.

        Spread games go through the boards, two on each, and on in the next block.
        """
        if not self.block_games:
            return self.boards[place // self.games]
        pairs = -(-self.block_games // 2)
        return self.boards[(block * pairs + place // 2) % len(self.boards)]

    def goes(self) -> list[tuple[int, Sequence[StartBoard]]]:
        """Return how many games of a block are played in one go, and the boards of tests then."""
        if self.block_games:
            return [(self.block_games, self.boards)]
        return [(self.games, [board]) for board in self.boards]

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

    def lesson(
        self, game: PlayedGame, mapping: BoardMapping, phases: Sequence[str], seat: int
    ) -> Lesson:
        skip = len(self.line)
        inputs = mapping.batch(game.boards_after(seat, skip=skip))
        turns = phases_of(game, seat, phases, skip=skip)
        return Lesson(inputs, turns, self.board.reward(game, seat))


@dataclass
class _State:
    student: Nets
    opponent: Nets
    block: int = 0
    clones: int = 0

    @classmethod
    def of(cls, snapshot: Snapshot) -> _State:
        student, opponent = (nets_of(snapshot.arrays, who) for who in ("student", "opponent"))
        return cls(student, opponent, snapshot.plain["block"], snapshot.plain["clones"])

    def snapshot(
        self, games: int, measured: Mapping[str, float], played: Sequence[PlayedGame]
    ) -> Snapshot:
        arrays = name_arrays("student", self.student) | name_arrays("opponent", self.opponent)
        plain: dict[str, Any] = {"block": self.block, "clones": self.clones}
        return Snapshot(games, arrays, plain, measured, played)


def learn_by_cloning(
    network: Network,
    settings: CloningSettings,
    schooling: Schooling,
) -> Iterator[Snapshot]:
    """Train a network, or one for each phase, and yield a snapshot after each block.

    `measured` has the block's average moves, its material at the end (man 2, king 3; the student's
    less the opponent's) and the share of points won; with tests also their points; with clones
    whether the student was cloned, and how often so far; with phases the share of the student's
    turns in each. Where weights change after every move, `schooling.ask` searches.
    """
    school, start = _School(network.mapping, settings, schooling), schooling.start
    nets = dict.fromkeys(settings.phases, network.net)
    state = _State(nets, nets) if start is None else _State.of(start)
    while state.block < settings.blocks:
        starts, games, points = school.play_block(state)
        cloned = school.passes(points, starts, games)
        if cloned:
            state.opponent = state.student
            state.clones += 1
        state.block += 1
        measured = {
            **measure_block([one.seat for one in starts], games),
            **school.shares(starts, games),
        }
        if settings.has_tests:
            measured["test_points"] = float(sum(points))
        if settings.has_clones:
            measured |= {"cloned": float(cloned), "clones": float(state.clones)}
        yield state.snapshot(settings.games_after(state.block), measured, games)


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
    mapping: BoardMapping
    settings: CloningSettings
    schooling: Schooling

    def play_block(self, state: _State) -> tuple[list[_Start], list[PlayedGame], list[float]]:
        """Let the student learn on each board, and test it there before it goes on to the next.

        Returns the training games and, board by board, the points of the tests.
        """
        starts = self._starts(state.block)
        games: list[PlayedGame] = []
        points: list[float] = []
        # The last block may end before it has come to all boards.
        for count, boards in self.settings.goes():
            games += self._train(state, starts[len(games) : len(games) + count])
            for board in boards:
                points += self._test(state, board)
        return starts, games, points

    def _train(self, state: _State, starts: Sequence[_Start]) -> list[PlayedGame]:
        """Play a board's training games and let the student learn from them."""
        scale = self.settings.scale(state.block)
        if self.settings.round_size == 1:
            return self._train_move_by_move(state, starts, scale)
        return self._train_in_rounds(state, starts, scale)

    def _starts(self, block: int) -> list[_Start]:
        settings = self.settings
        starts = []
        first = settings.games_after(block)
        for place in range(settings.games_after(block + 1) - first):
            number = first + place
            seed = game_seed(self.schooling.seed, "training", number)
            board = settings.board_at(block, place)
            line = _draw_line(board.position, settings.random_plies, Random(seed))
            starts.append(_Start(board, line, seed, settings.seat_at(place, board.position)))
        return starts

    def _train_move_by_move(
        self, state: _State, starts: Sequence[_Start], scale: float
    ) -> list[PlayedGame]:
        student, rival = (
            Pupil(self._thinkers(nets, learning=True), self.settings.td, scale=scale)
            for nets in (state.student, state.opponent)
        )
        is_straight = self.settings.regime == "straight"
        other = Chooser.python(rival) if is_straight else self._chooser(state.opponent)
        choosers = [Chooser.python(student), other]
        games = []
        for one in starts:
            game = _play(choosers, one, self.settings.rules)
            student.end_game(one.board.reward(game, one.seat))
            if is_straight:
                rival.end_game(one.board.reward(game, 1 - one.seat))
            games.append(game)
        state.student = student.nets
        if is_straight:
            state.opponent = rival.nets
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
                one.lesson(game, self.mapping, self.settings.phases, seat)
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
        sides = [self._networks(nets) for nets in (state.student, state.opponent)]
        play = partial(_play_share, sides, self.settings)
        return list(spread(play, starts, self.schooling.executor, self.schooling.workers))

    def _test(self, state: _State, board: StartBoard) -> list[float]:
        """Let the student play its copy without learning, once with each colour, if it is tested.

        Returns its points on the board.
        """
        if not self.settings.has_tests:
            return []
        sides = (state.student, state.opponent)
        choosers = [self._chooser(nets, learning=False) for nets in sides]
        starts = [_Start(board, (), 0, seat) for seat in (0, 1)]
        games = [_play(choosers, one, self.settings.rules) for one in starts]
        return [sum(_points(game, one.seat) for one, game in zip(starts, games, strict=True))]

    def passes(
        self, points: Sequence[float], starts: Sequence[_Start], games: Sequence[PlayedGame]
    ) -> bool:
        """Whether the student is to be cloned."""
        settings = self.settings
        if not settings.has_clones:
            return False
        if settings.regime == "share":
            # Of a whole block: the last one may be shorter.
            won = sum(game.winner == one.seat for one, game in zip(starts, games, strict=True))
            return won >= settings.clone_share * settings.games_of_block
        if len(settings.boards) > FEW_BOARDS:
            return sum(points) >= ENOUGH_POINTS * MAX_POINTS * len(points)
        return all(
            got >= board.points_to_clone for got, board in zip(points, settings.boards, strict=True)
        )

    def shares(self, starts: Sequence[_Start], games: Sequence[PlayedGame]) -> dict[str, float]:
        """Return which share of the student's turns each phase had, if there are several."""
        phases = self.settings.phases
        if len(phases) == 1:
            return {}
        turns = Counter(
            phase
            for one, game in zip(starts, games, strict=True)
            for phase in phases_of(game, one.seat, phases, skip=len(one.line))
        )
        return {f"share_{phase}": turns[phase] / max(1, turns.total()) for phase in phases}

    def _networks(self, nets: Nets) -> dict[str, Network]:
        return {phase: Network.of(self.mapping, net) for phase, net in nets.items()}

    def _thinkers(self, nets: Nets, *, learning: bool) -> dict[str, NetworkChooser]:
        settings = self.settings
        return {
            phase: NetworkChooser(
                network,
                settings.search,
                settings.depth,
                random_ties=learning and settings.random_ties,
                ask=self.schooling.ask,
            )
            for phase, network in self._networks(nets).items()
        }

    def _chooser(self, nets: Nets, *, learning: bool = True) -> Chooser:
        """Return what chooses as a pupil does, but does not learn."""
        thinkers = self._thinkers(nets, learning=learning)
        return _in_phases({phase: Chooser.python(each) for phase, each in thinkers.items()})


def _draw_line(position: Position, plies: int, random: Random) -> tuple[Move, ...]:
    """Draw the random plies of a game, or none where no line was found that leaves a game.

    Which boards have so few lines shows only when they are drawn: no error then may end a training
    of hours.
    """
    try:
        return random_line(position, plies, random)
    except ValueError:
        return ()


def _in_phases(choosers: Mapping[str, Chooser]) -> Chooser:
    return Chooser.selecting(selector_of(list(choosers)), list(choosers.values()))


def _points(game: PlayedGame, seat: int) -> float:
    return 1.0 if game.winner is None else 2.0 * (game.winner == seat)


def _play(choosers: Sequence[Chooser], start: _Start, rules: DrawRules) -> PlayedGame:
    """Play one game between the student, who is the first chooser, and its opponent."""
    first, second = choosers if start.seat == 0 else reversed(choosers)
    games = play_games(first, second, openings=[start.opening], seeds=[start.seed], rules=rules)
    return games[0]


def _play_share(
    sides: Sequence[Mapping[str, Network]], settings: CloningSettings, starts: Sequence[_Start]
) -> list[PlayedGame]:
    choosers = [
        _in_phases(
            {
                phase: Chooser.engine(
                    make_engine(network, settings.search.full_width()),
                    depth=settings.depth,
                    random_ties=settings.random_ties,
                )
                for phase, network in networks.items()
            }
        )
        for networks in sides
    ]
    return [_play(choosers, start, settings.rules) for start in starts]
