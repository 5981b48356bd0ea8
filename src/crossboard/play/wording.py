"""Small rules for sentences on a terminal."""

from __future__ import annotations

import shlex


def one_line(text: str) -> str:
    """Put a text on one line, with control characters made visible."""
    return visible(" ".join(text.split()))


def visible(text: str) -> str:
    """Write control characters as escapes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def counted(number: int, thing: str) -> str:
    """Say how many: '1 game', '1,200 games'."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def whole_text(text: str) -> str:
    """Replace the bytes of a command line or a stream that are no text."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def command_line(*words: object) -> str:
    """Write a command of crossboard as a shell takes it, on one line."""
    return visible(shlex.join(["crossboard", *map(str, words)]))


def format_clock(seconds: float) -> str:
    """Write what a clock shows: 5:03, below ten seconds 0:09.8, of hours 1:05:03."""
    left = max(0.0, seconds)
    if left < 10:
        return f"0:0{int(left * 10) / 10:.1f}"
    minutes, rest = divmod(int(left), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
