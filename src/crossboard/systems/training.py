"""Training a system in a run: learner, checkpoints, exams, the player, the report.

The one loop over a learner's snapshots is here, for whole systems and for parts of other runs.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from crossboard.farm.company import Company
from crossboard.farm.executors import Farm
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.pupil import ask_alone
from crossboard.learn.schooling import Tell, keep_silent
from crossboard.players import Player
from crossboard.runs import DamagedRun, NotARun, Run, RunExists
from crossboard.runs.curves import figure_bytes
from crossboard.runs.intervals import Intervals
from crossboard.runs.run import CONFIG, PLAYER
from crossboard.storage import finishing
from crossboard.systems.exams import POINTS, Exams, play_final, system_exams
from crossboard.systems.recipes import Recipe, RecipeSettings, UnknownSystem, find_recipe
from crossboard.systems.trained import Trained
from crossboard.systems.training_report import draw_training, format_training

# Chosen: the longest interval between checkpoints; the first one comes after a second.
CHECKPOINT_SECONDS = 15.0
FINISHED = "finished"  # what the leader of a company tells the others then


class Progress(NamedTuple):
    """How far a training is, for a progress bar or a log."""

    games: int
    total: int
    before: int  # games that were played before this sitting
    measured: Mapping[str, float]  # what the learner measured last
    exam: float | None  # points a game in the last exam
    is_news: bool = True  # whether anything of that is new


def as_it_is(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot itself: its student becomes the player."""
    return snapshot


@dataclass(frozen=True)
class Training:
    """A recipe with its settings, a seed, and a place for its run.

    A training with an `origin` is a part of another run, in a folder below that one's: `cohort`
    makes such parts, trains them side by side and resumes them.
    """

    recipe: Recipe
    settings: RecipeSettings
    seed: int
    folder: Path
    command: str = ""  # which trains the same again
    origin: Mapping[str, Any] | None = None  # of a part: its version, and what it learns from
    exams: Exams | None = None  # None: those of its system
    seconds: float | None = None  # after which learning stops; None: when its games are played
    has_report: bool = True  # ends with a match, figures and a report, not with a player alone
    show: Callable[[Snapshot], Snapshot] = as_it_is  # whose student becomes its player
    times_learning: bool = False  # its seconds are those of the processor in the learner alone

    @property
    def player_folder(self) -> Path:
        """Where its player is when it is finished."""
        return self.folder / PLAYER

    @property
    def config(self) -> dict[str, Any]:
        told = {"system": self.recipe.name, "seed": self.seed}
        settings = {"settings": self.settings.model_dump(exclude_none=True)}
        if self.origin is None:
            return {**told, "command": self.command, **settings}
        stop = {} if self.seconds is None else {"stop_seconds": self.seconds}
        origin = {**self.origin, **stop, "exams": dict(self.exam_function.terms)}
        return {**told, **settings, "origin": origin}

    def conduct(
        self,
        farm: Farm,
        *,
        resume: bool = False,
        company: Company | None = None,
        on_progress: Callable[[Progress], None] = lambda _: None,
        tell: Tell = keep_silent,
    ) -> Trained:
        """Train, or resume training; a finished run is only read.

        An interruption (KeyboardInterrupt) leaves a checkpoint of the last snapshot behind. With a
        company of processes, this one leads and the others `follow`. `tell` gets the lines of
        learners whose snapshots are minutes apart.
        """
        if not resume and is_run(self.folder):
            raise RunExists(f"{self.folder}: there is a run already: --resume it or name another")
        if not is_run(self.folder):
            self.recipe.check(self.settings)
        watch = _Stopwatch()
        clock: Callable[[], float] = watch if self.times_learning else time.monotonic
        with Run.resume(self.folder, self.config_as_begun(), clock=clock) as run:
            was_finished = run.is_finished
            if not was_finished:
                _Lesson(self, run, farm, company, on_progress, tell, watch).give()
            elif company is not None:
                company.share(FINISHED)
            return Trained.read(run, was_finished=was_finished)

    def config_as_begun(self) -> dict[str, Any]:
        """Return the configuration as the run would have it.

        Settings that are younger than the run are left out: what they do by default is taken for
        what was done before there were such settings. Other words may have said the same.
        """
        config = self.config
        if not is_run(self.folder):
            return config
        begun = Run.open(self.folder).config
        known = begun.get("settings", {})
        defaults = {name: one.default for name, one in type(self.settings).model_fields.items()}
        settings = {
            name: value
            for name, value in config["settings"].items()
            if name in known or value != defaults[name]
        }
        words = {"command": begun.get("command", self.command)} if self.origin is None else {}
        return config | {"settings": settings, **words}

    def follow(self, farm: Farm, company: Company) -> None:
        """Take part in what another process of the company conducts."""
        start = company.share(None)
        if start != FINISHED:
            for _ in self.learn(farm, start, company):
                pass

    def learn(
        self,
        farm: Farm,
        start: Snapshot | None,
        company: Company | None,
        tell: Tell = keep_silent,
    ) -> Generator[Snapshot, None, None]:
        """Run the learner from a snapshot."""
        ask = company.ask if company is not None else ask_alone
        schooling = Schooling(
            self.seed, farm.executor, farm.workers, start, ask, farm.processes, self.folder, tell
        )
        yield from self.recipe.learn(self.settings, schooling)

    @property
    def exam_function(self) -> Exams:
        """Its own exams, or those of its system."""
        return system_exams(self.recipe, self.settings) if self.exams is None else self.exams

    def player(self, snapshot: Snapshot) -> Player:
        """Make the player of a moment, with a note of what made it."""
        shown = self.show(snapshot)
        player = self.recipe.player(self.settings, shown, self._name)
        games = player.about.get("games", snapshot.games)  # fewer if some taught it nothing
        made_by = f"{self.command or self.folder.name}: {games} games"
        made_by = f"{made_by}, crossboard {version('crossboard')}"
        # What made the player it began with comes first, if its system knows.
        before = player.about.get("made_by")
        player.about = {"made_by": f"{before}; {made_by}" if before else made_by}
        return player

    @property
    def untrained(self) -> Player | None:
        """The player that has learnt nothing yet, if its system has one."""
        evaluator = self.settings.untrained(self.seed)
        return None if evaluator is None else Player(self._name, evaluator)

    @property
    def _name(self) -> str:
        return f"{self.settings.title(self.recipe.name)}-seed{self.seed}"


