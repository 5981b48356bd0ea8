"""Portable Draughts Notation 3.0: reading files of any size, writing records.

The reading itself is done in the core (core/rules/draughts/pdn.h); here its games become records.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import IO

from crossboard._core.draughts import InvalidFen, PdnGame, PdnStream, Position
from crossboard.draughts.records import Node, PdnError, Record

PIECE_BYTES = 1 << 20
LINE_LENGTH = 80
MAX_NESTING = 200  # as in the core: what is written must be readable


def read_pdn(source: str | os.PathLike[str] | IO[str] | IO[bytes]) -> Iterator[Record]:
    """Yield the games of a file, one at a time: the file never sits in memory.

    What cannot be understood is told in `record.errors`, and reading goes on with the next game.
    Raises PdnError if the source is not PDN at all.
    """
    if isinstance(source, str | os.PathLike):
        with open(source, "rb") as file:
            yield from _read(file)
    else:
        yield from _read(source)


def parse_pdn(text: str | bytes) -> Iterator[Record]:
    """Yield the games of a text; see read_pdn."""
    stream = PdnStream()
    stream.feed(_encoded(text))
    stream.close()
    yield from _Games(stream)


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
    # Lone surrogates (a file opened with errors="surrogateescape") go back to the bytes they were.
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


class _Games:
    """Turns what a stream reads into records, and notices when there was no game in it at all."""

    def __init__(self, stream: PdnStream) -> None:
        self.stream = stream
        self.count = 0
        self.rubbish: PdnError | None = None

    def ready(self) -> Iterator[Record]:
        """Yield the games that are complete so far."""
        while game := self.stream.next():
            record = self._record(game)
            if record is not None:
                yield record

    def __iter__(self) -> Iterator[Record]:
        """Yield the remaining games of a closed stream."""
        yield from self.ready()
        if self.stream.failure:
            raise PdnError(self.count + 1, *self.stream.failure)
        if self.rubbish is not None and self.count == 0:
            raise self.rubbish

    def _record(self, game: PdnGame) -> Record | None:
        record = Record.from_game(game, self.count + 1)
        if record.errors and not record.tags and not game.result and not record.moves:
            # Nothing of a game could be read.
            self.rubbish = self.rubbish or record.errors[0]
            if self.count == 0:
                return None
        self.count += 1
        return record


def format_record(record: Record) -> str:
    """Write one game; raise ValueError for text that PDN cannot hold."""
    tags = dict(record.tags)
    if not _is_start_told(tags, record.start):
        tags.pop("FEN", None)
        tags["FEN"] = record.start.fen
    lines = [_format_tag(name, value) for name, value in tags.items()]
    if lines:
        lines.append("")
    writer = _MoveText()
    writer.write_remarks(record.tree)
    writer.write_line(record.tree, 1, 0)
    writer.write(record.result if _is_result(record.result) else "*")
    return "\n".join(lines + writer.lines()) + "\n"


def _is_result(text: str) -> bool:
    return re.fullmatch(r"1-0|0-1|1/2-1/2|1/2|0-0|2-0|0-2|1-1|\*", text) is not None


def _is_start_told(tags: dict[str, str], start: Position) -> bool:
    try:
        told = Position.from_fen(tags["FEN"]) if "FEN" in tags else Position()
    except InvalidFen:
        told = Position()
    return told == start


def _format_tag(name: str, value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_]+", name):
        raise ValueError(f"{name!r} cannot be the name of a PDN tag: letters and digits only")
    if re.search(r"[\x00-\x08\x0a-\x1f]", value):
        raise ValueError(f"the PDN tag {name} cannot hold the control characters of {value!r}")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


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
        for nag in node.nags:
            self.write(f"${nag}")
        for comment in node.comments:
            self.write_comment(comment)
        return bool(node.comments)

    def write_comment(self, comment: str) -> None:
        text = comment.strip()
        if re.search(r'[\x00-\x08\x0e-\x19\x1b-\x1f]|\n\[Event "', text):
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
            following, *others = node.variations
            needs_number = self.write_node(following, number, needs_number)
            for other in others:
                self._opening += "("
                for comment in other.comments_before:
                    self.write_comment(comment)
                # A variation is a line of its own whose first move is known.
                next_number = number + _is_white_move(other)
                self.write_node(other, number, True)
                self.write_line(other, next_number, nesting + 1)
                self._line += ")"
                needs_number = True
            number += _is_white_move(following)
            node = following

    def write_node(self, node: Node, number: int, needs_number: bool) -> bool:
        """Write one move or set-up; return whether the next move needs its number."""
        assert node.parent is not None
        if node.move is None:
            self.write(f'/FEN "{node.position.fen}"/')
            self.write_remarks(node)
            return True
        before = node.parent.position
        if before.turn == "B":
            self.write(f"{number}.")
        elif needs_number:
            self.write(f"{number}...")
        self.write(before.format_move(node.move))
        return self.write_remarks(node)


def _is_white_move(node: Node) -> bool:
    assert node.parent is not None
    return node.move is not None and node.parent.position.turn == "W"
