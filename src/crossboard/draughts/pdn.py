"""Portable Draughts Notation 3.0: reading files of any size, writing records.

The reading itself is done in the core (core/rules/draughts/pdn.h); here its games become records.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import IO

from crossboard._core.draughts import MAX_NAG, MAX_NESTING, InvalidFen, PdnStream, Position
from crossboard.draughts.records import Node, PdnError, Record
from crossboard.records import format_tag

PIECE_BYTES = 1 << 20
LINE_LENGTH = 80
BLANKS = " \t\n\v\f\r\x1a"
NOT_IN_TAGS = r"[\x00\n\r\ud800-\udfff]"


def read_pdn(source: str | os.PathLike[str] | IO[str] | IO[bytes]) -> Iterator[Record]:
    """Yield the games of a file, one at a time: the file never sits in memory.

    What cannot be understood is told in `record.errors`, and reading goes on with the next game.
    Raises PdnError if the source is not PDN at all.
    """
    if isinstance(source, str | os.PathLike):
        # Opened here, so that a missing file is told at once and not at the first game.
        return _read_and_close(open(source, "rb"))
    return _read(source)


def parse_pdn(text: str | bytes) -> Iterator[Record]:
    """Yield the games of a text; see read_pdn."""
    stream = PdnStream()
    stream.feed(_encoded(text))
    stream.close()
    yield from _Games(stream)


def _read_and_close(file: IO[bytes]) -> Iterator[Record]:
    with file:
        yield from _read(file)


def _read(file: IO[str] | IO[bytes]) -> Iterator[Record]:
    stream = PdnStream()
    games = _Games(stream)
    while piece := file.read(PIECE_BYTES):
        stream.feed(_encoded(piece))
        yield from games.ready()
        if stream.failure:
            break
    stream.close()
    yield from games


def _encoded(text: str | bytes) -> bytes:
    if isinstance(text, bytes):
        return text
    try:
        # A file opened with errors="surrogateescape" goes back to the bytes it was.
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


class _Games:
    """Turns what a stream reads into records, and notices when there was no game in it at all."""

    def __init__(self, stream: PdnStream) -> None:
        self.stream = stream
        self.count = 0
        self.held: Record | None = None  # rubbish at the beginning: perhaps there is nothing else

    def ready(self) -> Iterator[Record]:
        """Yield the games that are complete so far."""
        while game := self.stream.next():
            self.count += 1
            record = Record.from_game(game, self.count)
            if self.count == 1 and _is_rubbish(record):
                self.held = record
                continue
            if self.held is not None:
                yield self.held
                self.held = None
            yield record

    def __iter__(self) -> Iterator[Record]:
        """Yield the remaining games of a closed stream."""
        yield from self.ready()
        if self.held is not None:
            raise self.held.errors[0]
        if self.stream.failure:
            raise PdnError(self.count + 1, *self.stream.failure)


def _is_rubbish(record: Record) -> bool:
    return bool(record.errors) and not record.tags and record.result == "*" and not record.moves


def format_record(record: Record) -> str:
    """Write one game; raise ValueError for text that PDN cannot hold."""
    tags = dict(record.tags)
    if not _is_start_told(tags, record.start):
        tags.pop("FEN", None)
        tags["FEN"] = record.start.fen
    lines = [
        format_tag(name, value, forbidden=NOT_IN_TAGS, what="PDN tag")
        for name, value in tags.items()
    ]
    if lines:
        lines.append("")
    writer = _MoveText()
    writer.write_remarks(record.tree)
    writer.write_line(record.tree, 1, 0)
    writer.write(record.written_result)
    return "\n".join(lines + writer.lines()) + "\n"


def _is_start_told(tags: dict[str, str], start: Position) -> bool:
    try:
        told = Position.from_fen(tags["FEN"]) if "FEN" in tags else Position()
    except InvalidFen:
        told = Position()
    return told == start


class _MoveText:
    """The moves of a game as text, broken into lines between the words."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line = ""
        self._opening = ""  # brackets that stick to the next word

    def lines(self) -> list[str]:
        return [*self._lines, self._line]

    def write(self, word: str) -> None:
        word, self._opening = self._opening + word, ""
        if not self._line:
            self._line = word
        elif len(self._line) + 1 + len(word) <= LINE_LENGTH:
            self._line += " " + word
        else:
            self._break()
            self._line = word

    def _break(self) -> None:
        self._lines.append(self._line)
        self._line = ""

    def write_remarks(self, node: Node) -> bool:
        if not node.has_remarks:  # as of most moves
            return False
        for nag in node.nags:
            if not 0 <= nag <= MAX_NAG:
                raise ValueError(f"PDN cannot hold the NAG {nag}: 0 to {MAX_NAG}")
            self.write(f"${nag}")
        for comment in node.comments:
            self.write_comment(comment)
        return bool(node.comments)

    def write_comment(self, comment: str) -> None:
        text = comment.strip(BLANKS)
        if re.search(r'[\x00\ud800-\udfff]|\n\[\w+ "', text):
            raise ValueError(f"PDN cannot hold the comment {comment!r}")
        if "}" not in text:
            self.write("{" + text + "}")
        elif "\n" not in text and "\r" not in text:
            # The other way to write a comment: to the end of the line.
            self.write("% " + text)
            self._break()
        else:
            raise ValueError(f"PDN cannot hold a comment of several lines with '}}': {comment!r}")

    def write_line(self, root: Node, number: int, nesting: int) -> None:
        """Write what follows `root`, each variation behind the move it replaces."""
        if nesting > MAX_NESTING:
            raise ValueError(f"PDN variations can be nested {MAX_NESTING} deep at most")
        node, needs_number = root, True
        while node.variations:
            position = node.position
            following, *others = node.variations
            needs_number = self.write_node(following, position, number, needs_number)
            for other in others:
                self._opening += "("
                for comment in other.comments_before:
                    self.write_comment(comment)
                # A variation is a line of its own whose first move is known.
                self.write_node(other, position, number, True)
                self.write_line(other, _number_after(other, position, number), nesting + 1)
                self._line += ")"
                needs_number = True
            number = _number_after(following, position, number)
            node = following

    def write_node(self, node: Node, before: Position, number: int, needs_number: bool) -> bool:
        """Write one move or set-up; return whether the next move needs its number."""
        if node.move is None:
            self.write(f'/FEN "{node.position.fen}"/')
            self.write_remarks(node)
            return True
        if before.turn == "B":
            self.write(f"{number}.")
        elif needs_number:
            self.write(f"{number}...")
        self.write(before.format_move(node.move))
        return self.write_remarks(node)


def _number_after(node: Node, before: Position, number: int) -> int:
    # Number 1 twice would look like another game, so a set-up gets on too.
    return number + (node.move is None or before.turn == "W")
