"""What all commands share: help, version, and one line with exit code 2 for every mistake."""

from __future__ import annotations

import os
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

from crossboard.cli import commands

from .conftest import CROSSBOARD, Run

COMMANDS = {
    *("analyse", "bench", "convert", "experiment", "hub", "match", "perft", "play", "players"),
    *("runs", "search", "tables", "tournament", "train"),
}


def test_alone_it_shows_the_commands_and_what_to_try_first(run: Run) -> None:
    shown = run()
    assert shown.code == 0
    assert "Try first:  crossboard play" in shown.out
    assert shown.err == ""


def test_help_lists_the_commands_that_exist_and_no_other(run: Run) -> None:
    lines = run("--help").out.partition("Commands")[2].splitlines()
    names = {line.split()[1] for line in lines if line.startswith("│ ") and line[2] != " "}
    assert names == COMMANDS


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help(run: Run, command: str) -> None:
    shown = run(command, "--help")
    assert shown.code == 0
    assert f"Usage: crossboard {command}" in shown.out


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"crossboard {version('crossboard')}\n", "")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["prft"], "No such command 'prft'"),
        (["--nonsense"], "--nonsense"),
        (["perft", "--nonsense"], "(see crossboard perft --help)"),
        (["perft", "--depth", "x"], "'--depth'"),
        (["perft", "--depth"], "--depth"),
        (["convert", "games.pdn"], "TARGET"),
        (["convert", "a.pdn", "b.fen", "--positions", "some"], "'some' is not one of"),
        (["play", "--side", "green"], "'green' is not one of"),
        (["search", "--algorithm", "negamax"], "'negamax' is not one of"),
        (["search", "--threads", "0"], "'--threads'"),
        (["analyse"], "GAME.pdn"),
        (["bench", "--depth", "deep"], "'--depth'"),
        (["hub", "--player", "nobody"], "there is no player 'nobody'"),
        (["match", "material", "hub:no-such-program"], "cannot start 'no-such-program'"),
        (["match", "material", "hub:true"], "hub:true: ended with exit code 0"),
        (["tournament", "material", "hub:"], "no command was given"),
        (["runs", "shw"], "No such command 'shw'"),
        (["runs", "show"], "(see crossboard runs show --help)"),
        (["experiment", "x", "--seed", "-1"], "'--seed'"),
        (["experiment", "x", "--workers", "0"], "'--workers'"),
    ],
)
def test_a_wrong_call_is_one_line(run: Run, arguments: list[str], told: str) -> None:
    refused = run(*arguments)
    assert refused.code == 2
    assert refused.out == ""
    assert refused.err.startswith("crossboard: ")
    assert refused.err.count("\n") == 1
    assert told in refused.err


def test_a_wrong_call_is_one_line_for_the_installed_program_too(start: Run) -> None:
    refused = start("perft", "--fen", "B:W1:B2")
    assert refused.code == 2
    assert refused.out == ""
    assert refused.err.startswith("crossboard: FEN 'B:W1:B2': ")
    assert refused.err.count("\n") == 1


def test_an_error_of_our_own_bugs_is_not_hidden(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr("crossboard.cli.perft.find_start", fail)
    with pytest.raises(KeyError):
        run("perft")


def test_too_little_memory_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("crossboard.cli.search.load_player", fail)
    assert run("search") == (2, "", "crossboard: there is not enough memory\n")


def test_an_interrupt_is_quiet(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("crossboard.cli.perft.find_start", interrupt)
    assert run("perft") == (130, "", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [["perft", "--depth", "2"], ["--version"], ["--help"], []])
def test_a_full_disk_behind_stdout_is_one_line(start: Run, arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        refused = start(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (refused.code, refused.err) == (
        2,
        "crossboard: standard output: No space left on device\n",
    )


@pytest.mark.parametrize(
    "arguments",
    [["perft", "--depth", "2"], ["search", "--depth", "2"], ["play", "--terminal"], ["--help"], []],
)
def test_a_broken_pipe_is_one_line(start: Run, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    refused = start(*arguments, capture_output=False, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (refused.code, refused.err) == (2, "crossboard: standard output: Broken pipe\n")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that can close streams")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_trouble(closed: str, tmp_path: Path) -> None:
    code = f'"$@" {closed}; echo $?'
    positions = tmp_path / "some.fen"
    positions.write_text("B:W32:B1\n")
    done = subprocess.run(
        ["sh", "-c", code, "sh", *CROSSBOARD, "convert", positions, tmp_path / "some.pdn"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout == "0\n"
    assert "Traceback" not in done.stderr
    assert 'FEN "B:W32:B1"' in (tmp_path / "some.pdn").read_text()


def test_nothing_heavy_is_imported_before_a_command_needs_it(start: Run) -> None:
    code = (
        "import sys, crossboard.cli.commands; "
        "print({'numpy', 'matplotlib', 'safetensors', 'rich', 'mpi4py'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [CROSSBOARD[0], "-c", code], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout == "set()\n"


def test_refusals_name_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.run(["perft", "--depth", "-1"]) == commands.REFUSED
    assert capsys.readouterr().err == "crossboard: --depth -1: a tree has 0 to 100 plies\n"
