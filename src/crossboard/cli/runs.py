"""`crossboard runs`: what runs there are, their curves, and export."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import typer

from crossboard.cli.figures import figure_kind
from crossboard.cli.files import STANDARD_STREAM, writing
from crossboard.play.wording import counted, one_line

# Every command pays for what is imported here, so runs are imported by those who need them.
if TYPE_CHECKING:
    from crossboard.runs import RunSummary

DEFAULT_FOLDER = Path("runs")
NAME_COLUMNS = 24  # of a metric's name, at most
LEAST_COLUMNS = 10  # of a curve
PLOT_LINES = 12

RunName: TypeAlias = Annotated[
    str, typer.Argument(metavar="RUN", help="A run's name, or its folder.")
]
Folder: TypeAlias = Annotated[
    Path | None, typer.Option(help="Where the runs are.", show_default=str(DEFAULT_FOLDER))
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class Shared(NamedTuple):
    """Options given before `show` or `export`, which mean the same there as behind them."""

    folder: Path | None
    as_json: bool


app = typer.Typer(help="List runs, show their curves, export their figures.")


@app.callback(invoke_without_command=True)
def run(context: typer.Context, *, folder: Folder = None, as_json: Json = False) -> None:
    """List runs; show their curves (`show`), export their figures (`export`)."""
    context.obj = Shared(folder, as_json)
    if context.invoked_subcommand is not None:
        return
    from crossboard.runs import list_runs

    place = folder or DEFAULT_FOLDER
    found = list_runs(place)
    if as_json:
        print(json.dumps({"folder": str(place), "runs": [one.as_json() for one in found]}))
    elif found:
        print_list(found)
    else:
        print(f"there are no runs in {one_line(str(place))}")


@app.command("show")
def show(
    context: typer.Context,
    name: RunName,
    *,
    metric: Annotated[
        str | None, typer.Option(help="Only this one, larger.", show_default="all")
    ] = None,
    figure: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the curves: .png or .svg.")
    ] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Show a run's settings and curves, in the terminal or as a figure."""
    from crossboard.runs import Run, find_run, summarise
    from crossboard.runs.curves import draw_curves, figure_bytes
    from crossboard.runs.metrics import series
    from crossboard.runs.run import CONFIG, REPORT

    as_json |= context.obj.as_json
    kind = figure_kind(figure)
    opened = Run.open(find_run(name, _place(context, folder)))
    lines = opened.metrics()
    curves = series(lines)
    if metric is not None:
        if metric not in curves:
            raise ValueError(f"{name} has no metric {metric!r}: it has {', '.join(curves) or 'no'}")
        curves = {metric: curves[metric]}
        lines = [line for line in lines if metric in line]
    summary = summarise(opened.folder)
    if figure is not None:
        kept = [{key: line[key] for key in ("step", *curves) if key in line} for line in lines]
        with writing(figure) as target:
            target.write_bytes(figure_bytes(draw_curves(kept, summary.name), kind))
    if as_json:
        told: dict[str, Any] = summary.as_json() | {"config": opened.config}
        told["metrics"] = {
            key: {"steps": steps, "values": values} for key, (steps, values) in curves.items()
        }
        print(json.dumps(told | {"figure": figure}))
        return
    print_summary(summary)
    print(f"settings  {one_line(_format_settings(opened.config))}")
    if any(isinstance(value, dict) for value in opened.config.values()):
        print(f"          all of them: {one_line(str(opened.folder / CONFIG))}")
    if (opened.folder / REPORT).exists():
        print(f"report    {one_line(str(opened.folder / REPORT))}")
    print_curves(curves, lines=PLOT_LINES if metric else 1)
    if figure is not None:
        print(f"figure    {one_line(figure)}")


