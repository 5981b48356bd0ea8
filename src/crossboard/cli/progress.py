"""A progress bar for work that turns out to be long."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE_SECONDS = 0.5  # shorter work needs no bar, nor the time to load one
# Chosen: between two looks at the work, each of which takes some milliseconds from it.
PAUSE_SECONDS = 1.0
PLAIN_SECONDS = 30.0  # between two lines, where there is no terminal

Note: TypeAlias = str | Callable[[], str]


class Bar:
    """A bar on standard error, while it is used in a `with`.

    `total` is what `update` counts up to, None if nobody knows. The bar waits a little, in case
    the work is short, unless that is known to be long. Where standard error is no terminal there
    is a line of text now and then, if `has_lines`, or nothing.
    """

    def __init__(
        self,
        label: str,
        total: float | None,
        *,
        hidden: bool = False,
        known_long: bool = False,
        has_lines: bool = False,
    ) -> None:
        self._label = label
        self._total = total
        self._known_long = known_long
        self._is_plain = not sys.stderr.isatty()
        self._hidden = hidden or (self._is_plain and not has_lines)
        first = PLAIN_SECONDS if self._is_plain else 0 if known_long else PATIENCE_SECONDS
        self._next_look = time.monotonic() + first
        self._progress: Progress | None = None

    def update(self, done: float, note: Note, below: Note = "") -> None:
        """Show how much is done, with a note such as a rate, and what else there is to say below.

        Either may be what makes the text when it is shown.
        """
        if self._hidden or time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + (PLAIN_SECONDS if self._is_plain else PAUSE_SECONDS)
        text = _text(note)
        if self._is_plain:
            of = "" if self._total is None else f" of {self._total:,.0f}"
            print(f"{self._label}: {done:,.0f}{of}  {text}", file=sys.stderr, flush=True)
            return
        if self._progress is None:
            self._progress = _start(self._label, self._total)
        task = self._progress.task_ids[0]
        self._progress.update(task, completed=done, note=text, below=_text(below))

    def print(self, text: str) -> None:
        """Print a line on standard error, above the bar if that is shown."""
        if self._progress is None:
            print(text, file=sys.stderr, flush=True)
        else:
            self._progress.console.print(text, markup=False, highlight=False)

    def __enter__(self) -> Bar:
        if self._known_long and not (self._hidden or self._is_plain):
            self._progress = _start(self._label, self._total)  # the first part may take minutes
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._progress is not None:
            self._progress.stop()


def _text(note: Note) -> str:
    return note if isinstance(note, str) else note()


@contextmanager
def passing_time(label: str, seconds: float | None) -> Iterator[None]:
    """Show how the time passes during work that cannot say how far it is; None: no end known."""
    if not sys.stderr.isatty():
        yield
        return
    is_over = threading.Event()

    def show() -> None:
        began = time.monotonic()
        with Bar(label, seconds) as bar:
            while not is_over.wait(PAUSE_SECONDS):
                bar.update(time.monotonic() - began, "")

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _start(label: str, total: float | None) -> Progress:
    from rich.console import Console, RenderableType
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Lines(Progress):
        def get_renderables(self) -> Iterator[RenderableType]:
            yield from super().get_renderables()
            yield from (Text(below) for task in self.tasks if (below := task.fields["below"]))

    progress = Lines(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        TimeElapsedColumn(),
        *([] if total is None else [TimeRemainingColumn(), TextColumn("left")]),
        console=Console(stderr=True),
        transient=True,
        refresh_per_second=1 / PAUSE_SECONDS,
    )
    progress.add_task(label, total=total, note="", below="")
    progress.start()
    return progress
