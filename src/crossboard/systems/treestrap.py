"""TreeStrap in draughts: an evaluation of one layer that its own search trees teach from zero.

What it shares with the other learners from searches (tdleaf.py) is here too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from crossboard.evaluators import (
    Mapping,
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
    StudySettings,
    TreeStrapSettings,
    learn_by_treestrap,
)
from crossboard.learn.search_learning import (
    DUCHESS_CLAMP,
    DUCHESS_LATER_RATE,
    DUCHESS_RATE,
    learning_mask,
    tie_of,
)
from crossboard.players import Player, SearchLimits
from crossboard.systems.recipes import Recipe, RecipeSettings, register

PLAY_SECONDS = 1.0
# Defaults come from the learner's settings.
STUDY, STRAP = StudySettings(), TreeStrapSettings()

Part = Literal["counts", "material", "features", "pieces", "patterns"]


class StudyRecipe(RecipeSettings, ABC):
    """What can be set of every learner from searches."""

    games: int = Field(default=STUDY.games, ge=1)
    inputs: tuple[Part, ...] = Field(default=("counts", "features", "pieces"), min_length=1)
    stages: tuple[int, ...] = STUDY.stages
    rate: float = Field(default=STUDY.rate, gt=0)
    stage_rates: tuple[float, ...] = STUDY.stage_rates
    last_rate: float | None = Field(default=STUDY.last_rate, gt=0)
    with_slope: bool = STUDY.with_slope
    adaptive: bool = STUDY.adaptive
    caution: float = Field(default=STUDY.caution, ge=0)
    round_size: int = Field(default=STUDY.round_size, ge=1)
    depth: int = Field(default=STUDY.depth, ge=1, le=60)
    depths: tuple[tuple[int, int], ...] = STUDY.depths
    algorithm: Literal["alphabeta", "minimax"] = "alphabeta"
    quiescence: bool = STUDY.quiescence
    killers: int = Field(default=STUDY.killers, ge=0, le=2)
    history: bool = STUDY.history
    random_plies: int = Field(default=STUDY.random_plies, ge=0, le=40)
    mirrored: bool = STUDY.mirrored
    endgames: float = Field(default=STUDY.endgames, ge=0, le=1)

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        self.study()  # which complains
        return self

    def make_mapping(self) -> Mapping:
        """Return what the evaluation sees of the board."""
        parts = {
            "counts": count_mapping,
            "material": material_mapping,
            # Chosen: bits that are off teach nothing here, as squares and patterns that are empty.
            "features": lambda: feature_mapping("ufu", off=0.0),
            "pieces": piece_mapping,
            "patterns": pattern_mapping,
        }
        return joined_mapping(*(parts[name]() for name in self.inputs))

    def initial(self) -> Network:
        """Return the network a training begins with, all of whose weights are 0."""
        return Network.one_layer(self.make_mapping())

    def untrained(self, seed: int) -> Network:
        """Return what a training begins with, whatever the seed."""
        return self.initial()

    def remarks(self) -> list[str]:
        """Say which parts of the evaluation will learn nothing."""
        late = [
            name for name, at in zip(self.inputs[1:], self.stages, strict=False) if at >= self.games
        ]
        if not late:
            return []
        return [f"after {self.games} games {' and '.join(late)} have learnt nothing: see stages"]

    def idle_keys(self) -> dict[str, str]:
        """Return the keys that have no effect, and why."""
        return {} if self.adaptive else {"caution": "it is for adaptive rates"}

    @abstractmethod
    def study(self) -> StudySettings:
        """Return the learner's settings."""

    def own_values(self) -> dict[str, Any]:
        """Return the values that the learner's settings have too."""
        return self.model_dump(exclude={"inputs", "exam_every", "exam_games"})


