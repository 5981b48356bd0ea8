"""Reads records of Duchess games from texts and files of any size (docs/rules/duchess.md)."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator
from typing import IO, NamedTuple

from crossboard._core.duchess import IllegalMove
from crossboard.duchess.records import RESULTS, Record, start_from
from crossboard.records import RecordError

MAX_ERRORS = 100  # more mistakes in one game are not worth telling one by one

TOKEN = re.compile(
    r"""\s*(?:
        (?P<end>;.*|$)                                        # a comment to the end of the line
      | \{ (?P<comment>)
      | \[ \s* (?P<name>\w+) \s* "(?P<value>(?:[^"\\]|\\.)*)" \s* \]
      | (?P<word>[^\s{;]+)
    )""",
    re.VERBOSE,
)
BYTE_ORDER_MARK = "\ufeff"
MOVE_NUMBER = re.compile(r"\d+\.*|\.+")


def read_records(source: str | os.PathLike[str] | IO[str] | IO[bytes]) -> Iterator[Record]:
    """Yield the games of a file, one at a time: the file never sits in memory.

    What cannot be understood is told in `record.errors`, and reading goes on with the next game.
    """
    if isinstance(source, str | os.PathLike):
        # Opened here, so that a missing file is told at once and not at the first game.
        return _read_and_close(open(source, encoding="utf-8", errors="replace"))
    return _Reader().read(_lines(source))


def parse_records(text: str | bytes) -> Iterator[Record]:
    """Yield the games of a text; see read_records."""
    whole = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return _Reader().read(io.StringIO(whole, newline=None))


def _read_and_close(file: IO[str]) -> Iterator[Record]:
    with file:
        yield from _Reader().read(file)


def _lines(file: IO[str] | IO[bytes]) -> Iterator[str]:
    for line in file:
        yield line.decode("utf-8", "replace") if isinstance(line, bytes) else line


class _Token(NamedTuple):
    kind: str  # "comment", "tag", "word" or "error"
    text: str
    line: int
    value: str = ""


def _tokens(lines: Iterable[str]) -> Iterator[_Token]:
    comment: list[str] | None = None
    began = 0
    for number, line in enumerate(lines, 1):
        rest = line.rstrip("\r\n").removeprefix(BYTE_ORDER_MARK if number == 1 else "")
        while True:
            if comment is not None:
                inside, closing, rest = rest.partition("}")
                comment.append(inside)
                if not closing:
                    break
                yield _Token("comment", "\n".join(comment).strip(), began)
                comment = None
            match = TOKEN.match(rest)
            assert match is not None  # the last two branches take anything
            rest = rest[match.end() :]
            if match["word"] is not None:
                yield _Token("word", match["word"], number)
            elif match["name"] is not None:
                yield _Token("tag", match["name"], number, re.sub(r"\\(.)", r"\1", match["value"]))
            elif match["comment"] is not None:
                comment, began = [], number
            else:
                if match["end"]:
                    yield _Token("comment", match["end"][1:].strip(), number)
                break
    if comment is not None:
        yield _Token("error", "the comment is not closed", began)


class _Reader:
    """Puts records together from tokens."""

    def __init__(self) -> None:
        self.count = 0
        self.line = 0  # of the last token
        self.record: Record | None = None
        self.has_begun = False  # the moves, so that another tag belongs to the next game
        self.is_broken = False  # the moves cannot be followed any further

    def read(self, lines: Iterable[str]) -> Iterator[Record]:
        for token in _tokens(lines):
            if token.kind == "tag" and self.record is not None and self.has_begun:
                yield self.finish()
            self.take(token)
            if token.kind == "word" and token.text in RESULTS:
                yield self.finish()
        if self.record is not None and (self.has_begun or self.record.tags or self.record.errors):
            yield self.finish()

    def finish(self) -> Record:
        assert self.record is not None
        record, self.record = self.record, None
        if not self.has_begun:
            self.begin_moves(record)
        return record

    def take(self, token: _Token) -> None:
        if self.record is None:
            self.record = Record()
            self.count += 1
            self.has_begun = self.is_broken = False
        record, self.line = self.record, token.line
        match token.kind:
            case "tag":
                self.take_tag(record, token)
            case "comment" if token.text:
                said = record.comments.get(len(record.moves))
                record.comments[len(record.moves)] = f"{said} {token.text}" if said else token.text
            case "error":
                self.tell(record, token.line, "", token.text)
            case "word":
                self.take_word(record, token)

    def take_tag(self, record: Record, token: _Token) -> None:
        if token.text in record.tags:
            self.tell(record, token.line, "", f"the tag {token.text} is given twice")
        else:
            record.tags[token.text] = token.value

    def take_word(self, record: Record, token: _Token) -> None:
        if not self.has_begun:
            self.begin_moves(record)
        if token.text in RESULTS:
            record._token = token.text
            return
        move = token.text
        if number := MOVE_NUMBER.match(move):
            # A move begins with a letter or with a sector, which no dot follows.
            move = move[number.end() :] if "." in number[0] or number[0] == move else move
        if not move or self.is_broken:
            return
        try:
            record.play(move)
        except IllegalMove as error:
            self.is_broken = True
            self.tell(record, token.line, move[:60], str(error))

    def begin_moves(self, record: Record) -> None:
        self.has_begun = True
        try:
            record.start = record.position = start_from(record.tags)
        except ValueError as error:
            self.is_broken = True
            self.tell(record, self.line, "", str(error))

    def tell(self, record: Record, line: int, move: str, reason: str) -> None:
        if len(record.errors) < MAX_ERRORS:
            record.errors.append(RecordError(self.count, line, move, reason))
