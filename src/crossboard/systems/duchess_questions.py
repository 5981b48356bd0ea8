"""The experiment `duchess-questions`: what Real and Blair (2014) left open, asked of trainings.

Section VII wonders whether attacks should be told apart by how a piece moves, whether the number of
moves to an enemy's king is worth knowing, whether deeper searches teach more; others have given
phases of the game weights of their own. Every option is trained as the second stage is, from the
same seeds as without it, and plays a duplicate match against what the same seed gave without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from crossboard.arena.bootstrap import mean_over_seeds
from crossboard.evaluators import OneLayer
from crossboard.players import Player, SearchLimits, load_player
from crossboard.systems.claims import Claim, Measurement, Relation
from crossboard.systems.duchess import STAGE_2, DuchessSettings
from crossboard.systems.duchess_arms import play_duplicates, train_arm
from crossboard.systems.experiments import Experiment, Lab, register

PLAIN = "plain"
# Fewer pieces than this are an endgame: the paper searches deeper from here on.
ENDGAME = 20
OPTIONS: dict[str, dict[str, Any]] = {
    PLAIN: {},
    "modes": {"attack": "modes"},
    "king_reach": {"king_reach": True},
    "endgame": {"endgame": ENDGAME},
    # Two plies deeper, in as many games.
    "deeper": {},
}
QUESTIONS = {
    "modes": "attacks by rook's, bishop's and knight's moves apart",
    "king_reach": "moves to enemy kings as features",
    "endgame": f"own weights with fewer than {ENDGAME} pieces",
    "deeper": "training two plies deeper",
}
CLAIMS = tuple(
    Claim(
        option,
        f"points a game with {what}, against without",
        0.5,
        relation=Relation.AT_LEAST,
        where="VII",
    )
    for option, what in QUESTIONS.items()
)
RULE = (
    "The training run is the unit: its score is its points a game in a duplicate match against the "
    "run of the same seed without the option. An option helps if all of the 95 % interval of the "
    "mean score, by bootstrap over seeds, is above one half."
)


@dataclass(frozen=True, kw_only=True)
class Size:
    """How large the experiment is."""

    seeds: int
    games: int  # of a training
    match_games: int
    depth: int

    def settings(self, option: str) -> DuchessSettings:
        """Return how an arm is trained; without the paper's deeper searches of few pieces."""
        depth = self.depth + 2 * (option == "deeper")
        own = {"games": self.games, "depth": depth, "depths": ()}
        return STAGE_2.model_copy(update=own | OPTIONS[option])


QUICK = Size(seeds=5, games=5, match_games=10, depth=1)
FULL = Size(seeds=5, games=100, match_games=100, depth=3)


def measure(lab: Lab) -> Iterator[Measurement]:
    """Train every option from every seed, and yield its points against having none."""
    size = QUICK if lab.quick else FULL
    before = _first_stage()
    plain = {seed: _trained(lab, size, PLAIN, seed, before) for seed in _seeds(lab, size)}
    for option in QUESTIONS:
        if option in lab.known:
            continue
        scores = []
        for seed in _seeds(lab, size):
            player = _trained(lab, size, option, seed, before)
            limits = SearchLimits(depth=size.depth)
            score = play_duplicates(lab, player, plain[seed], size.match_games, limits)
            scores.append(score.score)
            lab.tell(f"{option}, seed {seed}: {score.score:.3f} points a game")
        note = f"{size.seeds} trainings of {size.games} games at depth {size.depth}"
        yield Measurement(
            option, *mean_over_seeds(scores), f"{note}, {size.match_games} games each"
        )


def _first_stage() -> OneLayer:
    try:
        evaluator = load_player(STAGE_2.begin_with).evaluator
    except ValueError:  # it is not shipped
        evaluator = None
    return evaluator if isinstance(evaluator, OneLayer) else OneLayer.initial()


def _seeds(lab: Lab, size: Size) -> range:
    return range(lab.seed, lab.seed + size.seeds)


def _trained(lab: Lab, size: Size, option: str, seed: int, before: OneLayer) -> Player:
    settings = size.settings(option)
    return train_arm(lab, f"{option}-{seed}", settings.design(before), settings, seed)


register(
    Experiment(
        "duchess-questions",
        "Real and Blair 2014",
        CLAIMS,
        measure,
        "the paper's open questions: modes of attack, ways to kings, phases, depth",
        RULE,
    )
)
