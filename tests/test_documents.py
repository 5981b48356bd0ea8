"""What the documents name must be there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


def named_paths(text: str) -> set[str]:
    """Paths in backticks and targets of links; not addresses, not what only a user has."""
    quoted = re.findall(r"`([\w./-]+/[\w./-]*)`", text)
    linked = re.findall(r"\]\(([^)#:]+)\)", text)
    return {path for path in (*quoted, *linked) if not path.startswith((".venv", "runs/"))}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_paths_in_documents_exist(document: Path):
    missing = [
        path
        for path in named_paths(document.read_text("utf-8"))
        if not (ROOT / path).exists() and not (document.parent / path).exists()
    ]
    assert missing == []


def test_missing_paths_would_be_noticed():
    assert named_paths("see `core/none.h` and [this](docs/none.md)") == {
        "core/none.h",
        "docs/none.md",
    }
