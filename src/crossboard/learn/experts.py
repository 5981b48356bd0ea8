"""Learning from games that others have played, as XTRAIN does (Lynch 1997, 6.1, 6.5, 9.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from crossboard._core.draughts import Position
from crossboard.draughts import Record
from crossboard.evaluators import EvalNet, Mapping
from crossboard.learn.snapshot import Snapshot, game_seed
from crossboard.learn.td import TdLearner, TdSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

# Whose win the result "1-0" is. Chosen: Black's, who moves first, as PDN has it for game type 21.
RESULT_CONVENTIONS = ("black-first", "white-first")
OTHER = {"B": "W", "W": "B", None: None}
WIN, LOSS = 1.0, -1.0
# Chosen: the files of 1997 have no reward for a draw of experts.
DRAW = 0.0


class ExpertGame(NamedTuple):
    """A game as XTRAIN takes it: the boards that each side left behind, all seen as Black's.

    Boards after Red's moves are turned and their colours exchanged, so in each of them Black has
    just moved.
    """

    winner: str | None  # "B", "W" or None for a draw
    black: tuple[Position, ...]
    red: tuple[Position, ...]
    players: tuple[str, str] = ("?", "?")  # Black's name, Red's name

    @classmethod
    def of_record(cls, record: Record, result_convention: str = "black-first") -> ExpertGame:
        """Take a game apart; raise ValueError, which says why, if nothing can be learnt from it."""
        if result_convention not in RESULT_CONVENTIONS:
            allowed = " or ".join(RESULT_CONVENTIONS)
            raise ValueError(f"the convention of results is {allowed}, not {result_convention!r}")
        if record.errors:
            raise record.errors[0]
        winner = winner_of(record, result_convention)
        boards: dict[str, list[Position]] = {"B": [], "W": []}
        for node in record.tree.main_line():
            if node.move is None:
                raise ValueError("a position is set up in the middle of the game")
            mover = OTHER[node.position.turn]
            assert mover is not None  # one of the two has just moved
            boards[mover].append(node.position)
        if not boards["B"] and not boards["W"]:
            raise ValueError("the game has no moves")
        red = tuple(board.mirrored for board in boards["W"])
        players = (record.tags.get("Black", "?"), record.tags.get("White", "?"))
        return cls(winner, tuple(boards["B"]), red, players)


def winner_of(record: Record, result_convention: str = "black-first") -> str | None:
    """Return who won a game by its result, None for a draw; raise ValueError if it has none."""
    if record.result == "*":
        raise ValueError("the game has no result")
    return record.winner if result_convention == "black-first" else OTHER[record.winner]


@dataclass(frozen=True, kw_only=True)
class ExpertSettings:
    """How to learn from given games."""

    epochs: int = 10  # how often all games are gone through
    td: TdSettings = field(default_factory=TdSettings)
    is_shuffled: bool = False  # the order of an epoch: the file's, or drawn from the seed

    def __post_init__(self) -> None:
        if self.epochs < 1:
            raise ValueError(f"epochs must be 1 or more, not {self.epochs}")


def learn_from_experts(
    mapping: Mapping,
    net: EvalNet,
    games: Sequence[ExpertGame],
    settings: ExpertSettings | None = None,
    *,
    seed: int = 0,
    start: Snapshot | None = None,
) -> Iterator[Snapshot]:
    """Yield the net after every epoch, with the largest error met in it, and their mean.

    Each game is two sequences, what Black left behind and what Red left behind; both end with
    the side's own reward. Raises ValueError if there are no games, or no boards in any of them, or
    if a snapshot to go on from was made by other games.
    """
    settings = settings or ExpertSettings()
    sequences = [
        [side_of(mapping, game, colour) for colour in ("B", "W") if boards_of(game, colour)]
        for game in games
    ]
    if not any(sequences):
        raise ValueError("there is no game to learn from" + (" that has boards" if games else ""))
    learner = TdLearner(net, settings.td)
    first, digest = 0, digest_of(games)
    if start is not None:
        if start.plain.get("digest", digest) != digest:
            raise ValueError("these are other games than those that were learnt from before")
        learner = TdLearner.from_state(start.arrays, start.plain, settings.td)
        first = start.games // len(games)
    for epoch in range(first, settings.epochs):
        order = list(range(len(games)))
        if settings.is_shuffled:
            Random(game_seed(seed, "epoch", epoch)).shuffle(order)
        errors = [
            error
            for number in order
            for each in sequences[number]
            for error in learn_sequence(learner, *each)
        ]
        arrays, plain = learner.state()
        plain["digest"] = digest
        measured = {"max_error": max(errors), "mean_error": sum(errors) / len(errors)}
        yield Snapshot((epoch + 1) * len(games), arrays, plain, measured)


def digest_of(games: Sequence[ExpertGame]) -> str:
    """Return a text that other games have not."""
    told = [
        (game.winner, [board.fen for board in game.black], [board.fen for board in game.red])
        for game in games
    ]
    return sha256(repr(told).encode()).hexdigest()


def boards_of(game: ExpertGame, colour: str) -> tuple[Position, ...]:
    """Return what a side left behind; nothing, if it never moved."""
    return game.black if colour == "B" else game.red


def side_of(mapping: Mapping, game: ExpertGame, colour: str) -> tuple[Array, float]:
    """Return the inputs of a side's boards, a row each, and its reward."""
    reward = DRAW if game.winner is None else WIN if game.winner == colour else LOSS
    return mapping.batch(boards_of(game, colour)), reward


def learn_sequence(learner: TdLearner, inputs: Array, reward: float) -> list[float]:
    """Learn one sequence; return how far off each prediction in it was."""
    learner.start(inputs[0])
    errors = [learner.step(x) for x in inputs[1:]]
    errors.append(learner.finish(reward))
    return [abs(error) for error in errors]
