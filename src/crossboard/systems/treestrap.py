"""TreeStrap in draughts: an evaluation of one layer that its own search trees teach from zero."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from crossboard.evaluators import (
    Mapping,
    Network,
    count_mapping,
    feature_mapping,
    joined_mapping,
    pattern_mapping,
    piece_mapping,
)
from crossboard.learn import Snapshot, TreeStrapSettings, learn_by_treestrap
from crossboard.players import Player, SearchLimits
from crossboard.systems.recipes import Recipe, RecipeSettings, Schooling, register

PLAY_SECONDS = 1.0

Part = Literal["counts", "features", "pieces", "patterns"]


class TreeStrapRecipe(RecipeSettings):
    """Every parameter of the system; the defaults are those of TreeStrap on Duchess."""

    games: int = Field(default=420, ge=1)
    inputs: tuple[Part, ...] = Field(default=("counts", "features", "pieces"), min_length=1)
    stages: tuple[int, ...] = (140, 360)
    rate: float = Field(default=1e-4, gt=0)
    stage_rates: tuple[float, ...] = (1e-5, 1e-5)
    last_rate: float | None = Field(default=None, gt=0)
    method: Literal["tree", "root"] = "tree"
    decay: float = Field(default=1 / 3, ge=0, le=1)
    clamp: float = Field(default=0.001, ge=0)
    quiet_only: bool = False
    with_slope: bool = False
    adaptive: bool = False
    caution: float = Field(default=0.0, ge=0)
    outcome: float = Field(default=0.0, ge=0)
    round_size: int = Field(default=1, ge=1)
    depth: int = Field(default=5, ge=1, le=60)
    depths: tuple[tuple[int, int], ...] = ((6, 9), (12, 7))
    quiescence: bool = False
    random_plies: int = Field(default=4, ge=0, le=40)

    def make_mapping(self) -> Mapping:
        """Return what the evaluation sees of the board."""
        parts = {
            "counts": count_mapping,
            "features": lambda: feature_mapping("ufu", off=0.0),
            "pieces": piece_mapping,
            "patterns": pattern_mapping,
        }
        return joined_mapping(*(parts[name]() for name in self.inputs))

    def study(self) -> TreeStrapSettings:
        """Return the learner's settings."""
        own = {"inputs", "exam_every", "exam_games"}
        return TreeStrapSettings(**self.model_dump(exclude=own))


PUBLISHED = TreeStrapRecipe()
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
        Network.one_layer(settings.make_mapping()),
        settings.study(),
        seed=schooling.seed,
        executor=schooling.executor,
        workers=schooling.workers,
        start=schooling.start,
    )


def player_of(settings: TreeStrapRecipe, snapshot: Snapshot, name: str) -> Player:
    """Make the player of a moment; it searches as well as it can."""
    network = Network.one_layer(settings.make_mapping())
    weights = network.with_weights(snapshot.arrays["weights"])
    return Player(name, weights, limits=SearchLimits(seconds=PLAY_SECONDS))


register(
    Recipe(
        "treestrap",
        "Veness, Silver, Uther and Blair 2009; the Duchess paper",
        "one layer of weights, taught by every node of its own search trees",
        {"published": PUBLISHED, "tuned": TUNED},
        learn,
        player_of,
    )
)
