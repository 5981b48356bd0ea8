"""Fits small nets to labels: each phase by itself, pass by pass, on all workers alike."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from crossboard._core.draughts import SmallNetFit
from crossboard.evaluators import SmallNet
from crossboard.learn.ranges import check_counts, check_positive
from crossboard.learn.snapshot import game_seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

INPUTS = 128  # of a small net
# A man is worth so many hundredths, after every fit.
MAN = 100
# Chosen: enough boards to know the worth of a man to a hundredth or two.
BOARDS_FOR_MAN = 20_000
# A net that has hardly learnt anything has no scale yet.
LEAST_WORTH = 0.02


@dataclass(frozen=True, kw_only=True)
class FitSettings:
    """How weights are fitted by Adam. Raises ValueError for what makes no sense."""

    passes: int = 8
    batch: int = 1024
    # The highest: it rises for warm_up batches and falls as half a cosine. Chosen: of 0.001 to 0.02
    # the one with the least held-out loss after so few passes.
    rate: float = 8e-3
    warm_up: int = 100
    softness: float = 65.0  # hundredths of a man that make the odds e to 1

    def __post_init__(self) -> None:
        check_counts(self, "passes", "batch")
        check_counts(self, "warm_up", least=0)
        check_positive("rate", self.rate)
        check_positive("softness", self.softness)


def initial_weights(form: SmallNet, seed: int) -> Floats:
    """Draw the weights of nets that take every position for even, a row for each phase.

    Nothing reaches the output yet. Chosen: most units are neither off nor fully on.
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    largest = {"first": 0.16, "second": 0.14}
    rest = {"first_bias": 0.3, "second_bias": 0.3}
    parts = []
    for name, (phases, *shape) in form.shapes.items():
        size = phases, int(np.prod(shape))
        spread = largest.get(name, 0.0)
        parts.append(rest.get(name, 0.0) + generator.uniform(-spread, spread, size))
    return np.concatenate(parts, axis=1).astype(np.float32)


def weights_of(net: SmallNet) -> Floats:
    """Return the weights of a net, a row for each phase."""
    return net.floats.reshape(len(net.phases), -1)


class FitState(NamedTuple):
    """A fit between two passes: weights, and means of gradients and of their squares.

    A row for each phase; a fit resumes from here bit for bit.
    """

    weights: Floats
    means: Floats
    spreads: Floats
    passes: int = 0
    batches: tuple[int, ...] = ()  # that each phase has learnt
    loss: float = 0.0  # mean cross-entropy of the last pass

    @classmethod
    def begin(cls, weights: Floats) -> FitState:
        """Begin with the weights of a net, a row for each phase."""
        import numpy as np

        return cls(weights, np.zeros_like(weights), np.zeros_like(weights), 0, (0,) * len(weights))


def fit(
    net: SmallNet,
    state: FitState,
    boards: NDArray[np.uint32],
    targets: Floats,
    settings: FitSettings,
    seed: int,
    executor: Executor,
) -> Iterator[FitState]:
    """Yield the state after each pass that is left; `net` says what the phases are."""
    import numpy as np

    phases = phases_of(net, boards)
    own = [np.flatnonzero(phases == phase) for phase in range(len(state.weights))]
    while state.passes < settings.passes:
        jobs = [
            executor.submit(
                _learn_phase,
                net,
                state,
                phase,
                boards[places],
                targets[places],
                settings,
                game_seed(seed, f"pass {state.passes} of phase", phase),
            )
            for phase, places in enumerate(own)
        ]
        learnt = [job.result() for job in jobs]
        loss = sum(one.loss * len(places) for one, places in zip(learnt, own, strict=True))
        state = FitState(
            np.stack([one.weights for one in learnt]),
            np.stack([one.means for one in learnt]),
            np.stack([one.spreads for one in learnt]),
            state.passes + 1,
            tuple(one.batches for one in learnt),
            loss / max(1, len(boards)),
        )
        yield state


