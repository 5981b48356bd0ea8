"""`crossboard train`: let a system teach itself to play."""

from __future__ import annotations

import json
import sys
import time
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crossboard.cli import INTERRUPTED
from crossboard.cli.convert import ResultConvention
from crossboard.cli.match import Dask, Mpi, Workers
from crossboard.cli.progress import Bar
from crossboard.cli.remarks import print_remarks
from crossboard.farm import mpi_job
from crossboard.play.wording import command_line, counted, one_line

# Every command pays for what is imported here, so systems are imported by those who need them.
if TYPE_CHECKING:
    from crossboard.farm.company import Company
    from crossboard.farm.executors import Farm
    from crossboard.systems.trained import Trained
    from crossboard.systems.training import Progress, Training

REFUSED = 2
FILES = "Files of NeuroDraughts (1997)"
LINES = 20  # of a training, where there is no terminal


def run(
    system: Annotated[
        str | None,
        typer.Argument(metavar="[SYSTEM]", help="Which one; `crossboard train --list` has them."),
    ] = None,
    *,
    games: Annotated[
        int | None, typer.Option(min=1, help="How many to learn from.", show_default="the preset's")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="For all that is random.", show_default="1"),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help="published: the paper's; tuned: ours.",
            show_default="tuned, or published with a set-up of 1997",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A small size: it ends within three minutes.")
    ] = False,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=1, help="Learn for so long, earlier sittings included.", show_default="all games"
        ),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--run", metavar="FOLDER", help="Where its run is kept.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume the run in --run FOLDER.")
    ] = False,
    workers: Workers = None,
    mpi: Mpi = False,
    dask: Dask = None,
    create: Annotated[
        Path | None, typer.Option(help="A creation or network file.", rich_help_panel=FILES)
    ] = None,
    params: Annotated[
        Path | None, typer.Option(help="A parameter file.", rich_help_panel=FILES)
    ] = None,
    boards: Annotated[
        Path | None, typer.Option(help="A board file.", rich_help_panel=FILES)
    ] = None,
    features: Annotated[
        Path | None, typer.Option(help="A feature file.", rich_help_panel=FILES)
    ] = None,
    training_file: Annotated[
        Path | None,
        typer.Option("--training", help="Games of experts: PDN or .trn.", rich_help_panel=FILES),
    ] = None,
    epochs: Annotated[
        int | None,
        typer.Option(min=1, help="How often experts' games are learnt.", rich_help_panel=FILES),
    ] = None,
    result_convention: Annotated[
        ResultConvention | None,
        typer.Option(
            help="Whose win 1-0 is in experts' PDN.",
            show_default="black-first",
            rich_help_panel=FILES,
        ),
    ] = None,
    stage: Annotated[
        int | None, typer.Option(min=1, max=3, help="Of Duchess: that stage of the preset.")
    ] = None,
    tensorboard: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write TensorBoard logs to this folder."),
    ] = None,
    show_list: Annotated[
        bool, typer.Option("--list", help="List systems, presets and settings.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Train a player that teaches itself, and let it play a match at the end.

    A set-up of 1997 runs as it is: --create, --params, --boards, --features.

    After Ctrl-C or a crash, --resume continues; the result is that of an uninterrupted run.
    """
    if show_list:
        print_list(system, as_json)
        return
    from crossboard.farm.executors import farm, with_learners
    from crossboard.runs import ConfigDiffers
    from crossboard.systems.neurodraughts_setup import SetUp
    from crossboard.systems.training_request import TrainingRequest

    request = TrainingRequest(
        system=system,
        preset=preset,
        stage=stage,
        seed=seed,
        games=games,
        quick=quick,
        changes=tuple(changes or ()),
        result_convention=result_convention,
        setup=SetUp(
            create=create,
            params=params,
            boards=boards,
            features=features,
            training=training_file,
            epochs=epochs,
        ),
        folder=folder,
        resume=resume,
        spreads_games=mpi,
    )
    training, remarks = request.choose()
    training = replace(training, seconds=seconds)
    if mpi_job.rank() == 0:
        print_remarks(remarks)
    with farm(workers, mpi=mpi, dask=dask) as found:
        if found is None:  # a process that only plays
            return
        company = None if mpi else make_company(training)
        if company is not None and not company.is_leader:
            training.follow(found, company)
            return
        try:
            with with_learners(found, is_here=not mpi and dask is None) as learning:
                trained = conduct(training, learning, company, resume=resume, board=tensorboard)
        except ConfigDiffers as error:
            alone = command_line("train", "--run", training.folder, "--resume")
            raise ConfigDiffers(f"{error} ({alone}, with nothing else, does)") from None
    if as_json:
        print(json.dumps(trained.as_json()))
    else:
        print_trained(trained)


def conduct(
    training: Training,
    found: Farm,
    company: Company | None,
    *,
    resume: bool,
    board: Path | None = None,
) -> Trained:
    """Train with a bar, or with a line now and then where there is no terminal."""
    from crossboard.farm.executors import naming_killed_learners
    from crossboard.runs.tensorboard import TensorBoardSink
    from crossboard.systems.training import is_run

    total = training.settings.games
    sink = nullcontext() if board is None else TensorBoardSink(board)
    began, has_lines, told = time.monotonic(), not sys.stderr.isatty(), 0
    with Bar(training.recipe.name, total, known_long=True) as bar, sink as tell:

        def show(progress: Progress) -> None:
            nonlocal told
            if tell is not None and progress.is_news:
                exam = {} if progress.exam is None else {"exam": progress.exam}
                tell(progress.games, {**progress.measured, **exam})
            seconds = time.monotonic() - began
            pace = partial(describe_pace, progress, seconds)
            bar.update(progress.games, pace, partial(describe, progress))
            # Blocks of games may step over a twentieth of all.
            due = LINES * progress.games // total
            if has_lines and due > told and progress.games > progress.before:
                left = f"{time_left(progress, seconds)} left"
                print("  ".join([pace(), left, describe(progress)]).rstrip(), file=sys.stderr)
            told = due

        limit = () if training.seconds is None else ("--seconds", f"{training.seconds:g}")
        again = command_line("train", "--run", training.folder, *limit, "--resume")
        try:
            with naming_killed_learners(f"continue with: {again}"):
                return training.conduct(
                    found,
                    resume=resume,
                    company=company,
                    on_progress=show,
                    tell=lambda text: bar.print(one_line(text)),
                )
        except KeyboardInterrupt:
            print(f"stopped; continue with: {again}", file=sys.stderr)
            if company is not None:
                company.abandon(INTERRUPTED)
            raise typer.Exit(INTERRUPTED) from None
        except (ValueError, OSError) as error:
            if isinstance(error, OSError) and is_run(training.folder):
                print(f"after fixing this, continue with: {again}", file=sys.stderr)
            if company is not None:
                print(f"crossboard: {one_line(str(error))}", file=sys.stderr, flush=True)
                company.abandon(REFUSED)
            raise


def make_company(training: Training) -> Company | None:
    """Return the processes that mpiexec has started, None if there is only this one."""
    if not mpi_job.is_under_mpiexec():
        return None
    name, has_rounds = training.recipe.name, getattr(training.settings, "round_size", 1) > 1
    if not training.recipe.shares_searches:
        is_spread = has_rounds or training.recipe.spreads_work
        instead = "say --mpi to spread its games, or start it" if is_spread else "start it"
        raise ValueError(
            f"{name} shares no searches, so that every process would train the same player: "
            f"{instead} without mpiexec"
        )
    if getattr(training.settings, "algorithm", "") == "minimax":
        raise ValueError(
            "minimax is searched by one process alone, so that the others would wait: "
            "say --set algorithm=alphabeta, or start it without mpiexec"
        )
    if has_rounds:
        raise ValueError(
            f"{name} plays rounds of games: say --mpi to spread them, "
            "or --set round_size=1 to share every search"
        )
    from crossboard.farm.company import Company

    return Company(mpi_job.world())


def describe_pace(progress: Progress, seconds: float) -> str:
    """Say how many games there were, and how fast in so many seconds of this sitting."""
    rate = games_per_second(progress, seconds)
    told = f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"
    return f"{progress.games:,} of {counted(progress.total, 'game')}  {told} games/s"


def describe(progress: Progress) -> str:
    """Say in a few words how it goes."""
    measured = progress.measured
    clones = measured.get("clones")
    words = [] if clones is None else [counted(round(clones), "clone")]
    told = {"moves": "moves", "plies": "plies", "pieces": "pieces", "pieces_left": "pieces left"}
    words += [f"{word} {measured[name]:.1f}" for name, word in told.items() if name in measured]
    if "distinct" in measured:
        words.append(f"best {measured['best']:.4g}  different {measured['distinct']:.0f}")
    if "features" in measured:
        words.append(f"features {measured['features']:.0f}")
    if "test_points" in measured:
        words.append(f"test {measured['test_points']:.0f}")
    if "max_error" in measured:
        words.append(f"largest error {measured['max_error']:.3f}")
    if progress.exam is not None:
        words.append(f"exam {progress.exam:.2f}")
    return "  ".join(words)


def games_per_second(progress: Progress, seconds: float) -> float:
    """Return how fast this sitting is; what was played before it does not count."""
    return (progress.games - progress.before) / max(seconds, 1e-9)


def time_left(progress: Progress, seconds: float) -> timedelta:
    """Return how long the rest takes if it goes on like this."""
    games = max(0, progress.total - progress.games)
    return timedelta(seconds=round(games / games_per_second(progress, seconds)))


def print_trained(trained: Trained) -> None:
    """Tell people what came out, and what to do with it."""
    from crossboard.arena.openings import BALLOTS
    from crossboard.players import load_player
    from crossboard.systems.exams import EXAM_DEPTH, FINAL_SEED
    from crossboard.systems.training_report import format_quiescence

    final = trained.final
    depth = final.get("depth", EXAM_DEPTH)
    if trained.was_finished:
        print("finished before; to train once more choose another --seed or --run")
    print(
        f"Against {final['other']} at depth {depth}, both {format_quiescence(final)}: "
        f"{final['wins']} won, {final['draws']} drawn, {final['losses']} lost of {final['games']}; "
        f"Elo {final['elo']:+.0f} ({final['elo_low']:+.0f} to {final['elo_high']:+.0f})"
    )
    if trained.conclusion:
        print(trained.conclusion)
    player = trained.player_folder
    print(f"report  {one_line(str(trained.folder / 'report.md'))}")
    print(f"play    {command_line('play', '--terminal', '--opponent', player)}")
    # The same games once more.
    openings = final.get("openings", BALLOTS)  # all of them, in runs that do not say
    quiescence = "--quiescence" if final.get("quiescence") else "--no-quiescence"
    terms = ["--depth", depth, quiescence, "--openings", openings]
    terms += ["--games", final["games"], "--seed", FINAL_SEED]
    terms += ["--no-tables"] if load_player(player).settings.tables else []
    print(f"match   {command_line('match', player, final['other'], *terms)}")


def print_list(system: str | None, as_json: bool) -> None:
    """Print one system or all, and what can be set of them, by preset where they differ."""
    from crossboard.systems.recipes import (
        DEFAULT_PRESET,
        all_recipes,
        find_recipe,
        format_value,
    )

    recipes = all_recipes() if system is None else [find_recipe(system)]
    if as_json:
        told = [
            {
                "name": recipe.name,
                "paper": recipe.paper,
                "summary": recipe.summary,
                "presets": {
                    name: settings.model_dump() for name, settings in recipe.presets.items()
                },
                "quick": {name: dict(changes) for name, changes in recipe.quick.items()},
            }
            for recipe in recipes
        ]
        print(json.dumps({"systems": told}))
        return
    for recipe in recipes:
        print(f"{recipe.name}: {recipe.summary} ({recipe.paper})")
        differing = [name for name in recipe.presets if name != DEFAULT_PRESET]
        print(f"  {'presets':<16} {'; '.join([DEFAULT_PRESET, *differing])}")
        values = {name: settings.model_dump() for name, settings in recipe.presets.items()}
        usual = values[DEFAULT_PRESET]
        for key, value in usual.items():
            others = [
                f"{name} {format_value(settings[key])}"
                for name, settings in values.items()
                if settings[key] != value
            ]
            print(f"  {key:<16} {'; '.join([format_value(value), *others])}")
        for name, changes in recipe.quick.items():
            smaller = ", ".join(f"{key} {format_value(value)}" for key, value in changes.items())
            print(f"  {'--quick':<16} {name}: {smaller or 'as it is'}")
