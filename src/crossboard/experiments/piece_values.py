"""What a king and a man are worth to weighted features: all that is lost when one is taken away."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from crossboard.arena.openings import SELECT, openings
from crossboard.arena.pool import Meeting, PoolTerms, play_meetings
from crossboard.draughts import Position
from crossboard.evaluators import feature
from crossboard.experiments.evolutions import DEPTH, examiner
from crossboard.learn.genes import Genes
from crossboard.players import SearchLimits
from crossboard.systems.draft5_ga import FEATURES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BOARDS = 1000
BOARD_SEED = 1959
GAMES_AT_A_TIME = 500


class PieceWorth(NamedTuple):
    """How much each feature loses in the mean when a king, or a man, is taken off the board."""

    king: NDArray[np.float64]
    man: NDArray[np.float64]


def worth_of_pieces(boards: int) -> PieceWorth:
    """Take kings and men off so many boards of games between hand-tuned weights."""
    import numpy as np

    kings: list[NDArray[np.float64]] = []
    men: list[NDArray[np.float64]] = []
    for position in _boards(boards):
        before = _features(position)
        own = "W" if position.turn == "B" else "B"  # features look from the side that has moved
        for losses, is_king in ((kings, True), (men, False)):
            after = [_features(left) for left in _without_one(position, own, is_king=is_king)]
            losses.append(np.mean([before - one for one in after], axis=0))
    return PieceWorth(np.mean(kings, axis=0), np.mean(men, axis=0))


def effective_ratio(genes: Genes, worth: PieceWorth) -> float:
    """Return what a king is worth to an evaluation, in men."""
    import numpy as np

    weights = np.array(genes, dtype=float)
    return float(weights @ worth.king / (weights @ worth.man))


def _boards(count: int) -> Iterator[Position]:
    """Yield one board of each game: the first on which the side that moved has both kinds."""
    series, player, found, first = openings(SELECT, BOARD_SEED), examiner(), 0, 0
    while found < count:
        terms = PoolTerms(
            openings=tuple(series.take(first, GAMES_AT_A_TIME)), limits=SearchLimits(depth=DEPTH)
        )
        first += GAMES_AT_A_TIME
        meetings = [Meeting(0, 1, number) for number in range(GAMES_AT_A_TIME)]
        with ThreadPoolExecutor(1) as executor:
            table = play_meetings([player, player], meetings, terms, executor, keep_games=True)
        for game in table.games:
            position = game.start
            for move in game.moves:
                position = position.after(move)
                if _has_both(position):
                    yield position
                    found += 1
                    break
            if found == count:
                return


def _has_both(position: Position) -> bool:
    own = "W" if position.turn == "B" else "B"
    kings, pieces = position.kings(own), position.pieces(own)
    return 0 < len(kings) < len(pieces) and not position.is_over


def _without_one(position: Position, side: str, *, is_king: bool) -> Iterator[Position]:
    """Yield the position without each of a side's kings, or men."""
    for taken in position.pieces(side):
        if (taken in position.kings(side)) == is_king:
            sides = (f"{colour}{_squares(position, colour, taken)}" for colour in "WB")
            yield Position.from_fen(f"{position.turn}:{':'.join(sides)}")


def _squares(position: Position, side: str, but: int) -> str:
    """Return the squares of a side but for one, as a FEN has them."""
    kings = position.kings(side)
    squares = (square for square in position.pieces(side) if square != but)
    return ",".join(f"{'K' if square in kings else ''}{square}" for square in squares)


def _features(position: Position) -> NDArray[np.float64]:
    import numpy as np

    return np.array([feature(name)(position) for name in FEATURES], dtype=float)
