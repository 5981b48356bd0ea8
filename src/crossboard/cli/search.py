"""`crossboard search`: the best move of a position, found by one process or by many."""

from __future__ import annotations

import json
import math
import signal
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from crossboard.cli import INTERRUPTED
from crossboard.cli.games import Fen, Players, PositionText, WhichGame, find_start
from crossboard.cli.interruption import Interruption
from crossboard.cli.limits import (
    AnyPlayerName,
    Depth,
    Nodes,
    NoTables,
    Quiescence,
    TablesFolder,
)
from crossboard.cli.progress import passing_time
from crossboard.cli.remarks import print_remark, print_remarks
from crossboard.farm import mpi_job, mpi_search
from crossboard.play.lines import format_line, format_speed, format_value, known_win_of
from crossboard.play.opponents import TablesChoice, ignore, plays_of, refuse_outside, remark_damage
from crossboard.play.wording import counted, one_line, whole_text
from crossboard.players import (
    LevelPlayer,
    Line,
    Player,
    SearchLimits,
    SearchResult,
    SearchSettings,
    load_player,
    result_of,
)
from crossboard.players.games import AnyPosition, game_of
from crossboard.players.settings import SETTINGS

if TYPE_CHECKING:
    from mpi4py import MPI
    from rich.console import Console

DEFAULT_SECONDS = 1.0
HUGE_MB = 2**40  # more than any machine has, yet the core can still say so


class Algorithm(StrEnum):
    """How to search."""

    MINIMAX = "minimax"
    ALPHABETA = "alphabeta"


@dataclass(frozen=True)
class Question:
    """What to find out about a position, and the moves and positions of the game before it."""

    position: AnyPosition
    moves: list[Any]
    history: list[Any]
    limits: SearchLimits
    multipv: int
    wants_lines: bool  # several best moves were asked for, however many there are


class Shares(NamedTuple):
    """What the ranks of an MPI job did."""

    nodes: list[int]  # by each rank
    tasks: int  # given away
    messages: int


@dataclass(frozen=True)
class Searched:
    """What a search found, and who found it."""

    result: SearchResult
    settings: SearchSettings
    shares: Shares | None = None
    agents: int = 1  # that the player has
    tables: int = 0  # pieces of the endgame tables
    known_win: float = math.inf  # what a win by them counts

    @property
    def nodes(self) -> int:
        """The positions entered, on all processes."""
        return sum(self.shares.nodes) if self.shares else self.result.nodes


