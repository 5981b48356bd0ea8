"""Cohorts: trainings that are parts of one run, side by side, each resumed by itself.

An arm of a comparison, a specialist, an individual of an evolution: each is a run in a folder below
the run that needs it, so that a stop costs no more of it than of any other training.

    parts = {name: part(folder / name, recipe, settings, seed, edition=1) for name, seed in ...}
    for name in train_side_by_side(unfinished(parts, tell), executor, tell):
        tell(f"{name}: trained")
    trained = {name: Trained.read_part(each.folder) for name, each in parts.items()}
"""

from __future__ import annotations

import errno
import shutil
import time
import warnings
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from crossboard.farm.executors import Farm
from crossboard.learn.schooling import Tell
from crossboard.runs import ConfigDiffers, Run, RunIsHeld
from crossboard.runs.checkpoints import list_checkpoints
from crossboard.runs.lock import NAME as LOCK
from crossboard.runs.lock import holder
from crossboard.runs.run import CHECKPOINTS, FINISHED
from crossboard.storage import make_folder, write_whole
from crossboard.systems.exams import NO_EXAMS, Exams
from crossboard.systems.provenance import version_at_work
from crossboard.systems.recipes import Recipe, RecipeSettings
from crossboard.systems.trained import Trained
from crossboard.systems.training import Training

TOLD_SECONDS = 60.0  # while none ends, progress is reported this often
HELD_SECONDS = 1.0  # between two looks at a part that another process trains
BEFORE = ".before"  # ends the name of what was set aside
# Errors of links, pipes and folders in place of a run's files, and of files in place of folders.
NO_FILES_OF_OURS = (
    errno.ELOOP,
    errno.EMLINK,
    errno.EINVAL,
    errno.EISDIR,
    errno.ENOTDIR,
    errno.EEXIST,
)

Key = TypeVar("Key")


def part(
    folder: Path,
    recipe: Recipe,
    settings: RecipeSettings,
    seed: int,
    *,
    edition: int,
    told: Mapping[str, Any] | None = None,
    exams: Exams = NO_EXAMS,
    **options: Any,
) -> Training:
    """Return a training that is a part of another run; it ends with a player and no report.

    `edition` is raised when the same settings and seed begin to give other weights; `told` is what
    else decides about them, such as a digest of the games that are learnt from.
    """
    origin = {"crossboard": version_at_work(), "edition": edition, **(told or {})}
    # The process that trains may have another working directory.
    place = folder.absolute()
    given = {"origin": origin, "exams": exams, "has_report": False, **options}
    return Training(recipe, settings, seed, place, **given)


def unfinished(parts: Mapping[Key, Training], tell: Tell) -> dict[Key, Training]:
    """Return the parts that are still to be trained; set aside those that were trained otherwise.

    What another version trained, or other settings, is trained once more.
    """
    for training in parts.values():
        if fault := find_fault(training):
            tell_fault(training, fault, tell)
            set_aside(training.folder)
    return {key: training for key, training in parts.items() if not _is_finished(training.folder)}


def find_fault(training: Training) -> str | None:
    """Return why the run in a part's folder cannot be used, None if it can or is not there."""
    folder = training.folder
    if folder.is_symlink():
        return "since its folder was a link"
    if not folder.exists():
        return None
    try:
        with Run.resume(folder, training.config_as_begun()) as run:
            if run.is_finished:
                run.check_whole()
                Trained.read_part(folder)
    except RunIsHeld:
        return None
    except ConfigDiffers:
        return "by another version or other settings before"
    except ValueError as error:
        return f"since it was damaged: {error}"
    except OSError as error:
        if error.errno not in NO_FILES_OF_OURS:  # a full disk, say, is no fault of the part
            raise
        return f"since it was damaged: {error.filename}: {error.strerror}"
    return None


def tell_fault(training: Training, fault: str, tell: Tell) -> None:
    """Report why a part is trained once more."""
    tell(f"{training.folder.name}: trained once more, {fault}")


def set_aside(folder: Path) -> None:
    """Rename a part's folder, if there is one, in place of what was set aside before.

    Raises RunIsHeld if another process writes it.
    """
    if not (folder.exists() or folder.is_symlink()):
        return
    if process := holder(folder):
        raise RunIsHeld(f"{folder}: {process} is writing this run: wait for it or stop it")
    aside = folder.with_name(f"{folder.name}{BEFORE}")
    if aside.is_symlink() or aside.is_file():
        aside.unlink()
    elif aside.exists():
        shutil.rmtree(aside)
    folder.rename(aside)


def train_side_by_side(
    parts: Mapping[Key, Training], executor: Executor, tell: Tell
) -> Iterator[Key]:
    """Train parts of a run to their ends; yield each one's key when it is finished."""
    begun = {executor.submit(train_part, one): key for key, one in parts.items()}
    waiting: set[Future[dict[str, bytes]]] = set(begun)
    while waiting:
        done, waiting = wait(waiting, TOLD_SECONDS, FIRST_COMPLETED)
        for future in done:
            _bring_home(parts[begun[future]].folder, future.result())
            yield begun[future]
        if waiting and not done:
            _tell_games([parts[begun[future]].folder for future in waiting], tell)


def train_part(training: Training) -> dict[str, bytes]:
    """Train one part in this process, from its last checkpoint; return the files of its run.

    A host that cannot make the part's folder trains it in a temporary one, which a stop removes.
    """
    try:
        make_folder(training.folder)
    except OSError as error:
        warnings.warn(f"{training.folder.name} cannot be resumed here: {error}", stacklevel=2)
        with TemporaryDirectory() as place:
            return _train(replace(training, folder=Path(place) / training.folder.name))
    return _train(training)


def _train(training: Training) -> dict[str, bytes]:
    with ThreadPoolExecutor(1) as executor:
        while True:
            try:
                training.conduct(Farm(executor, 1), resume=True)
                break
            except RunIsHeld:
                # On a cluster a process whose leader was killed may still train it.
                time.sleep(HELD_SECONDS)
    files = (path for path in training.folder.rglob("*") if path.is_file() and path.name != LOCK)
    return {path.relative_to(training.folder).as_posix(): path.read_bytes() for path in files}


def _bring_home(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a part whose process does not share our disk."""
    if _is_finished(folder):
        return
    for _, path in list_checkpoints(folder / CHECKPOINTS):  # of a sitting here, before a stop
        path.unlink()
    mark = f"{CHECKPOINTS}/{FINISHED}"
    for name in sorted(files, key=lambda name: name == mark):  # the mark of its end last
        make_folder((folder / name).parent)
        write_whole(folder / name, files[name])


def _is_finished(folder: Path) -> bool:
    return (folder / CHECKPOINTS / FINISHED).exists()


def _tell_games(folders: list[Path], tell: Tell) -> None:
    """Report the games that the parts have played, as far as their folders are here."""
    found = {folder.name: list_checkpoints(folder / CHECKPOINTS) for folder in folders}
    games = [f"{name} {saved[0][0]}" for name, saved in sorted(found.items()) if saved]
    if games:
        tell(f"games so far: {', '.join(games)}")
