"""The experiment `duchess-stages`: each stage against the one before, and why there are stages.

Real and Blair 2014, section VI: 100 games in duplicate pairs from the same four random moves. The
stages are the shipped players; what the paper compares them with is trained here, from several
seeds each, by shorter searches.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import correlation
from typing import TYPE_CHECKING

from crossboard.arena.bootstrap import difference_over_seeds, score_over_seeds
from crossboard.arena.confidence import Z
from crossboard.evaluators import OneLayer
from crossboard.evaluators.one_layer import KINDS
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.duchess_comparison import (
    SHALLOW_DEPTH,
    SHALLOW_RATES,
    measure_score,
    play_duplicates,
    shorten,
    stage_training,
    train_all,
)
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.players import Player, SearchLimits, list_players, load_player
from crossboard.systems.duchess import (
    INITIAL,
    STAGE_1,
    STAGE_2,
    STAGE_3,
    DuchessSettings,
)
from crossboard.systems.training import Training

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STAGES = ("stage-1", "stage-2", "stage-3")
PLAYERS = dict(zip(STAGES, ("duchess-1", "duchess-2", "duchess-3"), strict=True))
CONTROLS = {"direct-high": STAGE_1.rate, "direct-low": STAGE_2.rate}


@dataclass(frozen=True, kw_only=True)
class RetrainingSize:
    """How large a comparison of trainings is that begin anew, from several seeds."""

    games: tuple[int, ...]  # of the first stage and of the second
    depth: int
    seeds: int = 5
    rates: float = 1  # times the paper's
    match_games: int = 0

    def settings(self, stage: DuchessSettings, **changed: object) -> DuchessSettings:
        """Return how a stage is trained here."""
        games = self.games[stage.stage - 1]
        return shorten(stage, games, depth=self.depth, rates=self.rates, **changed)


@dataclass(frozen=True, kw_only=True)
class StagesSize:
    """How large the experiment is."""

    match_games: int
    limits: SearchLimits
    control: RetrainingSize
    ablation: RetrainingSize
    # How stages are trained that are not shipped; None: the shipped ones play.
    stages: tuple[DuchessSettings, DuchessSettings, DuchessSettings] | None = None


QUICK = StagesSize(
    match_games=20,
    limits=SearchLimits(depth=2),
    control=RetrainingSize(games=(10, 10), depth=SHALLOW_DEPTH, rates=SHALLOW_RATES, match_games=6),
    ablation=RetrainingSize(games=(5,), depth=SHALLOW_DEPTH, rates=SHALLOW_RATES),
    stages=(shorten(STAGE_1, 10), shorten(STAGE_2, 10), shorten(STAGE_3, 10)),
)
FULL = StagesSize(
    match_games=100,
    limits=STAGE_1.limits,
    control=RetrainingSize(
        games=(140, 220), depth=SHALLOW_DEPTH, rates=SHALLOW_RATES, match_games=40
    ),
    ablation=RetrainingSize(games=(40,), depth=STAGE_1.depth),
)

# Table I: what a training of the first stage gave, of check and checkmate by player from the one to
# move; and what it began with.
MATERIAL = {"Q": 0.13, "D": 0.11, "F": 0.12, "W": 0.06, "N": 0.05, "R": 0.09, "B": 0.07, "P": 0.06}
TWO_WIZARDS = 0.05
CHECK = (-0.05, 0.08, -0.04, 0.04)
CHECKMATE = (-0.33, 0.26, -0.22, 0.24)
PUBLISHED = {
    **{f"material_{kind}": value for kind, value in MATERIAL.items()},
    "two_wizards": TWO_WIZARDS,
    **{f"check_{i}": value for i, value in enumerate(CHECK, 1)},
    **{f"checkmate_{i}": value for i, value in enumerate(CHECKMATE, 1)},
}
NAMES = {
    **{f"material_{kind}": kind for kind in MATERIAL},
    "two_wizards": "both wizards",
    **{f"check_{i}": f"check to player {i}" for i in range(1, 5)},
    **{f"checkmate_{i}": f"checkmate of player {i}" for i in range(1, 5)},
}

CLAIMS = (
    *(
        Claim(
            name,
            f"weight of {NAMES[name]} after stage 1",
            value,
            relation=Relation.BESIDE,
            where="table I",
        )
        for name, value in PUBLISHED.items()
    ),
    Claim(
        "changes",
        "correlation of what stage 1 changed in these weights with what the paper's changed",
        0.0,
        relation=Relation.AT_LEAST,
        where="table I, less the weights that training began with",
    ),
    Claim(
        "great_to_small",
        "the least of queen, fortress and duchess to the most of rook, bishop and knight",
        1.0,
        relation=Relation.AT_LEAST,
        where="table I",
    ),
    Claim(
        "pawn_to_knight",
        "a pawn's weight to a knight's",
        0.9,
        relation=Relation.AT_LEAST,
        where="table I",
    ),
    Claim(
        "stage2_v_stage1",
        "points a game of stage 2 against stage 1 (85 won, 13 lost, 2 drawn)",
        0.86,
        0.1,
        where="VI, stage 2",
    ),
    Claim(
        "stage3_v_stage2",
        "points a game of stage 3 against stage 2 (53 won, 38 lost, 9 drawn)",
        0.575,
        0.1,
        where="VI, stage 3",
    ),
    Claim(
        "direct-high",
        "points a game of attack weights trained directly at a high rate, against in stages",
        0.5,
        relation=Relation.AT_MOST,
        where="VI, stage 2: poor",
    ),
    Claim(
        "direct-low",
        "the same at a low rate",
        0.5,
        relation=Relation.AT_MOST,
        where="VI, stage 2: poor",
    ),
    Claim(
        "pawn_to_queen",
        "by how much a pawn is worth more of a queen if rates do not fade with depth",
        0.0,
        relation=Relation.AT_LEAST,
        where="V.B: it may even pass the queen",
    ),
)
RULE = (
    "Weights of one training stand beside the paper's one and are not judged one by one; their "
    "changes hold if the 95 % interval of the correlation (Fisher's, over the 17 weights) is above "
    "0. Matches of stages hold if the interval lies within 0.1 of the published score. Of "
    "trainings that are compared the run is the unit: intervals by bootstrap over seeds, every run "
    "in stages against the run of the same seed without."
)


def measure(lab: Lab) -> Iterator[Measurement]:
    """Train what is not there, and yield a measurement of each claim."""
    size = QUICK if lab.quick else FULL
    evaluations = {name: _weights_of(player) for name, player in find_stages(lab, size).items()}
    yield from measure_weights(evaluations["stage-1"])
    lab.figures["attack"] = draw_attacks(evaluations["stage-2"])
    lab.figures["piece_square"] = draw_piece_squares(evaluations["stage-3"])
    for name, one, other in (
        ("stage2_v_stage1", "stage-2", "stage-1"),
        ("stage3_v_stage2", "stage-3", "stage-2"),
    ):
        if name not in lab.known:
            players = [Player(stage, evaluations[stage]) for stage in (one, other)]
            yield _match(lab, size, name, *players)
    yield from _measure_controls(lab, size.control)
    if "pawn_to_queen" not in lab.known:
        yield _measure_ablation(lab, size.ablation)


def find_stages(lab: Lab, size: StagesSize) -> dict[str, Player]:
    """Return the player of each stage: the shipped ones, or small ones trained here."""
    if size.stages is None:
        shipped = {player.name for player in list_players() if player.is_shipped}
        if missing := [name for name in PLAYERS.values() if name not in shipped]:
            raise ValueError(f"duchess-stages compares shipped players: no {', '.join(missing)}")
        return {stage: load_player(name) for stage, name in PLAYERS.items()}
    trained: dict[str, Player] = {}
    begin = INITIAL
    for name, settings in zip(STAGES, size.stages, strict=True):
        training = stage_training(lab, name, _begun_with(settings, begin), lab.seed)
        trained |= train_all(lab, {name: training})
        begin = str(training.player_folder)
    return trained


def _begun_with(settings: DuchessSettings, begin: str) -> DuchessSettings:
    return settings.model_copy(update={"begin_with": begin})


def _weights_of(player: Player) -> OneLayer:
    assert isinstance(player.evaluator, OneLayer)
    return player.evaluator


def material_of(evaluation: OneLayer) -> dict[str, float]:
    """Return what pieces are worth, on average over the teams, by their letters."""
    return dict(zip(KINDS, evaluation.arrays()["material"].mean(axis=0).tolist(), strict=True))


def table_of(evaluation: OneLayer) -> dict[str, float]:
    """Return the weights of the paper's table I, on average over the teams."""
    worth = material_of(evaluation)
    means = {name: array.mean(axis=0) for name, array in evaluation.arrays().items()}
    return {
        **{f"material_{kind}": worth[kind] for kind in MATERIAL},
        "two_wizards": float(means["wizards"][0]),
        **{f"check_{i}": float(means["check"][i - 1]) for i in range(1, 5)},
        **{f"checkmate_{i}": float(means["checkmate"][i - 1]) for i in range(1, 5)},
    }


