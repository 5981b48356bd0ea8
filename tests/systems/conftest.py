"""Experiments that are registered for one test only."""

from __future__ import annotations

import pytest

from crossboard.systems import experiments


@pytest.fixture(autouse=True)
def only_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "_registered", {})
    monkeypatch.setattr(experiments, "MODULES", ())