def is_run(folder: Path) -> bool:
    """Return whether there is a run in a folder."""
    return (folder / CONFIG).exists()


def begun_recipe(folder: Path, system: str | None = None) -> Recipe:
    """Return the recipe of a run; raise ValueError if it has none, or not the system named."""
    config = Run.open(folder).config
    if "system" not in config:
        raise NotARun(f"{folder}: this run is no training: it has no system")
    if "origin" in config:
        raise NotARun(
            f"{folder}: this run is a part of another run: resume that one with its own command"
        )
    if system not in (None, config["system"]):
        raise NotARun(f"{folder}: this run trains {config['system']}, not {system}")
    try:
        return find_recipe(config["system"])
    except UnknownSystem as error:
        raise NotARun(f"{folder / CONFIG}: {error}") from None


def resumed(folder: Path, system: str | None = None) -> Training:
    """Return the training of a run as it began; raise ValueError if it is another system's."""
    recipe, config = begun_recipe(folder, system), Run.open(folder).config
    try:
        settings = type(next(iter(recipe.presets.values()))).checked(config["settings"])
        return Training(recipe, settings, config["seed"], folder, config["command"])
    except (KeyError, TypeError, AttributeError) as error:
        raise NotARun(f"{folder}: this run is no training: it has no {error}") from None
    except ValueError as error:
        raise NotARun(f"{folder / CONFIG}: {error}") from None


