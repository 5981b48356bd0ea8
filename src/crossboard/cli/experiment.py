"""`crossboard experiment`: measure a paper's table again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crossboard.cli import INTERRUPTED
from crossboard.cli.convert import ResultConvention
from crossboard.cli.match import Dask, Mpi
from crossboard.cli.runs import DEFAULT_FOLDER
from crossboard.cli.sitting import gathering
from crossboard.farm.executors import naming_killed_learners, with_learners
from crossboard.play.wording import one_line

# Every command pays for what is imported here, so systems are imported by those who need them.
if TYPE_CHECKING:
    from crossboard.experiments import ExperimentResult, GivenGames


def run(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Which one; without it they are listed.")
    ] = None,
    *,
    quick: Annotated[bool, typer.Option("--quick", help="A small size: minutes.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="For all that is random.")] = 1,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="How many at a time.", show_default="one for each processor"),
    ] = None,
    mpi: Mpi = False,
    dask: Dask = None,
    folder: Annotated[
        Path | None, typer.Option("--run", metavar="FOLDER", help="Where its run is kept.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="No effect: experiments always resume.")
    ] = False,
    source: Annotated[
        Path | None,
        typer.Option("--games", metavar="FILE", help="Games to learn from, where any are."),
    ] = None,
    result_convention: Annotated[
        ResultConvention | None,
        typer.Option(help="Whose win 1-0 is in those games.", show_default="black-first"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure what a paper published, and say whether it holds.

    After Ctrl-C the same command resumes it; a finished experiment only prints its report.
    """
    from crossboard.experiments import conduct, find_experiment

    if name is None:
        print_list(as_json)
        return
    experiment = find_experiment(name)
    games = given_games(source, result_convention)
    # Some have the name of a system, whose trainings are kept beside them.
    usual = f"experiment-{name}{'-quick' if quick else ''}-seed{seed}"
    place = folder or DEFAULT_FOLDER / usual
    with gathering(workers, mpi=mpi, dask=dask) as found:
        if found is None:  # a process that only helps
            return
        try:
            with (
                naming_killed_learners(f"the same command resumes it from {place}"),
                with_learners(found, is_here=not mpi and dask is None) as learning,
            ):
                outcome = conduct(
                    experiment,
                    place,
                    found.executor,
                    quick=quick,
                    seed=seed,
                    tell=_tell,
                    workers=found.workers,
                    processes=learning.learners,
                    source=games,
                )
        except KeyboardInterrupt:
            print(
                f"stopped; the same command resumes it from {one_line(str(place))}", file=sys.stderr
            )
            found.abandon(INTERRUPTED)
            raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print(json.dumps(outcome.as_json()))
    else:
        print_outcome(outcome)


def given_games(path: Path | None, convention: ResultConvention | None) -> GivenGames | None:
    """Put what was said of a file of games together; raise ValueError if there is no file."""
    from crossboard.experiments import GivenGames

    if path is None and convention is not None:
        raise ValueError("--result-convention is about a file of games: name it with --games")
    return None if path is None else GivenGames(path, convention and str(convention))


def print_list(as_json: bool) -> None:
    """Print which experiments there are."""
    from crossboard.experiments import all_experiments

    known = all_experiments()
    if as_json:
        told = [{"name": e.name, "paper": e.paper, "summary": e.summary} for e in known]
        print(json.dumps({"experiments": told}))
        return
    if not known:
        print("there are no experiments yet")
    room = max((len(experiment.name) for experiment in known), default=0)
    for experiment in known:
        print(f"{experiment.name:<{room}}  {experiment.summary or experiment.paper}")


def print_outcome(outcome: ExperimentResult) -> None:
    """Print published and measured side by side."""
    from crossboard.experiments.report import HEAD, format_row

    if outcome.was_finished:
        print("finished before; to measure once more choose another --seed or --run")
    rows = [HEAD, *(format_row(finding) for finding in outcome.findings)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
    print(f"\n{outcome.experiment.name}: {outcome.verdict}")
    print(f"report  {one_line(str(outcome.folder / 'report.md'))}")


def _tell(text: str) -> None:
    print(one_line(text), file=sys.stderr)
