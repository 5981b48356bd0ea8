"""Exams: matches against an examiner that depend on the run alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossboard._core.draughts import PlayedGame
from crossboard.farm.executors import threads
from crossboard.players import Player, SearchSettings
from crossboard.players.endgames import VARIABLE
from crossboard.systems.exams import hold_exam
from crossboard.systems.recipes import Exam


def test_an_exam_does_not_depend_on_endgame_tables(
    small_tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = tmp_path / "begin.fen"
    begin.write_text("B:BK1,K5:WK32\nB:BK9,K13:WK32\n")
    exam = Exam("material", str(begin), depth=3, final_games=4)

    def games(folder: Path) -> list[PlayedGame]:
        monkeypatch.setenv(VARIABLE, str(folder))
        player = Player("prober", search=SearchSettings(tables=True))
        with threads(1) as farm:
            return list(hold_exam(player, farm, 4, 1, exam).games)

    assert games(small_tables) == games(tmp_path / "none")
