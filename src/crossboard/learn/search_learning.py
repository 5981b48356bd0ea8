"""Rounds of games that students play with frozen weights; what they teach is summed in game order.

TD-Leaf and TreeStrap differ only in what a game teaches: everything else is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from crossboard._core import DrawRules
from crossboard._core import draughts as core
from crossboard._core.draughts import Move, Notes, PlayedGame, Student, play_games
from crossboard.draughts import Position, random_endgame, random_line
from crossboard.evaluators import Network, mirror_image
from crossboard.learn.fan_out import spread
from crossboard.learn.ranges import check_counts, check_numbers, check_positive, check_word
from crossboard.learn.schooling import Schooling
from crossboard.learn.snapshot import Snapshot, game_seed
from crossboard.players.settings import MAX_DEPTH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ALGORITHMS = ("alphabeta", "minimax")
# TreeStrap on Duchess (Real and Blair 2014, V and VI): the rate of the root, in the first stage and
# in later ones, its fading with each ply below, the most that one search changes a weight.
DUCHESS_RATE, DUCHESS_LATER_RATE = 1e-4, 1e-5
DUCHESS_DECAY = 1 / 3
DUCHESS_CLAMP = 0.001
DUCHESS_DEPTH, DUCHESS_RANDOM_PLIES = 5, 4
MAX_PIECES = 1000  # no board has more
# Keeps a weight that has learnt nothing yet from being divided by 0.
LEAST_EXPERIENCE = 1e-12


def check_sizes(settings: Any) -> None:
    """Raise ValueError if games or rounds of a learner's settings are none, or depths too large."""
    check_counts(settings, "games", "round_size")
    check_numbers(settings, "depth", least=1, most=MAX_DEPTH)
    for pieces, depth in settings.depths:
        if not 0 <= pieces <= MAX_PIECES:
            raise ValueError(f"depths are for 0 to {MAX_PIECES} pieces, not for {pieces}")
        if not 1 <= depth <= MAX_DEPTH:
            raise ValueError(f"the depth for {pieces} pieces must be 1 to {MAX_DEPTH}, not {depth}")


@dataclass(frozen=True, kw_only=True)
class StudySettings:
    """How games are played to learn from.

    Rate, depths and random plies are by default the numbers of TreeStrap on Duchess, whose errors
    are of probabilities: systems/treestrap.py carries them over. Rounds and quiescence are ours.
    Raises ValueError for what makes no sense.
    """

    games: int = 1000
    round_size: int = 20  # games played with the same weights
    depth: int = DUCHESS_DEPTH
    # Deeper with fewer pieces: at least as deep as each pair says whose pieces are not exceeded.
    # Chosen by analogy: Duchess has 7 and 19 pieces for these depths.
    depths: tuple[tuple[int, int], ...] = ((6, 9), (12, 7))
    algorithm: str = "alphabeta"
    quiescence: bool = True
    # How moves are ordered, which decides which nodes of a tree are bounds: moves that refuted
    # others on the same ply, and what they refuted anywhere.
    killers: int = 2
    history: bool = True
    random_plies: int = DUCHESS_RANDOM_PLIES  # before the students take over
    # The share of games that begin with an endgame drawn at random instead, which equal students
    # seldom reach: with kings early, and one side ahead.
    endgames: float = 0.0
    rules: DrawRules = field(default_factory=DrawRules)
    rate: float = DUCHESS_RATE
    last_rate: float | None = None  # to which the rate falls; None: it does not
    # Multiply errors by the slope of the output. Chosen for all learners here: no, errors count as
    # for cross-entropy, where the slope cancels out, so that a judgement that is sure and wrong
    # learns as well. The formulas of TD(lambda) and TD-Leaf have the slope in their gradients.
    with_slope: bool = False
    # Each weight has a rate of its own, which falls with what it has learnt already (Adagrad):
    # what is seen seldom then learns as much from it as what is seen always.
    adaptive: bool = False
    # How much each weight is taken to have learnt before it begins: with 0 the first lesson of a
    # weight, however small, moves it by the whole rate.
    caution: float = 0.0
    # Games after which the second, the third ... part of a joined mapping begins to learn, and
    # the rates from then on; without them the rate is the same in all stages.
    stages: tuple[int, ...] = ()
    stage_rates: tuple[float, ...] = ()
    # What is learnt of one side's pieces holds for the other's, the board turned: the weight of
    # each input is that of its mirror image with the sign changed, the bias is the move's worth.
    mirrored: bool = False

    def __post_init__(self) -> None:
        check_sizes(self)
        check_counts(self, "random_plies", least=0)
        check_numbers(self, "killers", most=2)
        check_word("the algorithm", self.algorithm, ALGORITHMS)
        rates = [("rate", self.rate), ("last_rate", self.last_rate)]
        for name, value in [*rates, *(("stage_rates", each) for each in self.stage_rates)]:
            if value is not None:
                check_positive(name, value)
        check_numbers(self, "caution")
        check_numbers(self, "endgames", most=1)
        if list(self.stages) != sorted(self.stages):
            raise ValueError(f"stages must come one after the other, not {self.stages}")
        if len(self.stage_rates) not in (0, len(self.stages)):
            raise ValueError(
                f"{len(self.stages)} stages after the first need as many stage_rates, "
                f"not {len(self.stage_rates)}"
            )
        if self.stage_rates and self.last_rate is not None:
            raise ValueError("a rate has stage_rates of its own or falls to a last_rate: not both")

    def rate_after(self, games: int) -> float:
        """Return the rate after so many games: within a run it falls by the same share each."""
        first = self.rate
        for begin, rate in zip(self.stages, self.stage_rates, strict=False):
            if games >= begin:
                first = rate
        fall = 1.0 if self.last_rate is None else self.last_rate / self.rate
        return float(first * fall ** (games / self.games))

    def student_options(self) -> dict[str, Any]:
        """Return what a student of the core is told of these settings."""
        return {
            "depth": self.depth,
            "depths": list(self.depths),
            "algorithm": self.algorithm,
            "quiescence": self.quiescence,
            "killers": self.killers,
            "history": self.history,
            "draws": self.rules,
        }


