"""Learners search in full width: what their searches find is minimax's value."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from crossboard.evaluators import Network, count_mapping
from crossboard.learn import Schooling, TdSettings, cloning, pupil
from crossboard.learn.cloning import CloningSettings, learn_by_cloning
from crossboard.players import SearchSettings, make_engine


@pytest.mark.parametrize("round_size", [1, 2])
def test_self_play_with_cloning_searches_in_full_width(
    round_size: int, monkeypatch: pytest.MonkeyPatch
):
    asked: list[SearchSettings] = []

    def noting(evaluator: Any, settings: SearchSettings, *rest: Any, **options: Any) -> Any:
        asked.append(settings)
        return make_engine(evaluator, settings, *rest, **options)

    for module in (cloning, pupil):
        monkeypatch.setattr(module, "make_engine", noting)
    settings = CloningSettings(
        games=2,
        round_size=round_size,
        depth=2,
        search=SearchSettings(table_mb=0, reductions=True, verified_cuts=10),
        td=TdSettings(momentum=0.0),
    )
    network = Network.initial(count_mapping(), 2, seed=1)
    with ThreadPoolExecutor(1) as executor:
        next(iter(learn_by_cloning(network, settings, Schooling(1, executor, 1, None))))
    assert asked
    assert all(each == each.full_width() for each in asked)