class _Learnt(NamedTuple):
    weights: Floats
    means: Floats
    spreads: Floats
    batches: int
    loss: float


def _learn_phase(
    net: SmallNet,
    state: FitState,
    phase: int,
    boards: NDArray[np.uint32],
    targets: Floats,
    settings: FitSettings,
    seed: int,
) -> _Learnt:
    core = SmallNetFit(
        hidden=net.hidden,
        second=net.second,
        weights=state.weights[phase],
        means=state.means[phase],
        spreads=state.spreads[phase],
        batches=state.batches[phase],
        batch=settings.batch,
        rate=settings.rate,
        warm_up=settings.warm_up,
        last=settings.passes * -(-len(boards) // settings.batch),
        steepness=MAN / settings.softness,
    )
    loss = core.learn(boards, targets, seed)
    return _Learnt(core.weights, core.means, core.spreads, core.batches, loss)


def phases_of(net: SmallNet, boards: NDArray[np.uint32]) -> NDArray[np.intp]:
    """Return the phase of each board, by its number: the first that fits it."""
    import numpy as np

    pieces = np.bitwise_count(boards).sum(axis=1)
    has_kings = (boards[:, 2] | boards[:, 3]) != 0
    phases = np.zeros(len(boards), np.intp)
    for number, phase in reversed(list(enumerate(net.phases))):
        phases[(phase.kings | ~has_kings) & (pieces >= phase.least_pieces)] = number
    return phases


def judge(net: SmallNet, weights: Floats, boards: NDArray[np.uint32]) -> Floats:
    """Return what weights, a row for each phase, say of boards, in men."""
    import numpy as np

    phases, found = phases_of(net, boards), np.zeros(len(boards), np.float32)
    zeros = np.zeros_like(weights[0])
    for phase, own in enumerate(weights):
        places = phases == phase
        core = SmallNetFit(
            hidden=net.hidden, second=net.second, weights=own, means=zeros, spreads=zeros
        )
        found[places] = core.judge(boards[places])
    return found


def worth_of_a_man(
    net: SmallNet, weights: Floats, boards: NDArray[np.uint32], seed: int
) -> float | None:
    """Return by how much a man changes what weights say, None where no board can tell.

    Of boards with equal material: half of the mean difference between one without a man of the
    other side and the same board without one of the own.
    """
    import numpy as np

    step = max(1, len(boards) // BOARDS_FOR_MAN)
    boards = boards[::step]
    counts = np.bitwise_count(boards)
    is_level = (counts[:, 0] == counts[:, 1]) & (counts[:, 2] == counts[:, 3]) & (counts[:, 0] > 0)
    boards = boards[is_level]
    if not len(boards):
        return None
    generator = np.random.default_rng(seed)
    values = [
        judge(net, weights, _without_one(boards, kind, generator)).mean(dtype=np.float64)
        for kind in (1, 0)
    ]
    return float(values[0] - values[1]) / 2


def _without_one(
    boards: NDArray[np.uint32], kind: int, generator: np.random.Generator
) -> NDArray[np.uint32]:
    """Take a piece of a kind, drawn at random, off each board."""
    import numpy as np

    bits = np.uint32(1) << np.arange(32, dtype=np.uint32)
    stands = (boards[:, kind, None] & bits) != 0  # (boards, squares)
    drawn = (stands * generator.random(stands.shape)).argmax(axis=1)
    rest = boards.copy()
    rest[:, kind] &= ~bits[drawn]
    return rest


def rescaled(net: SmallNet, weights: Floats, boards: NDArray[np.uint32], seed: int) -> Floats:
    """Return the weights with all that reaches the output divided, so that a man is worth MAN."""
    worth = worth_of_a_man(net, weights, boards, seed)
    if worth is None or worth < LEAST_WORTH:
        return weights
    scaled = weights.copy()
    # The last groups of a phase: output, direct, output_bias.
    scaled[:, -(net.second + INPUTS + 1) :] /= worth
    return scaled
