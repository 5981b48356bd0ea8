"""Rounds of learning games: who plays them makes no difference, and stopping none either."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest

from crossboard.draughts import Position, random_endgame
from crossboard.evaluators import (
    Linear,
    Network,
    count_mapping,
    feature_mapping,
    joined_mapping,
    material_mapping,
    pattern_mapping,
    piece_mapping,
)
from crossboard.learn import (
    Schooling,
    Snapshot,
    TdLeafSettings,
    TreeStrapSettings,
    learn_by_tdleaf,
    learn_by_treestrap,
)
from crossboard.learn.search_learning import Learnt, starts_of

QUICK: dict[str, Any] = {"depth": 2, "depths": (), "rate": 0.01}
SETTINGS: dict[str, TdLeafSettings | TreeStrapSettings] = {
    "treestrap": TreeStrapSettings(games=12, round_size=5, **QUICK),
    "treestrap, adaptive": TreeStrapSettings(
        games=12,
        round_size=5,
        adaptive=True,
        outcome=0.5,
        stages=(5,),
        quiet_only=True,
        caution=0.1,
        **QUICK,
    ),
    "treestrap, mirrored": TreeStrapSettings(
        games=12, round_size=5, adaptive=True, mirrored=True, endgames=0.5, **QUICK
    ),
    "treestrap, move by move": TreeStrapSettings(
        games=3, round_size=1, mirrored=True, endgames=0.5, **QUICK
    ),
    "rootstrap": TreeStrapSettings(games=12, round_size=5, method="root", **QUICK),
    "tdleaf": TdLeafSettings(games=12, round_size=5, last_rate=0.001, **QUICK),
    "td": TdLeafSettings(games=12, round_size=5, method="board", **QUICK),
    "tdroot": TdLeafSettings(games=12, round_size=5, method="root", with_slope=True, **QUICK),
}


@pytest.fixture(params=SETTINGS)
def settings(request: pytest.FixtureRequest) -> TdLeafSettings | TreeStrapSettings:
    return SETTINGS[request.param]


@pytest.fixture
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


def network() -> Network:
    return Network.one_layer(joined_mapping(count_mapping(), piece_mapping()))


def learn(
    settings: TdLeafSettings | TreeStrapSettings,
    executor: Executor,
    *,
    seed: int = 1,
    workers: int = 2,
    start: Snapshot | None = None,
    evaluation: Any = None,
) -> Iterator[Snapshot]:
    begin, schooling = evaluation or network(), Schooling(seed, executor, workers, start)
    if isinstance(settings, TreeStrapSettings):
        return learn_by_treestrap(begin, settings, schooling)
    return learn_by_tdleaf(begin, settings, schooling)


def test_weighted_sums_without_a_scale_are_refused(
    settings: TdLeafSettings | TreeStrapSettings, executor: Executor
):
    linear = Linear(["lynch.PieceAdvantage"], [1.0], man=2.0)
    with pytest.raises(ValueError, match=r"teach networks, not Linear: .* is Network\.one_layer"):
        next(learn(settings, executor, evaluation=linear))


def weights(snapshots: Iterator[Snapshot]) -> Any:
    *_, last = snapshots
    return last.arrays["weights"]


def test_same_seed_same_weights_on_any_number_of_workers(
    settings: TdLeafSettings | TreeStrapSettings, executor: Executor
):
    one, two = (weights(learn(settings, executor, workers=workers)) for workers in (1, 2))
    assert np.any(one != 0)
    assert (one == two).all()
    assert (one != weights(learn(settings, executor, seed=2))).any()


def test_stopped_and_resumed_it_ends_the_same_bit_for_bit(
    settings: TdLeafSettings | TreeStrapSettings, executor: Executor
):
    straight = list(learn(settings, executor))
    assert [snapshot.games for snapshot in straight][-1] == settings.games
    first = next(islice(learn(settings, executor), 1))
    rest = list(learn(settings, executor, start=first))
    assert len(rest) == len(straight) - 1
    assert rest[-1].measured == straight[-1].measured
    for name, array in straight[-1].arrays.items():
        assert (rest[-1].arrays[name] == array).all()


def test_a_round_tells_what_it_was_like(executor: Executor):
    first = next(learn(SETTINGS["treestrap"], executor))
    assert first.games == len(first.played) == 5
    plies = [game.plies for game in first.played]
    assert first.measured["moves"] == sum(plies) / 10
    assert 0 <= first.measured["decided"] <= 1
    assert first.measured["nodes"] > 10


def test_parts_learn_when_their_stage_has_come(executor: Executor):
    settings = TreeStrapSettings(games=10, round_size=5, stages=(5,), **QUICK)
    early, late = learn(settings, executor)
    # Bias of w2, two counts, 128 squares, bias of w3.
    assert np.any(early.arrays["weights"][1:3] != 0)
    assert np.all(early.arrays["weights"][3:-1] == 0)
    assert early.arrays["weights"][-1] != 0
    assert np.count_nonzero(late.arrays["weights"][3:-1]) > 20


def test_more_stages_than_parts_are_refused(executor: Executor):
    settings = replace(SETTINGS["treestrap"], stages=(1, 2))
    with pytest.raises(ValueError, match="2 stages need more parts than 2"):
        next(learn(settings, executor))


def test_hidden_units_learn_too(executor: Executor):
    net = Network.initial(feature_mapping("lynch"), 3, seed=1)
    settings = TreeStrapSettings(games=4, round_size=4, **QUICK)
    (last,) = learn_by_treestrap(net, settings, Schooling(1, executor))
    learnt = net.with_weights(last.arrays["weights"])
    for name, array in net.arrays().items():
        assert np.any(learnt.arrays()[name] != array)


def test_adaptive_rates_fall_with_what_a_weight_has_learnt():
    settings = TreeStrapSettings(games=100, rate=0.1, adaptive=True)
    learnt = Learnt(np.zeros(3), np.zeros(3))
    steps = []
    for _ in range(4):
        before = learnt.weights
        learnt.add(np.array([1e-3, 1e3, 0.0]), settings, 0)
        steps.append(learnt.weights - before)
    expected = 0.1 / np.sqrt([1, 2, 3, 4])
    np.testing.assert_allclose([step[:2] for step in steps], np.stack([expected] * 2, 1), rtol=1e-4)
    assert learnt.weights[2] == 0
    wary = Learnt(np.zeros(2), np.zeros(2))
    wary.add(np.array([1e-3, 1e3]), replace(settings, caution=1.0), 0)
    np.testing.assert_allclose(wary.weights, [1e-4, 0.1], rtol=1e-4)


def test_rates_fall_by_the_same_share():
    settings = TreeStrapSettings(games=100, rate=0.1, last_rate=0.001)
    assert settings.rate_after(0) == pytest.approx(0.1)
    assert settings.rate_after(50) == pytest.approx(0.01)
    assert settings.rate_after(100) == pytest.approx(0.001)


def test_stages_have_rates_of_their_own():
    settings = TreeStrapSettings(rate=0.1, stages=(5, 9), stage_rates=(0.2, 0.3))
    assert [settings.rate_after(games) for games in (4, 5, 8, 9)] == [0.1, 0.2, 0.2, 0.3]


@pytest.mark.parametrize(
    ("make", "wrong", "says"),
    [
        (TreeStrapSettings, {"games": 0}, "games must be 1 or more, not 0"),
        (TreeStrapSettings, {"depth": 300}, "depth must be 1 to 200, not 300"),
        (TreeStrapSettings, {"depths": ((6, 0),)}, "the depth for 6 pieces must be 1 to 200"),
        (TreeStrapSettings, {"rate": 0.0}, "rate must be a number above 0, not 0.0"),
        (TreeStrapSettings, {"last_rate": float("nan")}, "last_rate must be a number above 0"),
        (TreeStrapSettings, {"algorithm": "b*"}, "alphabeta or minimax, not 'b\\*'"),
        (TreeStrapSettings, {"random_plies": -1}, "random_plies must be 0 or more, not -1"),
        (TreeStrapSettings, {"stages": (5, 1)}, "stages must come one after the other"),
        (TreeStrapSettings, {"stages": (5,), "stage_rates": (0.1, 0.2)}, "as many stage_rates"),
        (TreeStrapSettings, {"caution": -0.1}, "caution must be 0 to 1000, not -0.1"),
        (TreeStrapSettings, {"decay": 1.5}, "decay must be 0 to 1, not 1.5"),
        (TreeStrapSettings, {"clamp": -1.0}, "clamp must be 0 to 1000, not -1.0"),
        (TreeStrapSettings, {"method": "leaf"}, "the method is tree or root, not 'leaf'"),
        (TreeStrapSettings, {"round_size": 1, "adaptive": True}, "round_size of 1"),
        (TdLeafSettings, {"decay": -0.1}, "decay must be 0 to 1, not -0.1"),
        (TdLeafSettings, {"method": "tree"}, "the method is leaf, root or board, not 'tree'"),
    ],
)
def test_nonsense_is_refused(make: Any, wrong: dict[str, Any], says: str):
    with pytest.raises(ValueError, match=says):
        make(**wrong)


@pytest.mark.parametrize("round_size", [1, 2])
def test_what_is_mirrored_judges_both_sides_alike(round_size: int, executor: Executor):
    settings = TreeStrapSettings(games=4, round_size=round_size, mirrored=True, **QUICK)
    begin = Network.one_layer(
        joined_mapping(count_mapping(), material_mapping(), piece_mapping(), pattern_mapping())
    )
    learnt = begin.with_weights(weights(learn(settings, executor, evaluation=begin)))
    move = np.arctanh(learnt.output(Position.from_fen("W:WK32:BK1")))  # which both have
    assert move != 0
    for seed in range(20):
        position = random_endgame(Random(seed))
        other = Position.from_fen(("W" if position.turn == "B" else "B") + position.fen[1:])
        one, two = (np.arctanh(learnt.output(each)) - move for each in (position, other))
        assert one == pytest.approx(-two, abs=1e-6)
        assert one != 0


def test_what_has_no_mirror_image_is_refused(executor: Executor):
    settings = TreeStrapSettings(games=2, mirrored=True, **QUICK)
    hidden = Network.initial(piece_mapping(), 2, seed=1)
    with pytest.raises(ValueError, match="only weights of one layer can be mirrored"):
        next(learn(settings, executor, evaluation=hidden))
    features = Network.one_layer(feature_mapping("ufu"))
    with pytest.raises(ValueError, match="a mapping of features has no mirror image"):
        next(learn(settings, executor, evaluation=features))


def test_a_share_of_games_begins_with_endgames():
    starts = {
        share: starts_of(TreeStrapSettings(endgames=share), 1, 0, 200) for share in (0.0, 0.5, 1.0)
    }
    counts = {
        share: sum(start.position != Position() for start in listed)
        for share, listed in starts.items()
    }
    assert counts[0.0] == 0
    assert 70 <= counts[0.5] <= 130
    assert counts[1.0] == 200
    assert starts[0.5][100:] == starts_of(TreeStrapSettings(endgames=0.5), 1, 100, 100)