@app.command("export")
def export(
    context: typer.Context,
    name: RunName,
    *,
    table: Annotated[
        str | None,
        typer.Option("--csv", metavar="FILE", help="Write a table; - is standard output."),
    ] = None,
    tensorboard: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write what TensorBoard reads (needs tensorboardX)."),
    ] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Write all metrics of a run as CSV, or for TensorBoard."""
    from crossboard.runs import Run, find_run
    from crossboard.runs.curves import format_csv

    as_json |= context.obj.as_json
    if table is None and tensorboard is None:
        raise ValueError("export where to? say --csv FILE or --tensorboard FOLDER")
    if as_json and table == STANDARD_STREAM:
        raise ValueError("--json with --csv - would mix both on stdout: name a file")
    opened = Run.open(find_run(name, _place(context, folder)))
    lines = opened.metrics()
    if table is not None:
        with writing(table) as target:
            target.write(format_csv(lines))
    if tensorboard is not None:
        from crossboard.runs.tensorboard import export as export_to_tensorboard

        export_to_tensorboard(lines, tensorboard)
    if as_json:
        told = {"run": str(opened.folder), "lines": len(lines), "csv": table}
        told["tensorboard"] = None if tensorboard is None else str(tensorboard)
        print(json.dumps(told))
    elif table != STANDARD_STREAM:
        print(f"{counted(len(lines), 'line')} of {one_line(str(opened.folder))} written")


def _format_settings(config: dict[str, Any]) -> str:
    """Write what fits into a line or two; tables of dozens stay where they are."""
    told = {key: value for key, value in config.items() if not isinstance(value, dict)}
    return ", ".join(f"{key} = {value}" for key, value in told.items())


def _place(context: typer.Context, folder: Path | None) -> Path:
    shared: Shared = context.obj
    return folder or shared.folder or DEFAULT_FOLDER


def print_list(found: list[RunSummary]) -> None:
    """Print a line for each run."""
    rows = [("run", "status", "step", "time", "")]
    for one in found:
        note = one.problem or one.holder or _format_last(one.last or {})
        step = "-" if one.step is None else f"{one.step:,}"
        row = (one.name, str(one.status), step, _format_seconds(one.seconds), note)
        rows.append((one_line(row[0]), *row[1:4], one_line(note)))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for name, status, step, seconds, note in rows:
        line = f"{name:<{widths[0]}}  {status:<{widths[1]}}  {step:>{widths[2]}}  "
        print(_fit(f"{line}{seconds:>{widths[3]}}  {note}".rstrip()))


def print_summary(summary: RunSummary) -> None:
    """Print how a run is."""
    print(f"run       {one_line(summary.folder)}")
    holder = f" ({one_line(summary.holder)})" if summary.holder else ""
    print(f"status    {summary.status}{holder}")
    print(f"step      {'none saved yet' if summary.step is None else f'{summary.step:,}'}")
    print(f"time      {_format_seconds(summary.seconds)}")


def print_curves(curves: dict[str, tuple[list[int], list[float]]], *, lines: int) -> None:
    """Print each metric as wide as the terminal is: its curve, its range and its last value."""
    from crossboard.runs.curves import plot

    if not curves:
        print("there are no metrics")
        return
    labels = {name: one_line(name)[:NAME_COLUMNS] for name in curves}
    room = max(map(len, labels.values()))
    numbers = {
        name: f"{min(values):.5g} to {max(values):.5g}, last {values[-1]:.5g}"
        for name, (_, values) in curves.items()
    }
    beside = room + 4 + max(map(len, numbers.values()))
    width = max(LEAST_COLUMNS, _terminal_columns() - (beside if lines == 1 else 0))
    for name, (steps, values) in curves.items():
        drawn = plot(values, width, lines, blocks=_blocks())
        if lines == 1:
            print(
                f"{labels[name]:<{room}}  {drawn[0]:<{min(width, _longest(curves))}}  "
                f"{numbers[name]}"
            )
            continue
        print(f"{labels[name]}: {numbers[name]}")
        print("\n".join(line.rstrip() for line in drawn))
        print(f"steps {steps[0]:,} to {steps[-1]:,}")


def _longest(curves: dict[str, tuple[list[int], list[float]]]) -> int:
    return max(len(values) for _, values in curves.values())


def _blocks() -> str:
    from crossboard.runs.curves import BLOCKS, PLAIN_BLOCKS

    try:
        BLOCKS.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return PLAIN_BLOCKS
    return BLOCKS


def _terminal_columns() -> int:
    return shutil.get_terminal_size().columns


def _fit(line: str) -> str:
    # Only a terminal cuts; a file takes all.
    return line[: _terminal_columns()] if os.isatty(1) else line


def _format_last(last: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.5g}" for name, value in last.items())


def _format_seconds(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
