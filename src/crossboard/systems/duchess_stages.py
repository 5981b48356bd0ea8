"""The experiment `duchess-stages`: each stage against the one before, and why there are stages.

Real and Blair 2014, section VI: 100 games in duplicate pairs from the same four random moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crossboard.arena.elo import expected_score
from crossboard.evaluators import OneLayer
from crossboard.evaluators.one_layer import KINDS
from crossboard.players import Player, SearchLimits, load_player
from crossboard.systems.claims import Claim, Measurement, Relation
from crossboard.systems.duchess import FLOORS, STAGE_1, STAGE_2, STAGE_3, DuchessSettings
from crossboard.systems.duchess_arms import play_duplicates, train_arm
from crossboard.systems.experiments import Experiment, Lab, register

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLAYERS = {"stage-1": "duchess-1", "stage-2": "duchess-2", "stage-3": "duchess-3"}
HIGH_RATE, LOW_RATE = 1e-4, 1e-5


@dataclass(frozen=True, kw_only=True)
class Size:
    """How large the experiment is."""

    games: tuple[int, int, int]  # of each stage's training
    match_games: int
    limits: SearchLimits
    depth: int = 5
    depths: tuple[tuple[int, int], ...] = STAGE_1.depths
    is_trained_here: bool = False  # otherwise shipped players play, where there are any

    def settings(self, arm: str) -> DuchessSettings:
        """Return how an arm is trained."""
        own = {"depth": self.depth, "depths": self.depths}
        match arm:
            case "stage-1":
                return STAGE_1.model_copy(update=own | {"games": self.games[0]})
            case "stage-2":
                return STAGE_2.model_copy(update=own | {"games": self.games[1]})
            case "stage-3":
                return STAGE_3.model_copy(update=own | {"games": self.games[2]})
            case "direct-high" | "direct-low":
                rate = HIGH_RATE if arm == "direct-high" else LOW_RATE
                direct = {"begin_with": "initial", "rate": rate}
                return STAGE_2.model_copy(update=own | direct | {"games": self.games[1]})
            case _:
                return STAGE_1.model_copy(update=own | {"games": self.games[0], "decay": 1.0})


QUICK = Size(
    games=(10, 10, 10),
    match_games=20,
    limits=SearchLimits(depth=2),
    depth=3,
    depths=(),
    is_trained_here=True,
)
FULL = Size(games=(140, 220, 60), match_games=100, limits=SearchLimits(depth=5, floors=FLOORS))

MATCHES = {
    "stage2_v_stage1": ("stage-2", "stage-1"),
    "stage3_v_stage2": ("stage-3", "stage-2"),
    "high_rate_v_stage2": ("direct-high", "stage-2"),
    "low_rate_v_stage2": ("direct-low", "stage-2"),
}
# Table I: what a training of the first stage gave, of check and checkmate by player from the one to
# move. Chosen, before any training was measured: how near another training should come.
MATERIAL = {"Q": 0.13, "D": 0.11, "F": 0.12, "W": 0.06, "N": 0.05, "R": 0.09, "B": 0.07, "P": 0.06}
TWO_WIZARDS = 0.05
CHECK = (-0.05, 0.08, -0.04, 0.04)
CHECKMATE = (-0.33, 0.26, -0.22, 0.24)
NEAR, NEAR_IN_MATE = 0.03, 0.1


def _weight(name: str, what: str, value: float, near: float = NEAR) -> Claim:
    return Claim(name, f"weight of {what} after stage 1", value, near, where="table I")


WEIGHTS = (
    *(_weight(f"material_{kind}", kind, value) for kind, value in MATERIAL.items()),
    _weight("two_wizards", "both wizards", TWO_WIZARDS),
    *(_weight(f"check_{i}", f"check to player {i}", value) for i, value in enumerate(CHECK, 1)),
    *(
        _weight(f"checkmate_{i}", f"checkmate of player {i}", value, NEAR_IN_MATE)
        for i, value in enumerate(CHECKMATE, 1)
    ),
)
CLAIMS = (
    *WEIGHTS,
    Claim(
        "stage2_v_stage1",
        "points a game of stage 2 against stage 1 (85-13-2)",
        0.86,
        0.1,
        where="VI, stage 2",
    ),
    Claim(
        "stage3_v_stage2",
        "points a game of stage 3 against stage 2 (53-38-9)",
        0.575,
        0.1,
        where="VI, stage 3",
    ),
    Claim(
        "high_rate_v_stage2",
        "attack weights trained directly at a high rate lose to stage 2",
        0.5,
        relation=Relation.AT_MOST,
        where="VI, stage 2",
    ),
    Claim(
        "low_rate_v_stage2",
        "and at a low rate",
        0.5,
        relation=Relation.AT_MOST,
        where="VI, stage 2",
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
        "pawn_to_queen_unscaled",
        "a pawn may pass the queen if rates do not fade with depth",
        1.0,
        relation=Relation.AT_LEAST,
        where="V.B",
    ),
)


def measure(lab: Lab) -> Iterator[Measurement]:
    """Train what is not there, and yield a measurement of each claim."""
    size = QUICK if lab.quick else FULL
    stages = {arm: _arm(lab, size, arm, {}) for arm in ("stage-1",)}
    stages["stage-2"] = _arm(lab, size, "stage-2", stages)
    stages["stage-3"] = _arm(lab, size, "stage-3", stages)
    yield from _weights(stages["stage-1"])
    lab.figures["attack"] = draw_attacks(stages["stage-2"])
    lab.figures["piece_square"] = draw_piece_squares(stages["stage-3"])
    for name, (one, other) in MATCHES.items():
        if name not in lab.known:
            for arm in (one, other):
                stages.setdefault(arm, _arm(lab, size, arm, stages))
            yield _match(lab, size, name, stages[one], stages[other])
    unscaled = material_of(_arm(lab, size, "unscaled", stages))
    yield _exactly("pawn_to_queen_unscaled", unscaled["P"] / unscaled["Q"])


def material_of(evaluation: OneLayer) -> dict[str, float]:
    """Return what pieces are worth, on average over the teams, by their letters."""
    return dict(zip(KINDS, evaluation.arrays()["material"].mean(axis=0).tolist(), strict=True))


def _weights(evaluation: OneLayer) -> Iterator[Measurement]:
    worth = material_of(evaluation)
    means = {name: array.mean(axis=0) for name, array in evaluation.arrays().items()}
    for kind in MATERIAL:
        yield _exactly(f"material_{kind}", worth[kind])
    yield _exactly("two_wizards", float(means["wizards"][0]))
    for group in ("check", "checkmate"):
        for player in range(evaluation.players):
            yield _exactly(f"{group}_{player + 1}", float(means[group][player]))
    great, small = (worth[kind] for kind in "QFD"), (worth[kind] for kind in "RBN")
    yield _exactly("great_to_small", min(great) / max(small))
    yield _exactly("pawn_to_knight", worth["P"] / worth["N"])


def _exactly(claim: str, value: float) -> Measurement:
    return Measurement(claim, value, value, value, "one training")


def _arm(lab: Lab, size: Size, arm: str, trained: Mapping[str, OneLayer]) -> OneLayer:
    """Return an arm's weights: of the shipped player, kept from before a stop, or trained now."""
    if not size.is_trained_here and (shipped := _shipped(PLAYERS.get(arm, ""))):
        return shipped
    settings = size.settings(arm)
    before = {"stage-2": "stage-1", "stage-3": "stage-2"}.get(arm)
    begin = settings.design(trained[before]) if before else settings.initial()
    evaluator = train_arm(lab, arm, begin, settings, lab.seed).evaluator
    assert isinstance(evaluator, OneLayer)
    return evaluator


