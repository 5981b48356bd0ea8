"""A run: one learning experiment in one folder, which can be killed and goes on."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from crossboard.runs import checkpoints, metrics
from crossboard.runs.checkpoints import Checkpoint, list_checkpoints, read_checkpoint
from crossboard.runs.errors import (
    ConfigDiffers,
    DamagedCheckpoint,
    DamagedRun,
    NotARun,
    RunError,
    RunExists,
    RunIsFinished,
    UnfitValue,
)
from crossboard.runs.lock import NAME as LOCK
from crossboard.runs.lock import Lock
from crossboard.runs.plain import from_json, to_json
from crossboard.storage import (
    TEMPORARY,
    Journal,
    make_folder,
    naming,
    read_plain,
    remove_leftovers,
    write_whole,
)
from crossboard.toml import UnfitForToml, format_toml

if TYPE_CHECKING:
    from numpy.typing import NDArray

CONFIG = "config.toml"
CHECKPOINTS = "checkpoints"
FINISHED = "finished.json"
GAMES = "games.pdn"
REPORT = "report.md"
PLAYER = "player"
JOURNALS = (metrics.NAME, GAMES)

KEEP = 3  # checkpoints
MOST_KEYS = 4  # that differ are named in one sentence
MAX_STEP = 10**12 - 1  # so that names sort as numbers do


class Run:
    """A run's folder. Made by `create`, `resume` (both to write, by one process) or `open`.

    What is logged and recorded between two checkpoints belongs to the later one: a run that is
    killed goes on from its last checkpoint and forgets what came after it.
    """

    def __init__(
        self,
        folder: Path,
        config: dict[str, Any],
        *,
        keep: int = KEEP,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if keep < 1:
            raise ValueError(f"keep must be 1 or more, not {keep}")
        self.folder = folder
        self.config = config
        self._lock: Lock | None = None
        self._keep = keep
        self._clock = clock
        self._began = clock()
        self._seconds_before = 0.0
        self._step = 0  # of the last checkpoint; a run does not go backwards
        self._journals: dict[str, Journal] = {}

    @classmethod
    def create(
        cls,
        folder: str | Path,
        config: Mapping[str, Any],
        *,
        keep: int = KEEP,
        clock: Callable[[], float] = time.monotonic,
    ) -> Self:
        """Begin a run in a folder that is new, or empty; raise RunExists, NotARun, RunIsHeld."""
        folder = Path(folder)
        text = _format_config(config)
        run = cls(folder, tomllib.loads(text), keep=keep, clock=clock)
        make_folder(folder)
        # Before the lock, which would be left in other people's folders.
        _check_nothing_foreign(folder)
        run._lock = Lock(folder)
        try:
            if (folder / CONFIG).exists():
                raise RunExists(f"{folder}: there is a run already: resume it or name another")
            _check_no_folder_leads_out(folder)
            remove_leftovers(folder, owner=CONFIG)
            make_folder(folder / CHECKPOINTS)
            # From here on it is a run; killed before, it is nothing, and `create` begins again.
            write_whole(folder / CONFIG, text.encode())
            run._open_journals({})
        except BaseException:
            run.close()
            raise
        return run

    @classmethod
    def resume(
        cls,
        folder: str | Path,
        config: Mapping[str, Any] | None = None,
        *,
        keep: int = KEEP,
        clock: Callable[[], float] = time.monotonic,
    ) -> Self:
        """Resume a run from its last checkpoint, or begin it if there is none.

        Settings that differ from the run's are refused (ConfigDiffers); None takes the run's. A
        run that `is_finished` is opened too, and takes nothing more.
        """
        folder = Path(folder)
        if config is not None and not (folder / CONFIG).exists():
            return cls.create(folder, config, keep=keep, clock=clock)
        kept = _read_config(folder)
        if config is not None:
            _compare(folder, kept, tomllib.loads(_format_config(config)))
        run = cls(folder, kept, keep=keep, clock=clock)
        run._lock = Lock(folder)
        try:
            if not run.is_finished:
                _check_no_folder_leads_out(folder)
                remove_leftovers(folder, owner=CONFIG)
                make_folder(folder / CHECKPOINTS)
                run._go_back_to(run.latest())
        except BaseException:
            run.close()
            raise
        return run

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """Open a run to read it, even while it is being written; raise NotARun."""
        folder = Path(folder)
        return cls(folder, _read_config(folder))

    @property
    def is_finished(self) -> bool:
        return (self.folder / CHECKPOINTS / FINISHED).exists()

    @property
    def seconds(self) -> float:
        """Seconds of work so far, those before a resumption included."""
        return self._seconds_before + self._clock() - self._began

    @property
    def player_folder(self) -> Path:
        """Where the run's player belongs."""
        return self.folder / PLAYER

    def latest(self) -> Checkpoint | None:
        """Read the newest good checkpoint, None if there never was one.

        Damaged ones are passed over; raise DamagedCheckpoint if there is no other.
        """
        first_error: DamagedCheckpoint | None = None
        for _, path in list_checkpoints(self.folder / CHECKPOINTS):
            try:
                return read_checkpoint(path)
            except DamagedCheckpoint as error:
                first_error = first_error or error
        if first_error is not None:
            raise first_error
        return None

    def save(
        self, step: int, tensors: Mapping[str, NDArray[Any]], state: Mapping[str, Any]
    ) -> None:
        """Write a checkpoint, durably, and drop those that are too many.

        `state` is what JSON gives back the same: counters, the state of random generators
        (`generator_state`). After an error the checkpoints before it stand.
        """
        self._check_writable()
        _check_step(step)
        if step < self._step:
            raise UnfitValue(f"step {step}: the run has a checkpoint of step {self._step} already")
        # First, so that a checkpoint never counts on lines that a power cut could take.
        with self._telling_what_is_kept():
            for journal in self._journals.values():
                journal.sync()
        sizes = {name: journal.size for name, journal in self._journals.items()}
        checkpoint = Checkpoint(step, dict(tensors), dict(state), self.seconds, sizes)
        folder = self.folder / CHECKPOINTS
        with self._telling_what_is_kept():
            checkpoints.write_checkpoint(checkpoints.path_of(folder, step), checkpoint)
        self._step = step
        self._drop_old(step)

    def log(self, step: int, **values: float) -> None:
        """Write one line of metrics: finite numbers by name."""
        self._check_writable()
        _check_step(step)
        line = metrics.format_line(step, values, self.seconds)
        with self._telling_what_is_kept():
            self._journals[metrics.NAME].append(line)

    def record(self, pdn: str) -> None:
        """Add games to `games.pdn`."""
        self._check_writable()
        with self._telling_what_is_kept():
            self._journals[GAMES].append(pdn.encode())

    def metrics(self) -> list[metrics.Line]:
        """Read all lines of metrics; raise DamagedRun for what is none."""
        return metrics.read_metrics(self.folder / metrics.NAME)

    def write(self, name: str, data: str | bytes) -> Path:
        """Put a whole file into the run's folder, such as `report.md` or a figure."""
        self._check_writable()
        path = self.folder / name
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise UnfitValue(f"{name}: outside of the run's folder")
        with self._telling_what_is_kept():
            make_folder(path.parent)
            write_whole(path, data.encode() if isinstance(data, str) else data)
        return path

    def finish(self) -> None:
        """Mark the run as ended; raise RunError if the last checkpoint is not the end of it."""
        self._check_writable()
        last = self.latest()
        sizes = {name: journal.size for name, journal in self._journals.items()}
        if last is None or last.journals != sizes:
            raise RunError(f"{self.folder}: save a checkpoint of the end before finishing the run")
        mark = to_json({"step": last.step, "seconds": self.seconds})
        with self._telling_what_is_kept():
            write_whole(self.folder / CHECKPOINTS / FINISHED, mark.encode())

    def check_whole(self) -> None:
        """Raise DamagedRun if a finished run has lost its last checkpoint or lines of a journal."""
        last = self.latest()
        if last is None:
            raise DamagedRun(f"{self.folder}: it is finished, but has no checkpoint")
        for name, size in last.journals.items():
            path = self.folder / name
            found = path.stat().st_size if path.exists() else 0
            if found != size:
                raise DamagedRun(f"{path}: it has {found} bytes, but had {size} at the end")

    def close(self) -> None:
        """Let others write the run. What came after the last checkpoint is forgotten at resume."""
        for journal in self._journals.values():
            journal.close()
        self._journals = {}
        if self._lock is not None:
            self._lock.release()
        self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _check_writable(self) -> None:
        if self._lock is None or not self._lock.is_held:
            raise RunError(f"{self.folder}: this run was opened to be read, or is closed")
        if self.is_finished:
            raise RunIsFinished(f"{self.folder}: the run is finished")

    def _go_back_to(self, checkpoint: Checkpoint | None) -> None:
        if checkpoint is not None:
            self._step = checkpoint.step
            self._seconds_before = checkpoint.seconds
        self._open_journals(checkpoint.journals if checkpoint else {})

    def _open_journals(self, sizes: Mapping[str, int]) -> None:
        for name in JOURNALS:
            self._journals[name] = journal = Journal(self.folder / name)
            size = sizes.get(name, 0)
            if journal.size < size:
                raise DamagedRun(
                    f"{journal.path}: it has {journal.size} bytes, but had {size} "
                    f"at the checkpoint of step {self._step}"
                )
            journal.cut(size)

    @contextmanager
    def _telling_what_is_kept(self) -> Iterator[None]:
        """Add to an error of the disk from where the run will go on."""
        try:
            yield
        except OSError as error:
            found = list_checkpoints(self.folder / CHECKPOINTS)
            kept = f" (the checkpoint of step {found[0][0]} is kept)" if found else ""
            raise OSError(error.errno, f"{error.strerror}{kept}", error.filename) from error

    def _drop_old(self, step: int) -> None:
        # Never one that is newer, and so is damaged: the one just written must not fall for it.
        older = [path for at, path in list_checkpoints(self.folder / CHECKPOINTS) if at < step]
        for path in older[self._keep - 1 :]:
            with naming(path):
                path.unlink(missing_ok=True)


