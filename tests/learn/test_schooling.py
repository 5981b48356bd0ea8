"""Lines about progress: the first at once, and then no more than one in some seconds."""

from __future__ import annotations

import pytest

from crossboard.learn import schooling
from crossboard.learn.schooling import paced


@pytest.mark.parametrize(("seconds", "expected"), [(0.0, "abc"), (1000.0, "a")])
def test_lines_are_as_rare_as_they_are_meant_to_be(
    monkeypatch: pytest.MonkeyPatch, seconds: float, expected: str
) -> None:
    monkeypatch.setattr(schooling, "TOLD_SECONDS", seconds)
    told = list[str]()
    tell = paced(told.append)
    for text in "abc":
        tell(text)
    assert told == list(expected)