def _shipped(name: str) -> OneLayer | None:
    try:
        evaluator = load_player(name).evaluator
    except ValueError:
        return None
    return evaluator if isinstance(evaluator, OneLayer) else None


def _match(lab: Lab, size: Size, name: str, one: OneLayer, other: OneLayer) -> Measurement:
    players = (Player("one", one), Player("other", other))
    score = play_duplicates(lab, *players, size.match_games, size.limits)
    tally = score.tally
    note = f"{size.match_games} games: {tally.wins}-{tally.losses}-{tally.draws}"
    low, high = expected_score(score.elo.low), expected_score(score.elo.high)
    value = score.score
    return Measurement(name, value, min(low, value), max(high, value), note)


def draw_attacks(evaluation: OneLayer) -> Figure:
    """Draw the odd team's attack weights as Hinton does: areas for sizes, empty for negative."""
    from matplotlib.figure import Figure

    weights = evaluation.arrays()["attack"][0]
    players = evaluation.players
    # By players first, as in the paper's figure 4: (player, kind) attacks (player, kind).
    table = weights.transpose(1, 0, 3, 2).reshape(players * len(KINDS), players * len(KINDS))
    figure = Figure(figsize=(9, 9), layout="constrained")
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
    axes.set_xticks(range(len(labels)), labels)
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.set_xlabel("attacked or defended: players 1 to 4 from the one to move")
    axes.set_ylabel("attacking or defending")
    return figure


def draw_piece_squares(evaluation: OneLayer) -> Figure:
    """Draw where the mover's own pieces like to stand, a board for each kind (figure 5)."""
    from matplotlib.figure import Figure

    from crossboard.duchess import cells
    from crossboard.duchess.geometry import centre, polygons

    weights = evaluation.arrays()["piece_square"][0]
    shapes = polygons(evaluation.players)
    places = [centre(shapes[name]) for name in cells(evaluation.players)]
    figure = Figure(figsize=(10, 10), layout="constrained")
    for axes, (kind, letter) in zip(figure.subplots(3, 3).flat, enumerate(KINDS), strict=True):
        values = weights[:, kind, 0]
        most = max(abs(values).max(), 1e-9)
        axes.scatter(
            [x for x, _ in places],
            [y for _, y in places],
            s=40 * abs(values) / most,
            edgecolors="black",
            facecolors=["black" if value > 0 else "white" for value in values],
            linewidths=0.4,
        )
        axes.set_title(letter)
        axes.set_aspect("equal")
        axes.axis("off")
    return figure


register(
    Experiment(
        "duchess-stages",
        "Real and Blair 2014",
        CLAIMS,
        measure,
        "three stages of TreeStrap, each against the one before",
    )
)