class _Stopwatch:
    """The processor's seconds in the learner alone, without exams and checkpoints."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds

    def timed(self, snapshots: Iterator[Snapshot]) -> Iterator[Snapshot]:
        """Yield the snapshots, and count the time that each takes to come."""
        while True:
            began = time.process_time()
            snapshot = next(snapshots, None)
            self.seconds += time.process_time() - began
            if snapshot is None:
                return
            yield snapshot


@dataclass
class _Lesson:
    """One sitting of a training, from a checkpoint to the end or to an interruption."""

    training: Training
    run: Run
    farm: Farm
    company: Company | None
    on_progress: Callable[[Progress], None]
    tell: Tell
    watch: _Stopwatch
    exam: float | None = None
    before: int = 0  # games of earlier sittings
    measured: Mapping[str, float] = field(default_factory=dict)
    last: Snapshot | None = None  # the last one that the journals know
    is_over: bool = False  # nothing is left to learn

    def __post_init__(self) -> None:
        self.exams = self.training.exam_function

    def give(self) -> None:
        self._go_back()
        if self.company is not None:
            self.company.share(self.last)
        if not self.is_over:
            try:
                self._learn()
            except KeyboardInterrupt:
                if self.last is not None:
                    self._save()
                raise
            self.is_over = True
            self._save()  # the match that comes may be interrupted
        self._end()

    def _go_back(self) -> None:
        """Return to the last checkpoint, if there is one."""
        checkpoint = self.run.latest()
        if checkpoint is None:
            return
        state = checkpoint.state
        if not {"exam", "learner"} <= state.keys():
            raise DamagedRun(
                f"{self.run.folder}: the checkpoint of step {checkpoint.step} is none of a training"
            )
        self.exam, self.is_over = state["exam"], state.get("is_over", False)
        # Both are empty if not even one block was in time.
        if checkpoint.tensors or state["learner"]:
            self.last = Snapshot(checkpoint.step, checkpoint.tensors, state["learner"])
        self.before = checkpoint.step

    def _learn(self) -> None:
        """Learn until the games are played or the time is up."""
        intervals = Intervals(CHECKPOINT_SECONDS)
        if self.last is None:
            self._note_untrained()
        learner = self.training.learn(self.farm, self.last, self.company, self.tell)
        # Closed at once, whatever ends this: a learner may play on while its snapshot is noted.
        with closing(learner):
            for snapshot in self.watch.timed(learner):
                is_late = self._is_late()
                if is_late and not snapshot.counts_if_late:
                    self._note_late(snapshot)
                    break
                self._note(snapshot)
                if is_late:
                    break
                if intervals.is_over or snapshot.is_kept_at_once:
                    self._save_on_the_way()
                    intervals.begin_next()

    def _is_late(self) -> bool:
        limit = self.training.seconds
        return limit is not None and self.run.seconds >= limit

    def _note(self, snapshot: Snapshot) -> None:
        """Log what it brought, with an exam if one is due.

        In the midst of a block that is nothing, but learning can resume there.
        """
        before = self.last.games if self.last else 0
        is_due = self.exams.are_due(before, snapshot.games)
        exam = self._examine(self.training.player(snapshot)) if is_due else {}
        news = {**snapshot.measured, **exam}
        kept = self.training.recipe.keep(self.training.settings, snapshot)
        with finishing():  # half-written journals belong to no snapshot
            if news:
                self.run.log(snapshot.games, **news)
            for name, text in kept.files.items():
                self.run.write(name, text)
            if kept.games:
                self.run.record(kept.games)
            self.last = snapshot
        self.measured = snapshot.measured or self.measured
        known = (self.training.settings.games, self.before, self.measured, self.exam)
        self.on_progress(Progress(snapshot.games, *known, is_news=bool(news)))

    def _note_late(self, snapshot: Snapshot) -> None:
        """Log the block in which the time was up.

        Its games count, and so do its seconds; but the player is that of the snapshot before, and
        is not cloned any more.
        """
        uncloned = {key: 0.0 for key in snapshot.measured if key == "cloned"}
        with finishing():  # resumed after this line, the training must not log the block again
            self.run.log(snapshot.games, **{**snapshot.measured, **uncloned})
            self.is_over = True

    def _note_untrained(self) -> None:
        """Log the untrained player's exam as step 0, if there is one."""
        player = self.training.untrained
        if 0 in self.exams.due and player is not None:
            self.run.log(0, **self._examine(player))

    def _examine(self, player: Player) -> Mapping[str, float]:
        found = self.exams.hold(player, self.farm)
        self.exam = found[POINTS]
        return found

    def _save(self, **more: Any) -> None:
        last = self.last or Snapshot(0, {})
        state = {"learner": dict(last.plain), "exam": self.exam, "is_over": self.is_over, **more}
        self.run.save(last.games, last.arrays, state)

    def _save_on_the_way(self) -> None:
        """Write a checkpoint; a part of a long run does not end because this one cannot be."""
        try:
            self._save()
        except OSError as error:
            if self.training.origin is None:
                raise
            name = self.training.folder.name
            warnings.warn(f"{name} cannot be kept on its way: {error}", stacklevel=2)

    def _end(self) -> None:
        """Leave the player behind, and a report if one is wanted."""
        training, run = self.training, self.run
        player = training.untrained if self.last is None else training.player(self.last)
        if player is None:
            raise ValueError(f"{run.folder}: not one block was learnt: allow more seconds")
        player.save(run.player_folder)
        if training.has_report:
            self._save(final=self._report(player), conclusion=self._conclude())
        run.finish()

    def _conclude(self) -> str:
        """Return the system's own result in words, which the command line prints."""
        training = self.training
        return "" if self.last is None else training.recipe.conclude(training.settings, self.last)

    def _report(self, player: Player) -> dict[str, Any]:
        """Play the match at the end and write the report; return the result of the match."""
        final = play_final(player, self.training.recipe, self.training.settings, self.farm)
        examiner = f"{final['other']} at depth {final['depth']}"
        training = self.training
        figures, own_text = draw_training(self.run.metrics(), examiner), ""
        if self.last is not None:
            own = training.recipe.draw(training.settings, self.last)
            figures |= {name: figure_bytes(figure, "svg") for name, figure in own.items()}
            own_text = training.recipe.describe(training.settings, self.last)
        for name, figure in figures.items():
            self.run.write(f"{name}.svg", figure)
        learnt = None if training.seconds is None or self.last is None else self.last.games
        text = format_training(
            training.command, training.config, final, list(figures), own_text, learnt=learnt
        )
        self.run.write("report.md", text)
        return final
