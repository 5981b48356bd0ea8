"""Measures and reports: python -m benchmarks."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from benchmarks import (
    arena,
    champion,
    clock,
    duchess,
    evaluation,
    evolution,
    feature_choice,
    mp_draughts,
    page,
    pdn,
    report,
    rules,
    search,
    selective,
    startup,
    tables,
    training,
)
from benchmarks.measure import QUICK, MeasurementError, Row, Settings

BENCHMARKS: dict[str, Callable[[Settings], list[Row]]] = {
    "perft": rules.perft,
    "legal_moves": rules.legal_moves,
    "random_games": rules.random_games,
    "pdn": pdn.pdn,
    "import_time": startup.import_time,
    "evaluations": evaluation.evaluations,
    "network_search": evaluation.network_search,
    "many_evaluators": evaluation.many_evaluators,
    "search_speed": search.speed,
    "time_to_depth": search.time_to_depth,
    "switches": search.switches,
    "selective_nodes": selective.nodes,
    "selective_seconds": selective.seconds,
    "two_threads": search.two_threads,
    "two_ranks": search.two_ranks,
    "ten_ranks": search.ten_ranks,
    "duchess_perft": duchess.perft,
    "duchess_search": duchess.search,
    "duchess_cumulative": duchess.cumulative,
    "duchess_switches": duchess.switches,
    "duchess_training": duchess.training,
    "duchess_depths": duchess.depths,
    "draft5_day": arena.draft5_day,
    "match_overhead": arena.match_overhead,
    "farms": arena.farms,
    "training_games": training.training_games,
    "network_depth": training.network_depth,
    "side_by_side": training.side_by_side,
    "learners_share": training.learners_share,
    "draft5_evolution": evolution.draft5_evolution,
    "mp_draughts": mp_draughts.stages,
    "ls_draughts": feature_choice.ls_draughts,
    "games_in_time": clock.games_in_time,
    "champion_labels": champion.labelling,
    "champion_search": champion.evaluation,
    "champion_fit": champion.fitting,
    "page_first_view": page.first_view,
    "page_clicks": page.clicks,
    "page_games": page.many_games,
    "tables": tables.small,
    "tables_six": tables.large,
}
# Of those that take a quarter of an hour: measured when --only names them.
ON_REQUEST = {"tables_six"}


def main() -> None:
    """Run the benchmarks that the command line asks for."""
    options = parse_options()
    settings = replace(QUICK if options.quick else Settings(), references=tuple(options.reference))
    machine = report.describe_machine()
    rows: list[Row] = []
    with Console(stderr=True).status("") as status:
        for name in options.only or [name for name in BENCHMARKS if name not in ON_REQUEST]:
            status.update(f"measuring {name}")
            try:
                rows += BENCHMARKS[name](settings)
            except MeasurementError as error:
                print(error, file=sys.stderr)
                sys.exit(2)
    if options.json:
        print(report.format_json(machine, rows))
    elif options.markdown:
        print(report.format_markdown(machine, rows))
    else:
        report.print_table(machine, rows)


def parse_options() -> Namespace:
    """Read the command line."""
    parser = ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="try everything once, briefly")
    parser.add_argument("--only", action="append", choices=BENCHMARKS, help="may be repeated")
    parser.add_argument(
        "--reference",
        type=Path,
        action="append",
        default=[],
        metavar="SOURCE.cpp",
        help="a perft program to beat as well: takes the depth, prints leaves and leaves/s",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON document")
    form.add_argument("--markdown", action="store_true", help="print Markdown, for the ledger")
    return parser.parse_args()


if __name__ == "__main__":
    main()
