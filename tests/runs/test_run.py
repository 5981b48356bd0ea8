"""A run's life: created, logged, saved, read, resumed, finished."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import numpy as np
import pytest

from crossboard.runs import (
    ConfigDiffers,
    DamagedCheckpoint,
    DamagedRun,
    NotARun,
    Run,
    RunError,
    RunExists,
    RunIsFinished,
    UnfitValue,
    differences,
)

from .toy_learner import learn

CONFIG = {"seed": 3, "rate": 0.1, "system": "toy", "net": {"layers": [28, 20, 1], "bias": True}}
NO_TENSORS: dict[str, np.ndarray] = {}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "run"


def steps_kept(folder: Path) -> list[int]:
    return sorted(int(path.stem[5:]) for path in (folder / "checkpoints").glob("step-*"))


def test_a_new_run_has_its_settings_and_no_checkpoint(folder: Path):
    with Run.create(folder, CONFIG) as run:
        assert run.config == CONFIG
        assert run.latest() is None
        assert not run.is_finished
    assert Run.open(folder).config == CONFIG
    assert Run.open(folder).metrics() == []


def test_what_was_saved_comes_back(folder: Path):
    tensors = {"w": np.arange(6.0).reshape(2, 3), "seen": np.array([True, False])}
    state = {"games": 7, "best": None, "random": {"state": 2**127 + 1}, "list": [1.5, "x"]}
    with Run.create(folder, CONFIG) as run:
        run.save(5, tensors, state)
    last = Run.open(folder).latest()
    assert last is not None
    assert (last.step, last.state) == (5, state)
    assert np.array_equal(last.tensors["w"], tensors["w"])
    assert last.tensors["seen"].dtype == bool
    last.tensors["w"] += 1  # a learner goes on in place


def test_the_newest_checkpoints_are_kept(folder: Path):
    with Run.create(folder, CONFIG, keep=2) as run:
        for step in (1, 2, 30, 4000):
            run.save(step, NO_TENSORS, {"step": step})
        assert steps_kept(folder) == [30, 4000]
        last = run.latest()
        assert last is not None
        assert last.state == {"step": 4000}


def test_a_step_can_be_saved_again_but_no_earlier_one(folder: Path):
    with Run.create(folder, CONFIG) as run:
        run.save(5, NO_TENSORS, {"try": 1})
        run.save(5, NO_TENSORS, {"try": 2})
        with pytest.raises(UnfitValue, match="step 4: the run has a checkpoint of step 5"):
            run.save(4, NO_TENSORS, {})
        last = run.latest()
        assert last is not None
        assert last.state == {"try": 2}


@pytest.mark.parametrize("step", [-1, 10**12, 1.0, True, "1", None])
def test_what_is_no_step(folder: Path, step: object):
    with Run.create(folder, CONFIG) as run:
        with pytest.raises(UnfitValue, match="step must be a whole number"):
            run.save(step, NO_TENSORS, {})
        with pytest.raises(UnfitValue, match="step must be a whole number"):
            run.log(step, loss=1)


def test_metrics_are_lines_of_json_with_the_clock_at_the_end(folder: Path):
    now = iter([10.0, 11.5, 13.25])
    with Run.create(folder, CONFIG, clock=lambda: next(now)) as run:
        run.log(1, loss=np.float32(0.5), games=np.int64(3))
        run.log(2, loss=1)
    lines = (folder / "metrics.jsonl").read_text().splitlines()
    assert lines == [
        '{"step":1,"loss":0.5,"games":3,"seconds":1.5}',
        '{"step":2,"loss":1,"seconds":3.25}',
    ]
    assert Run.open(folder).metrics() == [json.loads(line) for line in lines]


@pytest.mark.parametrize("value", [math.nan, math.inf, 10**400, "1", None, [1], 1j])
def test_a_metric_is_a_finite_number(folder: Path, value: object):
    with Run.create(folder, CONFIG) as run:
        with pytest.raises(UnfitValue, match=r"metric 'loss': .* is no finite number"):
            run.log(1, good=1, loss=value)
        with pytest.raises(UnfitValue, match="metric 'seconds': the run writes that itself"):
            run.log(1, seconds=1)
    assert (folder / "metrics.jsonl").read_bytes() == b""


def test_settings_that_cannot_be_kept_are_told_with_their_key(folder: Path):
    with pytest.raises(UnfitValue, match=r"^config\.toml: net\.rate: None cannot be written"):
        Run.create(folder, {"net": {"rate": None}})


def test_resume_begins_a_run_that_is_not_there(folder: Path):
    with Run.resume(folder, CONFIG) as run:
        assert run.latest() is None
    assert Run.open(folder).config == CONFIG
    with pytest.raises(NotARun, match="there is no run"):
        Run.resume(folder / "other")


def test_resume_forgets_what_came_after_the_checkpoint(folder: Path):
    with Run.create(folder, CONFIG) as run:
        run.log(1, loss=1)
        run.record("game 1\n")
        run.save(1, NO_TENSORS, {})
        run.log(2, loss=2)
        run.record("game 2\n")
    with Run.resume(folder, CONFIG) as run:
        assert [line["step"] for line in run.metrics()] == [1]
        assert (folder / "games.pdn").read_text() == "game 1\n"
        run.log(2, loss=3)
    with Run.resume(folder) as run:
        assert [line["step"] for line in run.metrics()] == [1]


def test_resume_without_a_checkpoint_begins_again(folder: Path):
    with Run.create(folder, CONFIG) as run:
        run.log(1, loss=1)
    with Run.resume(folder, CONFIG) as run:
        assert run.metrics() == []


def test_seconds_go_on_where_they_were(folder: Path):
    with Run.create(folder, CONFIG, clock=iter([0.0, 40.0]).__next__) as run:
        run.save(1, NO_TENSORS, {})
    with Run.resume(folder, clock=iter([1000.0, 1002.0]).__next__) as run:
        assert run.seconds == 42


def test_resume_under_other_settings_is_refused(folder: Path):
    Run.create(folder, CONFIG).close()
    for change, told in (
        ({"seed": 4}, "the run has seed = 3, not 4"),
        ({"net": CONFIG["net"] | {"bias": False}}, "the run has bias = True, not False"),
        ({"more": 1}, "the run has more = nothing, not 1"),
        ({"seed": 3.0}, "the run has seed = 3, not 3.0"),
        ({"seed": 4, "more": 1}, "the run has more = nothing, not 1; seed = 3, not 4: resume it"),
        (dict.fromkeys("abcdef", 1), "d = nothing, not 1 and 2 more: resume it"),
    ):
        with pytest.raises(ConfigDiffers, match=told):
            Run.resume(folder, CONFIG | change)


def test_a_finished_run_says_so_and_takes_nothing_more(folder: Path):
    learn(folder, 3)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with Run.resume(folder) as run:
        assert run.is_finished
        for write in (
            lambda: run.log(9, loss=1),
            lambda: run.save(9, NO_TENSORS, {}),
            lambda: run.record("game"),
            lambda: run.write("report.md", "x"),
            run.finish,
        ):
            with pytest.raises(RunIsFinished, match="the run is finished"):
                write()
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert before == after


def test_a_run_is_finished_only_with_its_end_saved(folder: Path):
    with Run.create(folder, CONFIG) as run:
        with pytest.raises(RunError, match="save a checkpoint of the end"):
            run.finish()
        run.save(1, NO_TENSORS, {})
        run.log(2, loss=1)
        with pytest.raises(RunError, match="save a checkpoint of the end"):
            run.finish()
        run.save(2, NO_TENSORS, {})
        run.finish()
        assert run.is_finished


def test_stop_and_resume_is_no_stop(tmp_path: Path):
    learn(tmp_path / "whole", 50)
    with Run.resume(tmp_path / "whole") as whole:
        last = whole.latest()
    for stop in (1, 7, 24):
        folder = tmp_path / str(stop)
        # Stopped by what the learner logs: any error will do.
        with pytest.MonkeyPatch.context() as patch:
            log = Run.log

            def stopping(run: Run, step: int, *, stop: int = stop, log=log, **values: float):
                if step == stop:
                    raise KeyboardInterrupt
                log(run, step, **values)

            patch.setattr(Run, "log", stopping)
            with pytest.raises(KeyboardInterrupt):
                learn(folder, 50)
        learn(folder, 50)
        assert differences(Run.open(folder), Run.open(tmp_path / "whole")) == []
    assert last is not None
    assert last.step == 50


def test_differences_are_named(tmp_path: Path):
    runs = []
    for name, weight, loss in (("a", 1.0, 1), ("b", np.nextafter(1.0, 2), 2)):
        with Run.create(tmp_path / name, {"seed": name}) as run:
            run.log(1, loss=loss)
            run.record(name)
            run.save(1, {"w": np.array(weight), "same": np.ones(3)}, {"n": loss, "m": 0})
        runs.append(Run.open(tmp_path / name))
    assert differences(*runs) == [
        "config.toml",
        "tensor w",
        "state n",
        "metrics.jsonl",
        "games.pdn",
    ]
    assert differences(runs[0], runs[0]) == []


def test_a_run_is_not_created_over_another_or_over_somebodys_files(folder: Path, tmp_path: Path):
    Run.create(folder, CONFIG).close()
    with pytest.raises(RunExists, match="there is a run already"):
        Run.create(folder, CONFIG)
    home = tmp_path / "home"
    home.mkdir()
    (home / "letter.txt").write_text("dear")
    for begin in (Run.create, Run.resume):
        with pytest.raises(NotARun, match=r"no run, but not empty either: it holds letter\.txt"):
            begin(home, CONFIG)
    assert [path.name for path in home.iterdir()] == ["letter.txt"]


def test_a_run_opened_to_read_takes_nothing(folder: Path):
    Run.create(folder, CONFIG).close()
    run = Run.open(folder)
    with pytest.raises(RunError, match="opened to be read"):
        run.log(1, loss=1)
    with pytest.raises(RunError, match="opened to be read"):
        run.save(1, NO_TENSORS, {})


def test_whole_files_are_written_inside_the_folder_only(folder: Path):
    with Run.create(folder, CONFIG) as run:
        assert run.write("player/player.toml", "game") == folder / "player" / "player.toml"
        assert (run.player_folder / "player.toml").read_text() == "game"
        run.write("figure.png", b"\x89PNG")
        for name in ("../out", "/tmp/out"):
            with pytest.raises(UnfitValue, match="outside of the run's folder"):
                run.write(name, "x")


def test_a_damaged_checkpoint_is_passed_over(folder: Path):
    with Run.create(folder, CONFIG) as run:
        for step in (1, 2):
            run.log(step, loss=step)
            run.save(step, {"w": np.full(3, step)}, {"n": step})
    newest = max((folder / "checkpoints").glob("step-*"))
    newest.write_bytes(newest.read_bytes()[:-1])
    with Run.resume(folder, CONFIG, keep=1) as run:
        last = run.latest()
        assert last is not None
        assert last.state == {"n": 1}
        assert [line["step"] for line in run.metrics()] == [1]
        # What is written now must not be dropped in favour of the damaged one.
        run.save(1, NO_TENSORS, {"n": "again"})
        last = run.latest()
        assert last is not None
        assert last.state == {"n": "again"}


def test_damage_everywhere_is_told_and_not_begun_over(folder: Path):
    with Run.create(folder, CONFIG) as run:
        run.save(1, NO_TENSORS, {})
    path = next((folder / "checkpoints").glob("step-*"))
    path.write_bytes(b"")
    with pytest.raises(DamagedCheckpoint, match=str(path)):
        Run.resume(folder, CONFIG)


def test_lost_metrics_are_told(folder: Path):
    with Run.create(folder, CONFIG) as run:
        run.log(1, loss=1)
        run.save(1, NO_TENSORS, {})
    (folder / "metrics.jsonl").unlink()
    with pytest.raises(DamagedRun, match=r"metrics\.jsonl: it has 0 bytes, but had \d+"):
        Run.resume(folder, CONFIG)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nonsense", "no line of metrics"),
        ("[1]", "no whole number 'step'"),
        ('{"loss": 1}', "no whole number 'step'"),
        ('{"step": 1, "loss": NaN}', "NaN is no number"),
        ('{"step": 1, "loss": "low"}', "'loss' is no finite number"),
        ('{"step": 1, "loss": 1e999}', "'loss' is no finite number"),
        ('{"step": 1, "loss": 1' + 400 * "0" + "}", "'loss' is no finite number"),
        ("[" * 100_000, "nested too deeply"),
        ("\xff", "no line of metrics"),
    ],
)
def test_what_is_no_line_of_metrics(folder: Path, line: str, told: str):
    with Run.create(folder, CONFIG) as run:
        run.log(1, loss=1)
    with open(folder / "metrics.jsonl", "ab") as file:
        file.write(line.encode("latin-1") + b"\n")
    with pytest.raises(DamagedRun, match=rf"metrics\.jsonl, line 2: .*{told}"):
        Run.open(folder).metrics()


def test_a_line_that_is_being_written_does_not_count_yet(folder: Path):
    with Run.create(folder, CONFIG) as run:
        run.log(1, loss=1)
    with open(folder / "metrics.jsonl", "ab") as file:
        file.write(b'{"step": 2, "lo')
    assert len(Run.open(folder).metrics()) == 1


@pytest.mark.parametrize(
    "text", [b"seed = ", b"\xff", b"seed = 1\nseed = 2", b"a = " + b"[" * 100_000]
)
def test_settings_that_are_no_toml(folder: Path, text: bytes):
    Run.create(folder, CONFIG).close()
    (folder / "config.toml").write_bytes(text)
    with pytest.raises(DamagedRun, match=r"config\.toml: "):
        Run.open(folder)


def test_an_interrupt_while_logging_leaves_whole_lines(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    def interrupted(descriptor: int, data: bytes) -> int:
        monkeypatch.undo()
        os.write(descriptor, data[:5])
        raise KeyboardInterrupt

    with Run.create(folder, CONFIG) as run:
        run.log(1, loss=1)
        monkeypatch.setattr(os, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.log(2, loss=2)
        run.log(3, loss=3)
        run.save(3, NO_TENSORS, {})
    with Run.resume(folder) as run:
        assert [line["step"] for line in run.metrics()] == [1, 3]


def test_keep_is_one_at_least(folder: Path):
    with pytest.raises(ValueError, match="keep must be 1 or more"):
        Run.create(folder, CONFIG, keep=0)


def test_a_run_inside_a_run_is_left_to_its_own_writer(folder: Path):
    with Run.create(folder, CONFIG):
        pass
    inner = folder / "arms" / "one"
    with Run.create(inner, CONFIG) as nested:
        own, others = folder / "arms" / ".figure.svg.tmp", inner / ".config.toml.tmp"
        for path in (own, others):
            path.write_text("half")
        with Run.resume(folder) as outer:
            assert (own.exists(), others.exists()) == (False, True)
            nested.log(1, loss=1)
            nested.save(1, NO_TENSORS, {})
            outer.save(1, NO_TENSORS, {})
    with Run.resume(inner) as nested:
        assert not others.exists()
        assert [line["step"] for line in nested.metrics()] == [1]
