"""Which commands there are, and how every mistake becomes one line and an exit code."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from typer.main import get_command

from crossboard.cli import (
    INTERRUPTED,
    analyse,
    bench,
    convert,
    experiment,
    hub,
    match,
    perft,
    play,
    players,
    runs,
    search,
    tables,
    tournament,
    train,
)
from crossboard.farm import mpi_job
from crossboard.play.wording import one_line

REFUSED = 2  # what was asked for cannot be done
# What the processes of mpiexec do together; of anything else one of them is enough.
SHARED = ("search", "train", "match", "tournament", "experiment")

app = typer.Typer(
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Try first:  [bold]crossboard play[/]   a game of draughts in the terminal\n\n"
    "Then:  [bold]crossboard search[/]   the best move of a position, and how good it is",
    rich_markup_mode="rich",
)
app.command("play")(play.run)
app.command("analyse")(analyse.run)
app.command("search")(search.run)
app.command("train")(train.run)
app.command("match")(match.run)
app.command("tournament")(tournament.run)
app.command("players")(players.run)
app.command("perft")(perft.run)
app.command("convert")(convert.run)
app.command("experiment")(experiment.run)
app.command("bench")(bench.run)
app.command("hub")(hub.run)
app.add_typer(runs.app, name="runs")
app.add_typer(tables.app, name="tables")


def print_version(asked: bool) -> None:
    """Print the version and leave, if it was asked for."""
    if asked:
        from importlib.metadata import version

        print(f"crossboard {version('crossboard')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def show_help(
    context: typer.Context,
    *,
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=print_version, is_eager=True),
    ] = False,
) -> None:
    """Play draughts and Duchess against players that teach themselves; train, search, measure."""
    if mpi_job.rank() > 0 and context.invoked_subcommand not in SHARED:
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run one command line; return its exit code, after one line on stderr if it is refused."""
    try:
        code = _invoke(list(arguments))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except typer.TyperException as error:
        return _refuse(_explain_usage(error))
    except OSError as error:
        return _refuse(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except ValueError as error:
        return _refuse(str(error))
    except MemoryError:
        return _refuse("there is not enough memory")
    except SystemExit:  # rich's answer to a broken pipe
        return _refuse(f"standard output: {os.strerror(errno.EPIPE)}")
    return code


def _invoke(arguments: list[str]) -> int:
    # Not app(): it would swallow a broken pipe before `run` sees it.
    command = get_command(app)
    try:
        with command.make_context("crossboard", arguments) as context:
            command.invoke(context)
    except typer.Exit as leave:
        return leave.exit_code
    return 0


def _explain_usage(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "crossboard"
    message = error.format_message().replace("Value error, ", "").rstrip(".")
    return f"{message} (see {command} --help)"


def _refuse(message: str) -> int:
    _give_up_on_broken_output()
    if mpi_job.rank() == 0:  # one line, however many processes refuse
        print(f"crossboard: {one_line(message)}", file=sys.stderr)
    return REFUSED


def _give_up_on_broken_output() -> None:
    # What could not be written would be tried again at exit, and fail again with a traceback.
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
