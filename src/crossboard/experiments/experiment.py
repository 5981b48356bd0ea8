"""Experiments: a paper's table measured again, in a run that can be stopped and goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from crossboard.experiments.claims import (
    NOT_JUDGED,
    Claim,
    Finding,
    Measurement,
    Verdict,
    judge_all,
)
from crossboard.experiments.report import FINDINGS, draw_findings, format_report
from crossboard.runs import DamagedRun, NotARun, Run
from crossboard.runs.curves import figure_bytes
from crossboard.runs.run import CONFIG
from crossboard.storage import write_whole
from crossboard.systems.provenance import origin_of, read_kept
from crossboard.systems.registers import enter, gather

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The modules of this package that register an experiment when they are imported.
MODULES: tuple[str, ...] = (
    "gridworld",
    "network_parts",
    "lambda_league",
    "representations",
    "regimes",
    "experts",
    "compare_learners",
    "duchess_stages",
    "duchess_questions",
    "vision_speed",
    "dvision_speed",
    "vision_match",
    "dvision_training",
    "draft5_ga",
    "draft5_ablations",
    "mp_draughts",
    "ls_draughts",
)


class UnknownExperiment(ValueError):
    """There is no experiment of that name."""


class GivenGames(NamedTuple):
    """A file of games that the user gave."""

    path: Path
    result_convention: str | None = None  # which side 1-0 means, if the user set it

    @property
    def config(self) -> dict[str, str]:
        """What a run should know of it."""
        convention = self.result_convention
        told = {} if convention is None else {"result_convention": convention}
        return {"source": str(self.path), **told}


@dataclass(frozen=True)
class Lab:
    """What an experiment is given to measure with."""

    quick: bool  # a size that takes minutes, and may leave verdicts undecided
    seed: int
    executor: Executor  # for whatever fans out; results must not depend on its size
    folder: Path  # the experiment's run: its own runs and players belong below it
    known: Mapping[str, Measurement]  # measured before a stop: need not be measured again
    tell: Callable[[str], None]  # says how far it is
    figures: dict[str, Figure] = field(default_factory=dict)  # to add to: names and figures
    tables: dict[str, str] = field(default_factory=dict)  # to add to: titles and Markdown
    workers: int = 1  # how many games the executor plays at a time
    processes: Executor | None = None  # where Python itself has much to do, as in learning
    source: GivenGames | None = None

    @property
    def learners(self) -> Executor:
        """Where learning fans out to."""
        return self.processes or self.executor

    def seeds(self, count: int) -> range:
        """Return seeds of trainings; an experiment with another seed has none of them."""
        return range(1000 * self.seed, 1000 * self.seed + count)

    def kept(self, name: str, make: Callable[[], Any], *, told: object) -> Any:
        """Make plain data and keep it in a file, or read what was kept before a stop.

        `told` is all that the data depends on: what was made of something else is made anew.
        """
        place, origin = self.folder / name, origin_of(told)
        if read_kept(place, origin) is None:
            write_whole(place, json.dumps({"origin": origin, "kept": make()}).encode())
        return json.loads(place.read_text("utf-8"))["kept"]


@dataclass(frozen=True)
class Experiment:
    """A published table: its figures, and a function that yields a measurement of each.

    The function need not yield what `lab.known` has, and may yield in any order. A measurement is
    kept as soon as it is yielded; what figures need must be kept by the function itself, in
    `lab.folder`, if it is to survive a stop.
    """

    name: str
    paper: str
    claims: tuple[Claim, ...]
    measure: Callable[[Lab], Iterator[Measurement]]
    summary: str = ""
    rule: str = ""  # what is compared and how it is judged, said before anything is measured
    # Raises ValueError where it cannot be measured: asked before it has a folder.
    check: Callable[[], object] = lambda: None
    # Reads the user's file of games, if the experiment learns from one; raises ValueError.
    read_games: Callable[[GivenGames], object] | None = None
    # Whether the quick size is a test of the paper too, or so small that it says nothing of it.
    judges_quick: bool = True


@dataclass(frozen=True)
class ExperimentResult:
    """What came out of an experiment."""

    experiment: Experiment
    findings: tuple[Finding, ...]
    folder: Path
    seconds: float
    was_finished: bool  # before it was asked for

    @property
    def verdict(self) -> Verdict:
        return judge_all(self.findings)

    def as_json(self) -> dict[str, Any]:
        """Give the figures under the names that `--json` uses."""
        return {
            "name": self.experiment.name,
            "paper": self.experiment.paper,
            "published": {one.claim.name: one.claim.published for one in self.findings},
            "measured": {one.claim.name: one.measured.value for one in self.findings},
            "verdict": str(self.verdict),
            "findings": [one.as_json() for one in self.findings],
            "run": str(self.folder),
            "report": str(self.folder / "report.md"),
            "seconds": self.seconds,
            "was_finished": self.was_finished,
        }


_registered: dict[str, Experiment] = {}


def register(experiment: Experiment) -> Experiment:
    """Make an experiment known by its name; raise ValueError if that is taken."""
    names = [claim.name for claim in experiment.claims]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"{experiment.name}: claims need names of their own: {names}")
    return enter(_registered, experiment)


def all_experiments() -> list[Experiment]:
    """List the experiments by name."""
    return gather(_registered, __package__, MODULES)


def find_experiment(name: str) -> Experiment:
    """Return an experiment; raise UnknownExperiment, which knows the nearest name."""
    known = {experiment.name: experiment for experiment in all_experiments()}
    if name in known:
        return known[name]
    near = get_close_matches(name, known, n=1)
    all_names = f"there are {', '.join(known)}" if known else "there is none yet"
    hint = f"did you mean {near[0]}?" if near else all_names
    raise UnknownExperiment(f"there is no experiment {name!r}: {hint}")


def conduct(
    experiment: Experiment,
    folder: Path,
    executor: Executor,
    *,
    quick: bool = False,
    seed: int = 1,
    tell: Callable[[str], None] = lambda _: None,
    workers: int = 1,
    processes: Executor | None = None,
    source: GivenGames | None = None,
) -> ExperimentResult:
    """Measure all claims, or what a stop has left of them, and write the report.

    Asked for again it measures nothing and returns what the run has. Raises ValueError for a file
    of games that the experiment has no use for, and where it cannot be measured.
    """
    if source is not None:
        _check_games(experiment, source, folder)
    _check_run(folder)
    if not (folder / CONFIG).exists():
        experiment.check()
    config = {"experiment": experiment.name, "quick": quick, "seed": seed}
    config |= {} if source is None else source.config
    with Run.resume(folder, config) as run:
        was_finished = run.is_finished
        known = _read_known(run)
        if not was_finished:
            if experiment.rule:
                tell(experiment.rule)
            lab = Lab(
                quick,
                seed,
                executor,
                folder,
                dict(known),
                tell,
                workers=workers,
                processes=processes,
                source=source,
            )
            for found in experiment.measure(lab):
                is_other = found.is_other or (quick and not experiment.judges_quick)
                measurement = replace(found, is_other=is_other)
                _check_claimed(experiment, measurement)
                known[measurement.claim] = measurement
                kept = [asdict(one) for one in known.values()]
                run.save(len(known), {}, {"measurements": kept})
                tell(f"{measurement.claim}: {measurement.value:g}")  # told is kept
        findings = _findings(experiment, known)
        if not was_finished:
            _check_complete(experiment, known, run.folder)
            _write_report(run, experiment, findings, lab)
            run.finish()
        last = run.latest()
        seconds = last.seconds if last else 0.0
    return ExperimentResult(experiment, findings, folder, seconds, was_finished)


def _check_run(folder: Path) -> None:
    if not (folder / CONFIG).exists():
        return
    config = Run.open(folder).config
    if "experiment" not in config:
        trained = f"trains {config['system']}" if "system" in config else "is something else"
        raise NotARun(f"{folder}: this run {trained}, and is no experiment: name another")


def _check_games(experiment: Experiment, source: GivenGames, folder: Path) -> None:
    if experiment.read_games is None:
        name = str(source.path)
        raise ValueError(f"{experiment.name} takes no games, so {name!r} is of no use to it")
    if not (folder / CONFIG).exists():  # games that are no use should leave no run behind
        experiment.read_games(source)


def _read_known(run: Run) -> dict[str, Measurement]:
    last = run.latest()
    try:
        kept = [Measurement(**one) for one in last.state["measurements"]] if last else []
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedRun(f"{run.folder}: no run of an experiment: {error}") from error
    return {one.claim: one for one in kept}


def _check_claimed(experiment: Experiment, measurement: Measurement) -> None:
    if measurement.claim not in {claim.name for claim in experiment.claims}:
        raise ValueError(f"{experiment.name} claims nothing about {measurement.claim!r}")


def _check_complete(experiment: Experiment, known: Mapping[str, Measurement], folder: Path) -> None:
    # What is only told beside others may be left out, as in a smaller size.
    asked = [claim.name for claim in experiment.claims if claim.relation not in NOT_JUDGED]
    missing = [name for name in asked if name not in known]
    if missing:
        raise ValueError(f"{folder}: {experiment.name} has not measured {', '.join(missing)}")


def _findings(experiment: Experiment, known: Mapping[str, Measurement]) -> tuple[Finding, ...]:
    """Put claims beside what was measured of them; finished runs may be older than a claim."""
    return tuple(
        Finding(claim, known[claim.name]) for claim in experiment.claims if claim.name in known
    )


def _write_report(
    run: Run, experiment: Experiment, findings: tuple[Finding, ...], lab: Lab
) -> None:
    drawn = {FINDINGS: draw_findings(findings), **lab.figures}
    for name, figure in drawn.items():
        run.write(f"{name}.svg", figure_bytes(figure, "svg"))
    text = format_report(
        experiment.name,
        experiment.paper,
        experiment.summary,
        experiment.rule,
        findings,
        settings=run.config,
        figures=list(drawn),
        tables=lab.tables,
    )
    run.write("report.md", text)