class Start(NamedTuple):
    """One game to be played: all that it depends on but the weights."""

    line: tuple[Move, ...]
    seed: int
    position: Position = Position()


class Studied(NamedTuple):
    """A game that a student has played, and what it noted."""

    game: PlayedGame
    notes: Notes
    opening: int  # plies of the opening, chosen at random


class TaughtGame(NamedTuple):
    """A game, and what it teaches: a change for each weight."""

    game: PlayedGame
    changes: Array
    searches: int
    nodes: int


# What a game teaches a network at a rate.
Teach = Callable[[Network, Studied, float], "Array"]


@dataclass(frozen=True)
class Course:
    """A way of learning: what students note, and what is made of it."""

    settings: StudySettings
    options: Mapping[str, Any]  # of the core's student
    teach: Teach
    rate: float = 1.0

    def after(self, games: int) -> Course:
        """Return the course at the rate of that time; adaptive rates are applied later."""
        settings = self.settings
        return replace(self, rate=1.0 if settings.adaptive else settings.rate_after(games))

    def student(self, network: Network) -> Student:
        """Make one that plays with a network and takes notes."""
        return Student.of(cast("core.Network", network.core), rate=self.rate, **self.options)


def play_alone(network: Network, course: Course, starts: Sequence[Start]) -> list[TaughtGame]:
    """Play games, both sides by the same student, and say what each teaches."""
    student = course.student(network)
    reports = []
    for start in starts:
        game = play_start(student, start, course.settings.rules)
        notes = student.take_notes()
        changes = course.teach(network, Studied(game, notes, len(start.line)), course.rate)
        reports.append(TaughtGame(game, changes, len(notes.roots), notes.nodes))
    return reports


def play_start(chooser: core.Chooser, start: Start, rules: DrawRules) -> PlayedGame:
    """Play one game, both sides by the same chooser."""
    opening = (start.position, list(start.line))
    return play_games(chooser, chooser, openings=[opening], seeds=[start.seed], rules=rules)[0]


def starts_of(settings: StudySettings, seed: int, first: int, count: int) -> list[Start]:
    """Return games number first .. first+count-1 of a run, a function of its seed."""
    numbers = range(first, first + count)
    return [_start_of(settings, game_seed(seed, "study", number)) for number in numbers]


def _start_of(settings: StudySettings, seed: int) -> Start:
    random = Random(seed)
    if settings.endgames and random.random() < settings.endgames:
        return Start((), seed, random_endgame(random))
    return Start(random_line(Position(), settings.random_plies, random), seed)