def measure_weights(evaluation: OneLayer) -> Iterator[Measurement]:
    """Set weights of the first stage beside the paper's, and compare what changed."""
    learnt, began = table_of(evaluation), table_of(OneLayer.initial(evaluation.players))
    for name, value in learnt.items():
        yield Measurement(name, value, value, value, f"one training; began with {began[name]:g}")
    ours = [learnt[name] - began[name] for name in PUBLISHED]
    theirs = [PUBLISHED[name] - began[name] for name in PUBLISHED]
    yield Measurement("changes", *_correlation(ours, theirs), f"{len(ours)} weights")
    worth = material_of(evaluation)
    great, small = (worth[kind] for kind in "QFD"), (worth[kind] for kind in "RBN")
    for name, ratio in (
        ("great_to_small", min(great) / max(small)),
        ("pawn_to_knight", worth["P"] / worth["N"]),
    ):
        yield Measurement(name, ratio, ratio, ratio, "one training")


def _correlation(ones: list[float], others: list[float]) -> tuple[float, float, float]:
    """Return Pearson's correlation with Fisher's 95 % interval."""
    if len(set(ones)) == 1:  # nothing has changed
        return 0.0, -1.0, 1.0
    found = correlation(ones, others)
    centre = math.atanh(min(max(found, -1 + 1e-12), 1 - 1e-12))
    reach = Z / math.sqrt(len(ones) - 3)
    return found, math.tanh(centre - reach), math.tanh(centre + reach)


