"""`crossboard convert`: games, positions, training files; networks and players."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import IO, Annotated, TypeAlias

import typer

from crossboard.cli import networks
from crossboard.cli.files import STANDARD_STREAM, name_errors, open_source, size_of, writing
from crossboard.cli.progress import Bar
from crossboard.cli.remarks import print_remarks
from crossboard.draughts import Position, Record
from crossboard.play.reading import (
    ERRORS_SHOWN,
    Problem,
    ReadCount,
    Reading,
    read_games,
)
from crossboard.play.wording import counted

MAX_LINE_BYTES = 10_000  # of a list of FENs; a longer line is none


class Format(StrEnum):
    """How games or positions are written down."""

    PDN = "pdn"
    FEN = "fen"
    TRAINING = "training"
    NETWORK = "network"
    PLAYER = "player"


class Positions(StrEnum):
    """Which positions of a game go into a list."""

    FIRST = "first"
    LAST = "last"
    ALL = "all"


class ResultConvention(StrEnum):
    """Whose win the result 1-0 is."""

    BLACK_FIRST = "black-first"
    WHITE_FIRST = "white-first"


THINGS = {Format.PDN: "game", Format.FEN: "position"}
SUFFIXES = {
    ".pdn": Format.PDN,
    ".fen": Format.FEN,
    ".txt": Format.FEN,
    ".trn": Format.TRAINING,
    ".net": Format.NETWORK,
    ".crt": Format.NETWORK,
}


Reader: TypeAlias = Callable[[IO[bytes]], Iterator[Reading]]
Writer: TypeAlias = Callable[[Record], str]


def run(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="The file to read; - is standard input.")
    ],
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="The file to write; - is standard output.")
    ],
    *,
    source_format: Annotated[
        Format | None, typer.Option("--from", help="If SOURCE's suffix does not tell.")
    ] = None,
    target_format: Annotated[
        Format | None, typer.Option("--to", help="If TARGET's suffix does not tell.")
    ] = None,
    positions: Annotated[
        Positions | None,
        typer.Option(help="Which positions of a game to list.", show_default="last"),
    ] = None,
    ignore_draws: Annotated[
        bool, typer.Option("--ignore-draws", help="Leave drawn games out.")
    ] = False,
    result_convention: Annotated[
        ResultConvention | None,
        typer.Option(
            help="Whose win 1-0 is in a training file's source.", show_default="black-first"
        ),
    ] = None,
    features: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The feature file of a network.",
            show_default="the one beside it",
        ),
    ] = None,
    quirks: Annotated[
        str | None, typer.Option(help="'lynch': a network that sees boards as in 1997.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a report as JSON.")] = False,
) -> None:
    """Convert games (.pdn) to positions (.fen or .txt, one FEN a line) and back.

    A game becomes its last position, a position a game that begins there.
    PDN to PDN and FEN to FEN tidy up. The exit code is 1 if there were errors.

    Files of NeuroDraughts: games become a training file (.trn), a network or creation file
    (.net, .crt) becomes a player's folder or another network file, a player a network file.
    """
    if as_json and target == STANDARD_STREAM:
        raise ValueError("--json with the target '-' would mix both on stdout: name a file")
    kinds = (_guess(source, source_format), _guess(target, target_format))
    of_networks = {"--features": features, "--quirks": quirks}
    of_games = {
        "--positions": positions,
        "--ignore-draws": ignore_draws,
        "--result-convention": result_convention,
    }
    if kinds[0] is not Format.NETWORK:
        _refuse_given(of_networks, "a network file that is read")
    if Format.NETWORK in kinds:
        _refuse_given(of_games, "games")
        _convert_network(source, target, kinds, features, quirks, as_json=as_json)
        return
    positions = positions or Positions.LAST
    result_convention = result_convention or ResultConvention.BLACK_FIRST
    given = _format_of(source, source_format, "--from")
    wanted = _format_of(target, target_format, "--to")
    if given not in READERS:
        raise ValueError(f"{source}: a {given} file is made of games, and not read back")
    read = READERS[given]
    if ignore_draws:
        read = _without_draws(read, result_convention)
    tally = ReadCount(room=math.inf if as_json else ERRORS_SHOWN)
    write = _writer(wanted, positions, result_convention)
    expected = f"a {THINGS[given]}{' that is not drawn' if ignore_draws else ''}"
    convert(source, read, target, write, tally, expected)
    if as_json:
        _print_json(source, target, tally)
    else:
        _print_report(source, THINGS[given], tally)
    if tally.errors:
        raise typer.Exit(1)


def _refuse_given(options: Mapping[str, object], what: str) -> None:
    """Raise ValueError if one of these was given that are for something else."""
    for name, value in options.items():
        if value:
            raise ValueError(f"{name} is for {what}")


def _convert_network(
    source: str,
    target: str,
    kinds: tuple[Format | None, Format | None],
    features: str | None,
    quirks: str | None,
    *,
    as_json: bool,
) -> None:
    """Convert between network files and players; at least one of both kinds is a network."""
    given, wanted = kinds
    for path, kind, option in ((source, given, "--from"), (target, wanted, "--to")):
        if kind not in (None, Format.NETWORK, Format.PLAYER):
            raise ValueError(
                f"{path}: networks become players and players networks, not {kind}: "
                f"say {option} player if that is its name"
            )
    if given is not Format.NETWORK:
        networks.from_player(source, target, as_json=as_json)
    elif wanted is Format.NETWORK:
        networks.to_network(source, target, features, quirks, as_json=as_json)
    else:
        networks.to_player(source, target, features, quirks, as_json=as_json)


def convert(
    source: str, read: Reader, target: str, write: Writer, tally: ReadCount, expected: str
) -> None:
    """Convert game by game; raise ValueError, with nothing written, if there is none of them."""
    began = time.monotonic()
    # A bar would run through games that go to the same terminal.
    hidden = target == STANDARD_STREAM and sys.stdout.isatty()
    with (
        open_source(source) as file,
        Bar(source, size_of(source), hidden=hidden) as bar,
        writing(target) as output,
    ):
        for number, reading in enumerate(name_errors(source, read(file)), 1):
            text, reading = _write(reading, number, write)
            output.write(text)
            tally.add(reading)
            done = file.tell() if file.seekable() else 0
            bar.update(done, f"{number / (time.monotonic() - began):,.0f} games/s")
        if not tally.games:
            nothing = f"expected {expected}, not the end of the file"
            raise ValueError(f"{source}: {tally.why_nothing(nothing)}")


def _write(reading: Reading, number: int, write: Writer) -> tuple[str, Reading]:
    if reading.record is None:
        return "", reading
    try:
        return write(reading.record), reading
    except ValueError as error:  # PDN cannot hold every text; the other games can go on
        # What was wrong with reading it is why it cannot be written, if anything was.
        place = reading.record.place or (number,)
        return "", Reading(None, reading.problems or [Problem(str(error), *place)])


def _guess(path: str, told: Format | None) -> Format | None:
    return told or SUFFIXES.get(os.path.splitext(path)[1].lower())


def _format_of(path: str, told: Format | None, option: str) -> Format:
    found = _guess(path, told)
    if found is None or found is Format.PLAYER:
        raise ValueError(
            f"{path}: the suffix tells no format ({', '.join(SUFFIXES)} do): "
            f"say {option} pdn or {option} fen"
        )
    return found


def read_positions(file: IO[bytes]) -> Iterator[Reading]:
    """Yield a game for each FEN of a list with one a line, # comments and blank lines."""
    number = 0
    while line := file.readline(MAX_LINE_BYTES):
        number += 1
        try:
            if reading := _read_position(line, number == 1):
                yield reading
        except ValueError as error:
            yield Reading(None, [Problem(str(error), line=number)])
        while line and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE_BYTES)


