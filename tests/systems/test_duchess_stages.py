"""The experiment duchess-stages, at the smallest size: everything is measured, nothing twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from crossboard.evaluators import OneLayer
from crossboard.players import SearchLimits
from crossboard.systems import duchess_stages
from crossboard.systems.duchess_stages import CLAIMS, FULL, QUICK, material_of, measure
from crossboard.systems.experiments import Lab

TINY = replace(QUICK, games=(1, 1, 1), depth=1, match_games=2, limits=SearchLimits(depth=1))


def test_all_claims_are_measured_and_arms_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duchess_stages, "QUICK", TINY)
    told: list[str] = []
    with ThreadPoolExecutor(2) as executor:

        def lab() -> Lab:
            return Lab(True, 1, executor, tmp_path, {}, told.append)

        first = lab()
        found = {one.claim: one for one in measure(first)}
        assert set(found) == {claim.name for claim in CLAIMS}
        assert set(first.figures) == {"attack", "piece_square"}
        trained = len(told)
        assert trained == 6
        again = {one.claim: one for one in measure(lab())}
        assert again == found
        assert len(told) == trained  # nothing was trained twice


def test_arms_differ_in_what_they_are_compared_for() -> None:
    direct = FULL.settings("direct-high")
    assert (direct.begin_with, direct.rate, direct.stage) == ("initial", 1e-4, 2)
    assert FULL.settings("direct-low").rate == 1e-5
    assert FULL.settings("unscaled").decay == 1.0
    assert [FULL.settings(f"stage-{n}").games for n in (1, 2, 3)] == [140, 220, 60]


def test_material_is_told_by_letters() -> None:
    worth = material_of(OneLayer.initial())
    assert (worth["Q"], worth["P"], worth["K"]) == (0.1, 0.05, 0.0)
