"""From where games are played: drawn from a seed, none twice while there are others."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from zlib import crc32

from crossboard.draughts import PdnError, Record, read_boards, read_pdn
from crossboard.players.games import DRAUGHTS, Game, find_game, game_of

# Chosen: more random plies than that leave few games that are still games.
MAX_RANDOM_PLIES = 40
RANDOM_PLIES_ADDED = 2
# How often another line is tried if one leads to what has been there.
TRIES = 200
BALLOTS = "ballots"
# The ballots in two parts: whatever is chosen or watched is played from the first, whatever is
# reported from the second, so that nobody is praised for the openings it was chosen by.
SELECT, REPORT = f"{BALLOTS}:select", f"{BALLOTS}:report"
PARTS = (SELECT, REPORT)


class Opening(NamedTuple):
    """A position from which a game is played, and the moves that led there."""

    name: str
    start: Any  # a position of either game
    moves: tuple[Any, ...] = ()

    @property
    def position(self) -> Any:
        """Where the players take over."""
        position = self.start
        for move in self.moves:
            position = position.after(move)
        return position


class Openings:
    """A series of openings without end, a function of the list it is drawn from and the seed.

    Each position of the list comes once, in an order that the seed decides. Then they come again
    with random plies behind them: two, and two more whenever that leads to nothing new any more.
    With `random_plies` that is so from the beginning, with so many of them. Only where no game
    can be found that has not been there, openings come again as they were.

    With a `part` only positions of draughts come that are `part_of` it, behind random plies too.
    """

    def __init__(
        self,
        listed: Sequence[Opening],
        seed: int = 0,
        random_plies: int = 0,
        part: str | None = None,
    ) -> None:
        # Of those that lead to one position the first: games of the others would be the same.
        distinct: dict[Any, Opening] = {}
        for one in listed:
            distinct.setdefault(one.position, one)
        self.listed = tuple(one for position, one in distinct.items() if _is_in(part, position))
        self.seed = seed
        self.random_plies = random_plies
        self.part = part
        self._drawn: list[Opening] = []
        self._drawing = self._draw()

    def take(self, first: int, count: int) -> list[Opening]:
        """Return openings number first .. first+count-1 of the series."""
        while len(self._drawn) < first + count:
            self._drawn.append(next(self._drawing))
        return self._drawn[first : first + count]

    def _draw(self) -> Iterator[Opening]:
        rng = Random(f"{self.seed} openings")
        seen: set[Any] = set()
        plies = self.random_plies
        if not plies:
            yield from self._shuffled(rng)
            seen |= {opening.position for opening in self.listed}
            plies = RANDOM_PLIES_ADDED
        while plies <= MAX_RANDOM_PLIES:
            is_new = False
            for opening in self._shuffled(rng):
                found = _with_random_plies(opening, plies, rng, seen, self.part)
                if found is not None:
                    seen.add(found.position)
                    yield found
                    is_new = True
            plies += 0 if is_new else RANDOM_PLIES_ADDED
        while True:
            yield from self._shuffled(rng)

    def _shuffled(self, rng: Random) -> list[Opening]:
        return rng.sample(self.listed, len(self.listed))


def part_of(position: Any) -> str:
    """Return the part of the ballots that a position of draughts belongs to, by its FEN alone.

    What two ballots both lead to belongs to one part: series of different parts never meet.
    """
    return PARTS[crc32(position.fen.encode()) % len(PARTS)]


def _is_in(part: str | None, position: Any) -> bool:
    return part is None or part_of(position) == part


def _with_random_plies(
    opening: Opening, plies: int, rng: Random, seen: Container[Any], part: str | None
) -> Opening | None:
    """Let random moves follow, to a position that nobody has seen; None if none is found."""
    draw = game_of(opening.start).random_line
    for _ in range(TRIES):
        try:
            more = draw(opening.position, plies, rng)
        except ValueError:  # the game is over too soon
            return None
        name = f"{opening.name} + {plies} random plies"
        found = Opening(name, opening.start, (*opening.moves, *more))
        if found.position not in seen and _is_in(part, found.position):
            return found
    return None


def openings(
    source: str = BALLOTS, seed: int = 0, game: Game = DRAUGHTS, players: int | None = None
) -> Openings:
    """Return the series of a game that a text stands for: ballots or a part, random:N, or a file.

    A game that has no ballots has no parts of them. Files hold one position a line, or what the
    game says of their suffix: PDN (.pdn) and boards of NeuroDraughts (.brd) of draughts.
    `players` sit at one board, by default the usual number. Raises ValueError for what is none of
    these, holds nothing to play from, or is for another number of players.
    """
    players = players or game.players[0]
    known = (BALLOTS, *PARTS) if game.ballots() else ()
    if source in known:
        return Openings(_ballots(game), seed, part=source if source in PARTS else None)
    if source.startswith("random:"):
        return Openings([Opening("start", game.start(players))], seed, _random_plies(source))
    if not os.path.isfile(source):  # which takes a name that no file can have, too
        words = ", ".join(map(repr, (*known, "random:N")))
        raise ValueError(f"openings are {words} or a file: there is no {source!r}")
    return Openings(_read(Path(source), game, players), seed)


def duchess_openings(source: str, seed: int = 0, players: int = 4) -> Openings:
    """Return the series of Duchess that a text stands for."""
    return openings(source, seed, find_game("duchess"), players)


def _read(path: Path, game: Game, players: int) -> list[Opening]:
    read = READERS[game.opening_files.get(path.suffix.lower(), "positions")]
    found = [opening for opening in read(path, game) if not opening.position.is_over]
    for opening in found:
        seats = len(game.seats(opening.start))
        if seats != players:
            raise ValueError(f"{path}, {opening.name}: {seats} players instead of {players}")
    if not found:
        raise ValueError(f"{path} holds no position to play from")
    return found


def _ballots(game: Game) -> list[Opening]:
    return [
        Opening(
            ballot.name or f"ballot {ballot.number}",
            game.start(),
            tuple(game.core.Move(text) for text in ballot.moves),
        )
        for ballot in game.ballots()
    ]


def _random_plies(source: str) -> int:
    text = source.removeprefix("random:")
    if not text.isdecimal() or not 1 <= int(text) <= MAX_RANDOM_PLIES:
        raise ValueError(
            f"{source!r}: say how many random plies, 1 to {MAX_RANDOM_PLIES}, as in random:8"
        )
    return int(text)


def _read_pdn_openings(path: Path, _: Game) -> list[Opening]:
    found = []
    for number, record in enumerate(_records(path), start=1):
        if record.outcome() is not None:  # over, if only by a rule of draws
            continue
        name = record.tags.get("Event") or f"game {number}"
        found.append(Opening(name, record.start, tuple(record.moves)))
    return found


def _records(path: Path) -> Iterator[Record]:
    try:
        for record in read_pdn(path):
            if record.errors:
                raise record.errors[0]
            yield record
    except PdnError as error:
        raise ValueError(f"{path}: {error}") from None


def _read_positions(path: Path, game: Game) -> list[Opening]:
    found = []
    for number, line in enumerate(read_text_lines(path), start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            found.append(Opening(f"line {number}", game.parse(text)))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
    return found


def read_text_lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8") from None


def _read_boards(path: Path, _: Game) -> list[Opening]:
    boards = enumerate(read_boards(path), start=1)
    return [Opening(f"board {number}", board.position) for number, board in boards]


# By what a file holds.
READERS: dict[str, Callable[[Path, Game], list[Opening]]] = {
    "records": _read_pdn_openings,
    "boards": _read_boards,
    "positions": _read_positions,
}