def run(
    *,
    game: WhichGame = None,
    players: Players = None,
    fen: Fen = None,
    position: PositionText = None,
    moves: Annotated[
        str, typer.Option(metavar="MOVES", help='Played from there, such as "11-15 22-18".')
    ] = "",
    player: AnyPlayerName = None,
    depth: Depth = None,
    seconds: Annotated[
        float | None, typer.Option(help="Time to search.", show_default="1 without any limit")
    ] = None,
    nodes: Nodes = None,
    algorithm: Annotated[
        Algorithm | None, typer.Option(help="How to search.", show_default="the player's")
    ] = None,
    table_mb: Annotated[
        int | None,
        typer.Option(help="Transposition table size, in MB.", show_default="the player's"),
    ] = None,
    no_table: Annotated[bool, typer.Option("--no-table", help="Remember no positions.")] = False,
    tables: TablesFolder = None,
    no_tables: NoTables = False,
    threads: Annotated[
        int, typer.Option(min=1, max=SETTINGS["threads"].most, help="Threads of each process.")
    ] = 1,
    multipv: Annotated[int, typer.Option(min=1, help="How many best moves to find.")] = 1,
    quiescence: Quiescence = None,
    grain: Annotated[
        int,
        typer.Option(
            min=1, max=SETTINGS["grain"].most, help="Under mpiexec: the least depth to share."
        ),
    ] = mpi_search.DEFAULT_GRAIN,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Find the best move of a position. Ctrl-C ends the search and shows what it found.

    Values are for the side to move: in men, from -1 to 1 if a network speaks; of Duchess they are
    the sums whose sigmoid is the chance to win. All processes search together under mpiexec:
    mpiexec -n 4 crossboard search --depth 22
    """
    limits = SearchLimits(depth=depth, seconds=seconds, nodes=nodes)
    changes: dict[str, Any] = {
        "threads": threads,
        # What a rank is to give away must have been opened to its own threads.
        "grain": min(grain, SearchSettings().grain),
    }
    if algorithm is not None:
        changes["algorithm"] = algorithm
    if quiescence is not None:
        changes["quiescence"] = quiescence
    if table_mb is not None or no_table:
        changes["table_mb"] = _table_mb(table_mb, no_table)
    if limits.is_none:
        limits = SearchLimits(seconds=DEFAULT_SECONDS)

    def prepare() -> tuple[Question, Player]:
        refuse_outside(player)
        named = None if player is None else load_player(player)
        start = find_start(plays_of(player, named), game, players, fen, position)
        question = _question(start, moves, limits, multipv)
        asked = question.position
        who = named or load_player(game_of(asked).usual_player(asked))
        # It searches in its own way but for what was asked for.
        who = who.with_settings(replace(who.settings, **changes))
        remark = print_remark if mpi_job.rank() == 0 else ignore  # once for all processes
        return question, TablesChoice(tables, no_tables).apply(who, remark)

    with Interruption() as interruption:
        # First of all: what is missing on one host must not keep the others waiting for it.
        comm = _find_others(interruption)
        if comm is None:
            question, who = prepare()
            finding: Searched | None = _search_alone(question, who, interruption)
        else:
            question, who = mpi_job.make_everywhere(comm, prepare)
            finding = _search_together(comm, question, who, interruption, grain)
    if finding is None:  # rank 0 has it, and Ctrl-C need not hurry the others
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    else:
        show = _print_json if as_json else _print_for_people
        show(question, finding)
    if interruption.happened:
        raise typer.Exit(INTERRUPTED)


def used(settings: SearchSettings) -> SearchSettings:
    """Return the settings as they are used: plain minimax has no table and one thread."""
    if settings.algorithm != Algorithm.MINIMAX:
        return settings
    return replace(settings, table_mb=0, threads=1)


def _table_mb(asked: int | None, no_table: bool) -> int:
    if asked is None:
        return 0
    if no_table:
        raise ValueError("--table-mb and --no-table: it is one or the other")
    if asked < 1:
        raise ValueError(f"--table-mb {asked}: such a table holds nothing; say --no-table")
    if asked > HUGE_MB:
        raise ValueError(f"--table-mb {asked}: no machine has so much memory")
    return asked


def _question(position: AnyPosition, moves: str, limits: SearchLimits, multipv: int) -> Question:
    played: list[Any] = []
    history: list[Any] = []
    for text in whole_text(moves).split():
        played.append(position.parse_move(text))
        history.append(position)
        position = position.after(played[-1])
    if position.is_over:
        text = game_of(position).format(position)
        raise ValueError(f"the game is over: there is no move in {text}")
    best_moves = min(multipv, len(game_of(position).moves(position)))
    return Question(position, played, history, limits, best_moves, wants_lines=multipv > 1)


def _find_others(interruption: Interruption) -> MPI.Intracomm | None:
    """Return the processes that mpiexec has started, None if there is only this one."""
    if not mpi_job.is_under_mpiexec():
        return None
    if interruption.happened:  # who starts MPI now may wait for one who has left
        raise KeyboardInterrupt
    comm = mpi_job.world()
    return comm if comm.Get_size() > 1 else None


def _search_alone(question: Question, player: Player, interruption: Interruption) -> Searched:
    limits = question.limits
    interruption.stop = player.stop
    with passing_time("search", limits.seconds):
        result = player.search(
            question.position,
            limits=limits,
            history=question.history,
            multipv=question.multipv,
        )
    agents = len(player.evaluators)
    remark_damage(player.tables, print_remark)
    told = _told(result, interruption)
    return Searched(
        told,
        player.settings,
        agents=agents,
        tables=pieces_of(player),
        known_win=known_win_of(player, question.position),
    )


def _search_together(
    comm: MPI.Intracomm,
    question: Question,
    player: Player,
    interruption: Interruption,
    grain: int,
) -> Searched | None:
    """Search on all ranks; only rank 0 gets the finding."""
    engine = _make_engines(comm, question, player)
    limits = question.limits
    if limits.nodes:
        # Rank 0 counts its own nodes alone, of which it has an equal share.
        limits = replace(limits, nodes=max(1, limits.nodes // comm.Get_size()))
    if comm.Get_rank() == 0:  # the others end when it tells them
        interruption.stop = player.stop
    shared = mpi_search.search(
        comm,
        engine,
        lambda: engine.search(
            question.position,
            multipv=question.multipv,
            history=question.history,
            **limits.for_engine(),
        ),
        grain=grain,
    )
    damage = comm.gather(None if player.tables is None else player.tables.take_warning())
    if shared is None or damage is None:
        return None
    print_remarks({sentence: None for sentence in damage if sentence})
    result = result_of(
        shared.answer,
        engine,
        player.scale_for(question.position, question.history),
        agent=player.agent_for(question.position, question.history),
        is_depth_asked=limits.depth is not None,
    )
    shares = Shares(shared.nodes, sum(shared.tasks), sum(shared.messages))
    agents = len(player.evaluators)
    told = _told(result, interruption)
    known_win = known_win_of(player, question.position)
    return Searched(told, player.settings, shares, agents, pieces_of(player), known_win)


def pieces_of(player: Player) -> int:
    """Return up to how many pieces a player's endgame tables go, 0 without any."""
    return 0 if player.tables is None else int(player.tables.pieces)


def _make_engines(comm: MPI.Intracomm, question: Question, player: Player) -> mpi_search.Engine:
    """Make this rank's engine with its table; raise ValueError at all ranks if one cannot."""

    def make() -> mpi_search.Engine:
        if not player.is_searcher:
            raise ValueError(f"{player.name} does not search: many processes find no better move")
        if isinstance(player, LevelPlayer):
            raise ValueError(f"{player.name} is a level, for which one process searches")
        return player.engine_for(question.position, question.history)

    mpi_job.check_memory(comm, used(player.settings).table_mb)
    return mpi_job.make_everywhere(comm, make)


def _told(result: SearchResult, interruption: Interruption) -> SearchResult:
    return result._replace(stopped=result.stopped or interruption.happened)


def _print_json(question: Question, finding: Searched) -> None:
    result, position = finding.result, question.position
    told: dict[str, Any] = game_of(position).as_json(position) | _line_as_json(result.lines[0])
    told |= {"depth": result.depth, "selective_depth": result.selective_depth}
    told |= {"nodes": finding.nodes, "seconds": result.seconds, "stopped": result.stopped}
    told |= {"agent": result.agent}
    settings = used(finding.settings)
    told |= {"algorithm": str(settings.algorithm), "threads": settings.threads}
    told |= {"table_mb": settings.table_mb, "tables": finding.tables}
    if question.wants_lines:
        told["lines"] = [_line_as_json(line) for line in result.lines]
    if shares := finding.shares:
        told |= {"ranks": len(shares.nodes), "nodes_by_rank": shares.nodes}
        told |= {"tasks": shares.tasks, "messages": shares.messages}
    print(json.dumps(told))


def _line_as_json(line: Line) -> dict[str, Any]:
    return {
        "move": str(line.move),
        "value": line.value,
        "win_in": line.win_in,
        "pv": [str(move) for move in line.pv],
    }


def _print_for_people(question: Question, finding: Searched) -> None:
    from rich.console import Console  # it takes its time, which --json need not wait

    console = Console(highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        _print_board(console, question)
    for label, text in _describe(question, finding):
        style = "bold" if label == "best" else None
        console.print(f"{label:<8}  {text}", style=style, soft_wrap=not console.is_terminal)


def _print_board(console: Console, question: Question) -> None:
    from crossboard.cli.board import draw_any

    last_move = question.moves[-1] if question.moves else None
    console.print(draw_any(question.position, console, last_move), end="\n\n", soft_wrap=True)


def _describe(question: Question, finding: Searched) -> Iterator[tuple[str, str]]:
    """Yield what to tell people, with a label each."""
    result, position = finding.result, question.position
    game = game_of(position)
    yield "position", game.format(position)
    for number, line in enumerate(result.lines, 1):
        value = format_value(line.value, line.win_in, finding.known_win)
        yield (
            "best" if number == 1 else f"{number}.",
            f"{game.format_move(position, line.move)}  {value}",
        )
        yield "line", format_line(position, line.pv)
    if finding.agents > 1:
        yield "agent", one_line(result.agent)
    stopped = ", stopped" if result.stopped else ""
    captures = f", captures up to {result.selective_depth}" if finding.settings.quiescence else ""
    yield "depth", f"{result.depth}{captures}{stopped}"
    yield "nodes", format_speed(finding.nodes, result.seconds)
    if finding.tables:
        yield "tables", f"endgames of up to {counted(finding.tables, 'piece')}"
    if shares := finding.shares:
        nodes = ", ".join(f"{count:,}" for count in shares.nodes)
        yield "ranks", f"{len(shares.nodes)}, with {nodes} nodes"
        yield "messages", f"{shares.messages:,}, for {counted(shares.tasks, 'task')}"
