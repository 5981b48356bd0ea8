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
    pattern_mapping,
    piece_mapping,
)
from crossboard.learn import Snapshot, StudySettings, TreeStrapSettings, learn_by_treestrap
from crossboard.players import Player, SearchLimits
from crossboard.systems.recipes import Recipe, RecipeSettings, Schooling, register

PLAY_SECONDS = 1.0

Part = Literal["counts", "features", "pieces", "patterns"]


class StudyRecipe(RecipeSettings, ABC):
    """What can be set of every learner from searches; the defaults are TreeStrap's on Duchess."""

    games: int = Field(default=420, ge=1)
    inputs: tuple[Part, ...] = Field(default=("counts", "features", "pieces"), min_length=1)
    stages: tuple[int, ...] = (140, 360)
    rate: float = Field(default=1e-4, gt=0)
    stage_rates: tuple[float, ...] = (1e-5, 1e-5)
    last_rate: float | None = Field(default=None, gt=0)
    with_slope: bool = False
    adaptive: bool = False
    caution: float = Field(default=0.0, ge=0)
    round_size: int = Field(default=1, ge=1)
    depth: int = Field(default=5, ge=1, le=60)
    depths: tuple[tuple[int, int], ...] = ((6, 9), (12, 7))
    algorithm: Literal["alphabeta", "minimax"] = "alphabeta"
    quiescence: bool = False
    random_plies: int = Field(default=4, ge=0, le=40)

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        self.study()  # which complains
        return self

    def make_mapping(self) -> Mapping:
        """Return what the evaluation sees of the board."""
        parts = {
            "counts": count_mapping,
            "features": lambda: feature_mapping("ufu", off=0.0),
            "pieces": piece_mapping,
            "patterns": pattern_mapping,
        }
        return joined_mapping(*(parts[name]() for name in self.inputs))

    def initial(self) -> Network:
        """Return the network a training begins with, all of whose weights are 0."""
        return Network.one_layer(self.make_mapping())

    @abstractmethod
    def study(self) -> StudySettings:
        """Return the learner's settings."""

    def own_values(self) -> dict[str, Any]:
        """Return the values that the learner's settings have too."""
        return self.model_dump(exclude={"inputs", "exam_every", "exam_games"})


class TreeStrapRecipe(StudyRecipe):
    """Every parameter of the system; the defaults are those of TreeStrap on Duchess."""

    method: Literal["tree", "root"] = "tree"  # TreeStrap or RootStrap
    decay: float = Field(default=1 / 3, ge=0, le=1)  # of the rate, with each ply below the root
    clamp: float = Field(default=0.001, ge=0)
    quiet_only: bool = False
    at_edges: bool = False  # bounds are the window's edges, not what refutations are worth
    outcome: float = Field(default=0.0, ge=0)

    def study(self) -> TreeStrapSettings:
        """Return the learner's settings."""
        return TreeStrapSettings(**self.own_values())


# On Duchess errors are of probabilities, sigma(z) of weights w, here of values from -1 to 1,
# tanh(u) of weights v. Since tanh(u) = 2 sigma(2u) - 1 both judge alike where w = 2v. The paper
# changes w by rate * (difference of probabilities) * input; that difference is half of ours, and v
# changes by half of what w does: by rate / 4 * (difference of values) * input. The clamp of w is
# twice that of v.
RATE_OF_VALUES, CLAMP_OF_VALUES = 1 / 4, 1 / 2  # the paper's times this are ours
PUBLISHED = TreeStrapRecipe(
    rate=RATE_OF_VALUES * 1e-4,
    stage_rates=(RATE_OF_VALUES * 1e-5, RATE_OF_VALUES * 1e-5),
    clamp=CLAMP_OF_VALUES * 0.001,
)
# Found by experiment (docs/measurements.md): quiet nodes only, rates of each weight's own, pieces
# before patterns.
TUNED = TreeStrapRecipe(
    games=15_000,
    inputs=("counts", "pieces", "patterns"),
    stages=(0, 1500),
    stage_rates=(),
    rate=0.02,
    last_rate=0.002,
    adaptive=True,
    caution=0.1,
    quiet_only=True,
    round_size=25,
    depth=4,
    depths=((6, 6),),
    quiescence=True,
    exam_every=3000,
)


def learn(settings: TreeStrapRecipe, schooling: Schooling) -> Iterator[Snapshot]:
    """Train an evaluation from zero weights."""
    yield from learn_by_treestrap(
        settings.initial(),
        settings.study(),
        seed=schooling.seed,
        executor=schooling.executor,
        workers=schooling.workers,
        start=schooling.start,
    )


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
    )
)
