"""Small rules for sentences on a terminal."""

from __future__ import annotations


def one_line(text: str) -> str:
    """Put a text on one line, with control characters made visible."""
    joined = " ".join(text.split())
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in joined)


def counted(number: int, thing: str) -> str:
    """Say how many: '1 game', '1,200 games'."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def whole_text(text: str) -> str:
    """Replace the bytes of a command line or a stream that are no text."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
