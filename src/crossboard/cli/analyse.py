"""`crossboard analyse`: what each move of a game lost, and what would have been better."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crossboard.cli import INTERRUPTED
from crossboard.cli.files import name_errors, open_source
from crossboard.cli.limits import PLAYER_IN_MEN, PlayerName
from crossboard.cli.progress import Bar
from crossboard.cli.remarks import print_remarks
from crossboard.play.judgement import (
    MIN_DEPTH,
    SETTINGS,
    Analysis,
    Judgement,
    judge,
    turns,
    unit_of,
)
from crossboard.play.lines import format_line, format_value
from crossboard.play.opponents import refuse_outside
from crossboard.play.reading import ERRORS_SHOWN, ReadCount, read_games
from crossboard.play.wording import counted, one_line
from crossboard.players import LevelPlayer, Player, SearchLimits, load_player
from crossboard.players.games import DRAUGHTS

if TYPE_CHECKING:
    from rich.console import Console

DEFAULT_DEPTH = 13
LINE_MOVES = 7  # of what would have been better
STYLES = {"": None, "?": "yellow", "??": "bold red"}


def run(
    source: Annotated[
        str, typer.Argument(metavar="GAME.pdn", help="The games; - is standard input.")
    ],
    *,
    player: PlayerName = PLAYER_IN_MEN,
    depth: Annotated[
        int | None,
        typer.Option(
            help="Plies to look ahead.", show_default=f"{DEFAULT_DEPTH} without any limit"
        ),
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Time for each move.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Positions for each move.")] = None,
    game: Annotated[
        int | None, typer.Option(help="Only this one of the games.", show_default="all")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Judge every move of a game: what it lost, in men, and what would have been better.

    A move that loses half a man or more is a mistake (?), one that loses a man a blunder (??). A
    network counts in its own measure, from -1 to 1.
    The exit code is 1 if there were errors in the file.
    """
    limits = SearchLimits(depth=depth, seconds=seconds, nodes=nodes)
    if depth is not None and depth < MIN_DEPTH:
        raise ValueError(f"--depth {depth}: to judge a move takes {MIN_DEPTH} plies or more")
    if limits.is_none:
        limits = SearchLimits(depth=DEFAULT_DEPTH)
    tally = ReadCount(room=math.inf if as_json else ERRORS_SHOWN)
    report = AnalysisReport(as_json)
    searcher = find_judge(player)
    try:
        for analysis in read(source, game, tally):
            analysis.unit = unit_of(searcher, analysis.record)
            try:
                complete(analysis, searcher, limits)
            finally:
                report.add(analysis)  # at Ctrl-C what there is of it
    except KeyboardInterrupt:
        report.finish(source, tally, stopped=True)
        raise typer.Exit(INTERRUPTED) from None
    report.finish(source, tally, stopped=False)
    if tally.errors:
        raise typer.Exit(1)


def find_judge(name: str) -> Player:
    """Return the player who judges; raise ValueError for one that does not search."""
    refuse_outside(name)
    player = load_player(name, search=SETTINGS.full_width())
    if not player.is_searcher:
        raise ValueError(f"{player.name} does not search: it cannot say what a move was worth")
    if isinstance(player, LevelPlayer):
        raise ValueError(f"{player.name} misjudges moves on purpose: a level cannot judge a game")
    return player


def read(source: str, game: int | None, tally: ReadCount) -> Iterator[Analysis]:
    """Yield the games to judge; raise ValueError if there is none."""
    number = 0
    with open_source(source) as file:
        for number, reading in enumerate(name_errors(source, read_games(file)), 1):
            if game not in (None, number):
                continue
            tally.add(reading)
            if reading.record is not None:
                yield Analysis(number, reading.record, len(reading.record.moves))
            if number == game:
                break
    if game is not None and not 1 <= game <= number:
        raise ValueError(f"{source}: there is no game {game}, only {counted(number, 'game')}")
    if not tally.games:
        raise ValueError(f"{source}: {tally.why_nothing('there is no game in it')}")


def complete(analysis: Analysis, player: Player, limits: SearchLimits) -> None:
    """Judge the moves of a game one after the other."""
    player.clear()  # a game's values must not depend on those before it
    with Bar(f"game {analysis.number}", analysis.plies, known_long=True) as bar:
        for turn in turns(analysis.record):
            bar.update(turn.ply - 1, f"{turn.number} {turn.move}")
            analysis.judgements.append(judge(player, limits, turn))


class AnalysisReport:
    """Tells people about each game at once, and gives JSON as a whole."""

    def __init__(self, as_json: bool) -> None:
        self._games: list[dict[str, Any]] | None = [] if as_json else None
        self._console: Console | None = None

    def add(self, analysis: Analysis) -> None:
        """Take a game in."""
        if self._games is not None:
            self._games.append(analysis.as_json())
            return
        if self._console is None:
            from rich.console import Console

            self._console = Console(highlight=False, markup=False, emoji=False)
        else:
            self._console.print()
        _print_analysis(self._console, analysis)

    def finish(self, source: str, tally: ReadCount, *, stopped: bool) -> None:
        """Print the summary."""
        if self._games is None:
            print_remarks(tally.first_problems(source))
            return
        errors = [problem.as_json() for problem in tally.problems]
        print(
            json.dumps(
                {"source": source, "games": self._games, "errors": errors, "stopped": stopped}
            )
        )


def _print_analysis(console: Console, analysis: Analysis) -> None:
    def say(text: str, style: str | None = None) -> None:
        console.print(text, style=style, soft_wrap=not console.is_terminal)

    say(_title(analysis), "bold")
    for judgement in analysis.judgements:
        say(_describe(judgement), STYLES[judgement.mark])
    if len(analysis.judgements) < analysis.plies:
        say(f"  stopped after {len(analysis.judgements)} of {counted(analysis.plies, 'move')}")
    for side, colour in zip(DRAUGHTS.sides, DRAUGHTS.side_titles, strict=True):
        summary = analysis.summary(side)
        if summary.average_loss is not None:
            loss = f"{summary.average_loss:.2f} {analysis.unit}".rstrip()
            say(
                f"{colour}  {counted(summary.moves, 'move')}, {loss} lost "
                f"a move, {counted(summary.mistakes, 'mistake')}, "
                f"{counted(summary.blunders, 'blunder')}"
            )
    if worst := analysis.worst:
        moves = (f"{one.turn.number} {_played(one)} ({one.loss:.2f})" for one in worst)
        say(f"Worst  {', '.join(moves)}")


def _title(analysis: Analysis) -> str:
    tags = analysis.record.tags
    players = [tags.get(colour, colour) for colour in DRAUGHTS.side_titles]
    title = f"Game {analysis.number}: {' against '.join(players)}, {analysis.record.result}"
    return one_line(title)


def _played(judgement: Judgement) -> str:
    turn = judgement.turn
    return turn.position.format_move(turn.move) + judgement.mark


def _describe(judgement: Judgement) -> str:
    turn = judgement.turn
    text = f"{turn.number:>7} {_played(judgement):<10} {format_value(*judgement.played):<16}"
    if judgement.loss:
        line = format_line(turn.position, judgement.pv, most=LINE_MOVES)
        text += f" best {format_value(*judgement.worth)}: {line}"
    return text.rstrip()
