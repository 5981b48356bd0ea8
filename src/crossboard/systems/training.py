"""Training a system in a run: learner, checkpoints, exams, the player, the report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from crossboard.arena.elo import expected_score
from crossboard.arena.match import MatchResult, Terms, play_match
from crossboard.arena.openings import REPORT, SELECT, openings
from crossboard.farm.company import Company
from crossboard.farm.executors import Farm
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.pupil import ask_alone
from crossboard.players import Player, SearchLimits, load_player
from crossboard.runs import NotARun, Run, RunExists
from crossboard.runs.run import CONFIG
from crossboard.storage import finishing
from crossboard.systems.recipes import (
    Exam,
    Recipe,
    RecipeSettings,
    UnknownSystem,
    find_recipe,
)
from crossboard.systems.training_report import draw_training, format_training

# Chosen: at most so much work is lost when the process is killed, or one block.
CHECKPOINT_SECONDS = 15.0
# Exams: the fixed opponent of every learning curve, at a depth and without quiescence. Who watches
# them may choose by them, so that the match at the end has openings of its own.
EXAMINER = "material"
EXAM_DEPTH = 4
EXAM_OPENINGS, FINAL_OPENINGS = SELECT, REPORT
EXAM_SEED, FINAL_SEED = 1997, 2011
FINISHED = "finished"  # what the leader of a company tells the others then
FINAL_GAMES = 400


class Progress(NamedTuple):
    """How far a training is, for those who watch."""

    games: int
    total: int
    before: int  # games that were played before this sitting
    measured: Mapping[str, float]  # what the learner measured last
    exam: float | None  # points a game in the last exam
    is_news: bool = True  # whether anything of that is new


@dataclass(frozen=True)
class Trained:
    """What a training left behind."""

    folder: Path
    player_folder: Path
    seconds: float
    was_finished: bool
    final: Mapping[str, Any]  # the match at the end

    def as_json(self) -> dict[str, Any]:
        """Give the figures under the names that `--json` uses."""
        return {
            "run": str(self.folder),
            "player": str(self.player_folder),
            "seconds": self.seconds,
            "was_finished": self.was_finished,
            "match": dict(self.final),
        }


@dataclass(frozen=True)
class Training:
    """A recipe with its settings, a seed, and a place for its run."""

    recipe: Recipe
    settings: RecipeSettings
    seed: int
    folder: Path
    command: str  # which trains the same again

    @property
    def config(self) -> dict[str, Any]:
        values = self.settings.model_dump(exclude_none=True)
        return {
            "system": self.recipe.name,
            "seed": self.seed,
            "command": self.command,
            "settings": values,
        }

    def conduct(
        self,
        farm: Farm,
        *,
        resume: bool = False,
        company: Company | None = None,
        on_progress: Callable[[Progress], None] = lambda _: None,
    ) -> Trained:
        """Train, or go on training; a finished run is only looked at.

        An interruption (KeyboardInterrupt) leaves a checkpoint of the last snapshot behind. With a
        company of processes, this one leads and the others `follow`.
        """
        if not resume and is_run(self.folder):
            raise RunExists(f"{self.folder}: there is a run already: --resume it or name another")
        if not is_run(self.folder):
            self.recipe.check(self.settings)
        with Run.resume(self.folder, self._config_as_begun()) as run:
            was_finished = run.is_finished
            if not was_finished:
                _Lesson(self, run, farm, company, on_progress).give()
            elif company is not None:
                company.share(FINISHED)
            last = run.latest()
            final = last.state["final"] if last else {}
            return Trained(run.folder, run.player_folder, _seconds(last), was_finished, final)

    def _config_as_begun(self) -> dict[str, Any]:
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
        return config | {"settings": settings, "command": begun.get("command", self.command)}

    def follow(self, farm: Farm, company: Company) -> None:
        """Take part in what another process of the company conducts."""
        start = company.share(None)
        if start != FINISHED:
            for _ in self.learn(farm, start, company):
                pass

    def learn(
        self, farm: Farm, start: Snapshot | None, company: Company | None
    ) -> Iterator[Snapshot]:
        """Let the learner go on from a snapshot."""
        ask = company.ask if company is not None else ask_alone
        schooling = Schooling(self.seed, farm.executor, farm.workers, start, ask)
        return self.recipe.learn(self.settings, schooling)

    @property
    def exam(self) -> Exam:
        """Against whom its players are examined, and how."""
        usual = Exam(EXAMINER, EXAM_OPENINGS, EXAM_DEPTH, FINAL_GAMES, FINAL_OPENINGS)
        return self.recipe.exam(self.settings) or usual

    def player(self, snapshot: Snapshot) -> Player:
        """Make the player of a moment, which says what made it."""
        name = f"{self.settings.title(self.recipe.name)}-seed{self.seed}"
        player = self.recipe.player(self.settings, snapshot, name)
        made_by = f"{self.command}: {snapshot.games} games, crossboard {version('crossboard')}"
        player.about = {"made_by": made_by}
        return player


def is_run(folder: Path) -> bool:
    """Say whether there is a run in a folder."""
    return (folder / CONFIG).exists()


def begun_recipe(folder: Path, system: str | None = None) -> Recipe:
    """Return what a run trains; raise ValueError if that is nothing, or not the system named."""
    config = Run.open(folder).config
    if "system" not in config:
        raise NotARun(f"{folder}: this run is no training: it has no system")
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


def _seconds(checkpoint: Any) -> float:
    return checkpoint.seconds if checkpoint else 0.0


@dataclass
class _Lesson:
    """One sitting of a training, from a checkpoint to the end or to an interruption."""

    training: Training
    run: Run
    farm: Farm
    company: Company | None
    on_progress: Callable[[Progress], None]
    exam: float | None = None
    before: int = 0  # games of earlier sittings
    measured: Mapping[str, float] = field(default_factory=dict)
    last: Snapshot | None = None  # the last one that the journals know

    def give(self) -> None:
        self.last = self._go_on_from()
        self.before = self.last.games if self.last else 0
        if self.company is not None:
            self.company.share(self.last)
        saved_at = time.monotonic()
        if self.last is None:
            self._note_untrained()
        try:
            for snapshot in self.training.learn(self.farm, self.last, self.company):
                self._note(snapshot)
                if time.monotonic() - saved_at > CHECKPOINT_SECONDS:
                    self._save(snapshot)
                    saved_at = time.monotonic()
        except KeyboardInterrupt:
            if self.last is not None:
                self._save(self.last)
            raise
        assert self.last is not None  # settings ask for one game at least
        self._save(self.last)  # the match that comes may be interrupted
        self._end(self.last)

    def _go_on_from(self) -> Snapshot | None:
        checkpoint = self.run.latest()
        if checkpoint is None:
            return None
        self.exam = checkpoint.state["exam"]
        return Snapshot(checkpoint.step, checkpoint.tensors, checkpoint.state["learner"])

    def _note(self, snapshot: Snapshot) -> None:
        """Write down what it brought, with an exam if it is due.

        In the midst of a block that is nothing, but it can be gone on from.
        """
        is_due = self._is_exam_due(snapshot)
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

    def _is_exam_due(self, snapshot: Snapshot) -> bool:
        settings, before = self.training.settings, self.last.games if self.last else 0
        every, is_end = settings.exam_every, snapshot.games >= settings.games
        return every > 0 and (is_end or snapshot.games // every > before // every)

    def _note_untrained(self) -> None:
        """Let curves begin with who has learnt nothing yet, where that is anybody."""
        settings = self.training.settings
        evaluator = settings.untrained(self.training.seed)
        if settings.exam_every > 0 and evaluator is not None:
            self.run.log(0, **self._examine(Player("untrained", evaluator)))

    def _examine(self, player: Player) -> dict[str, float]:
        """Return points a game with their 95 % interval."""
        games = self.training.settings.exam_games
        result = hold_exam(player, self.farm, games, EXAM_SEED, self.training.exam)
        self.exam, elo = result.score.score, result.score.elo
        low, high = expected_score(elo.low), expected_score(elo.high)
        return {"exam": self.exam, "exam_low": low, "exam_high": high}

    def _save(self, snapshot: Snapshot, **more: Any) -> None:
        state = {"learner": dict(snapshot.plain), "exam": self.exam, **more}
        self.run.save(snapshot.games, snapshot.arrays, state)

    def _end(self, snapshot: Snapshot) -> None:
        player = self.training.player(snapshot)
        player.save(self.run.player_folder)
        exam = self.training.exam
        exam = exam._replace(openings=exam.final_openings or exam.openings)
        games = min(exam.final_games, FINAL_GAMES)
        final = hold_exam(player, self.farm, games, FINAL_SEED, exam).as_json()
        del final["seconds"]  # a run's only clock is that of its metrics
        final |= {"depth": exam.depth, "openings": exam.openings}
        figures = draw_training(self.run.metrics(), f"{exam.examiner} at depth {exam.depth}")
        for name, figure in figures.items():
            self.run.write(f"{name}.svg", figure)
        text = format_training(self.training.command, self.training.config, final, list(figures))
        self.run.write("report.md", text)
        self._save(snapshot, final=final)
        self.run.finish()


def hold_exam(player: Player, farm: Farm, games: int, seed: int, exam: Exam) -> MatchResult:
    """Let a player play the examiner to the depth of exams, both without quiescence."""
    one, other = (
        each.with_settings(replace(each.settings, quiescence=False))
        for each in (player, load_player(exam.examiner))
    )
    terms = Terms(
        pairs=-(-games // 2),
        openings=openings(exam.openings, seed, player.game, player.players),
        limits=SearchLimits(depth=exam.depth),
        rules=player.game.draws,
        seed=seed,
    )
    return play_match(one, other, terms, farm.executor, workers=farm.workers)
