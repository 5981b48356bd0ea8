"""Fits of small nets: gradients, Adam, phases, and equal results on any number of workers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.typing import NDArray

from crossboard._core import draughts as core
from crossboard.draughts import Position
from crossboard.evaluators import SmallNet
from crossboard.learn.fitting import (
    FitSettings,
    FitState,
    fit,
    initial_weights,
    judge,
    phases_of,
    rescaled,
    weights_of,
    worth_of_a_man,
)
from crossboard.learn.labels import Labels

HIDDEN, SECOND = 16, 8
SIZES = {
    "first": (128, HIDDEN),
    "first_bias": (HIDDEN,),
    "second": (HIDDEN, SECOND),
    "second_bias": (SECOND,),
    "output": (SECOND,),
    "direct": (128,),
    "output_bias": (1,),
}
FORM = SmallNet.zero(hidden=HIDDEN, second=SECOND)


def split(weights: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Return the arrays of one phase."""
    ends = np.cumsum([int(np.prod(shape)) for shape in SIZES.values()])
    parts = np.split(weights, ends[:-1])
    return {n: part.reshape(s) for (n, s), part in zip(SIZES.items(), parts, strict=True)}


def inputs_of(boards: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Return a row of 128 inputs for each board."""
    bits = (boards[:, :, None] >> np.arange(32, dtype=np.uint32)) & 1
    return bits.reshape(len(boards), 128).astype(np.float64)


def slow_output(weights: NDArray[np.float64], boards: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Judge boards as the document has it."""
    x, w = inputs_of(boards), split(weights)
    h = np.clip(x @ w["first"] + w["first_bias"], 0, 1)
    k = np.clip(h @ w["second"] + w["second_bias"], 0, 1)
    return k @ w["output"] + x @ w["direct"] + w["output_bias"][0]


def slow_loss(
    weights: NDArray[np.float64], boards: NDArray[np.uint32], targets: NDArray[np.float64]
) -> float:
    odds = 100 / 65 * slow_output(weights, boards)
    return float(np.mean(np.logaddexp(0, odds) - targets * odds))


def random_boards(count: int, seed: int, kings: float = 0.3) -> NDArray[np.uint32]:
    generator = np.random.default_rng(seed)
    boards = np.zeros((count, 4), np.uint32)
    for board in boards:
        pieces = generator.permutation(32)[: generator.integers(2, 25)]
        for square in pieces:
            kind = generator.integers(2) + 2 * (generator.random() < kings)
            board[kind] |= np.uint32(1 << int(square))
    return boards


def random_weights(seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).uniform(-0.4, 0.4, sum_of_sizes()).astype(np.float32)


def sum_of_sizes() -> int:
    return sum(int(np.prod(shape)) for shape in SIZES.values())


def fitter(weights: NDArray[np.float32], **settings: float) -> core.SmallNetFit:
    zeros = np.zeros_like(weights)
    return core.SmallNetFit(
        hidden=HIDDEN, second=SECOND, weights=weights, means=zeros, spreads=zeros, **settings
    )


def test_fit_judges_as_the_document_says() -> None:
    weights, boards = random_weights(1), random_boards(200, 1)
    found = fitter(weights).judge(boards)
    assert np.allclose(found, slow_output(weights.astype(np.float64), boards), atol=1e-5)


def test_first_step_follows_the_gradient() -> None:
    weights, boards = random_weights(2), random_boards(64, 2)
    targets = np.random.default_rng(2).random(64).astype(np.float32)
    # A batch as large as the data: one step, after which the mean is a tenth of the gradient.
    one = fitter(weights, batch=64, warm_up=0, last=1_000_000)
    loss = one.learn(boards, targets, 1)
    assert loss == pytest.approx(slow_loss(weights.astype(np.float64), boards, targets), rel=1e-5)
    means, exact = one.means, weights.astype(np.float64)
    generator = np.random.default_rng(3)
    for place in generator.choice(len(weights), 150, replace=False):
        slope = slope_at(exact, int(place), boards, targets)
        assert 10 * means[place] == pytest.approx(slope, abs=2e-5)


def slope_at(
    weights: NDArray[np.float64],
    place: int,
    boards: NDArray[np.uint32],
    targets: NDArray[np.float32],
) -> float:
    step = 1e-6
    there, back = weights.copy(), weights.copy()
    there[place] += step
    back[place] -= step
    goals = targets.astype(np.float64)
    return (slow_loss(there, boards, goals) - slow_loss(back, boards, goals)) / (2 * step)


def test_steps_are_those_of_adam() -> None:
    weights, boards = random_weights(4), random_boards(96, 4)
    targets = np.random.default_rng(4).random(96).astype(np.float32)
    one = fitter(weights, batch=96, rate=0.01, warm_up=4, last=9)
    own, mean, spread = weights.astype(np.float64), 0.0, 0.0
    for step in range(1, 10):
        before = own.copy()
        one.learn(boards, targets, step)
        gradient = (one.means - 0.9 * mean) / 0.1
        mean = one.means.astype(np.float64)
        spread = 0.999 * spread + 0.001 * gradient**2
        rate = 0.01 * (step / 4 if step <= 4 else (1 + np.cos(np.pi * (step - 4) / 5)) / 2)
        corrected = mean / (1 - 0.9**step), np.sqrt(spread / (1 - 0.999**step))
        own = before - rate * corrected[0] / (corrected[1] + 1e-8)
        learnt = np.abs(gradient) > 1e-6
        assert np.allclose(one.weights[learnt], own[learnt], atol=2e-4)
        own = one.weights.astype(np.float64)
    assert one.batches == 9


def test_weights_stay_within_what_integers_hold() -> None:
    boards = random_boards(256, 5)
    one = fitter(random_weights(5), batch=32, rate=1.0, warm_up=0, last=1000)
    for seed in range(3):
        one.learn(boards, np.ones(256, np.float32), seed)
    rounded = SmallNet.from_floats(np.tile(one.weights, 4), hidden=HIDDEN, second=SECOND)
    assert np.allclose(weights_of(rounded)[0], one.weights, atol=1e-3)


def test_a_toy_is_learnt() -> None:
    boards = random_boards(4000, 6)
    counts = np.bitwise_count(boards).astype(np.int64)
    lead = counts[:, 0] - counts[:, 1] + 1.3 * (counts[:, 2] - counts[:, 3])
    targets = 1 / (1 + np.exp(-lead))
    one = fitter(initial_weights(FORM, 1)[0], batch=64, rate=0.01, last=12 * 63)
    losses = [one.learn(boards, targets.astype(np.float32), seed) for seed in range(12)]
    least = float(np.mean(np.logaddexp(0, lead * 1.0) - targets * lead))
    assert losses[0] > least + 0.02
    assert losses[-1] < least + 0.003


def random_targets(count: int, seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).random(count).astype(np.float32)


def states(workers: int, start: FitState, settings: FitSettings) -> list[FitState]:
    boards, targets = random_boards(3000, 7), random_targets(3000, 7)
    with ThreadPoolExecutor(workers) as executor:
        return list(fit(FORM, start, boards, targets, settings, 9, executor))


def test_a_fit_resumes_bit_for_bit_on_any_number_of_workers() -> None:
    settings = FitSettings(passes=3, batch=128)
    start = FitState.begin(initial_weights(FORM, 3))
    whole = states(1, start, settings)
    assert [one.passes for one in whole] == [1, 2, 3]
    rest = states(3, whole[0], settings)
    assert [one.passes for one in rest] == [2, 3]
    for name in ("weights", "means", "spreads"):
        assert getattr(rest[-1], name).tobytes() == getattr(whole[-1], name).tobytes()
    assert rest[-1].loss == whole[-1].loss
    assert not np.array_equal(whole[0].weights, start.weights)


def test_each_phase_learns_from_its_own_boards_alone() -> None:
    start = FitState.begin(initial_weights(FORM, 3))
    boards = random_boards(500, 8, kings=0.0)  # no king: the last two phases have no boards
    with ThreadPoolExecutor(2) as executor:
        targets = random_targets(500, 8)
        (end,) = fit(FORM, start, boards, targets, FitSettings(passes=1), 1, executor)
    changed = [not np.array_equal(a, b) for a, b in zip(start.weights, end.weights, strict=True)]
    assert changed == [True, True, False, False]


def test_phases_are_those_of_the_core() -> None:
    fens = ["B:W21-32:B1-12", "B:W21-27:B1-8", "B:W21-28:B1-8", "W:WK32,31,30,29:B1-4"]
    fens += ["W:WK32,31,30:B1-4", "B:WK1:BK32"]
    played = [Position.from_fen(fen) for fen in fens]
    boards = np.stack([board_of(one) for one in played])
    assert phases_of(FORM, boards).tolist() == [0, 1, 0, 2, 3, 3]
    # The net of each phase says a number of its own, so that the core shows which one judged.
    weights = np.zeros((4, sum_of_sizes()), np.float32)
    weights[:, -1] = 1, 2, 3, 4
    net = SmallNet.from_floats(weights.ravel(), hidden=HIDDEN, second=SECOND)
    assert [net.evaluate(one) for one in played] == [1, 2, 1, 3, 4, 4]
    assert judge(FORM, weights, boards).tolist() == [1, 2, 1, 3, 4, 4]


def board_of(position: Position) -> NDArray[np.uint32]:
    """Return a position as labels have it, square by square."""
    board = [0, 0, 0, 0]
    for side in "BW":
        kings = position.kings(side)
        men = [square for square in position.pieces(side) if square not in kings]
        for kind, squares in enumerate((men, kings)):
            for square in squares:
                place = square - 1 if position.turn == "B" else 32 - square
                board[2 * kind + (side != position.turn)] |= 1 << place
    return np.array(board, np.uint32)


def test_a_man_is_worth_one_after_rescaling() -> None:
    boards = random_boards(4000, 9)
    weights = np.tile(random_weights(9) * 0.2, (4, 1))
    direct = slice(-1 - 128, -1)
    weights[:, direct] = np.repeat([0.4, -0.4, 0.6, -0.6], 32)
    before = worth_of_a_man(FORM, weights, boards, 1)
    assert before is not None
    assert before == pytest.approx(0.4, abs=0.1)
    scaled = rescaled(FORM, weights, boards, 1)
    assert worth_of_a_man(FORM, scaled, boards, 1) == pytest.approx(1, abs=1e-3)
    ratio = judge(FORM, scaled, boards) / judge(FORM, weights, boards)
    assert np.allclose(ratio, 1 / before, rtol=1e-3)


def test_a_net_without_a_scale_stays_as_it_is() -> None:
    weights = initial_weights(FORM, 1)
    boards = random_boards(100, 10)
    assert rescaled(FORM, weights, boards, 1) is weights
    assert worth_of_a_man(FORM, weights, boards[:0], 1) is None


def test_targets_mix_search_and_result() -> None:
    values = np.array([0, 65, -65, 30000], np.int16)
    results = np.array([1, core.UNKNOWN_RESULT, -1, 0], np.int8)
    labels = Labels(np.zeros((4, 4), np.uint32), values, results)
    third = 1 / (1 + np.exp(1))
    expected = [0.7 * 0.5 + 0.3, 1 - third, 0.7 * third, 0.7 + 0.15]
    assert labels.targets(0.7, 65.0).tolist() == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hidden": 12}, "a multiple of 8"),
        ({"batch": 0}, "a batch has at least one board"),
        ({"batches": -1}, "fewer than 0 batches"),
    ],
)
def test_bad_fits_are_refused(changes: dict[str, int], message: str) -> None:
    weights = random_weights(1)
    given = {"hidden": HIDDEN, "second": SECOND, **changes}
    with pytest.raises(ValueError, match=message):
        core.SmallNetFit(weights=weights, means=weights, spreads=weights, **given)


def test_boards_need_targets() -> None:
    with pytest.raises(ValueError, match="there are 3 boards and 2 targets"):
        fitter(random_weights(1)).learn(random_boards(3, 1), np.zeros(2, np.float32), 1)
    with pytest.raises(ValueError, match="there are 2337 weights, not 5"):
        core.SmallNetFit(
            hidden=HIDDEN,
            second=SECOND,
            weights=np.zeros(5, np.float32),
            means=np.zeros(5, np.float32),
            spreads=np.zeros(5, np.float32),
        )


@pytest.mark.parametrize("change", [{"passes": 0}, {"rate": 0.0}, {"softness": -1}])
def test_settings_make_sense(change: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(change))):
        FitSettings(**change)  # type: ignore[arg-type]