class TreeStrapRecipe(StudyRecipe):
    """Every parameter of the system."""

    method: Literal["tree", "root"] = "tree"  # TreeStrap or RootStrap
    decay: float = Field(default=STRAP.decay, ge=0, le=1)  # of the rate, with each ply below
    clamp: float = Field(default=STRAP.clamp, ge=0)
    quiet_only: bool = STRAP.quiet_only
    # Bounds are the window's edges, not what refutations are worth.
    at_edges: bool = STRAP.at_edges
    outcome: float = Field(default=STRAP.outcome, ge=0)

    def idle_keys(self) -> dict[str, str]:
        """Return the keys that have no effect, and why."""
        idle = super().idle_keys()
        if self.adaptive:
            idle["clamp"] = "adaptive rates are limit enough"
        if self.method == "root":
            idle |= dict.fromkeys(("decay", "at_edges"), "method=root learns from the root alone")
        return idle

    def study(self) -> TreeStrapSettings:
        """Return the learner's settings."""
        return TreeStrapSettings(**self.own_values())


# On Duchess errors are of probabilities, sigma(z) of weights w, here of values from -1 to 1,
# tanh(u) of weights v. Since tanh(u) = 2 sigma(2u) - 1 both judge alike where w = 2v. The paper
# changes w by rate * (difference of probabilities) * input; that difference is half of ours, and v
# changes by half of what w does: by rate / 4 * (difference of values) * input. The clamp of w is
# twice that of v.
RATE_OF_VALUES, CLAMP_OF_VALUES = 1 / 4, 1 / 2  # the paper's times this are ours
# Three stages, as many games each as on Duchess; weights change after every move. Moves are ordered
# by one killer of a ply alone (Real and Blair 2014, V), and bounds are read as on Duchess
# (docs/duchess.md).
PUBLISHED = TreeStrapRecipe(
    games=420,
    stages=(140, 360),
    rate=RATE_OF_VALUES * DUCHESS_RATE,
    stage_rates=(RATE_OF_VALUES * DUCHESS_LATER_RATE, RATE_OF_VALUES * DUCHESS_LATER_RATE),
    clamp=CLAMP_OF_VALUES * DUCHESS_CLAMP,
    round_size=1,
    quiescence=False,
    killers=1,
    history=False,
    at_edges=True,
)
# Found by experiment (docs/measurements.md): quiet nodes only, rates of each weight's own, pieces
# before patterns, weights that are mirrored, some games from endgames.
TUNED = TreeStrapRecipe(
    games=40_000,
    inputs=("counts", "material", "pieces", "patterns"),
    stages=(0, 0, 1500),
    rate=0.02,
    last_rate=0.002,
    adaptive=True,
    caution=0.1,
    quiet_only=True,
    round_size=25,
    depth=4,
    depths=((6, 6),),
    quiescence=True,
    mirrored=True,
    endgames=0.4,
    exam_every=5000,
)


def check_study(settings: StudyRecipe) -> None:
    """Raise ValueError if its network cannot learn as the settings want."""
    network, study = settings.initial(), settings.study()
    learning_mask(network, study, 0)
    tie_of(network, study)


def learn(settings: TreeStrapRecipe, schooling: Schooling) -> Iterator[Snapshot]:
    """Train an evaluation from zero weights."""
    yield from learn_by_treestrap(settings.initial(), settings.study(), schooling)


def player_of(settings: StudyRecipe, snapshot: Snapshot, name: str) -> Player:
    """Make the player of a moment; it searches as well as it can."""
    network = settings.initial().with_weights(snapshot.arrays["weights"])
    return Player(name, network, limits=SearchLimits(seconds=PLAY_SECONDS))


register(
    Recipe(
        "treestrap",
        "Veness, Silver, Uther and Blair 2009; the Duchess paper",
        "one layer of weights, taught by every node of its own search trees, or by their roots",
        {"published": PUBLISHED, "tuned": TUNED},
        learn,
        player_of,
        check=check_study,
        quick={
            "published": {"depth": 3, "depths": ()},
            "tuned": {"games": 2000, "exam_every": 1000},
        },
    )
)
