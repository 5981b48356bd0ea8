"""Engines to try the Hub protocol on: our own, and scripts that behave badly."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

MAIN = "from crossboard.cli import main; main()"
OURS = shlex.join([sys.executable, "-c", MAIN, "hub", "--player", "material"])

# Plays the first legal move and keeps to the protocol; each fault is one word.
SCRIPT = """
import os, sys, time
from crossboard._core.draughts import Position
from crossboard.protocols.hub_text import HubLine, format_move, parse_position, play_moves
fault, count = sys.argv[1], 0
def say(text):
    print(text, flush=True)
for text in sys.stdin:
    line = HubLine.parse(text)
    if line.command == "hub":
        if fault == "slow start":
            time.sleep(0.5)
        say("# hello, I am no line of Hub")
        values = "normal killer" if fault == "wrong variant" else "normal english"
        say(f'param name=variant value=normal type=enum values="{values}"')
        say("wait")
    elif line.command == "init":
        say("ready")
    elif line.command == "pos":
        start, moves = parse_position(line.arguments["pos"]), line.arguments.get("moves") or ""
        position = play_moves(start, moves)[-1]
    elif line.command == "go":
        count += 1
        if count == 3:
            if fault == "hang":
                time.sleep(600)
            if fault == "deaf":
                import signal
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                while True:
                    time.sleep(600)
            if fault == "death":
                sys.exit("out of luck {so}")
            if fault == "illegal":
                say("done move=1-32")
                continue
            if fault == "no move":
                say("done")
                continue
            if fault == "rubbish":
                say("done move=banana}")
                continue
            if fault == "complaint":
                say('error message="I cannot"')
                continue
            while fault == "flood":
                say("la la la")
            while fault == "endless line":
                sys.stdout.write("la" * 10000)
        say("info depth=3 score=x nodes= pv=")
        say("done move=" + format_move(position.legal_moves[0]))
    elif line.command == "quit":
        break
"""

Fake = Callable[[str], str]


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """Return the command of an engine with a fault at the third move of each process."""
    script = tmp_path / "engine.py"
    script.write_text(SCRIPT)
    return lambda fault: shlex.join([sys.executable, str(script), fault])
