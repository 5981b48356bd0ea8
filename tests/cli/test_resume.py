"""`match --resume` and `tournament --resume`: whatever stopped them, they end as if unbroken."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from .conftest import CROSSBOARD, Run

MATCH = ("match", "draft5", "material", "--games", 40, "--depth", 4)
KINDS = {
    "match": MATCH,
    "nodes": (*MATCH[:4], 20, "--nodes", 3000, "--seed", 3),
    "sprt": ("match", "material", "random", "--games", 400, "--depth", 5, "--sprt", "-30,30"),
    "tournament": ("tournament", "random", "material", "draft5", "--games", 10, "--depth", 4),
    "gauntlet": ("tournament", "draft5", "random", "material", "--games", 12, "--gauntlet"),
    "duchess": ("match", "duchess-2", "random", "--games", 4, "--depth", 1, "--max-plies", 60),
}


def without_seconds(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_seconds(each) for key, each in value.items() if key != "seconds"}
    return [without_seconds(each) for each in value] if isinstance(value, list) else value


def told(text: str) -> Any:
    return without_seconds(json.loads(text))


def start(*words: object, as_json: bool = True) -> subprocess.Popen[str]:
    command = [*CROSSBOARD, *map(str, words), *(["--json"] if as_json else [])]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def size_of(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def kill_until_done(
    file: Path, words: tuple[object, ...], rng: random.Random, most: int
) -> tuple[Any, int]:
    """Start a command, kill it in the midst of its games, resume it, and return its end."""
    kills = 0
    while True:
        enough = size_of(file) + (rng.randrange(4000) if kills else 0)
        process = start(*words, "--pdn", file, "--resume")
        while kills < most and process.poll() is None and size_of(file) <= enough:
            time.sleep(0.001)
        if kills < most:
            process.kill()
        out, err = process.communicate(timeout=300)
        if process.returncode == 0:
            return told(out), kills
        assert (process.returncode, err) == (-signal.SIGKILL, "")
        kills += 1


@pytest.mark.parametrize("kind", KINDS)
def test_killed_at_random_it_ends_as_an_unbroken_one(kind: str, run: Run, tmp_path: Path):
    words, whole, file = KINDS[kind], tmp_path / "whole.pdn", tmp_path / "games.pdn"
    expected = told(run(*words, "--pdn", whole, "--json").out)
    for seed in range(5):  # on a busy machine it may be over before it is killed
        file.unlink(missing_ok=True)
        found, kills = kill_until_done(file, words, random.Random(seed), most=3)
        assert found == expected
        assert file.read_bytes() == whole.read_bytes()
        if kills:
            break
    assert kills > 0
    assert not list(tmp_path.glob(".*"))


def test_what_control_c_ended_is_continued(tmp_path: Path, run: Run):
    words = ("match", "draft5", "material", "--games", 120, "--depth", 5)
    file, whole = tmp_path / "games.pdn", tmp_path / "whole.pdn"
    process = start(*words, "--pdn", file)
    while process.poll() is None and not size_of(file):
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (130, "")
    assert 0 < json.loads(out)["games"] < 120
    found = told(run(*words, "--pdn", file, "--resume", "--json").out)
    assert found == told(run(*words, "--pdn", whole, "--json").out)
    assert file.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_a_finished_one_is_told_again_without_playing(command: str, run: Run, tmp_path: Path):
    file = tmp_path / "games.pdn"
    words = (command, "draft5", "random", "--games", 6, "--depth", 2, "--pdn", file)
    first = run(*words, "--json")
    before = file.stat()
    again = run(*words, "--resume", "--json")
    assert (again.code, again.err) == (0, "")
    assert told(again.out) == told(first.out)
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    plain = run(*words, "--resume")
    assert (plain.code, "games/s" in plain.out) == (0, False)


def test_the_number_of_workers_may_change(run: Run, tmp_path: Path):
    whole, file = tmp_path / "whole.pdn", tmp_path / "games.pdn"
    expected = run(*MATCH, "--pdn", whole, "--workers", 1, "--json")
    file.write_bytes(whole.read_bytes()[:5000])
    os.link(f"{whole}.terms.json", f"{file}.terms.json")
    found = run(*MATCH, "--pdn", file, "--workers", 3, "--resume", "--json")
    assert told(found.out) == told(expected.out)
    assert file.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_after_control_c_it_is_said_how_to_continue(command: str, tmp_path: Path):
    words = (command, "draft5", "material", "--games", 100_000, "--depth", 6, "--pdn")
    file = tmp_path / "games.pdn"
    process = start(*words, file, as_json=False)
    while process.poll() is None and not size_of(file):
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (130, "")
    assert "\nTo continue, give the same command with --resume.\n" in out


def test_resuming_nothing_begins(run: Run, tmp_path: Path):
    file = tmp_path / "games.pdn"
    done = run("match", "random", "random", "--games", 2, "--pdn", file, "--resume")
    assert (done.code, done.err) == (0, "")
    assert size_of(file)
    assert size_of(tmp_path / "games.pdn.terms.json")


# ---- refusals: one line, exit code 2, and nothing is changed


def check_refused(run: Run, file: Path, told_part: str, *words: object) -> None:
    before = file.read_bytes()
    done = run(*words, "--pdn", file)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("crossboard: ")
    assert told_part in done.err
    assert done.err.count("\n") == 1
    assert file.read_bytes() == before


SMALL = ("match", "draft5", "random", "--games", 4, "--depth", 2)


@pytest.fixture
def played(run: Run, tmp_path: Path) -> Path:
    file = tmp_path / "games.pdn"
    assert run(*SMALL, "--pdn", file).code == 0
    return file


def test_a_file_that_exists_needs_resume(run: Run, played: Path):
    words = f"{played} exists already: add --resume to continue its match, or choose another file"
    check_refused(run, played, words, *SMALL)
    check_refused(run, played, words, "tournament", "random", "material", "--games", 2)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ((*SMALL, "--seed", 1), "seed (0, now 1)"),
        ((*SMALL, "--no-quiescence"), 'players 1 search (nothing, now {"quiescence": false})'),
        ((*SMALL[:4], 6, "--depth", 2), "games (4, now 6)"),
        ((*SMALL[:5], "--own-limits"), 'limits ({"depth": 2}, now null)'),
        ((*SMALL, "--sprt", "0,10"), "other terms: sprt"),
        ((*SMALL, "--max-plies", 9), "rules max_plies (0, now 9)"),
        ((*SMALL, "--openings", "random:4"), "openings random_plies (0, now 4)"),
        (("match", "material", *SMALL[2:]), "players (draft5 - random, now material - random)"),
        (("tournament", *SMALL[1:]), 'pairings ("match", now "round robin")'),
    ],
)
def test_other_terms_are_refused(run: Run, played: Path, words: tuple[object, ...], part: str):
    check_refused(run, played, part, *words, "--resume")


def test_resume_needs_a_file(run: Run):
    for command in ("match", "tournament"):
        done = run(command, "random", "material", "--resume")
        assert (done.code, done.out) == (2, "")
        assert done.err == "crossboard: --resume needs --pdn FILE: games are kept nowhere else\n"


def test_damage_is_told_in_one_line(run: Run, played: Path):
    whole = played.read_bytes()
    played.write_bytes(whole.replace(b"no move", b"forfeit", 1))
    check_refused(run, played, "what follows game 0 is not as this match", *SMALL, "--resume")
    played.write_bytes(whole)
    terms = Path(f"{played}.terms.json")
    terms.write_text("{")
    check_refused(run, played, f"{terms} is damaged", *SMALL, "--resume")
    terms.unlink()
    check_refused(run, played, f"there is no {terms} beside it", *SMALL, "--resume")