@dataclass
class Learnt:
    """The weights, and how much each of them has learnt (of which only adaptive rates know)."""

    weights: Array
    experience: Array

    @classmethod
    def at_start(cls, network: Network, start: Snapshot | None) -> Learnt:
        """Begin with a network's weights, or go on from a snapshot.

        Raises ValueError for evaluations of other kinds: their values have no scale for errors.
        """
        import numpy as np

        if not isinstance(network, Network):
            raise ValueError(
                f"searches teach networks, not {type(network).__name__}: a weighted sum of "
                "features that learns is Network.one_layer(feature_mapping(...))"
            )
        if start is None:
            return cls(network.weights, np.zeros(len(network.weights)))
        return cls(start.arrays["weights"].copy(), start.arrays["experience"].copy())

    def add(self, changes: Array, settings: StudySettings, games: int) -> None:
        """Take over what was taught; `games` were played before."""
        import numpy as np

        if settings.adaptive:
            self.experience += changes**2
            before = max(settings.caution**2, LEAST_EXPERIENCE)
            steps = changes / np.sqrt(self.experience + before)
            changes = settings.rate_after(games) * steps
        self.weights = self.weights + changes

    def snapshot(self, games: int, reports: Sequence[TaughtGame]) -> Snapshot:
        """Return all there is to keep, and what the last games were like."""
        arrays = {"weights": self.weights.copy(), "experience": self.experience.copy()}
        played = [report.game for report in reports]
        return Snapshot(games, arrays, {}, measure(reports), played)


def measure(reports: Sequence[TaughtGame]) -> dict[str, float]:
    """Return averages of a round: moves of a side, pieces at the end, games won, nodes."""
    count = len(reports)
    ends = [report.game.last for report in reports]
    searches = sum(report.searches for report in reports)
    return {
        "moves": sum(report.game.plies for report in reports) / (2 * count),
        "pieces_left": sum(len(end.pieces(side)) for end in ends for side in "BW") / count,
        "decided": sum(report.game.winner is not None for report in reports) / count,
        "searches": float(searches),
        "nodes": sum(report.nodes for report in reports) / max(1, searches),
    }


def learn_in_rounds(network: Network, course: Course, schooling: Schooling) -> Iterator[Snapshot]:
    """Play rounds of games, sum what they teach, and yield a snapshot after each round."""
    settings, start = course.settings, schooling.start
    learnt = Learnt.at_start(network, start)
    tie = tie_of(network, settings)
    games = 0 if start is None else start.games
    while games < settings.games:
        count = min(settings.round_size, settings.games - games)
        starts = starts_of(settings, schooling.seed, games, count)
        now = network.with_weights(learnt.weights)
        play = partial(play_alone, now, course.after(games))
        reports = list(spread(play, starts, schooling.executor, schooling.workers))
        total = sum((report.changes for report in reports), start=0 * learnt.weights)
        learnt.add(learning_mask(network, settings, games) * tie(total), settings, games)
        games += len(starts)
        yield learnt.snapshot(games, reports)


def learning_mask(network: Network, settings: StudySettings, games: int) -> Array:
    """Return 1 for each weight that learns after so many games, and 0 for all others.

    Those do not whose stage has not come yet. Without hidden units w2 is nothing but a second bias:
    it stays as it is, or the bias would learn at twice the rate.
    """
    import numpy as np

    parts = network.mapping.parts
    if len(settings.stages) >= max(1, len(parts)):
        raise ValueError(f"{len(settings.stages)} stages need more parts than {len(parts)}")
    waiting = sum(games < each for each in settings.stages)
    inputs, hidden = np.ones(network.mapping.size + 1), network.net.hidden
    inputs[-1 - sum(part.size for part in parts[len(parts) - waiting :]) : -1] = 0
    masks = {"w1": np.repeat(inputs, hidden), "w2": np.full(hidden + 1, hidden > 0), "w3": inputs}
    return np.concatenate([masks[name] for name in network.net.arrays()])


def tie_of(network: Network, settings: StudySettings) -> Callable[[Array], Array]:
    """Return what makes of all weights' changes those of weights tied to their mirror images.

    Every board teaches as if its image had been seen as well. So of the inputs that are their own
    image a count learns twice, and a balance of equals nothing, which is what it is worth; the
    bias, which has no image, learns once. Raises ValueError if the settings want that of a network
    that has no image.
    """
    if not settings.mirrored:
        return lambda changes: changes
    if network.net.hidden:
        raise ValueError("only weights of one layer can be mirrored")
    image, sign = mirror_image(network.mapping)
    first = len(network.weights) - len(image) - 1  # of the inputs' weights; the bias is the last

    def tie(changes: Array) -> Array:
        inputs = changes[first:-1]
        tied = changes.copy()
        tied[first:-1] = inputs - sign * inputs[image]
        return tied

    return tie


def outcome_for(game: PlayedGame, turn: str) -> float:
    """Return 1, 0 or -1: what a game was worth for a colour."""
    if game.winner is None:
        return 0.0
    is_first = game.start.turn == turn
    return 1.0 if (game.winner == 0) == is_first else -1.0