def _check_step(step: int) -> None:
    if type(step) is not int or not 0 <= step <= MAX_STEP:
        raise UnfitValue(f"step must be a whole number from 0 to {MAX_STEP}, not {step!r}")


def _check_nothing_foreign(folder: Path) -> None:
    found = [path.name for path in folder.iterdir()]
    foreign = [
        name for name in found if name not in (LOCK, CHECKPOINTS) and not name.endswith(TEMPORARY)
    ]
    # Asked last: another process may be making a run of it.
    if foreign and not (folder / CONFIG).exists():
        raise NotARun(f"{folder}: no run, but not empty either: it holds {foreign[0]}")


def _check_no_folder_leads_out(folder: Path) -> None:
    """Raise NotARun if a folder of the run is a link: checkpoints or a player would go elsewhere.

    Links in place of files are harmless here: they are replaced, or refused when they are opened.
    """
    for path in folder.iterdir():
        if path.is_symlink() and path.is_dir():
            raise NotARun(
                f"{path}: it is a link to another folder, and a run writes its own folder only: "
                "put a copy in its place"
            )


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / CONFIG
    if not path.exists():
        raise NotARun(f"{folder}: there is no run: it has no {CONFIG}")
    try:
        return tomllib.loads(read_plain(path).decode())
    except (ValueError, RecursionError) as error:
        raise DamagedRun(f"{path}: no settings in TOML: {error}") from error