def _match(lab: Lab, size: StagesSize, name: str, one: Player, other: Player) -> Measurement:
    score = play_duplicates(lab, one, other, size.match_games, size.limits)
    tally = score.tally
    note = f"of {size.match_games} games {tally.wins} won, {tally.losses} lost, {tally.draws} drawn"
    return measure_score(name, score, note)


def control_trainings(lab: Lab, trial: RetrainingSize) -> dict[str, Training]:
    """Return the trainings that begin with the paper's first weights: stage 1, and the controls.

    A control has the games of both stages.
    """
    found = {}
    for seed in lab.seeds(trial.seeds):
        stages = {"staged-1": trial.settings(STAGE_1)}
        for name, rate in CONTROLS.items():
            changed = {"games": sum(trial.games), "rate": trial.rates * rate}
            stages[name] = trial.settings(STAGE_2, begin_with=INITIAL).model_copy(update=changed)
        for name, settings in stages.items():
            found[f"{name}-{seed}"] = stage_training(lab, f"{name}-{seed}", settings, seed)
    return found


def _second_stage(lab: Lab, trial: RetrainingSize, first: Training) -> Training:
    """Return the training that continues one of the first stage, from the same seed."""
    settings = _begun_with(trial.settings(STAGE_2), str(first.player_folder))
    return stage_training(lab, f"staged-2-{first.seed}", settings, first.seed)


def _measure_controls(lab: Lab, trial: RetrainingSize) -> Iterator[Measurement]:
    """Let attack weights trained without a first stage meet those trained with one."""
    if all(name in lab.known for name in CONTROLS):
        return
    trainings = control_trainings(lab, trial)
    trained = train_all(lab, trainings)
    firsts = (trainings[f"staged-1-{seed}"] for seed in lab.seeds(trial.seeds))
    seconds = (_second_stage(lab, trial, first) for first in firsts)
    staged = train_all(lab, {second.folder.name: second for second in seconds})
    limits = SearchLimits(depth=trial.depth)
    note = (
        f"{trial.seeds} runs an arm, {trial.games[0]} games of stage 1 and {trial.games[1]} of "
        f"stage 2, or all directly, at depth {trial.depth}; {trial.match_games} games each"
    )
    for name in CONTROLS:
        scores = [
            play_duplicates(
                lab,
                trained[f"{name}-{seed}"],
                staged[f"staged-2-{seed}"],
                trial.match_games,
                limits,
            ).score
            for seed in lab.seeds(trial.seeds)
        ]
        yield Measurement(name, *score_over_seeds(scores), note)


