"""`crossboard play` without --terminal: the page's server as a command."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from .conftest import CROSSBOARD, Run

PAGE = (*CROSSBOARD, "play", "--no-browser")


def start(folder: Path, *options: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PAGE, "--port", "0", "--data", str(folder / "games"), *map(str, options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
    )


def first_state(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=60) as reply:
        text = reply.read().decode()
    found = re.search(r'<script type="application/json" id="first">(.*?)</script>', text)
    assert found
    return json.loads(found[1])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_and_ends_cleanly(tmp_path: Path, number: int) -> None:
    with start(tmp_path) as process:
        assert process.stdout is not None
        address = process.stdout.readline()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\n", address)
        assert first_state(address.strip())["setup"]["is_asked"] is False
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")
    assert (tmp_path / "games" / "games.sqlite").is_file()


@pytest.mark.parametrize(
    ("options", "setup"),
    [
        (["--opponent", "material", "--side", "W"], {"player": "material", "people": ["W"]}),
        (["--side", "both", "--fen", "W:W22:B18"], {"start": "W:W22:B18", "people": ["B", "W"]}),
        (["--depth", 3], {"depth": 3, "player": "champion"}),
        (["--seats", "1,3"], {"game": "duchess", "players": 4, "people": ["1", "3"]}),
        (["--players", 6], {"game": "duchess", "players": 6, "player": "duchess-six"}),
        (["--level", 3], {"player": "champion@3"}),
        (["--opponent", "material@2"], {"player": "material@2", "seconds": None, "depth": None}),
        (["--time", "5+3"], {"time": "5+3"}),
    ],
)
def test_options_set_up_the_first_game(
    tmp_path: Path, options: list[object], setup: dict[str, object]
) -> None:
    with start(tmp_path, *options) as process:
        assert process.stdout is not None
        found = first_state(process.stdout.readline().strip())["setup"]
        process.terminate()
        process.communicate(timeout=60)
    assert found["is_asked"] is True
    assert found | setup == found


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--seconds", 31], "on the page at most 30"),
        (["--depth", 61], "on the page at most 60"),
        (["--opponent", "hub:engine"], "the page has the players that crossboard players lists"),
        (["--seed", 1], "--learn, --seed, --tables and --no-tables are for games with --terminal"),
        (["--no-tables"], "--tables and --no-tables are for games with --terminal"),
        (["--level", 9], "--level"),
        (["--level", 2, "--depth", 4], "--level 2 says how far the opponent searches: it cannot"),
        (["--level", 2, "--seconds", 1], "--level 2 says how far the opponent searches: it cannot"),
        (["--level", 2, "--opponent", "random"], "random@2: random does not search, so it has no"),
        (["--opponent", "champion@9"], "there is no level '9' of champion: levels are champion@1"),
        (["--port", 70000], "--port"),
    ],
)
def test_what_the_page_does_not_have(run: Run, options: list[object], complaint: str) -> None:
    done = run("play", *options)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
    assert done.err.count("\n") == 1


def test_a_port_that_is_taken_is_one_line(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("play", "--no-browser", "--port", port, "--data", tmp_path)
    assert (done.code, done.out) == (2, "")
    assert f"127.0.0.1:{port}: another program listens there: try --port 0" in done.err
    assert done.err.count("\n") == 1


def test_a_folder_that_is_in_use_is_one_line(run: Run, tmp_path: Path) -> None:
    with start(tmp_path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        done = run("play", "--no-browser", "--port", 0, "--data", tmp_path / "games")
        process.terminate()
        process.communicate(timeout=60)
    assert (done.code, done.out) == (2, "")
    assert "is writing these games" in done.err
