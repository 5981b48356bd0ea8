"""How long it takes to import the library."""

from __future__ import annotations

import subprocess
import sys
from time import perf_counter

from benchmarks.measure import Contender, Demand, Measure, Row, Settings, best_figures
from benchmarks.peers import contenders


def import_time(settings: Settings) -> list[Row]:
    """Import in a fresh interpreter, less the start of the interpreter itself."""
    peers = contenders(lambda peer: Contender(peer.name, _run(f"import {peer.module}")))
    bare = Contender("bare interpreter", _run("pass"))
    ours = Contender("crossboard", _run("import crossboard.draughts"))
    bare_seconds, *figures = best_figures([bare, ours, *peers], settings, best=min)
    assert bare_seconds is not None
    seconds, *peer_seconds = [figure and figure - bare_seconds for figure in figures]
    assert seconds is not None
    return [
        Row("import", seconds, "s", peer.name, figure, peer.note, Demand(0.1))
        for peer, figure in zip(peers, peer_seconds, strict=True)
    ]


def _run(code: str) -> Measure:
    def measure() -> float:
        start = perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return perf_counter() - start

    return measure
