"""The experiment `duchess-questions`: what Real and Blair (2014) left open, asked of trainings.

Section VII wonders whether attacks should be told apart by how a piece moves, whether the number of
moves to an enemy's king is worth knowing, whether deeper searches teach more; section VI, whether
phases of the game should have weights of their own. Every option is trained as the second stage is,
from the same seeds as without it, and plays a duplicate match against what the same seed gave
without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from crossboard.arena.bootstrap import score_over_seeds
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.duchess_comparison import (
    SHALLOW_DEPTH,
    measure_score,
    play_duplicates,
    shorten,
    stage_training,
    train_all,
)
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.players import SearchLimits
from crossboard.systems.duchess import STAGE_2, DuchessSettings

PLAIN, DEEPER = "plain", "deeper"
# Fewer pieces than this are an endgame: the paper searches deeper from here on.
ENDGAME = 20
OPTIONS: dict[str, dict[str, Any]] = {
    "modes": {"attack": "modes"},
    "king_reach": {"king_reach": True},
    "endgame": {"endgame": ENDGAME},
}
QUESTIONS = {
    "modes": "attacks by rook's, bishop's and knight's moves apart",
    "king_reach": "moves to enemy kings as features",
    "endgame": f"own weights with fewer than {ENDGAME} pieces",
    DEEPER: "training two plies deeper in the middlegame",
}
CLAIMS = tuple(
    Claim(
        option,
        f"points a game with {what}, against without",
        0.5,
        relation=Relation.AT_LEAST,
        where="asked in VI, stage 3" if option == "endgame" else "asked in VII",
    )
    for option, what in QUESTIONS.items()
)
RULE = (
    "Every training begins with the first stage's weights. The training run is the unit: its score "
    "is its points a game in a duplicate match against the run of the same seed without the "
    "option, and an option helps if all of the 95 % interval of the mean score, by bootstrap over "
    "seeds, is above one half. Deeper searches take hours: that is one run beside one, searched "
    "as deep as the paper's, and the interval is that of their match."
)


@dataclass(frozen=True, kw_only=True)
class QuestionsSize:
    """How large the experiment is."""

    seeds: int
    games: int  # of a training
    match_games: int
    # Of the one training by deeper searches and the one beside it.
    deeper_games: int
    deeper_depth: int
    deeper_depths: tuple[tuple[int, int], ...]  # of few pieces, for both
    deeper_limits: SearchLimits

    def settings(self, option: str) -> DuchessSettings:
        """Return how an arm is trained."""
        return shorten(STAGE_2, self.games, **OPTIONS.get(option, {}))

    def deeper_settings(self, depth: int) -> DuchessSettings:
        """Return how one of the two arms is trained whose depths differ."""
        own = {"games": self.deeper_games, "depth": depth, "depths": self.deeper_depths}
        return STAGE_2.model_copy(update=own)


QUICK = QuestionsSize(
    seeds=5,
    games=5,
    match_games=10,
    deeper_games=2,
    deeper_depth=SHALLOW_DEPTH + 2,
    deeper_depths=(),
    deeper_limits=SearchLimits(depth=SHALLOW_DEPTH),
)
FULL = QuestionsSize(
    seeds=20,
    games=100,
    match_games=100,
    deeper_games=60,
    deeper_depth=STAGE_2.depth + 2,
    deeper_depths=STAGE_2.depths,
    deeper_limits=STAGE_2.limits,
)


def measure(lab: Lab) -> Iterator[Measurement]:
    """Train every option from every seed, and yield its points against having none."""
    size = QUICK if lab.quick else FULL
    asked = [option for option in OPTIONS if option not in lab.known]
    seeds = lab.seeds(size.seeds)
    trainings = {
        f"{option}-{seed}": stage_training(lab, f"{option}-{seed}", size.settings(option), seed)
        for option in ([PLAIN, *asked] if asked else [])
        for seed in seeds
    }
    trained = train_all(lab, trainings)
    limits = SearchLimits(depth=SHALLOW_DEPTH)
    for option in asked:
        scores = [
            play_duplicates(
                lab,
                trained[f"{option}-{seed}"],
                trained[f"{PLAIN}-{seed}"],
                size.match_games,
                limits,
            ).score
            for seed in seeds
        ]
        lab.tell(f"{option}: {' '.join(f'{score:.3f}' for score in scores)} points a game")
        note = f"{size.seeds} trainings of {size.games} games at depth {SHALLOW_DEPTH}"
        yield Measurement(
            option, *score_over_seeds(scores), f"{note}, {size.match_games} games each"
        )
    if DEEPER not in lab.known:
        yield _measure_deeper(lab, size)


def _measure_deeper(lab: Lab, size: QuestionsSize) -> Measurement:
    depths = {DEEPER: size.deeper_depth, "as-deep": size.deeper_depth - 2}
    settings = {name: size.deeper_settings(depth) for name, depth in depths.items()}
    trained = train_all(
        lab, {name: stage_training(lab, name, one, lab.seed) for name, one in settings.items()}
    )
    score = play_duplicates(
        lab, trained[DEEPER], trained["as-deep"], size.match_games, size.deeper_limits
    )
    note = (
        f"one training of {size.deeper_games} games at depth {size.deeper_depth}, one at "
        f"{depths['as-deep']}; {size.match_games} games"
    )
    return measure_score(DEEPER, score, note)


register(
    Experiment(
        "duchess-questions",
        "Real and Blair 2014",
        CLAIMS,
        measure,
        "the paper's open questions: modes of attack, ways to kings, phases, depth",
        RULE,
        judges_quick=False,
    )
)
