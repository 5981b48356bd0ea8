"""The frame of experiments: conducted, stopped and resumed, reported."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from crossboard.experiments import (
    Experiment,
    ExperimentResult,
    Lab,
    Measurement,
    UnknownExperiment,
    Verdict,
    all_experiments,
    conduct,
    find_experiment,
    register,
)
from crossboard.runs import ConfigDiffers, Run

from .toy_experiment import CLAIMS, measure, register_toy


def run_toy(
    experiment: Experiment, folder: Path, workers: int = 1, **options: object
) -> ExperimentResult:
    with ThreadPoolExecutor(workers) as executor:
        return conduct(experiment, folder, executor, **options)  # type: ignore[arg-type]


def test_published_and_measured_stand_side_by_side(tmp_path: Path):
    outcome = run_toy(register_toy(), tmp_path / "run")
    elo, heads = outcome.findings
    assert (elo.verdict, heads.verdict) == (Verdict.HOLDS, Verdict.FAILS)
    assert outcome.verdict is Verdict.FAILS
    report = (tmp_path / "run" / "report.md").read_text()
    assert report.startswith("# coin: does not hold\n\nBernoulli")
    assert "| claim | published | measured | 95 % interval | verdict |" in report
    assert "| Elo of a fair coin \\| against itself | 0 ± 40 | " in report
    assert "| share of heads | ≥ 0.9 of all | " in report
    assert "Table 1; 400 pairs" in report
    assert "crossboard experiment coin --seed 1" in report
    assert "![findings](findings.svg)" in report
    assert (tmp_path / "run" / "findings.svg").read_bytes().startswith(b"<?xml")


def test_a_small_size_may_leave_it_undecided(tmp_path: Path):
    outcome = run_toy(register_toy(), tmp_path / "run", quick=True)
    assert outcome.findings[0].verdict is Verdict.UNDECIDED
    assert "coin --quick --seed 1" in (tmp_path / "run" / "report.md").read_text()


def test_a_size_that_is_too_small_to_judge_is_only_shown(tmp_path: Path):
    experiment = replace(register_toy(), judges_quick=False)
    quick, full = (
        run_toy(experiment, tmp_path / name, quick=name == "quick") for name in ("quick", "full")
    )
    assert {finding.verdict for finding in quick.findings} == {Verdict.SHOWN}
    assert full.verdict is Verdict.FAILS


def test_the_report_depends_on_the_seed_but_not_on_workers_or_the_clock(tmp_path: Path):
    experiment = register_toy()
    reports = []
    for number, (workers, seed) in enumerate([(1, 1), (3, 1), (1, 2)]):
        run_toy(experiment, tmp_path / str(number), workers, seed=seed)
        files = sorted((tmp_path / str(number)).glob("*.[ms][dv]*"))
        reports.append([path.read_bytes() for path in files])
    assert len(reports[0]) == 2
    assert reports[0] == reports[1]
    assert reports[0] != reports[2]


def test_a_finished_experiment_is_not_measured_again(tmp_path: Path):
    experiment = register_toy()
    first = run_toy(experiment, tmp_path)

    def never(_: Lab) -> Iterator[Measurement]:
        raise AssertionError

    again = run_toy(replace(experiment, measure=never), tmp_path)
    assert again.was_finished
    assert again.findings == first.findings
    with pytest.raises(ConfigDiffers, match="the run has seed = 1, not 2"):
        run_toy(experiment, tmp_path, seed=2)


def test_a_stopped_experiment_goes_on_with_what_it_knows(tmp_path: Path):
    experiment = register_toy()
    whole = run_toy(experiment, tmp_path / "whole")

    def stopped(lab: Lab) -> Iterator[Measurement]:
        yield next(measure(lab))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_toy(replace(experiment, measure=stopped), tmp_path / "run")
    assert not Run.open(tmp_path / "run").is_finished
    known = []

    def going_on(lab: Lab) -> Iterator[Measurement]:
        known.extend(lab.known)
        yield from measure(lab)

    resumed = run_toy(replace(experiment, measure=going_on), tmp_path / "run")
    assert known == ["elo"]
    assert resumed.findings == whole.findings
    assert (tmp_path / "run" / "report.md").read_text() == (
        tmp_path / "whole" / "report.md"
    ).read_text()


def test_an_experiment_adds_figures_of_its_own(tmp_path: Path):
    def drawing(lab: Lab) -> Iterator[Measurement]:
        from matplotlib.figure import Figure

        lab.figures["coins"] = Figure()
        yield from measure(lab)

    run_toy(replace(register_toy(), measure=drawing), tmp_path)
    assert (tmp_path / "coins.svg").exists()
    assert "![coins](coins.svg)" in (tmp_path / "report.md").read_text()


def test_every_claim_must_be_measured_and_nothing_else(tmp_path: Path):
    experiment = register_toy()

    def half(lab: Lab) -> Iterator[Measurement]:
        yield next(measure(lab))

    def foreign(_: Lab) -> Iterator[Measurement]:
        yield Measurement("luck", 1, 0, 2)

    with pytest.raises(ValueError, match="coin has not measured heads"):
        run_toy(replace(experiment, measure=half), tmp_path / "half")
    with pytest.raises(ValueError, match="coin claims nothing about 'luck'"):
        run_toy(replace(experiment, measure=foreign), tmp_path / "foreign")


def test_a_finished_run_shows_what_it_has_of_claims_that_came_later(tmp_path: Path):
    def heads(lab: Lab) -> Iterator[Measurement]:
        yield list(measure(lab))[-1]

    experiment = register_toy()
    before = run_toy(replace(experiment, claims=CLAIMS[1:], measure=heads), tmp_path)
    assert run_toy(experiment, tmp_path).findings == before.findings


def test_progress_is_told(tmp_path: Path):
    told: list[str] = []
    run_toy(register_toy(), tmp_path, tell=told.append)
    assert [line.split(":")[0] for line in told] == ["elo", "heads"]


def test_the_rule_is_told_before_anything_is_measured_and_reported(tmp_path: Path):
    told: list[str] = []
    run_toy(replace(register_toy(), rule="Heads count."), tmp_path, tell=told.append)
    assert told[0] == "Heads count."
    assert (
        "\nThe rule, fixed before the run: Heads count.\n" in (tmp_path / "report.md").read_text()
    )


def test_experiments_are_found_by_name():
    with pytest.raises(UnknownExperiment, match="no experiment 'coin': there is none yet"):
        find_experiment("coin")
    experiment = register_toy()
    assert find_experiment("coin") is experiment
    assert all_experiments() == [experiment]
    with pytest.raises(UnknownExperiment, match="no experiment 'cion': did you mean coin"):
        find_experiment("cion")
    with pytest.raises(UnknownExperiment, match="no experiment 'zebra': there are coin"):
        find_experiment("zebra")


def test_names_are_taken_once():
    experiment = register_toy()
    with pytest.raises(ValueError, match="two experiments 'coin'"):
        register(experiment)
    for claims in ((), (CLAIMS[0], CLAIMS[0])):
        with pytest.raises(ValueError, match="names of their own"):
            register(replace(experiment, name="other", claims=claims))
