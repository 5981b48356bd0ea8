"""A server of the page as a process of its own, and a browser to look at it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks.browser import ARGUMENTS, BROWSERS, CROSSBOARD, find_browser

# In CI a missing browser is a failure.
REQUIRED = "CROSSBOARD_REQUIRE_BROWSER"


@dataclass
class RunningServer:
    """A server that has printed its address."""

    process: subprocess.Popen[str]
    address: str

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(60)
        if self.process.stdout:
            self.process.stdout.close()
        return code


StartServer = Callable[..., RunningServer]


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[StartServer]:
    """Give a function that starts a server with some options."""
    started: list[RunningServer] = []

    def start(*options: object, port: int = 0) -> RunningServer:
        command = [CROSSBOARD, "play", "--no-browser", "--port", port]
        process = subprocess.Popen(
            [*map(str, command), "--data", str(tmp_path / "games"), *map(str, options)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
        )
        assert process.stdout is not None
        server = RunningServer(process, process.stdout.readline().strip())
        started.append(server)
        return server

    yield start
    for server in started:
        server.end(signal.SIGKILL)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Give a browser; skip the test where there is none."""
    path = find_browser()
    if path is None:
        reason = f"no browser: install one of {', '.join(BROWSERS)}"
        if os.environ.get(REQUIRED):
            pytest.fail(f"{REQUIRED} is set, but there is {reason}")
        pytest.skip(reason)
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield running
        running.close()


@dataclass
class WatchedPage:
    """A page, with what it printed and asked for."""

    page: Any
    problems: list[str]
    requests: list[str]


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., WatchedPage]]:
    """Give a function that opens a page; at the end its console must be empty."""
    opened: list[WatchedPage] = []

    def open_one(address: str, **options: Any) -> WatchedPage:
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 850}, **options})
        watched = WatchedPage(context.new_page(), [], [])
        watched.page.on("console", lambda message: watched.problems.append(message.text))
        watched.page.on("pageerror", lambda error: watched.problems.append(str(error)))
        watched.page.on("request", lambda request: watched.requests.append(request.url))
        opened.append(watched)
        watched.page.goto(address)
        return watched

    yield open_one
    for watched in opened:
        watched.page.context.close()
