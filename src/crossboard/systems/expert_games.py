"""Games of experts: from PDN, and from the training files of NeuroDraughts (Lynch 1997, 9.2)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from crossboard.draughts import PdnError, read_pdn
from crossboard.draughts.board_files import format_board, take_board
from crossboard.draughts.words import WordError, Words
from crossboard.learn.experts import RESULT_CONVENTIONS, ExpertGame

PDN_SUFFIX, TRAINING_SUFFIX = ".pdn", ".trn"
MAX_BOARDS = 100_000
# Chosen: the sources do not tell the numbers.
WHO_WON = {1: "B", 2: "W", 3: None}
WON_CODES = {winner: code for code, winner in WHO_WON.items()}


def read_expert_games(
    path: str | os.PathLike[str],
    *,
    ignore_draws: bool = False,
    result_convention: str = "black-first",
    unused: list[str] | None = None,
) -> list[ExpertGame]:
    """Return the games of a PDN file (.pdn) or a training file that can be learnt from.

    To `unused` is added of each other game which it is and why; draws that are to be ignored are
    none of them. Raises ValueError, which says what was expected and why there is no game at all.
    """
    path = Path(path)
    is_pdn = path.suffix.lower() == PDN_SUFFIX
    if not is_pdn and result_convention != RESULT_CONVENTIONS[0]:
        raise ValueError(f"{path}: a training file says who won: {result_convention} is for PDN")
    unused = [] if unused is None else unused
    games = list(_read_pdn(path, result_convention, unused) if is_pdn else _read_training(path))
    kept = [game for game in games if not (ignore_draws and game.winner is None)]
    if not kept:
        expected = "expected a game with moves and a result"
        why = "all are draws" if games else _why_none(path, unused)
        raise ValueError(f"{path}: {expected}, but there is no game to learn from: {why}")
    return kept


def describe_unused(path: str | os.PathLike[str], unused: Sequence[str]) -> str:
    """Say how many games of a file were left out, and why the first of them."""
    one = "game was" if len(unused) == 1 else "games were"
    first = "" if len(unused) == 1 else ", the first"
    return f"{path}: {len(unused)} {one} left out{first}: {unused[0]}"


def _why_none(path: Path, unused: list[str]) -> str:
    if unused:
        more = f" ({len(unused) - 1} more)" if len(unused) > 1 else ""
        return f"{unused[0]}{more}"
    last = max(1, len(path.read_bytes().splitlines()))
    return f"line {last}: the file ends before one"


def _read_pdn(path: Path, result_convention: str, unused: list[str]) -> Iterator[ExpertGame]:
    """Yield the games that can be used, and tell of the others why not."""
    try:
        for record in read_pdn(path):
            try:
                yield ExpertGame.of_record(record, result_convention)
            except PdnError as error:
                unused.append(str(error))
            except ValueError as error:
                unused.append(f"{record.place}: {error}")
    except PdnError as error:
        unused.append(str(error))


def _read_training(path: Path) -> Iterator[ExpertGame]:
    """Yield the games of a training file; say what else it may be if it is none."""
    try:
        yield from read_training(path)
    except WordError as error:
        if path.suffix.lower() == TRAINING_SUFFIX:
            raise
        raise WordError(f"{error} (PDN files end in {PDN_SUFFIX})") from None


def read_training(path: str | os.PathLike[str]) -> Iterator[ExpertGame]:
    """Yield the games of a training file, what CONVPDN wrote and XTRAIN took."""
    words = Words.of_file(path)
    number = 0
    while number == 0 or not words.is_done:
        number += 1
        yield _take_game(words, number)


def _take_game(words: Words, number: int) -> ExpertGame:
    which = f"game {number}"
    players = ("?", "?")
    if words.ahead.lower() != "who_won?":
        black, _, red = (words.take(f"a heading of three words for {which}") for _ in range(3))
        players = (black, red)
    words.take_tag("Who_Won?")
    won = words.integer("1 (black), 2 (red) or 3 (draw)", 1, 3)
    words.take_tag("Number_of_Black_Boards:")
    black_count = words.integer(f"the black boards of {which}", 0, MAX_BOARDS)
    words.take_tag("Number_of_Red_Boards:")
    red_count = words.integer(f"the red boards of {which}", 0, MAX_BOARDS)
    if not (black_count or red_count):
        words.fail(f"a board of {which}, black or red", "none of either")
    sides = [
        tuple(
            take_board(words, "W", f"{colour} board {n} of {count} of {which}")
            for n in range(1, count + 1)
        )
        for colour, count in (("black", black_count), ("red", red_count))
    ]
    return ExpertGame(WHO_WON[won], sides[0], sides[1], players)


def format_training(game: ExpertGame) -> str:
    """Write one game of a training file."""
    black, red = ("_".join(name.split()) or "?" for name in game.players)
    lines = [
        f"{black} vs {red}",
        f"Who_Won? {WON_CODES[game.winner]}",
        f"Number_of_Black_Boards: {len(game.black)}",
        f"Number_of_Red_Boards: {len(game.red)}",
        *map(format_board, (*game.black, *game.red)),
    ]
    return "\n".join([*lines, ""])
