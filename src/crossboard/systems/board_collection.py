"""Collecting endgame boards: a player against itself, until there are enough different ones.

MP-Draughts 2009, IV: boards of twelve pieces from tournaments that VisionDraughts played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from crossboard._core.draughts import PlayedGame
from crossboard.arena.openings import SELECT, Openings, openings
from crossboard.arena.pool import Meeting, PoolTerms, Share, play_shares
from crossboard.draughts import Position
from crossboard.players import SearchLimits, load_player
from crossboard.systems.endgame_boards import PIECES, EndgameBoard, count_pieces, turned

# Games that one piece of work has, and pieces of work for each worker at a time.
BATCH, AHEAD = 20, 3
# Chosen: a player that gives fewer boards than that never ends.
MOST_GAMES_OF_BOARD = 30


@dataclass(frozen=True, kw_only=True)
class Collecting:
    """The player, its depth, its openings, and the number of boards."""

    count: int = 1000
    player: str = "visiondraughts"
    # Chosen: plies that both sides look ahead, as in the training of specialists.
    depth: int = 4
    openings: str = SELECT
    seed: int = 1


class Collected(NamedTuple):
    """Boards, and how many games were played for them: the next game is the one of that number."""

    boards: Sequence[EndgameBoard] = ()
    games: int = 0


NOTHING = Collected()


def collect_boards(
    asked: Collecting,
    executor: Executor,
    workers: int = 1,
    *,
    start: Collected = NOTHING,
    avoid: Collection[Position] = (),
    on_game: Callable[[int], None] = lambda _: None,
) -> Generator[Collected, None, None]:
    """Play games until there are as many different boards as asked for, none of them to avoid.

    Yields the boards so far after each batch of games, and at last all of them. Started from any of
    these, it ends with the same boards. A game gives its first board of twelve pieces, if no jump
    passes it, as the side to move sees it. `on_game` sees after each game how many boards there
    are. The boards do not depend on the executor or the number of workers. Raises ValueError if the
    games give no more boards.
    """
    found, games = [*start.boards], start.games
    seen = {*avoid, *(board.position for board in found)}
    if asked.count == 0:
        yield start
        return
    series = openings(asked.openings, asked.seed)
    shares = _shares(asked, series, games)
    # Closed at once, whatever ends this, so that no more games are played.
    with closing(play_shares(shares, executor, ahead=AHEAD * workers)) as played:
        for game in played:
            board = board_of(game, series.take(games, 1)[0].name)
            games += 1
            if board is not None and board.position not in seen:
                seen.add(board.position)
                found.append(board)
            on_game(len(found))
            if len(found) == asked.count:
                yield Collected(tuple(found), games)
                return
            if games >= MOST_GAMES_OF_BOARD * asked.count:
                break
            if (games - start.games) % BATCH == 0:
                yield Collected(tuple(found), games)
    raise ValueError(
        f"{games} games of {asked.player} from the openings {asked.openings} gave "
        f"{len(found)} different boards of {PIECES} pieces, not {asked.count}"
    )


def _shares(asked: Collecting, series: Openings, start: int) -> Iterator[Share]:
    """Yield games of the player against itself, in the order of the openings; they never end.

    The first game is the one of the number `start`.
    """
    player = load_player(asked.player)
    meetings = tuple(Meeting(0, 1, number) for number in range(BATCH))
    for first in count(start, BATCH):
        terms = PoolTerms(
            openings=series.take(first, BATCH),
            limits=SearchLimits(depth=asked.depth),
            rules=player.game.draws,
            seed=asked.seed,
        )
        yield Share((player, player), meetings, first, terms, keeps_games=True)


def board_of(game: PlayedGame, opening: str) -> EndgameBoard | None:
    """Return a game's first board of twelve pieces with a legal move, None if it has none."""
    position, left, ply = game.start, count_pieces(game.start), 0
    for move in game.moves:
        if left <= PIECES:
            break
        position, left, ply = position.after(move), left - len(move.captured), ply + 1
    if left != PIECES or position.is_over:
        return None
    # Who moved first, seat 0, is to move after an even number of plies.
    outcome = 0.0 if game.winner is None else 1.0 if game.winner == ply % 2 else -1.0
    return EndgameBoard(turned(position), opening, ply, outcome)
