"""docs/features.md lists every feature as the registry has it."""

from __future__ import annotations

from pathlib import Path

from crossboard.evaluators import features

DOCUMENT = Path(__file__).parents[2] / "docs" / "features.md"


def rows() -> list[str]:
    """The table's rows, to be pasted into the document when a feature changes."""
    return [f"| `{f.name}` | {f.least} … {f.most} | {f.bits} | {f.meaning} |" for f in features()]


def test_the_table_of_features_is_that_of_the_registry():
    listed = [line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert listed == rows()