def _measure_ablation(lab: Lab, trial: RetrainingSize) -> Measurement:
    """Compare what a pawn is worth with rates that fade with depth, and with rates that do not."""
    trainings = {}
    for seed in lab.seeds(trial.seeds):
        for rates, decay in (("scaled", STAGE_1.decay), ("unscaled", 1.0)):
            name, settings = f"{rates}-{seed}", trial.settings(STAGE_1, decay=decay)
            trainings[name] = stage_training(lab, name, settings, seed)
    trained = train_all(lab, trainings)

    def shares(name: str) -> list[float]:
        worths = [
            material_of(_weights_of(trained[f"{name}-{seed}"])) for seed in lab.seeds(trial.seeds)
        ]
        return [worth["P"] / worth["Q"] for worth in worths]

    scaled, unscaled = shares("scaled"), shares("unscaled")
    means = [sum(each) / trial.seeds for each in (unscaled, scaled)]
    note = (
        f"{means[0]:.2f} to {means[1]:.2f} of a queen; {trial.seeds} runs an arm of "
        f"{trial.games[0]} games at depth {trial.depth}"
    )
    return Measurement("pawn_to_queen", *difference_over_seeds(unscaled, scaled), note)


def draw_attacks(evaluation: OneLayer) -> Figure:
    """Draw the odd team's attack weights as Hinton does: areas for sizes, empty for negative."""
    from matplotlib.figure import Figure

    weights = evaluation.arrays()["attack"][0]
    players, kinds = evaluation.players, len(KINDS)
    # By players first, as in the paper's figure 4: (player, kind) attacks (player, kind).
    table = weights.transpose(1, 0, 3, 2).reshape(players * kinds, players * kinds)
    figure = Figure(figsize=(9, 9.4), layout="constrained")
    axes = figure.subplots()
    most = max(abs(table).max(), 1e-9)
    rows, columns = table.nonzero()
    values = table[rows, columns]
    axes.scatter(
        columns,
        rows,
        s=60 * abs(values) / most,
        marker="s",
        edgecolors="black",
        facecolors=["black" if value > 0 else "white" for value in values],
        linewidths=0.4,
    )
    labels = list(KINDS) * players
    axes.set_xticks(range(len(labels)), labels, fontsize="small")
    axes.set_yticks(range(len(labels)), labels, fontsize="small")
    for edge in range(1, players):
        for line in (axes.axhline, axes.axvline):
            line(edge * kinds - 0.5, color="0.6", linewidth=0.8)
    names = [f"player {player}" for player in range(1, players + 1)]
    middles = [(player + 0.5) * kinds - 0.5 for player in range(players)]
    above = axes.secondary_xaxis("top")
    above.set_xticks(middles, names)
    beside = axes.secondary_yaxis("right")
    beside.set_yticks(middles, names, rotation=270, va="center")
    for other in (above, beside):
        other.tick_params(length=0)
    axes.set_xlim(-0.7, len(labels) - 0.3)
    axes.set_ylim(len(labels) - 0.3, -0.7)
    axes.set_aspect("equal")
    axes.set_xlabel("attacked or defended; player 1 is to move")
    axes.set_ylabel("attacking or defending")
    axes.set_title(
        f"the odd team's; full: positive, empty: negative; the largest is {most:.4f}",
        fontsize="medium",
    )
    return figure


def draw_piece_squares(evaluation: OneLayer) -> Figure:
    """Draw where the mover's own pieces like to stand, a board for each kind (figure 5)."""
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure

    from crossboard.duchess import cells
    from crossboard.duchess.geometry import centre, polygons

    weights = evaluation.arrays()["piece_square"][0]
    shapes = polygons(evaluation.players)
    outlines = [shapes[name] for name in cells(evaluation.players)]
    places = [centre(outline) for outline in outlines]
    figure = Figure(figsize=(10, 10.4), layout="constrained")
    for axes, (kind, letter) in zip(figure.subplots(3, 3).flat, enumerate(KINDS), strict=True):
        values = weights[:, kind, 0]
        most = max(abs(values).max(), 1e-9)
        axes.add_collection(
            PolyCollection(outlines, facecolors="none", edgecolors="0.8", linewidths=0.5)
        )
        axes.scatter(
            [x for x, _ in places],
            [y for _, y in places],
            s=40 * abs(values) / most,
            edgecolors="black",
            facecolors=["black" if value > 0 else "white" for value in values],
            linewidths=0.4,
            zorder=2,
        )
        axes.set_title(f"{letter}, at most {most:.4f}", fontsize="medium")
        axes.set_aspect("equal")
        axes.axis("off")
    figure.suptitle(
        "the odd team's weights of the mover's own pieces, who sits below; "
        "full: positive, empty: negative"
    )
    return figure


register(
    Experiment(
        "duchess-stages",
        "Real and Blair 2014",
        CLAIMS,
        measure,
        "three stages of TreeStrap, each against the one before",
        RULE,
        judges_quick=False,
    )
)
