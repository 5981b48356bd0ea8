"""The words of a text file, with errors that name file, line and what was expected."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

# Chosen: far more than any file of words of ours; what is larger is something else.
MAX_BYTES = 1_000_000_000
# What is not UTF-8 is of days when letters were bytes, those of English the same everywhere.
OLD_LETTERS = "cp1252"
DOS_END = "\x1a"  # Ctrl-Z, by which editors of 1997 marked a file's end
LONGEST_QUOTED = 40  # letters of a word that an error shows


class WordError(ValueError):
    """A file whose words are not those of its kind: names file, line and what was expected."""


class Words:
    """Reads a text word by word, as the programs of 1997 did: lines mean nothing but a place."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self._lines = text.splitlines()
        self._words = self._split()
        self._line = 1  # of the last word taken
        self._next: tuple[int, str] | None = next(self._words, None)

    @classmethod
    def of_file(cls, path: str | os.PathLike[str]) -> Words:
        """Read a file; raise WordError if it holds no text, OSError if there is none."""
        path = Path(path)
        if path.stat().st_size > MAX_BYTES:
            raise WordError(f"{path}, line 1: expected a text file, not {MAX_BYTES:,} bytes")
        data = path.read_bytes()
        if b"\0" in data:
            line = data[: data.index(b"\0")].count(b"\n") + 1
            raise WordError(f"{path}, line {line}: expected text, and this is none")
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode(OLD_LETTERS, "replace")
        return cls(text.rstrip(DOS_END), str(path))

    def _split(self) -> Iterator[tuple[int, str]]:
        for number, line in enumerate(self._lines, start=1):
            yield from ((number, word) for word in line.split())

    @property
    def is_done(self) -> bool:
        """Whether no word is left."""
        return self._next is None

    @property
    def ahead(self) -> str:
        """The next word, which stays; empty at the end."""
        return self._next[1] if self._next else ""

    def take(self, expected: str) -> str:
        """Return the next word; `expected` says what it should be, if there is none."""
        if self._next is None:
            self._line = max(1, len(self._lines))
            self.fail(expected, "the end of the file")
        self._line, word = self._next
        self._next = next(self._words, None)
        return word

    def take_tag(self, tag: str) -> None:
        """Go over a word that must stand here, in capitals or not."""
        word = self.take(f"{tag!r}")
        if word.lower() != tag.lower():
            self.fail(f"{tag!r}", quoted(word))

    def take_line(self, expected: str) -> str:
        """Return the rest of the next word's line, with its blanks."""
        word = self.take(expected)
        line = self._lines[self._line - 1]
        self.skip_line()
        return line[line.index(word) :].strip()

    def skip_line(self) -> None:
        """Go over what is left of the last word's line."""
        while self._next is not None and self._next[0] == self._line:
            self._next = next(self._words, None)

    def skip_remarks(self) -> None:
        """Go over what is left of the last word's line, and lines below it that hold no number.

        Where a number comes next on that line there is no remark.
        """
        if self._next is not None and self._next[0] == self._line and is_number(self._next[1]):
            return
        self.skip_line()
        while self._next is not None:
            self._line = self._next[0]
            if any(map(is_number, self._lines[self._line - 1].split())):
                return
            self.skip_line()

    def number(self, expected: str, low: float = -math.inf, high: float = math.inf) -> float:
        """Return the next word as a number from low to high."""
        word = self.take(expected)
        value = float(word) if is_number(word) else math.nan
        if not (math.isfinite(value) and low <= value <= high):
            self.fail(expected, quoted(word))
        return value

    def integer(self, expected: str, low: int, high: int) -> int:
        """Return the next word as a whole number from low to high."""
        word = self.take(expected)
        if not (is_number(word) and word.lstrip("+-").isdigit() and len(word) < 20):
            self.fail(expected, quoted(word))
        value = int(word)
        if not low <= value <= high:
            self.fail(expected, quoted(word))
        return value

    def end(self) -> None:
        """Raise WordError if there are words left."""
        if self._next is not None:
            word = self.take("")
            self.fail("the end of the file", quoted(word))

    def fail(self, expected: str, given: str) -> NoReturn:
        """Raise WordError about the last word taken."""
        raise WordError(f"{self.name}, line {self._line}: expected {expected}, not {given}")


def is_number(word: str) -> bool:
    """Whether a word is a number, of any size."""
    # float() takes "1_000" and figures of other scripts too, which no such file has.
    if not word.isascii() or "_" in word:
        return False
    try:
        float(word)
    except ValueError:
        return False
    return True


def quoted(word: str) -> str:
    """Return a word as errors show it, of a long one the beginning."""
    return repr(word) if len(word) <= LONGEST_QUOTED else f"{word[:LONGEST_QUOTED]!r} …"
