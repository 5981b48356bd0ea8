"""The Hub protocol as text: its lines, its positions, its moves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from crossboard._core.draughts import IllegalMove, Move, Position

VARIANT = "english"
SQUARES = 32
# What a Hub line may hold: a word, a word with a value, a word with a value in quotes.
ITEM = re.compile(r'\s*(?:([^\s="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s"]*)))?|(\S))')
MOVE = re.compile(r"(\d{1,2})(?:-(\d{1,2})|((?:x\d{1,2})+))", re.ASCII)
# A win counts so many men, less a hundredth for each ply to it; nothing else comes near.
WIN_SCORE, WIN_PLY, MOST_MEN = 100.0, 0.01, 90.0
# Of what somebody else has written, so much is shown.
SHOWN = 60


class HubSyntax(ValueError):
    """A line that the protocol has no meaning for; the message says why."""


@dataclass(frozen=True)
class HubLine:
    """One line: a command and its arguments; None stands for the value of a word that has none."""

    command: str
    arguments: Mapping[str, str | None] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.command, *(_item(*each) for each in self.arguments.items())])

    @classmethod
    def parse(cls, text: str) -> HubLine:
        """Read a line, blank ones too; raise HubSyntax for quotes and signs out of place."""
        words: list[tuple[str, str | None]] = []
        text = text.strip()
        end = 0
        while end < len(text):
            found = ITEM.match(text, end)
            if found is None or found[4]:
                raise HubSyntax(f"the line makes no sense at {shown(text[end:])}")
            words.append((found[1], found[2] if found[3] is None else found[3]))
            end = found.end()
        return cls(words[0][0], dict(words[1:])) if words else cls("")


def _item(name: str, value: str | None) -> str:
    if value is None:
        return name
    # The protocol knows no way to write a quote inside quotes.
    value = value.replace('"', "'")
    return f'{name}="{value}"' if not value or set(value) & set(" =") else f"{name}={value}"


def shown(text: str) -> str:
    """Quote what somebody else has written: short, in plain characters, harmless in a comment."""
    short = text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
    return ascii(short).replace("{", "(").replace("}", ")").replace('"', "'")


def score_of(value: float, win_in: int | None) -> float:
    """Return a value as the protocol counts it: men, and a win by its distance in plies."""
    if win_in is None:
        return max(-MOST_MEN, min(MOST_MEN, value))
    distance = WIN_SCORE - WIN_PLY * abs(win_in)
    return distance if win_in > 0 else -distance


def win_behind(score: float) -> int | None:
    """Return the plies to the win that a score stands for, or less than 0 to a loss; or None."""
    if abs(score) <= MOST_MEN:
        return None
    distance = round((WIN_SCORE - abs(score)) / WIN_PLY)
    return distance if score > 0 else -distance


def format_position(position: Position) -> str:
    """Write a position: who is to move, then the squares in order."""
    squares = (position.piece_at(square) or "e" for square in range(1, SQUARES + 1))
    return position.turn + "".join(squares)


def parse_position(text: str) -> Position:
    """Read a position; raise HubSyntax if it is none."""
    if len(text) != SQUARES + 1:
        raise HubSyntax(f"position {shown(text)} has {len(text)} characters, not {SQUARES + 1}")
    if text[0] not in "BW" or set(text[1:]) - set("bwBWe"):
        raise HubSyntax(f"position {shown(text)}: W or B begins it, then w, b, W, B or e")
    sides = []
    for man in "wb":
        pieces = (
            f"{'K' if letter.isupper() else ''}{square}"
            for square, letter in enumerate(text[1:], 1)
            if letter.lower() == man
        )
        sides.append(man.upper() + ",".join(pieces))
    try:
        return Position.from_fen(":".join([text[0], *sides]))
    except ValueError as error:
        raise HubSyntax(f"position {shown(text)}: {error}") from None


def format_move(move: Move) -> str:
    """Write a move: from and to, and after a capture the squares of what was taken."""
    if not move.is_capture:
        return f"{move.start}-{move.end}"
    return "x".join(map(str, (move.start, move.end, *move.captured)))


def parse_move(position: Position, text: str) -> Move:
    """Find a legal move; raise HubSyntax if the text is none, IllegalMove if it is not legal.

    Of several ways to take the same pieces the first is as good as any: they lead to the same
    position. A capture may leave out what it takes if only one can be meant.
    """
    found = MOVE.fullmatch(text)
    if found is None:
        raise HubSyntax(f"{shown(text)} is no move")
    start, (end, *captured) = int(found[1]), map(int, (found[2] or found[3][1:]).split("x"))
    fitting = [
        move
        for move in position.legal_moves
        if (move.start, move.end, move.is_capture) == (start, end, "x" in text)
        and (not captured or move.captured == tuple(sorted(captured)))
    ]
    if fitting and (captured or len({move.captured for move in fitting}) == 1):
        return fitting[0]
    allowed = " ".join(format_move(move) for move in position.legal_moves)
    raise IllegalMove(f"{text} is not legal in {position.fen}: {allowed}")


def play_moves(start: Position, text: str) -> list[Position]:
    """Return all positions from the start to the one after the moves."""
    line = [start]
    for move in text.split():
        line.append(line[-1].after(parse_move(line[-1], move)))
    return line


def moves_between(line: Sequence[Position]) -> tuple[Position, list[Move]]:
    """Return the moves that join the last positions of a line, and the position they begin at.

    A line with gaps begins after the last of them: for the protocol a game has none.
    """
    moves: list[Move] = []
    for before, after in zip(reversed(line[:-1]), reversed(line), strict=False):
        found = next((move for move in before.legal_moves if before.after(move) == after), None)
        if found is None:
            break
        moves.insert(0, found)
    return line[len(line) - 1 - len(moves)], moves
