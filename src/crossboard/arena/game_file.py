"""The file of a match's games: each pair as it comes, the terms beside it, and resuming both."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any, Protocol

from crossboard.arena.agreement import list_differences
from crossboard.arena.games import Pair, text_of
from crossboard.arena.match import Fixture, MatchResult
from crossboard.arena.replay import read_games, replay
from crossboard.storage import Journal, naming, read_plain, write_whole

TERMS_SUFFIX = ".terms.json"
# Chosen: the power may fail, and making every pair durable would take longer than playing it.
SYNC_SECONDS = 1.0
# How a record ends.
END = re.compile(rb"(?:1-0|0-1|1/2-1/2)\n\n")
# Differences that a refusal names.
MOST_NAMED = 5


class _Target(Protocol):
    def append(self, data: bytes) -> None: ...
    def sync(self) -> None: ...
    def close(self) -> None: ...


class GameFile:
    """Takes the pairs of matches in their order; what was kept is there, whatever happens next."""

    def __init__(self, path: Path, target: _Target | None) -> None:
        self._path = path
        self._target = target
        self._next_sync = time.monotonic() + SYNC_SECONDS
        self.error: OSError | None = None  # why a pair could not be written

    @property
    def can_resume(self) -> bool:
        """Whether games are kept, and in a way that can be continued."""
        return isinstance(self._target, Journal)

    def keep(self, result: MatchResult) -> bool:
        """Write a match's last pair, whole or not at all; return whether that, and all before, is.

        After an error, which is kept, nothing more is written.
        """
        if self._target is None or self.error is not None:
            return self.error is None
        number = len(result.pairs) - 1
        text = _format_pair(result.pairs[number], number, result)
        try:
            self._target.append(text)
            if time.monotonic() >= self._next_sync:
                self._target.sync()
                self._next_sync = time.monotonic() + SYNC_SECONDS
        except OSError as error:
            self.error = error
        return self.error is None

    def restore(self, fixtures: Sequence[Fixture]) -> None:
        """Add the pairs of the file to the results of the matches that they belong to.

        A pair that was not written whole is cut off. Raises ValueError, and cuts nothing, if the
        file is not what these matches wrote.
        """
        if not isinstance(self._target, Journal) or not self._target.size:
            return
        whole = 0
        with open(self._path, "rb") as file, open(self._path, "rb") as source:
            for fixture, pair in _read_pairs(source, fixtures):
                text = _format_pair(pair, fixture.missing.start, fixture.result)
                if file.read(len(text)) != text:
                    break
                fixture.result.add(pair)
                fixture.result.resumed += 1
                whole += len(text)
            file.seek(whole)
            tail = file.read()
        if tail:
            if not _is_torn(tail, fixtures):
                games = 2 * sum(len(fixture.result.pairs) for fixture in fixtures)
                raise ValueError(
                    f"{self._path}: what follows game {games} is not as this match wrote it: "
                    "put the file back as it was, or choose another one"
                )
            self._target.cut(whole)

    def close(self) -> None:
        """Make durable what was kept; an error is kept too."""
        if self._target is None:
            return
        try:
            self._target.sync()
        except OSError as error:
            self.error = self.error or error
        finally:
            self._target.close()


@contextmanager
def keeping_games(
    path: str | None, agreement: Mapping[str, Any], *, resume: bool = False
) -> Iterator[GameFile]:
    """Give a file for the games of a new match, or with `resume` of one that was begun.

    The agreement is kept beside it. Without a path nothing is kept; a pipe or a device is written
    to, but holds no match to resume. Raises ValueError if there is something else at the path, or
    a match of another agreement.
    """
    if resume and path is None:
        raise ValueError("--resume needs --pdn FILE: games are kept nowhere else")
    if path == "":
        raise ValueError("--pdn needs the name of a file")
    place = Path(path or "")
    file = GameFile(place, None if path is None else _open(place, agreement, resume=resume))
    try:
        yield file
    finally:
        file.close()


def _open(path: Path, agreement: Mapping[str, Any], *, resume: bool) -> _Target:
    if path.exists() and not path.is_file():
        if resume:
            raise ValueError(f"{path} is not a plain file: it holds no match to resume")
        return _Pipe(path)
    terms, is_begun = path.with_name(path.name + TERMS_SUFFIX), os.path.lexists(path)
    if not resume and is_begun:
        continuing = "add --resume to continue its match, or " if terms.exists() else ""
        raise ValueError(f"{path} exists already: {continuing}choose another file")
    journal = Journal(path)
    try:
        _lock(journal)
        # A match that was stopped before its first pair has terms, too.
        if journal.size or (is_begun and terms.exists()):
            _check(path, terms, agreement)
        else:
            write_whole(terms, json.dumps(agreement, indent=1).encode())
    except BaseException:
        journal.close()
        raise
    return journal


def _lock(journal: Journal) -> None:
    """Raise ValueError if another process plays the match."""
    try:
        journal.lock()
    except OSError:
        raise ValueError(
            f"{journal.path}: another process is playing this match: wait for it or stop it first"
        ) from None


def _check(path: Path, terms: Path, agreement: Mapping[str, Any]) -> None:
    """Raise ValueError if a match was not begun with this agreement."""
    if not os.path.lexists(terms):
        raise ValueError(f"{path} holds no match to resume: there is no {terms} beside it")
    try:
        kept = json.loads(read_plain(terms))
    except (ValueError, RecursionError):
        kept = None
    if not isinstance(kept, dict):
        raise ValueError(
            f"{terms} is damaged: put it back as it was, or choose another file than {path}"
        )
    differing = list(list_differences(kept, agreement))
    if differing:
        more = len(differing) - MOST_NAMED
        named = ", ".join(differing[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        raise ValueError(
            f"{path} was begun with other terms: {named}; "
            "resume it with the same ones, or choose another file"
        )


def _read_pairs(source: IO[bytes], fixtures: Sequence[Fixture]) -> Iterator[tuple[Fixture, Pair]]:
    """Yield the pairs of a file with their matches, up to one that is not whole or not theirs.

    Each must be added to its match's result before the next one is asked for.
    """
    terms = fixtures[0].terms
    games = read_games(source, fixtures[0].one.game, terms.rules)
    try:
        for fixture in fixtures:
            while fixture.missing:
                (opening,) = terms.openings.take(fixture.missing.start, 1)
                both = list(islice(games, 2))
                begin = list(opening.moves)
                if len(both) < 2 or any(
                    game.start != opening.start or game.moves[: len(begin)] != begin
                    for game in both
                ):
                    return
                yield fixture, Pair(opening, (both[0], both[1]))
    except ValueError:  # a record that is none
        return


def _is_torn(tail: bytes, fixtures: Sequence[Fixture]) -> bool:
    """Whether this is what a process leaves that dies while it writes the next pair."""
    fixture = next((one for one in fixtures if one.missing), None)
    if fixture is None:
        return False
    number = fixture.missing.start
    (opening,) = fixture.terms.openings.take(number, 1)
    # No move of the game is known, but all tags before its result are.
    game = replay(fixture.one.game, opening.start, opening.moves, fixture.terms.rules)
    text = _format_pair(Pair(opening, (game, game)), number, fixture.result)
    begin = text.partition(b"[Result")[0]
    written = tail.rstrip(b"\0")  # room that was made when the power failed
    return (begin.startswith(written) or written.startswith(begin)) and len(END.findall(tail)) < 2


def _format_pair(pair: Pair, number: int, result: MatchResult) -> bytes:
    """Write the games of a match's pair, counted from 0."""
    seats = ((result.one, result.other), (result.other, result.one))
    texts = []
    for offset, (game, (first, second)) in enumerate(zip(pair.games, seats, strict=True), start=1):
        tags = {"Event": pair.opening.name, "Round": str(2 * number + offset)}
        texts.append(text_of(game, first, second, tags) + "\n")
    return "".join(texts).encode()


class _Pipe:
    """What is no plain file: it is written to, and never cut."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with naming(path):
            self._file = open(path, "wb", buffering=0)  # noqa: SIM115

    def append(self, data: bytes) -> None:
        with naming(self._path):
            while data:
                data = data[self._file.write(data) or 0 :]

    def sync(self) -> None:
        pass

    def close(self) -> None:
        self._file.close()
