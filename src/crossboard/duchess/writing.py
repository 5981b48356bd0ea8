"""Writes records of Duchess games as text (docs/rules/duchess.md)."""

from __future__ import annotations

import re

from crossboard.duchess.records import Record, with_start
from crossboard.records import format_tag

LINE_LENGTH = 80
NOT_IN_TAGS = r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"


def format_record(record: Record) -> str:
    """Write one game; raise ValueError for text that a record cannot hold."""
    tags = with_start(record.tags, record.start)
    lines = [format_tag(name, value, forbidden=NOT_IN_TAGS) for name, value in tags.items()]
    if lines:
        lines.append("")
    words = [*_move_text(record), record.written_result]
    return "\n".join([*lines, *_folded(words)]) + "\n"


def _move_text(record: Record) -> list[str]:
    words = _format_comment(record.comments.get(0))
    turn, number = record.start.turn, 1
    for ply, move in enumerate(record.moves, 1):
        if turn == 1 or ply == 1:
            words.append(f"{number}." if turn == 1 else f"{number}...")
        words += [str(move), *_format_comment(record.comments.get(ply))]
        turn = turn % record.start.players + 1
        number += turn == 1
    return words


def _format_comment(comment: str | None) -> list[str]:
    text = (comment or "").strip()
    if re.search(r"[}\x00-\x08\x0b-\x1f\ud800-\udfff]", text):
        raise ValueError(f"a record cannot hold the comment {comment!r}")
    return ["{" + text + "}"] if text else []


def _folded(words: list[str]) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > LINE_LENGTH:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines
