"""Duchess (Real and Blair 2014): four- and six-player chess that TreeStrap teaches in stages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from crossboard.evaluators import OneLayer
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.search_learning import DUCHESS_LATER_RATE
from crossboard.learn.treestrap_duchess import (
    ENDGAME,
    MAIN,
    DuchessStudySettings,
    learn_duchess_by_treestrap,
)
from crossboard.players import Player, SearchLimits, SearchSettings, When, load_player
from crossboard.systems.recipes import (
    Exam,
    Kept,
    Recipe,
    RecipeSettings,
    register,
)

# The paper's search, and what finds the same values sooner: history, PVS, aspiration windows.
SEARCH = SearchSettings(quiescence=False, killers=1, table_mb=0)
# Defaults come from the learner's settings.
STUDY = DuchessStudySettings()
# Where a training begins that nobody has prepared: the paper's first weights.
INITIAL = "initial"
# Where it cannot be known.
UNTOLD = "?"
EXAM = Exam(examiner="duchess-0", openings="random:4", depth=3, final_games=40)
EXAM_OF_SIX = Exam(examiner="duchess-six-0", openings="random:6", depth=2, final_games=20)


class DuchessSettings(RecipeSettings):
    """Every parameter of the system; the defaults are the paper's first stage."""

    games: int = Field(default=STUDY.games, ge=1)
    players: Literal[4, 6] = 4
    stage: Literal[1, 2, 3] = 1
    # A player of an earlier stage, by name or folder, or "initial"; "?" must be replaced.
    begin_with: str = INITIAL
    attack: Literal["plain", "modes"] = "plain"  # modes: rook's, bishop's and knight's apart
    king_reach: bool = False  # weigh how many moves a piece is away from an enemy's king
    rate: float = Field(default=STUDY.rate, gt=0)
    decay: float = Field(default=STUDY.decay, ge=0, le=1)
    clamp: float = Field(default=STUDY.clamp, ge=0)
    with_slope: bool = STUDY.with_slope
    at_edges: bool = STUDY.at_edges  # bounds are the window's edges, not what refutations are worth
    round_size: int = Field(default=STUDY.round_size, ge=1)
    depth: int = Field(default=STUDY.depth, ge=1, le=60)
    depths: tuple[tuple[int, int], ...] = STUDY.depths
    history: bool = STUDY.history
    quiescence: bool = STUDY.quiescence
    random_plies: int = Field(default=STUDY.random_plies, ge=0, le=40)
    # Fewer pieces have weights of their own; 0: none.
    endgame: int = Field(default=STUDY.endgame, ge=0, le=90)

    def title(self, system: str) -> str:
        """Tell the stages apart, which play against each other."""
        return f"{system}-{self.stage}" if self.players == 4 else f"{system}-six-{self.stage}"

    def study(self) -> DuchessStudySettings:
        """Return the learner's settings."""
        shared = set(DuchessStudySettings.__dataclass_fields__)
        return DuchessStudySettings(**self.model_dump(include=shared))

    @property
    def limits(self) -> SearchLimits:
        """How deep players search that were trained so: as deep as the training did."""
        # A training goes deeper with at most so many pieces, a player with fewer than a floor's.
        floors = sorted(((pieces + 1, deep) for pieces, deep in self.depths), reverse=True)
        return SearchLimits(depth=self.depth, floors=tuple(floors))

    def design(self, evaluation: OneLayer) -> OneLayer:
        """Return an evaluation with the weights of this stage added, where there are none yet.

        Raises ValueError if that leaves it with other weights of attacks than were asked for.
        """
        attack = "none" if self.stage == 1 or evaluation.attack != "none" else self.attack
        designed = evaluation.extended(
            attack=attack, piece_square=self.stage == 3, king_reach=self.king_reach
        )
        if designed.attack not in ("none", self.attack):
            raise ValueError(
                f"attack={self.attack}: the weights of begin_with={self.begin_with} have "
                f"attack={designed.attack}, which stays"
            )
        if self.attack == "modes" and designed.attack == "none":
            raise ValueError(f"attack=modes: stage {self.stage} has no weights of attacks")
        return designed

    def initial(self) -> OneLayer:
        """Return the weights that the stage begins with; raise ValueError if they do not fit."""
        if self.begin_with == INITIAL:
            return self.design(OneLayer.initial(self.players))
        if self.begin_with == UNTOLD:
            raise ValueError(
                f"begin_with: stage {self.stage} of {self.players} players begins with a player of "
                f"stage {self.stage - 1}, by name or folder, and has not been told with which"
            )
        evaluator = load_player(self.begin_with).evaluator
        if not isinstance(evaluator, OneLayer) or evaluator.players != self.players:
            raise ValueError(
                f"begin_with: {self.begin_with} is no player of Duchess for {self.players}"
            )
        return self.design(evaluator)


# What later stages change, whatever else is set.
LATER = {
    2: {"stage": 2, "games": 220, "rate": DUCHESS_LATER_RATE, "begin_with": "duchess-1"},
    3: {"stage": 3, "games": 60, "rate": DUCHESS_LATER_RATE, "begin_with": "duchess-2"},
}
PUBLISHED = DuchessSettings()
STAGE_1 = DuchessSettings(round_size=10, history=True)
STAGE_2, STAGE_3 = (STAGE_1.model_copy(update=change) for change in LATER.values())
SIX = STAGE_1.model_copy(
    update={"players": 6, "games": 200, "depth": 4, "depths": ((9, 7), (27, 5)), "random_plies": 6}
)
# Chosen: the paper has no stages for six. The one before is nobody's whom we ship.
SIX_2, SIX_3 = (
    SIX.model_copy(update={**change, "games": SIX.games, "begin_with": UNTOLD})
    for change in LATER.values()
)
PRESETS = {
    "published": PUBLISHED,
    "published-2": PUBLISHED.model_copy(update=LATER[2]),
    "published-3": PUBLISHED.model_copy(update=LATER[3]),
    "tuned": STAGE_1,
    "stage-1": STAGE_1,
    "stage-2": STAGE_2,
    "stage-3": STAGE_3,
    "six": SIX,
    "six-2": SIX_2,
    "six-3": SIX_3,
}
QUICK, QUICK_SIX = (
    {"games": 40, "depth": 3, "depths": ()},
    {"games": 20, "depth": 2, "depths": ()},
)


def learn(settings: DuchessSettings, schooling: Schooling) -> Iterator[Snapshot]:
    """Train one stage."""
    yield from learn_duchess_by_treestrap(settings.initial(), settings.study(), schooling)


def player_of(settings: DuchessSettings, snapshot: Snapshot, name: str) -> Player:
    """Make the player of a moment; it searches as deep as its training does."""
    begin = settings.initial()
    weights = begin.with_weights(snapshot.arrays[MAIN])
    phases = []
    if settings.endgame:
        endgame = begin.with_weights(snapshot.arrays[ENDGAME])
        phases = [(When(most_pieces=settings.endgame - 1), endgame)]
    return Player(name, weights, search=SEARCH, limits=settings.limits, phases=phases)


def kept_of(settings: DuchessSettings, snapshot: Snapshot) -> Kept:
    """Return the games of a round as records."""
    before, itself = snapshot.games - len(snapshot.played), settings.title("duchess")
    for number, record in enumerate(snapshot.played, before + 1):
        record.tags |= {"Event": "Duchess", "Round": str(number), "Odd": itself, "Even": itself}
        record.tags["Result"] = record.result
    return Kept(games="".join(f"{record.text}\n" for record in snapshot.played))


def exam_of(settings: DuchessSettings) -> Exam:
    """Return who examines the players of these settings, and how."""
    return EXAM if settings.players == 4 else EXAM_OF_SIX


RECIPE = register(
    Recipe(
        "duchess",
        "Real and Blair 2014",
        "a team chess; one layer of weights, TreeStrap in three stages",
        PRESETS,
        learn,
        player_of,
        kept_of,
        exam_of,
        DuchessSettings.initial,
        quick={
            name: QUICK if preset.players == 4 else QUICK_SIX for name, preset in PRESETS.items()
        },
    )
)
