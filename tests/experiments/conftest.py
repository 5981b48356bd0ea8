"""Experiments that are registered for one test only."""

from __future__ import annotations

import pytest

from crossboard.experiments import experiment


@pytest.fixture(autouse=True)
def only_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment, "_registered", {})
    monkeypatch.setattr(experiment, "MODULES", ())
