"""Which training is asked for: its system, preset and stage, its settings, its run's folder."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from crossboard.farm import mpi_job
from crossboard.players.folder import RUNS_FOLDER
from crossboard.systems.neurodraughts_setup import SetUp, apply_set_up
from crossboard.systems.recipes import (
    DEFAULT_PRESET,
    DEFAULT_SYSTEM,
    Recipe,
    RecipeSettings,
    find_recipe,
)
from crossboard.systems.training import Training, begun_recipe, is_run, resumed

DEFAULT_SEED = 1
EXPERTS = "experts"  # the system that learns from given games
OLD_PRESET = "published"  # usual with a set-up of 1997


class Chosen(NamedTuple):
    """A training, and what should be known of it before it begins."""

    training: Training
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TrainingRequest:
    """What is asked of a training; None leaves the choice to the system, or to a begun run."""

    system: str | None = None
    preset: str | None = None
    stage: int | None = None  # of the preset
    seed: int | None = None
    games: int | None = None
    quick: bool = False  # the preset in its quick size, before any changes
    changes: tuple[str, ...] = ()  # settings, as KEY=VALUE
    result_convention: str | None = None  # whose win 1-0 is in the games of experts
    setup: SetUp = field(default_factory=SetUp)
    folder: Path | None = None  # of the run
    resume: bool = False
    spreads_games: bool = False  # over the processes of mpiexec, which then share no searches

    def choose(self) -> Chosen:
        """Return the training; raise ValueError if the request contradicts itself or a run."""
        if self.games is not None and any(one.startswith("games=") for one in self.changes):
            raise ValueError("--games and --set games= say the same: give one of them")
        place, found = self._place, is_run(self._place)
        if self.resume and not self._says_how:
            if found:
                return Chosen(resumed(place, self.system))
            if self.folder is not None and self.system is None:
                raise ValueError(f"{place}: no run to resume here; name a system to start one")
        made = self._make()
        if self.resume and not found:
            return made._replace(
                remarks=(*made.remarks, f"there is no run in {place}: a new one begins")
            )
        if self.folder is None and place != self._usual_place:
            taken = f"{self._usual_place} is there already; this run is kept in {place}"
            return made._replace(remarks=(*made.remarks, taken))
        return made

    @cached_property
    def _recipe(self) -> Recipe:
        if self.resume and self.folder is not None and is_run(self.folder):
            return begun_recipe(self.folder, self.system)
        return find_recipe(self.system or DEFAULT_SYSTEM)

    @cached_property
    def _settings(self) -> list[str]:
        """What is asked for of the settings, as KEY=VALUE."""
        games = [] if self.games is None else [f"games={self.games}"]
        return [*self.changes, *games, *self._convention()]

    def _convention(self) -> list[str]:
        if self.result_convention is None:
            return []
        if self._recipe.name != EXPERTS:
            raise ValueError(f"--result-convention is for the system {EXPERTS}")
        return [f"result_convention={self.result_convention}"]

    @cached_property
    def _named_preset(self) -> str | None:
        if self.stage is None:
            return self.preset
        return staged_preset(self._recipe, self.preset, self.stage)

    @property
    def _says_how(self) -> bool:
        """Whether it says anything about how to train."""
        said = (self.seed, self._named_preset, self._settings, self.quick)
        return said != (None, None, [], False) or not self.setup.is_empty

    @cached_property
    def _begun(self) -> Training | None:
        """The run to resume, whose own settings count unless the request names another preset."""
        if not self.resume or not is_run(self._place) or not self.setup.is_empty:
            return None
        found = resumed(self._place, self.system)
        return found if self._names_preset_of(found) else None

    def _names_preset_of(self, training: Training) -> bool:
        """Whether the request names no preset, or the one that a run began with."""
        if self._named_preset is None and not self.quick:
            return True
        preset = self._named_preset or DEFAULT_PRESET
        words = shlex.split(training.command)
        return ("--preset", preset) in pairwise(words) and ("--quick" in words) == self.quick

    @cached_property
    def _drawn(self) -> int:
        """The seed asked for; without one, that of the run to resume, or the usual one."""
        if self.seed is not None:
            return self.seed
        if self.resume and self.folder is not None and is_run(self.folder):
            return resumed(self.folder, self.system).seed
        return DEFAULT_SEED

    @property
    def _usual_place(self) -> Path:
        """The folder of a run for which none is named: stages and quick sizes have their own."""
        stage = [] if self.stage is None else [*filter(None, [self.preset]), str(self.stage)]
        quick = ["quick"] if self.quick else []
        return RUNS_FOLDER / f"{'-'.join([self._recipe.name, *stage, *quick])}-seed{self._drawn}"

    @cached_property
    def _place(self) -> Path:
        usual = self._usual_place
        return self.folder or (usual if self.resume else free_folder(usual))

    def _make(self) -> Chosen:
        """Put the settings of a new run together, or those that a begun one must have."""
        recipe, changes, begun = self._recipe, self._settings, self._begun
        if begun is not None:
            seed = begun.seed if self.seed is None else self.seed
            settings = begun.settings.with_changes(changes)
            return Chosen(Training(recipe, settings, seed, self._place, begun.command))
        preset = self._named_preset or (OLD_PRESET if self.setup.is_old else DEFAULT_PRESET)
        if not self.spreads_games:
            changes = [*changes, *one_thread_a_process(recipe, preset, changes)]
        given = [change.partition("=")[0] for change in changes]
        usual = recipe.quick_preset(preset) if self.quick else recipe.preset(preset)
        applied = apply_set_up(self.setup, usual.with_changes(changes), given)
        chosen: RecipeSettings = applied.settings
        words = ["crossboard", "train", recipe.name, "--preset", preset, "--seed", str(self._drawn)]
        words += ["--quick"] if self.quick else []
        for change in changes:
            words += ["--set", change]
        for name, value in vars(self.setup).items():
            words += [] if value is None else [f"--{name}", str(value)]
        training = Training(recipe, chosen, self._drawn, self._place, shlex.join(words))
        return Chosen(training, (*applied.remarks, *chosen.remarks()))


def staged_preset(recipe: Recipe, preset: str | None, stage: int) -> str:
    """Return which preset trains a stage of another; raise ValueError if there is none.

    Those of the usual preset are called stage-1 and so on, those of others six, six-2 and so on.
    """
    if preset in (None, DEFAULT_PRESET):
        found = f"stage-{stage}"
    else:
        has_stages = f"{preset}-2" in recipe.presets
        found = preset if stage == 1 and has_stages else f"{preset}-{stage}"
    if found not in recipe.presets:
        asked = f"--stage {stage}" if preset is None else f"--preset {preset} --stage {stage}"
        raise ValueError(f"{asked}: {recipe.name} has the presets {', '.join(recipe.presets)}")
    return found


def one_thread_a_process(recipe: Recipe, preset: str, changes: list[str]) -> list[str]:
    """Return the setting of searches that processes share: one for each processor is enough."""
    if not (recipe.shares_searches and mpi_job.is_under_mpiexec()):
        return []
    is_set = any(change.startswith("threads=") for change in changes)
    has_more = getattr(recipe.preset(preset), "threads", 1) > 1
    return ["threads=1"] if has_more and not is_set else []


def free_folder(usual: Path) -> Path:
    """Return the usual folder of a run, or the first one beside it that is free."""
    if not usual.exists():
        return usual
    numbers = range(2, 1_000_000)
    return next(place for n in numbers if not (place := Path(f"{usual}-{n}")).exists())
