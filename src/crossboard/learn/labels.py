"""Labels: positions of self-play with what a search says of each and how its game ended."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from crossboard._core import draughts as core
from crossboard._core.draughts import label_games
from crossboard.draughts import Position
from crossboard.evaluators import SmallNet
from crossboard.learn.fan_out import spread
from crossboard.learn.ranges import check_counts
from crossboard.players import SearchSettings
from crossboard.players.endgames import open_tables

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Chosen: larger tables take longer to clear before a game than they save in its searches.
TABLE_MB = 1


@dataclass(frozen=True, kw_only=True)
class LabelSettings:
    """How games are played to label positions; both sides use the same net.

    Half of the games begin with an opening of a list and 0 to `plies_after_opening` random plies,
    the others with `least_random_plies` to `most_random_plies` from the start. Values are in
    hundredths of a man. Raises ValueError for what makes no sense.
    """

    nodes: int = 1000  # of each search
    samples: int = 1  # positions drawn from those that the search of a move judged
    plies_after_opening: int = 4
    least_random_plies: int = 4
    most_random_plies: int = 10
    worst_opening: int = 150  # openings that a search values higher for either side are drawn anew
    random_every: int = 12  # one move of so many is random, in the first random_plies; 0: none
    random_plies: int = 24
    clear_value: int = 700  # a game ends when both sides' searches agree on more for clear_plies
    clear_plies: int = 6
    quiet_plies: int = 40  # a game without captures and moves of men for so long is drawn

    def __post_init__(self) -> None:
        check_counts(self, "nodes", "worst_opening", "clear_value", "clear_plies", "quiet_plies")
        counts = ("samples", "plies_after_opening", "least_random_plies", "random_every")
        check_counts(self, *counts, "random_plies", least=0)
        check_counts(self, "most_random_plies", least=self.least_random_plies)


class Labels(NamedTuple):
    """Positions seen by the side to move, a row of `boards` each.

    A board is four words of 32 bits: own men, the other side's men, own kings, the other side's.
    """

    boards: NDArray[np.uint32]
    values: NDArray[np.int16]  # what a search says, in hundredths of a man
    # 1: the side to move won the game, 0: a draw, -1: it lost; core.UNKNOWN_RESULT of positions
    # that never stood on the board.
    results: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def joined(cls, parts: Sequence[Labels]) -> Labels:
        """Put labels one after the other."""
        import numpy as np

        if not parts:
            return cls(np.zeros((0, 4), np.uint32), np.zeros(0, np.int16), np.zeros(0, np.int8))
        return cls(*(np.concatenate(each) for each in zip(*map(tuple, parts), strict=True)))

    def fields(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return the arrays (`tuple` of a class with a length of its own would do as well)."""
        return self.boards, self.values, self.results

    def targets(self, share: float, softness: float) -> NDArray[np.float32]:
        """Return the points a game that the side to move may expect.

        They are those that a search's value stands for, sigmoid(value / softness), mixed with the
        result where it is known: `share` of the search, the rest of the result.
        """
        import numpy as np

        found = 1 / (1 + np.exp(-self.values.astype(np.float64) / softness))
        known = self.results != core.UNKNOWN_RESULT
        mixed = share * found + (1 - share) * (self.results + 1) / 2
        return np.where(known, mixed, found).astype(np.float32)


class Labelled(NamedTuple):
    """What some games brought."""

    labels: Labels
    nodes: int
    searches: int
    plies: int
    draws: int


def play_labelled(
    net: SmallNet,
    search: SearchSettings,
    settings: LabelSettings,
    openings: Sequence[Position],
    seeds: Sequence[int],
    reserved: Sequence[Position] = (),
    tables: Path | None = None,
) -> Labelled:
    """Play a game for each seed; what comes out depends on nothing else.

    No game's opening leads through a `reserved` position. The searches have a table of TABLE_MB.
    They probe the endgame tables of the folder `tables`, which also end games.
    """
    played = label_games(
        cast("core.SmallNet", net.core),
        search=replace(search, table_mb=TABLE_MB),
        openings=list(openings),
        reserved=list(reserved),
        tables=open_tables(tables) if tables else None,
        seeds=list(seeds),
        **asdict(settings),
    )
    labels = Labels(played.boards, played.values, played.results)
    return Labelled(labels, played.nodes, played.searches, played.plies, played.draws)


def spread_labelled(
    net: SmallNet,
    search: SearchSettings,
    settings: LabelSettings,
    openings: Sequence[Position],
    seeds: Sequence[int],
    executor: Executor,
    workers: int,
    reserved: Sequence[Position] = (),
    tables: Path | None = None,
) -> Labelled:
    """Play a game for each seed on all workers; the labels stand in the order of the seeds."""
    work = partial(_in_a_list, net, search, settings, openings, reserved, tables)
    games = list(spread(work, seeds, executor, workers))
    return Labelled(
        Labels.joined([one.labels for one in games]),
        *(sum(getattr(one, name) for one in games) for name in Labelled._fields[1:]),
    )


def _in_a_list(
    net: SmallNet,
    search: SearchSettings,
    settings: LabelSettings,
    openings: Sequence[Position],
    reserved: Sequence[Position],
    tables: Path | None,
    seeds: Sequence[int],
) -> list[Labelled]:
    return [play_labelled(net, search, settings, openings, seeds, reserved, tables)]
