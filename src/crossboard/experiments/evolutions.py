"""Evolutions of DRAFT5-GA in experiments: how they are trained, and how they are measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import REPORT, Openings, openings
from crossboard.experiments.comparison import train_seeds
from crossboard.experiments.experiment import Lab
from crossboard.learn.evolution import find_winners
from crossboard.learn.genes import Genes
from crossboard.learn.individuals import History
from crossboard.players import Player, SearchLimits, load_player
from crossboard.systems.draft5_ga import (
    EXAMINER,
    SEARCH,
    Draft5GaSettings,
    evolving_player,
    start_opening,
)
from crossboard.systems.recipes import find_recipe
from crossboard.systems.trained import Trained, latest_snapshot

SYSTEM = "draft5-ga"
# Raised when the same settings and seed begin to give other weights.
EDITION = 1
# As deep as the evolution looks, captures played out.
DEPTH = 2
EXAM_SEED = 1997
START = "start"


class Evolved(NamedTuple):
    """What one evolution has left: all its pools, and its winner after each generation."""

    seed: int
    history: History
    winners: list[Genes]

    @property
    def winner(self) -> Genes:
        return self.winners[-1]


def train_evolutions(
    lab: Lab, arms: Mapping[str, Draft5GaSettings], runs: int
) -> dict[str, list[Evolved]]:
    """Evolve every arm from every seed, each in a run of its own below the experiment's."""
    trained = train_seeds(lab, find_recipe(SYSTEM), arms, runs, edition=EDITION)
    return {
        name: [read_evolved(one, settings) for one in trained[name]]
        for name, settings in arms.items()
    }


def read_evolved(trained: Trained, settings: Draft5GaSettings) -> Evolved:
    """Read the pools of a finished evolution from its run."""
    history = History.of(latest_snapshot(trained.folder).arrays)
    winners = find_winners(settings.strategy(trained.seed), history)
    return Evolved(trained.seed, history, winners)


def score_all(
    lab: Lab,
    ones: Sequence[Genes],
    others: Sequence[Genes | None],
    seeds: Sequence[int],
    *,
    pairs: int,
    source: str = REPORT,
) -> list[float]:
    """Return the points a game of weights against others, or against hand-tuned ones."""
    meet = partial(score, pairs=pairs, source=source)
    return list(lab.learners.map(meet, ones, others, seeds))


def score(one: Genes, other: Genes | None, seed: int, *, pairs: int, source: str) -> float:
    """Return the points a game of weights against others; None stands for hand-tuned ones."""
    rival = examiner() if other is None else evolving_player(other)
    terms = Terms(
        pairs=pairs,
        openings=series_from(source, EXAM_SEED + seed),
        limits=SearchLimits(depth=DEPTH),
        seed=seed,
    )
    with ThreadPoolExecutor(1) as executor:
        return play_match(evolving_player(one), rival, terms, executor).score.score


def series_from(source: str, seed: int) -> Openings:
    """Return a series of openings: from START the usual start, and random plies behind it."""
    return Openings([start_opening()], seed) if source == START else openings(source, seed)


def examiner() -> Player:
    """Return the player with hand-tuned weights, searching as evolved ones do."""
    return load_player(EXAMINER).with_settings(SEARCH)
