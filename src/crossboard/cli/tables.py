"""`crossboard tables`: which endgame tables there are, building and checking them."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

import typer

from crossboard.cli import INTERRUPTED
from crossboard.cli.progress import Bar
from crossboard.play.wording import command_line, counted, one_line

# Every command pays for what is imported here.
if TYPE_CHECKING:
    from crossboard.tables import Building, BuildReport

REFUSED = 2
DEFAULT_PIECES = 5
MEGABYTE = 1_000_000

Folder: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="Where the tables are.", show_default="CROSSBOARD_TABLES, or tables"),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class TablesOptions(NamedTuple):
    """Options given before `build` or `verify`, which mean the same there as behind them."""

    folder: Path | None
    as_json: bool


app = typer.Typer(help="List endgame tables, build them, check them.")


@app.callback(invoke_without_command=True)
def run(context: typer.Context, *, folder: Folder = None, as_json: Json = False) -> None:
    """List endgame tables; build them (`build`), check their files (`verify`)."""
    context.obj = TablesOptions(folder, as_json)
    if context.invoked_subcommand is not None:
        return
    from crossboard.tables import EndgameTables, list_slices

    place = _place(context, folder)
    tables = EndgameTables.open(place)
    slices = list_slices(tables)
    if as_json:
        pieces = {"pieces": tables.pieces, "distance_pieces": tables.distance_pieces}
        told = [one.as_json() for one in slices]
        print(json.dumps({"folder": str(place), **pieces, "slices": told}))
        return
    if not slices:
        building = command_line("tables", "build", "--pieces", DEFAULT_PIECES, "--folder", place)
        print(f"there are no tables in {one_line(str(place))}; build them with: {building}")
        return
    print(f"{'men-kings, Black-White':<24}{'positions':>15}{'win':>15}{'draw':>15}{'loss':>15}")
    for one in slices:
        name = "{}-{}  {}-{}".format(*one.slice)
        print(f"{name:<24}{one.positions:>15,}{one.win:>15,}{one.draw:>15,}{one.loss:>15,}")
    print(f"complete up to {counted(tables.pieces, 'piece')}, Black to move")


@app.command("build")
def build(
    context: typer.Context,
    *,
    pieces: Annotated[
        int, typer.Option(min=2, max=7, help="Build all slices with up to so many pieces.")
    ] = DEFAULT_PIECES,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep the slices that are there and whole.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, help="Threads.", show_default="all processors")
    ] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Build tables: win, draw or loss of every position, and how far progress is.

    Stopped by Ctrl-C or killed, finished slices stay, and --resume builds the others.
    """
    from crossboard.farm.executors import count_cores
    from crossboard.tables import Building

    place = _place(context, folder)
    building = Building(place, pieces, workers=workers or count_cores(), resume=resume)
    again = command_line("tables", "build", "--pieces", pieces, "--folder", place, "--resume")
    try:
        report = conduct(building)
    except KeyboardInterrupt:
        print(f"stopped; continue with: {again}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    except OSError:
        print(f"after fixing this, continue with: {again}", file=sys.stderr)
        raise
    if as_json or context.obj.as_json:
        print(json.dumps(report.as_json()))
    else:
        print_report(report)


def conduct(building: Building) -> BuildReport:
    """Build with a bar, or with a line now and then where there is no terminal."""
    began = time.monotonic()
    with Bar("building tables", building.positions, has_lines=True) as bar:

        def show(done: float, name: str) -> None:
            pace = done / 1e6 / max(time.monotonic() - began, 1e-9)
            bar.update(done, f"{pace:,.1f} million positions/s  slice {name}")

        return building.conduct(show)


def print_report(report: BuildReport) -> None:
    """Print what a build has done."""
    print(f"folder     {one_line(report.folder)}")
    print(f"slices     {report.slices:,} built, {report.kept:,} kept")
    print(f"positions  {report.positions:,} in {report.seconds:,.1f} s")
    print(f"outcomes   {report.outcome_bytes / MEGABYTE:,.1f} MB")
    print(f"distances  {report.distance_bytes / MEGABYTE:,.1f} MB")


@app.command("verify")
def check(context: typer.Context, *, folder: Folder = None, as_json: Json = False) -> None:
    """Check every block of every file against its checksum."""
    from crossboard.tables import verify

    place = _place(context, folder)
    with Bar("checking tables", None) as bar:
        told = verify(place, lambda done, every: bar.update(done, f"of {every} slices"))
    if not told.slices:
        raise ValueError(f"there are no tables in {place}: nothing to verify")
    if as_json or context.obj.as_json:
        print(json.dumps(told.as_json()))
    elif not told.damaged:
        print(f"{counted(told.slices, 'slice')}, {told.positions:,} positions: all files are whole")
    for sentence in told.damaged:
        print(f"crossboard: {one_line(sentence)}", file=sys.stderr)
    if told.damaged:
        raise typer.Exit(REFUSED)


def _place(context: typer.Context, folder: Path | None) -> Path:
    from crossboard.players.endgames import usual_folder

    return folder or context.obj.folder or usual_folder()
