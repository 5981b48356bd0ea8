"""Games of a match played again from their records: the rules say how they ended, not the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, Any, NamedTuple

from crossboard._core import DrawRules, Forfeit
from crossboard._core.draughts import PlayedGame
from crossboard.players.games import Game

FORFEIT = "forfeit: "


def read_games(source: IO[bytes], game: Game, rules: DrawRules) -> Iterator[PlayedGame]:
    """Yield the games that `text_of` wrote to a file, as they were played.

    Raises ValueError for a record that cannot be understood.
    """
    for record in game.read_records(source):
        if record.errors:
            raise record.errors[0]
        moves = list(record.moves)
        comment = game.last_comment(record)
        reason = comment.removeprefix(FORFEIT) if comment.startswith(FORFEIT) else ""
        yield replay(game, record.start, moves, rules, reason)


def replay(
    game: Game, start: Any, moves: Sequence[Any], rules: DrawRules, reason: str = ""
) -> PlayedGame:
    """Play given moves; if the rules do not end the game there, the side to move gives it up."""
    chooser = game.core.Chooser.python(_Resigner(reason))
    played: list[PlayedGame] = game.core.play_games(
        chooser, chooser, openings=[(start, list(moves))], seeds=[0], rules=rules
    )
    return played[0]


class _Resigner(NamedTuple):
    """Gives up every game for one reason."""

    reason: str

    def begin_game(self, seed: int) -> None:
        pass

    def choose(self, position: Any, history: Sequence[Any]) -> Any:
        raise Forfeit(self.reason)