def _format_config(config: Mapping[str, Any]) -> str:
    try:
        return format_toml(config)
    except UnfitForToml as error:
        raise UnfitValue(f"{CONFIG}: {error}") from None


def _compare(folder: Path, kept: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Raise ConfigDiffers with all keys that differ: one may follow from another."""
    found = list(_differing(kept, given))
    if found:
        shown = "; ".join(found[:MOST_KEYS])
        more = f" and {len(found) - MOST_KEYS} more" if len(found) > MOST_KEYS else ""
        raise ConfigDiffers(
            f"{folder}: the run has {shown}{more}: resume it as it began, or name another folder"
        )


def _differing(kept: Mapping[str, Any], given: Mapping[str, Any]) -> Iterator[str]:
    for key in sorted(kept.keys() | given.keys()):
        one, other = kept.get(key), given.get(key)
        if isinstance(one, dict) and isinstance(other, dict):
            yield from _differing(one, other)
        elif (type(one), one) != (type(other), other):
            yield f"{key} = {_show(one)}, not {_show(other)}"


def _show(value: object) -> str:
    return "nothing" if value is None else repr(value)


def read_finish(folder: Path) -> float | None:
    """Return the seconds a finished run took, None if it is not finished."""
    path = folder / CHECKPOINTS / FINISHED
    if not path.exists():
        return None
    try:
        return float(from_json(read_plain(path))["seconds"])
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedRun(f"{path}: no mark of a run's end: {error!r}") from error
