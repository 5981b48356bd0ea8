"""`crossboard hub`, and outside engines in matches and tournaments."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from crossboard.draughts import read_pdn

from .conftest import CROSSBOARD, Run

HUB = f"hub:{shlex.join([*CROSSBOARD, 'hub', '--player', 'material'])}"
FEW = ("--games", 4, "--depth", 5, "--workers", 1)
# Answers the protocol and then never moves.
HANGS = """
import sys, time
print("wait\\nready", flush=True)
for line in sys.stdin:
    if line.startswith("go"):
        print("thinking", file=open(sys.argv[1], "w"), flush=True)
        time.sleep(600)
    if line.startswith("quit"):
        break
"""
# Answers the protocol and dies at its first move.
DIES = """import sys
print("wait\\nready", flush=True)
for line in sys.stdin:
    line.startswith("go") and sys.exit(7)
"""


def moves(path: Path) -> list[tuple[str, list[str]]]:
    return [(game.result, [str(move) for move in game.moves]) for game in read_pdn(path)]


def test_it_answers_until_the_end_of_input(run: Run) -> None:
    done = run("hub", stdin="init\nnonsense\nping\n")
    assert done == (0, "ready\npong\n", "")


def test_it_answers_at_once_and_quits(start: Run) -> None:
    done = start("hub", "--player", "draft5", stdin="hub\nquit\nping\n")
    assert done.code == 0
    assert "param name=player value=draft5 type=string" in done.out
    assert done.out.endswith("wait\n")
    assert done.err == ""


@pytest.mark.parametrize("command", [("search", "--depth", 3), ("analyse", "games.pdn"), ("hub",)])
def test_outside_engines_play_and_answer_nothing_else(
    run: Run, command: tuple[object, ...]
) -> None:
    told = "hub:./engine: outside engines take part in match, tournament and play only"
    assert run(*command, "--player", "hub:./engine") == (2, "", f"crossboard: {told}\n")


def test_our_player_through_hub_plays_the_same_match(run: Run, tmp_path: Path) -> None:
    paths = []
    for number, other in enumerate(("material", HUB)):
        paths.append(tmp_path / f"{number}.pdn")
        told = run("match", "material", other, *FEW, "--json", "--pdn", paths[-1])
        assert told.code == 0, told.err
        assert json.loads(told.out)["other"] == other
    assert moves(paths[0]) == moves(paths[1])


def test_a_tournament_takes_outside_engines(run: Run) -> None:
    told = run("tournament", "random", HUB, "--games", 2, "--depth", 2, "--workers", 2, "--json")
    assert told.code == 0, told.err
    assert json.loads(told.out)["games"] == 2


def test_the_match_goes_on_after_a_fault(run: Run, tmp_path: Path) -> None:
    dies = f"hub:{shlex.join([sys.executable, '-c', DIES])}"
    path = tmp_path / "games.pdn"
    told = run("match", "material", dies, *FEW, "--json", "--pdn", path)
    assert told.code == 0, told.err
    result = json.loads(told.out)
    assert (result["wins"], result["endings"]) == (4, {"forfeit": 4})
    ((reason, count),) = result["reasons"].items()
    assert reason.startswith(f"{result['other']}: ended with exit code 7")
    assert count == 4
    assert path.read_text().count("forfeit: ended with exit code 7") == 4
    assert len(moves(path)) == 4


@pytest.mark.skipif(not os.path.exists("/proc"), reason="looks at processes")
def test_ctrl_c_does_not_wait_for_an_engine_that_hangs(tmp_path: Path) -> None:
    script, sign = tmp_path / "hangs.py", tmp_path / "sign"
    script.write_text(HANGS)
    engine = f"hub:{shlex.join([sys.executable, str(script), str(sign)])}"
    process = subprocess.Popen(
        [*CROSSBOARD, "match", "material", engine, "--seconds", "3600", "--workers", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 300
    while not sign.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    # The engine moves second: our own player has its hour for the second game only.
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    assert "Stopped after 0 games" in out
    left = [name for name in os.listdir("/proc") if name.isdecimal() and is_script(name, script)]
    assert left == []


def is_script(process: str, script: Path) -> bool:
    try:
        return str(script).encode() in Path("/proc", process, "cmdline").read_bytes()
    except OSError:
        return False
