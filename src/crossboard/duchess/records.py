"""One game of Duchess played: tags, moves, comments, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crossboard._core.duchess import Move, Past, Position
from crossboard.records import DRAWN, GameRecord, Outcome, RecordError

# The team that each result names as winner: the first number is the odd team's, which begins.
WINNERS = {"1-0": "odd", "0-1": "even"}
RESULTS = (*WINNERS, DRAWN, "*")


class Record(GameRecord):
    """One game: tags, start, moves (skipped turns too), comments, result, what was not understood.

    `comments[n]` was said after the n-th move, `comments[0]` before the first.
    """

    winners = WINNERS
    results = RESULTS

    def __init__(
        self, start: Position | None = None, *, tags: dict[str, str] | None = None
    ) -> None:
        """Begin a game from `start`, or else as the tags Position or Players say, or of four."""
        self.tags = dict(tags or {})
        self.start = start_from(self.tags) if start is None else start
        self.tags = with_start(self.tags, self.start)
        self.moves: list[Move] = []
        self.comments: dict[int, str] = {}
        self.errors: list[RecordError] = []
        self.position = self.start  # at the end of the moves
        self._token = "*"

    def play(self, move: Move | str, comment: str = "") -> Position:
        """Add a move, or 'pass'; return the position after it. Raise IllegalMove if not legal."""
        legal = self.position.parse_move(move) if isinstance(move, str) else move
        self.position = self.position.after(legal)
        self.moves.append(legal)
        if comment:
            self.comments[len(self.moves)] = comment
        return self.position

    def positions(self) -> Iterator[Position]:
        """Yield the start and the position after every move."""
        position = self.start
        yield position
        for move in self.moves:
            position = position.after(move)
            yield position

    def outcome(self) -> Outcome | None:
        """Say how and when the moves ended by the rules, or None if the game goes on.

        Agreements are no matter of rules: they stand in `result` alone.
        """
        past = Past(self.start)
        moves = iter(self.moves)
        position = self.start
        while True:
            if position.is_over:
                return Outcome(
                    position.winner, "mate" if position.winner else "no move", past.plies
                )
            if past.is_drawn:
                return Outcome(None, "quiet", past.plies)
            move = next(moves, None)
            if move is None:
                return None
            past.add(position, move)
            position = position.after(move)

    @property
    def text(self) -> str:
        """The record as text; raise ValueError for what it cannot hold."""
        from crossboard.duchess.writing import format_record  # it knows records: not the other way

        return format_record(self)

    def __repr__(self) -> str:
        return f"<Record {self.start.players} players, {len(self.moves)} moves, {self.result}>"

    def _state(self) -> tuple[Any, ...]:
        errors = [error.args for error in self.errors]
        return self.tags, self.result, self.start, self.moves, self.comments, errors


result_for = Record.result_for


def start_from(tags: dict[str, str]) -> Position:
    """Return the position that tags say a game began from; raise ValueError if they cannot."""
    players = tags.get("Players")
    if players not in (None, "4", "6"):
        raise ValueError(f"the tag Players is 4 or 6, not {players!r}")
    if "Position" not in tags:
        return Position(players=int(players or 4))
    position = Position.from_text(tags["Position"])
    if players not in (None, str(position.players)):
        raise ValueError(f"the tag Players says {players}, the tag Position {position.players}")
    return position


def with_start(tags: dict[str, str], start: Position) -> dict[str, str]:
    """Return the tags, changed as needed, so that they say where the game began."""
    try:
        if start_from(tags) == start:
            return tags
    except ValueError:
        pass
    told = tags | {"Players": str(start.players), "Position": start.text}
    if start == Position(start.players):
        del told["Position"]
    return told
