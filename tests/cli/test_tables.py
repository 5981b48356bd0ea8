"""`crossboard tables`: listing, building, checking."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest

from .conftest import CROSSBOARD, Run

# With Black to move: two kings against one, a man against a man, counted by hand or by the rules.
COUNTS = {(0, 1, 0, 1): 32 * 31, (1, 0, 1, 0): 28 * 28 - 24, (0, 2, 0, 1): 32 * 31 * 30 // 2}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables with 3 pieces."""
    place = tmp_path_factory.mktemp("tables")
    command = [*CROSSBOARD, "tables", "build", "--pieces", "3", "--folder", str(place), "--json"]
    built = subprocess.run(command, capture_output=True, text=True, check=True)
    told = json.loads(built.stdout)
    assert (told["pieces"], told["slices"], told["kept"]) == (3, 16, 0)
    assert told["positions"] == 3_488 + 196_032
    assert told["outcome_bytes"] == sum(f.stat().st_size for f in place.glob("*.outcomes"))
    assert told["distance_bytes"] == sum(f.stat().st_size for f in place.glob("*.distances"))
    return place


def test_the_list_as_json(run: Run, folder: Path):
    told = json.loads(run("tables", "--folder", folder, "--json").out)
    assert (told["folder"], told["pieces"], told["distance_pieces"]) == (str(folder), 3, 3)
    slices = {tuple(one["slice"]): one for one in told["slices"]}
    assert len(slices) == len(told["slices"]) == 16
    for name, positions in COUNTS.items():
        assert slices[name]["positions"] == positions
    for one in told["slices"]:
        assert list(one) == ["slice", "positions", "win", "draw", "loss"]
        assert one["positions"] == one["win"] + one["draw"] + one["loss"]
    assert slices[0, 2, 0, 1]["loss"] == 0


def test_the_list(run: Run, folder: Path):
    lines = run("tables", "--folder", folder).out.splitlines()
    assert len(lines) == 18
    assert lines[1].split() == ["0-1", "0-1", "992", "230", "654", "108"]
    assert lines[-1] == "complete up to 3 pieces, Black to move"


def test_no_tables_is_an_answer_that_names_the_command(run: Run, tmp_path: Path):
    told = run("tables", "--folder", tmp_path / "none")
    build = f"crossboard tables build --pieces 5 --folder {tmp_path / 'none'}"
    assert told.out == f"there are no tables in {tmp_path / 'none'}; build them with: {build}\n"
    told = run("tables", "--json", "--folder", tmp_path / "none")
    assert (json.loads(told.out)["pieces"], json.loads(told.out)["slices"]) == (0, [])


def test_the_folder_is_that_of_the_variable_or_tables_here(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("CROSSBOARD_TABLES", raising=False)
    monkeypatch.chdir(tmp_path)
    assert json.loads(run("tables", "--json").out)["folder"] == "tables"
    monkeypatch.setenv("CROSSBOARD_TABLES", str(folder))
    assert json.loads(run("tables", "--json").out)["pieces"] == 3


def test_building_again_needs_resume(run: Run, folder: Path):
    refused = run("tables", "build", "--pieces", 3, "--folder", folder)
    assert (refused.code, refused.out) == (2, "")
    assert "add --resume" in refused.err
    built = run("tables", "build", "--pieces", 3, "--folder", folder, "--resume")
    assert built.code == 0
    assert "0 built, 16 kept" in built.out


def test_verify(run: Run, folder: Path):
    assert run("tables", "verify", "--folder", folder).out == (
        "16 slices, 199,520 positions: all files are whole\n"
    )
    told = json.loads(run("tables", "--folder", folder, "verify", "--json").out)
    assert told == {"folder": str(folder), "slices": 16, "positions": 199_520, "damaged": []}
    assert run("tables", "verify", "--folder", folder / "none").code == 2


def test_damage_is_one_line_with_the_file_and_the_command(run: Run, folder: Path, tmp_path: Path):
    name = "0-2-0-1.outcomes"
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / name).write_bytes((folder / name).read_bytes()[:100])
    for arguments in ([], ["verify"]):
        refused = run("tables", *arguments, "--folder", tmp_path)
        assert refused.code == 2
        (line,) = refused.err.splitlines()
        assert line.startswith(f"crossboard: {tmp_path / name}: it is truncated: 100 bytes, not ")
        rebuild = line.split("rebuild it with: ")[1]
    assert run(*shlex.split(rebuild)[1:]).code == 0
    assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
    assert run("tables", "verify", "--folder", tmp_path).code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["tables", "--folder"],
        ["tables", "build", "--pieces", 2, "--folder"],
        ["search", "--depth", 1, "--tables"],
    ],
)
def test_a_file_in_place_of_a_folder_is_refused(run: Run, tmp_path: Path, arguments: list[object]):
    (tmp_path / "file").touch()
    refused = run(*arguments, tmp_path / "file")
    assert (refused.code, refused.out) == (2, "")
    assert str(tmp_path / "file") in refused.err
    assert re.search(r"[Nn]ot a (folder|directory)\n$", refused.err)
    assert refused.err.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_ctrl_c_keeps_what_is_finished_and_names_the_command(tmp_path: Path):
    command = [*CROSSBOARD, "tables", "build", "--pieces", "5", "--folder", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while not list(tmp_path.glob("0-3-0-1.outcomes")) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    again = f"crossboard tables build --pieces 5 --folder {tmp_path} --resume"
    assert told.splitlines()[-1] == f"stopped; continue with: {again}"
    assert not list(tmp_path.glob(".*.tmp"))
