"""What runs there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossboard.runs import NotARun, Run, Status, find_run, list_runs

from .toy_learner import learn


def test_runs_are_listed_by_name_with_how_they_are(tmp_path: Path):
    learn(tmp_path / "b", 4)
    with Run.create(tmp_path / "a", {"seed": 1}) as run:
        run.save(2, {}, {})
        run.log(3, loss=0.5)
        run.log(4, wins=7)
    Run.create(tmp_path / "c", {}).close()
    (tmp_path / "c" / "config.toml").write_text("=")
    (tmp_path / "d" / "config.toml").mkdir(parents=True)
    (tmp_path / "no run").mkdir()
    a, b, c, d = list_runs(tmp_path)
    assert (a.name, a.status, a.step, a.lines) == ("a", Status.STOPPED, 2, 2)
    assert a.last == {"loss": 0.5, "wins": 7}
    assert (b.name, b.status, b.step) == ("b", Status.FINISHED, 4)
    assert (c.name, c.status) == ("c", Status.DAMAGED)
    assert "config.toml" in str(c.problem)
    assert d.status is Status.DAMAGED
    assert a.as_json()["status"] == "stopped"


def test_no_folder_no_runs(tmp_path: Path):
    assert list_runs(tmp_path / "none") == []


def test_a_run_is_found_by_name_or_path(tmp_path: Path):
    Run.create(tmp_path / "treestrap", {}).close()
    assert find_run("treestrap", tmp_path) == tmp_path / "treestrap"
    assert find_run(str(tmp_path / "treestrap"), tmp_path / "none") == tmp_path / "treestrap"
    with pytest.raises(NotARun, match="did you mean treestrap"):
        find_run("treestarp", tmp_path)
    with pytest.raises(NotARun, match="neither as a folder nor in"):
        find_run("xyz", tmp_path)
