"""The page as people meet it: a server in a process of its own, and a browser."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, sync_playwright

from benchmarks.measure import MeasurementError

CROSSBOARD = Path(sys.executable).with_name("crossboard")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
]
PATIENCE = 60.0  # seconds


@dataclass
class Site:
    """A server that has printed its address."""

    process: subprocess.Popen[str] | None  # None: of others
    address: str
    prefix: str = "command"  # of the keys of commands
    commands: Iterator[int] = field(default_factory=itertools.count)

    def post(self, path: str, body: object, keys: Mapping[str, str] | None = None) -> Any:
        """Send a command and return the answer."""
        headers = {
            "content-type": "application/json",
            "idempotency-key": f"{self.prefix}-{next(self.commands)}",
            "x-seat-keys": ",".join((keys or {}).values()),
        }
        request = Request(
            f"{self.address}api/{path}", json.dumps(body).encode(), headers, method="POST"
        )
        with urlopen(request, timeout=PATIENCE) as reply:
            return json.load(reply)

    def begin(self, **game: object) -> tuple[str, dict[str, str]]:
        """Begin a game; return its name and the keys of its seats."""
        created = self.post("games", {"game": "draughts", **game})
        return created["state"]["id"], created["keys"]

    def move(self, game: str, ply: int, text: str, keys: Mapping[str, str]) -> Any:
        """Make a move and return the state."""
        return self.post(f"games/{game}/moves", {"expected_ply": ply, "text": text}, keys)


@contextmanager
def serving(*options: object) -> Iterator[Site]:
    """Start a server with an empty folder of games, and end it."""
    command = [str(CROSSBOARD), "play", "--no-browser", "--port", "0", *map(str, options)]
    with TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [*command, "--data", folder], stdout=subprocess.PIPE, text=True, cwd=folder
        )
        assert process.stdout is not None
        try:
            yield Site(process, process.stdout.readline().strip())
        finally:
            process.terminate()
            process.wait(PATIENCE)
            process.stdout.close()


def find_browser() -> str | None:
    """Return the path of a browser, None if there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@contextmanager
def browsing() -> Iterator[Browser]:
    """Start a browser, and end it; raise MeasurementError if there is none."""
    path = find_browser()
    if path is None:
        raise MeasurementError(f"no browser: install one of {', '.join(BROWSERS)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()
