"""The experiment duchess-questions, at the smallest size: every option is trained and plays."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from crossboard.experiments import duchess_questions
from crossboard.experiments.duchess_questions import (
    CLAIMS,
    FULL,
    OPTIONS,
    QUESTIONS,
    QUICK,
    measure,
)
from crossboard.experiments.experiment import Lab
from crossboard.systems.duchess import STAGE_2

TINY = replace(QUICK, seeds=2, games=1, match_games=2, deeper_games=1)


def test_every_question_gets_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duchess_questions, "QUICK", TINY)
    with ThreadPoolExecutor(2) as executor:

        def lab(known: dict[str, object]) -> Lab:
            return Lab(True, 1, executor, tmp_path, known, lambda _: None)  # type: ignore[arg-type]

        found = {one.claim: one for one in measure(lab({}))}
        assert set(found) == set(QUESTIONS)
        assert [claim.name for claim in CLAIMS] == list(QUESTIONS)
        files = {
            path: path.stat().st_mtime_ns for path in tmp_path.glob("arms/*/checkpoints/finished*")
        }
        assert len(files) == TINY.seeds * (1 + len(OPTIONS)) + 2
        # What a stop left is not trained again.
        again = {one.claim: one for one in measure(lab({"modes": found["modes"]}))}
        assert again == {name: one for name, one in found.items() if name != "modes"}
        assert {path: path.stat().st_mtime_ns for path in files} == files


def test_options_differ_in_one_thing() -> None:
    plain = FULL.settings("plain").model_dump()
    changed = {
        option: {
            name
            for name, value in FULL.settings(option).model_dump().items()
            if value != plain[name]
        }
        for option in OPTIONS
    }
    assert changed == {"modes": {"attack"}, "king_reach": {"king_reach"}, "endgame": {"endgame"}}
    assert (FULL.deeper_depth, FULL.deeper_games) == (7, 60)
    assert FULL.deeper_settings(7).depths == STAGE_2.depths
