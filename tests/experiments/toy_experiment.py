"""An experiment that throws coins instead of playing games."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from crossboard.arena import score_pairs
from crossboard.experiments import Claim, Experiment, Lab, Measurement, Relation, register

CLAIMS = (
    Claim("elo", "Elo of a fair coin | against itself", 0, tolerance=40, where="Table 1"),
    Claim("heads", "share of heads", 0.9, relation=Relation.AT_LEAST, unit="of all"),
)


def throw(seed: int) -> tuple[float, float]:
    first, second = np.random.default_rng(seed).integers(2, size=2)
    return float(first), float(second)


def measure(lab: Lab) -> Iterator[Measurement]:
    pairs = 20 if lab.quick else 400
    seeds = [1000 * lab.seed + number for number in range(pairs)]
    score = score_pairs(lab.executor.map(throw, seeds))
    note = f"{pairs} pairs"
    if "elo" not in lab.known:
        elo = score.elo
        yield Measurement("elo", elo.elo, elo.low, elo.high, note)
    error = 1 / np.sqrt(2 * pairs)
    yield Measurement("heads", score.score, score.score - error, score.score + error, note)


def register_toy() -> Experiment:
    return register(
        Experiment("coin", "Bernoulli, Ars Conjectandi, 1713", CLAIMS, measure, "Throws coins.")
    )
