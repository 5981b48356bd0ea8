"""The command line: one module per command, and one line for whatever cannot be done."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

INTERRUPTED = 130  # as a shell reports Ctrl-C


def main() -> NoReturn:
    """Run what `sys.argv` asks for and leave with its exit code."""
    _open_missing_streams()
    try:
        # Here, so that Ctrl-C during the imports is quiet too.
        from crossboard.cli.commands import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)


def _open_missing_streams() -> None:
    # A closed stream (`>&-`) is None here, and a file opened later would take its number.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - open to the end
