"""TD-Leaf and TD-Root in draughts: an evaluation of one layer that later searches teach from zero.

Baxter, Tridgell and Weaver 1998; Samuel 1959. None of our papers has settings of theirs for
draughts, so there is a tuned preset only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from crossboard.learn import Schooling, Snapshot, TdLeafSettings, learn_by_tdleaf
from crossboard.systems.recipes import Recipe, register
from crossboard.systems.treestrap import StudyRecipe, check_study, player_of


class TdLeafRecipe(StudyRecipe):
    """Every parameter of the system."""

    method: Literal["leaf", "root", "board"] = "leaf"  # TD-Leaf, TD-Root, TD(lambda)
    decay: float = Field(default=TdLeafSettings().decay, ge=0, le=1)  # lambda; not of TD-Root

    def idle_keys(self) -> dict[str, str]:
        """Return the keys that have no effect, and why."""
        idle = super().idle_keys()
        if self.method == "root":
            idle["decay"] = "method=root looks no further than the next search"
        return idle

    def study(self) -> TdLeafSettings:
        """Return the learner's settings."""
        return TdLeafSettings(**self.own_values())


# Rate and rounds as in the experiment `learners`; other rates were not clearly better there
# (docs/measurements.md).
TUNED = TdLeafRecipe(
    games=2000,
    inputs=("counts", "pieces"),
    rate=0.08,
    adaptive=True,
    round_size=20,
    depth=3,
    depths=(),
    quiescence=False,
    exam_every=500,
)


def learn(settings: TdLeafRecipe, schooling: Schooling) -> Iterator[Snapshot]:
    """Train an evaluation from zero weights."""
    yield from learn_by_tdleaf(settings.initial(), settings.study(), schooling)


register(
    Recipe(
        "tdleaf",
        "Baxter, Tridgell and Weaver 1998; Samuel 1959",
        "one layer of weights, taught by what its searches say one after the other",
        {"tuned": TUNED},
        learn,
        player_of,
        check=check_study,
        quick={"tuned": {}},
    )
)
