"""The experiment duchess-questions, at the smallest size: every option is trained and plays."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from crossboard.systems import duchess_questions
from crossboard.systems.duchess_questions import CLAIMS, FULL, QUESTIONS, QUICK, measure
from crossboard.systems.experiments import Lab

TINY = replace(QUICK, seeds=2, games=1, match_games=2)


def test_every_question_gets_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duchess_questions, "QUICK", TINY)
    told: list[str] = []
    with ThreadPoolExecutor(2) as executor:

        def lab(known: dict[str, object]) -> Lab:
            return Lab(True, 1, executor, tmp_path, known, told.append)  # type: ignore[arg-type]

        found = {one.claim: one for one in measure(lab({}))}
        assert set(found) == set(QUESTIONS)
        assert [claim.name for claim in CLAIMS] == list(QUESTIONS)
        trained = [line for line in told if "of 1 games" in line]
        assert len(trained) == TINY.seeds * (1 + len(QUESTIONS))
        told.clear()
        # What a stop left is not trained again.
        again = {one.claim: one for one in measure(lab({"modes": found["modes"]}))}
        assert again == {name: one for name, one in found.items() if name != "modes"}
        assert not [line for line in told if "of 1 games" in line]


def test_options_differ_in_one_thing() -> None:
    plain = FULL.settings("plain")
    changed = {
        option: {
            name
            for name, value in FULL.settings(option).model_dump().items()
            if value != plain.model_dump()[name]
        }
        for option in QUESTIONS
    }
    assert changed == {
        "modes": {"attack"},
        "king_reach": {"king_reach"},
        "endgame": {"endgame"},
        "deeper": {"depth"},
    }
