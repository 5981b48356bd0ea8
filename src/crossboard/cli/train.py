"""`crossboard train`: let a system teach itself to play."""

from __future__ import annotations

import json
import shlex
import sys
import time
from contextlib import nullcontext
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crossboard.cli import INTERRUPTED
from crossboard.cli.convert import ResultConvention
from crossboard.cli.match import Dask, Mpi, Workers
from crossboard.cli.progress import Bar
from crossboard.cli.runs import DEFAULT_FOLDER
from crossboard.farm import mpi_job
from crossboard.play.wording import command_line, counted, one_line

# Every command pays for what is imported here, so systems are imported by those who need them.
if TYPE_CHECKING:
    from crossboard.farm.company import Company
    from crossboard.farm.executors import Farm
    from crossboard.systems.neurodraughts_setup import SetUp
    from crossboard.systems.recipes import Recipe, RecipeSettings
    from crossboard.systems.training import Progress, Trained, Training

DEFAULT_SEED = 1
REFUSED = 2
EXPERTS = "experts"  # the system that learns from given games
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
        typer.Option(min=0, help="For all that is random.", show_default=str(DEFAULT_SEED)),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help="published: the paper's; tuned: ours.",
            show_default="tuned, or published with a set-up of 1997",
        ),
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--run", metavar="FOLDER", help="Where its run is kept.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a run; --run alone says which.")
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
        typer.Option(metavar="FOLDER", help="Tell TensorBoard while it learns."),
    ] = None,
    show_list: Annotated[
        bool, typer.Option("--list", help="List systems, presets and settings.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Train a player that teaches itself, and let it play a match at the end.

    A set-up of 1997 runs as it is: --create, --params, --boards, --features.

    Stopped by Ctrl-C or killed, --resume goes on and ends where an undisturbed run ends.
    """
    from crossboard.farm.executors import farm
    from crossboard.runs import ConfigDiffers
    from crossboard.systems.neurodraughts_setup import SetUp
    from crossboard.systems.recipes import (
        DEFAULT_PRESET,
        DEFAULT_SYSTEM,
        all_recipes,
        find_recipe,
    )
    from crossboard.systems.training import begun_recipe, is_run, resumed

    if show_list:
        print_list(all_recipes() if system is None else [find_recipe(system)], as_json)
        return
    if games is not None and any(change.startswith("games=") for change in changes or []):
        raise ValueError("--games and --set games= say the same: give one of them")
    if resume and folder is not None and is_run(folder):
        recipe = begun_recipe(folder, system)
    else:
        recipe = find_recipe(system or DEFAULT_SYSTEM)
    asked = [*(changes or []), *([] if games is None else [f"games={games}"])]
    asked += convention_change(recipe, result_convention)
    setup = SetUp(
        create=create,
        params=params,
        boards=boards,
        features=features,
        training=training_file,
        epochs=epochs,
    )
    label = "-".join([recipe.name, *stage_words(preset, stage)])
    if stage is not None:
        preset = staged_preset(recipe, preset, stage)
    chosen = preset or ("published" if setup.is_old else DEFAULT_PRESET)
    drawn = DEFAULT_SEED if seed is None else seed
    usual = DEFAULT_FOLDER / f"{label}-seed{drawn}"
    place = folder or (usual if resume else free_folder(usual))
    says_how = (seed, preset, asked) != (None, None, []) or not setup.is_empty
    if resume and folder is not None and not says_how and system is None and not is_run(folder):
        raise ValueError(f"{folder}: there is no run to go on with, and nothing says what to begin")
    if resume and is_run(place) and not says_how:
        training = resumed(place, system)
    else:
        if not mpi:
            asked += one_thread_a_process(recipe, chosen, asked)
        training = make_training(recipe, chosen, asked, drawn, place, setup)
    if mpi_job.rank() == 0:
        if resume and not is_run(place):
            print(f"there is no run in {place}: a new one begins", file=sys.stderr)
        elif folder is None and place != usual:
            print(f"{usual} is there already; this run is kept in {place}", file=sys.stderr)
    with farm(workers, mpi=mpi, dask=dask) as found:
        if found is None:  # a process that only plays
            return
        company = None if mpi else make_company(training)
        if company is not None and not company.is_leader:
            training.follow(found, company)
            return
        try:
            trained = conduct(training, found, company, resume=resume, board=tensorboard)
        except ConfigDiffers as error:
            alone = command_line("train", "--run", place, "--resume")
            raise ConfigDiffers(f"{error} ({alone}, with nothing else, does)") from None
    if as_json:
        print(json.dumps(trained.as_json()))
    else:
        print_trained(trained)


def convention_change(recipe: Recipe, convention: ResultConvention | None) -> list[str]:
    """Return the setting that says whose win 1-0 is; raise ValueError where no results are read."""
    if convention is None:
        return []
    if recipe.name != EXPERTS:
        raise ValueError(f"--result-convention is for the system {EXPERTS}")
    return [f"result_convention={convention}"]


def staged_preset(recipe: Recipe, preset: str | None, stage: int) -> str:
    """Return which preset trains a stage of another; raise ValueError if there is none.

    Those of the usual preset are called stage-1 and so on, those of others six, six-2 and so on.
    """
    from crossboard.systems.recipes import DEFAULT_PRESET

    if preset in (None, DEFAULT_PRESET):
        found = f"stage-{stage}"
    else:
        has_stages = f"{preset}-2" in recipe.presets
        found = preset if stage == 1 and has_stages else f"{preset}-{stage}"
    if found not in recipe.presets:
        asked = f"--stage {stage}" if preset is None else f"--preset {preset} --stage {stage}"
        raise ValueError(f"{asked}: {recipe.name} has the presets {', '.join(recipe.presets)}")
    return found


def stage_words(preset: str | None, stage: int | None) -> list[str]:
    """Return what tells the folders of several stages apart."""
    if stage is None:
        return []
    return [str(stage)] if preset is None else [preset, str(stage)]


def conduct(
    training: Training,
    found: Farm,
    company: Company | None,
    *,
    resume: bool,
    board: Path | None = None,
) -> Trained:
    """Train with a bar, or with a line now and then where there is no terminal."""
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

        again = command_line("train", "--run", training.folder, "--resume")
        try:
            return training.conduct(found, resume=resume, company=company, on_progress=show)
        except KeyboardInterrupt:
            print(f"stopped; {again} goes on", file=sys.stderr)
            if company is not None:
                company.abandon(INTERRUPTED)
            raise typer.Exit(INTERRUPTED) from None
        except (ValueError, OSError) as error:
            if isinstance(error, OSError) and is_run(training.folder):
                print(f"once that is mended, {again} goes on", file=sys.stderr)
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
        instead = "say --mpi to spread its games, or start it" if has_rounds else "start it"
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


def one_thread_a_process(recipe: Recipe, preset: str, changes: list[str]) -> list[str]:
    """Return the setting of searches that processes share: one for each processor is enough."""
    if not (recipe.shares_searches and mpi_job.is_under_mpiexec()):
        return []
    is_set = any(change.startswith("threads=") for change in changes)
    has_more = getattr(recipe.preset(preset), "threads", 1) > 1
    return ["threads=1"] if has_more and not is_set else []


def make_training(
    recipe: Recipe, preset: str, changes: list[str], seed: int, place: Path, setup: SetUp
) -> Training:
    """Put the options together."""
    from crossboard.systems.neurodraughts_setup import apply_set_up
    from crossboard.systems.training import Training

    given = [change.partition("=")[0] for change in changes]
    applied = apply_set_up(setup, recipe.preset(preset).with_changes(changes), given)
    settings: RecipeSettings = applied.settings
    for remark in (*applied.remarks, *settings.remarks()):
        print(one_line(remark), file=sys.stderr)
    words = ["crossboard", "train", recipe.name, "--preset", preset, "--seed", str(seed)]
    for change in changes:
        words += ["--set", change]
    for name, value in vars(setup).items():
        words += [] if value is None else [f"--{name}", str(value)]
    return Training(recipe, settings, seed, place, shlex.join(words))


def free_folder(usual: Path) -> Path:
    """Return where a run goes that nobody has named: the usual folder, or one beside it."""
    if not usual.exists():
        return usual
    numbers = range(2, 1_000_000)
    return next(place for n in numbers if not (place := Path(f"{usual}-{n}")).exists())


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
    from crossboard.systems.training import EXAM_DEPTH, FINAL_SEED

    final = trained.final
    depth = final.get("depth", EXAM_DEPTH)
    if trained.was_finished:
        print("finished before; to train once more choose another --seed or --run")
    print(
        f"Against {final['other']} at depth {depth}, both without quiescence: "
        f"{final['wins']} won, {final['draws']} drawn, {final['losses']} lost of {final['games']}; "
        f"Elo {final['elo']:+.0f} ({final['elo_low']:+.0f} to {final['elo_high']:+.0f})"
    )
    player = trained.player_folder
    print(f"report  {one_line(str(trained.folder / 'report.md'))}")
    print(f"play    {command_line('play', '--terminal', '--opponent', player)}")
    # The same games once more.
    openings = final.get("openings", BALLOTS)  # all of them, in runs that do not say
    terms = ["--depth", depth, "--no-quiescence", "--openings", openings]
    terms += ["--games", final["games"], "--seed", FINAL_SEED]
    print(f"match   {command_line('match', player, final['other'], *terms)}")


def print_list(recipes: list[Recipe], as_json: bool) -> None:
    """Print which systems there are, and what can be set of them, by preset where they differ."""
    from crossboard.systems.recipes import DEFAULT_PRESET, format_value

    if as_json:
        told = [
            {
                "name": recipe.name,
                "paper": recipe.paper,
                "summary": recipe.summary,
                "presets": {
                    name: settings.model_dump() for name, settings in recipe.presets.items()
                },
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
