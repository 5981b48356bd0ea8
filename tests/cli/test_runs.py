"""`crossboard runs`: lists, curves, export."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crossboard.runs import Run as StoredRun
from crossboard.runs.curves import BLOCKS

from .conftest import Run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of two runs, where the command looks for them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "60")
    for name in ("ann", "bob"):
        config = {"seed": 1, "net": {"size": 3}}
        with StoredRun.create(Path("runs") / name, config, clock=lambda: 0.0) as run:
            for step in range(1, 101):
                run.log(step, loss=1 / step, wins=step)
            run.save(100, {}, {})
            if name == "bob":
                run.finish()
    return tmp_path / "runs"


def test_runs_are_listed(run: Run, folder: Path) -> None:
    told = run("runs").out.splitlines()
    assert told[0].split() == ["run", "status", "step", "time"]
    assert " ".join(told[1].split()) == "ann stopped 100 0:00:00 loss 0.01, wins 100"
    assert told[2].split()[:3] == ["bob", "finished", "100"]
    assert run("runs", "--folder", folder).out.splitlines() == told


def test_no_runs_is_an_answer(run: Run, tmp_path: Path) -> None:
    assert run("runs", "--folder", tmp_path / "none").out.startswith("there are no runs in ")
    told = json.loads(run("runs", "--folder", tmp_path / "none", "--json").out)
    assert told["runs"] == []


def test_the_list_as_json(run: Run, folder: Path) -> None:
    ann, bob = json.loads(run("runs", "--json").out)["runs"]
    assert (ann["name"], ann["status"], ann["step"]) == ("ann", "stopped", 100)
    assert bob["last"] == {"loss": 0.01, "wins": 100}


def test_a_damaged_run_is_listed_as_such(run: Run, folder: Path) -> None:
    (folder / "ann" / "metrics.jsonl").write_text("nonsense\n")
    told = run("runs").out
    assert "damaged" in told
    assert "metrics.jsonl, line 1" in told
    refused = run("runs", "show", "ann")
    assert (refused.code, refused.out) == (2, "")
    assert "metrics.jsonl, line 1" in refused.err


def test_curves_are_as_wide_as_the_terminal(run: Run, folder: Path) -> None:
    lines = run("runs", "show", "ann").out.splitlines()
    assert "settings  seed = 1" in lines
    assert any(line.startswith("          all of them: ") for line in lines)
    wins = next(line for line in lines if line.startswith("wins"))
    assert "▁" in wins
    assert "█" in wins
    assert wins.endswith("1 to 100, last 100")
    assert max(map(len, lines)) <= 60


def test_one_metric_is_shown_larger(run: Run, folder: Path) -> None:
    lines = run("runs", "show", "ann", "--metric", "wins").out.splitlines()
    assert "wins: 1 to 100, last 100" in lines
    assert lines[-1] == "steps 1 to 100"
    assert lines[-2] == "▁" + lines[-2][1:]
    assert len(lines[-2]) == 60
    assert not any("loss" in line for line in lines)
    refused = run("runs", "show", "ann", "--metric", "elo")
    assert refused.err == "crossboard: ann has no metric 'elo': it has loss, wins\n"


def test_a_terminal_without_blocks_gets_plain_ones(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "crossboard.runs.curves.BLOCKS", "\udc00" + BLOCKS[1:]
    )  # no encoding has it
    shown = run("runs", "show", "ann").out
    assert "@" in shown
    assert shown.isascii()


def test_curves_as_json(run: Run, folder: Path) -> None:
    told = json.loads(run("runs", "show", "bob", "--json").out)
    assert told["config"] == {"seed": 1, "net": {"size": 3}}
    assert told["metrics"]["wins"] == {"steps": list(range(1, 101)), "values": list(range(1, 101))}
    assert told["status"] == "finished"


def test_options_may_stand_before_the_word(run: Run, folder: Path) -> None:
    told = run("runs", "show", "bob", "--json").out
    assert run("runs", "--json", "show", "bob").out == told
    assert json.loads(run("runs", "--json", "export", "bob", "--csv", "b.csv").out)["lines"] == 100


@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG"), ("a.SVG", b"<?xml")])
def test_curves_as_a_figure(run: Run, folder: Path, name: str, begins: bytes) -> None:
    done = run("runs", "show", "ann", "--figure", name, "--metric", "loss")
    assert done.code == 0
    assert f"figure    {name}" in done.out
    assert Path(name).read_bytes().startswith(begins)


def test_a_figure_of_another_kind_is_refused(run: Run, folder: Path) -> None:
    refused = run("runs", "show", "ann", "--figure", "a.pdf")
    assert refused == (2, "", "crossboard: a.pdf: a figure is a .png or an .svg file\n")


def test_a_run_may_be_named_by_its_folder(run: Run, folder: Path) -> None:
    assert run("runs", "show", folder / "ann").code == 0
    assert run("runs", "--folder", folder, "show", "ann").code == 0
    assert run("runs", "show", "ann", "--folder", folder).code == 0


def test_an_unknown_run_is_one_line_with_the_nearest_name(run: Run, folder: Path) -> None:
    for command in ("show", "export"):
        options = ["--csv", "x.csv"] if command == "export" else []
        refused = run("runs", command, "anne", *options)
        assert (refused.code, refused.out) == (2, "")
        assert refused.err.endswith("did you mean ann?\n")
    assert not Path("x.csv").exists()


def test_csv(run: Run, folder: Path) -> None:
    done = run("runs", "export", "ann", "--csv", "ann.csv")
    assert done == (0, "100 lines of runs/ann written\n", "")
    lines = Path("ann.csv").read_text().splitlines()
    assert lines[0] == "step,loss,wins,seconds"
    assert lines[1].startswith("1,1.0,1,")
    assert len(lines) == 101
    assert run("runs", "export", "ann", "--csv", "-").out.splitlines() == lines


def test_export_as_json(run: Run, folder: Path) -> None:
    told = json.loads(run("runs", "export", "ann", "--csv", "a.csv", "--json").out)
    assert told == {"run": "runs/ann", "lines": 100, "csv": "a.csv", "tensorboard": None}
    refused = run("runs", "export", "ann", "--csv", "-", "--json")
    assert (refused.code, refused.out) == (2, "")


def test_tensorboard(run: Run, folder: Path) -> None:
    pytest.importorskip("tensorboardX")
    assert run("runs", "export", "ann", "--tensorboard", "board").code == 0
    assert list(Path("board").glob("events.*"))


def test_export_needs_a_target(run: Run, folder: Path) -> None:
    refused = run("runs", "export", "ann")
    assert refused.code == 2
    assert "say --csv FILE or --tensorboard FOLDER" in refused.err


def test_names_from_elsewhere_are_made_visible(run: Run, folder: Path) -> None:
    with StoredRun.resume(folder / "ann") as stored:
        stored.log(101, **{"a\x1b[31m": 1.0})
        (folder / "ann" / ".lock").write_text("process 1 on \x1b[31mred")
        for command in (["runs"], ["runs", "show", "ann"]):
            text = run(*command).out
            assert "\x1b" not in text
            assert r"process 1 on \x1b[31mred" in text
    assert "\x1b" not in run("runs", "show", "ann").out
    assert "\x1b" not in run("runs").out