def _read_position(line: bytes, is_first: bool) -> Reading | None:
    if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
        raise ValueError("the line is too long for a FEN")
    try:
        text = line.decode("utf-8-sig" if is_first else "utf-8")
    except UnicodeDecodeError:
        raise ValueError("this is not text") from None
    fen = text.partition("#")[0].strip()
    if not fen:
        return None
    position = Position.from_fen(fen)
    tags = {"GameType": "21", "SetUp": "1", "FEN": position.fen, "Result": "*"}
    return Reading(Record(position, tags=tags))


READERS: dict[Format, Reader] = {Format.PDN: read_games, Format.FEN: read_positions}


def _without_draws(read: Reader, convention: ResultConvention) -> Reader:
    """Go over the games that were drawn."""
    from crossboard.learn.experts import winner_of

    def is_drawn(record: Record | None) -> bool:
        if record is None or record.result == "*":
            return False
        return winner_of(record, convention) is None

    return lambda file: (reading for reading in read(file) if not is_drawn(reading.record))


def _writer(wanted: Format, positions: Positions, convention: ResultConvention) -> Writer:
    if wanted is Format.PDN:
        return lambda record: record.pdn + "\n"
    if wanted is Format.TRAINING:
        from crossboard.learn.experts import ExpertGame
        from crossboard.systems.expert_games import format_training

        return lambda record: format_training(ExpertGame.of_record(record, convention))
    return lambda record: "".join(f"{fen}\n" for fen in list_fens(record, positions))


def list_fens(record: Record, positions: Positions) -> list[str]:
    """List positions of a game's main line, from first to last."""
    if positions is Positions.FIRST:
        return [record.start.fen]
    if positions is Positions.LAST:
        return [record.position.fen]
    return [record.start.fen, *(node.position.fen for node in record.tree.main_line())]


def _print_report(source: str, thing: str, tally: ReadCount) -> None:
    print_remarks(tally.first_problems(source))
    summary = f"{counted(tally.games, thing)} converted, {tally.with_errors:,} with errors"
    if tally.left_out:
        summary += f", {tally.left_out:,} left out"
    print(summary, file=sys.stderr)


def _print_json(source: str, target: str, tally: ReadCount) -> None:
    errors = [problem.as_json() for problem in tally.problems]
    report = {"source": source, "target": target, "games": tally.games}
    report |= {"left_out": tally.left_out, "with_errors": tally.with_errors}
    print(json.dumps(report | {"errors": errors}))
