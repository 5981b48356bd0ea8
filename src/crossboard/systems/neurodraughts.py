"""NeuroDraughts (Lynch 1997): a net that teaches itself by TD(lambda), self-play and cloning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from crossboard.draughts import DrawRules, StartBoard
from crossboard.evaluators import (
    EvalNet,
    Mapping,
    Network,
    binary_mapping,
    direct_mapping,
    feature_mapping,
)
from crossboard.learn import Snapshot, TdSettings
from crossboard.learn.cloning import CloningSettings, learn_by_cloning
from crossboard.players import Player, SearchLimits, SearchSettings
from crossboard.systems.recipes import Recipe, RecipeSettings, Schooling, register

PLAY_SECONDS = 1.0


class NeuroDraughtsSettings(RecipeSettings):
    """Every parameter of the system; the defaults are the paper's (its 9.1, spec 3.6)."""

    games: Annotated[int, Field(ge=1)] = 1000
    test_after: Annotated[int, Field(ge=1)] = 10  # games of a block
    mapping: Literal["lynch", "ufu", "samuel", "binary", "direct"] = "lynch"
    quirks: bool = False
    hidden: Annotated[int, Field(ge=1, le=10_000)] = 12
    direct_links: bool = True
    low: float = -0.2
    high: float = 0.2
    rate1: Annotated[float, Field(ge=0)] = 0.0
    rate2: Annotated[float, Field(ge=0)] = 0.0
    momentum: Annotated[float, Field(ge=0, le=1)] = 0.9
    gamma: Annotated[float, Field(ge=0, le=1)] = 0.98
    decay: Annotated[float, Field(ge=0, le=1)] = 0.1  # lambda
    look_ahead: Annotated[int, Field(ge=1, le=60)] = 2  # plies from the root
    algorithm: Literal["minimax", "alphabeta"] = "minimax"
    quiescence: bool = False
    table_mb: Annotated[int, Field(ge=0)] = 0
    threads: Annotated[int, Field(ge=1, le=256)] = 1
    regime: Literal["test", "share", "straight"] = "test"
    clone_share: Annotated[float, Field(gt=0, le=1)] = 0.85
    draw_as_black: Annotated[float, Field(ge=-1, le=1)] = -0.1
    draw_as_white: Annotated[float, Field(ge=-1, le=1)] = 0.1
    points_to_clone: Annotated[float, Field(ge=0, le=4)] = 4
    round_size: Annotated[int, Field(ge=1)] = 1
    first_scale: Annotated[float, Field(gt=0)] = 1.0
    last_scale: Annotated[float, Field(gt=0)] = 1.0
    random_plies: Annotated[int, Field(ge=0, le=40)] = 0
    random_ties: bool = True
    repetitions: Annotated[int, Field(ge=0)] = 0
    max_moves: Annotated[int, Field(ge=1)] = 50  # of each side; then a game is drawn

    def make_mapping(self) -> Mapping:
        """Return what the net sees of the board."""
        if self.mapping == "binary":
            return binary_mapping()
        if self.mapping == "direct":
            return direct_mapping()
        return feature_mapping(self.mapping, quirks="lynch" if self.quirks else None)

    def make_search(self) -> SearchSettings:
        """Return how training games are searched."""
        return SearchSettings(
            algorithm=self.algorithm,
            quiescence=self.quiescence,
            deepening=self.table_mb > 0,
            table_mb=self.table_mb,
            threads=self.threads,
            draws=DrawRules(repetitions=self.repetitions, quiet_plies=0),
        )

    def cloning(self) -> CloningSettings:
        """Return the learner's settings."""
        board = StartBoard(
            draw_as_black=self.draw_as_black,
            draw_as_white=self.draw_as_white,
            points_to_clone=self.points_to_clone,
        )
        return CloningSettings(
            td=TdSettings(
                rate1=self.rate1,
                rate2=self.rate2,
                momentum=self.momentum,
                gamma=self.gamma,
                decay=self.decay,
            ),
            boards=(board,),
            blocks=-(-self.games // self.test_after),
            games=self.test_after,
            depth=self.look_ahead,
            search=self.make_search(),
            regime=self.regime,
            clone_share=self.clone_share,
            round_size=self.round_size,
            first_scale=self.first_scale,
            last_scale=self.last_scale,
            random_plies=self.random_plies,
            random_ties=self.random_ties,
            rules=DrawRules(
                repetitions=self.repetitions, quiet_plies=0, max_plies=2 * self.max_moves
            ),
        )

    def initial(self, seed: int) -> Network:
        """Draw the weights a training begins with."""
        return Network.initial(
            self.make_mapping(),
            self.hidden,
            seed=seed,
            direct=self.direct_links,
            low=self.low,
            high=self.high,
        )


PUBLISHED = NeuroDraughtsSettings(exam_every=100)
TUNED = NeuroDraughtsSettings(
    games=20_000,
    test_after=100,
    momentum=0.0,
    gamma=1.0,
    decay=0.7,
    look_ahead=4,
    algorithm="alphabeta",
    round_size=20,
    first_scale=0.05,
    last_scale=0.005,
    random_plies=6,
    draw_as_black=0.0,
    draw_as_white=0.0,
    repetitions=3,
    exam_every=1000,
)


def learn(settings: NeuroDraughtsSettings, schooling: Schooling) -> Iterator[Snapshot]:
    """Train a net by cloning."""
    yield from learn_by_cloning(
        settings.initial(schooling.seed),
        settings.cloning(),
        seed=schooling.seed,
        executor=schooling.executor,
        workers=schooling.workers,
        start=schooling.start,
        ask=schooling.ask,
    )


def player_of(settings: NeuroDraughtsSettings, snapshot: Snapshot, name: str) -> Player:
    """Make the player of the student's weights; it searches as well as it can."""
    arrays = {
        key.removeprefix("student."): array
        for key, array in snapshot.arrays.items()
        if key.startswith("student.")
    }
    net = EvalNet(arrays["w1"], arrays["w2"], arrays.get("w3"))
    network = Network.of(settings.make_mapping(), net)
    return Player(name, network, limits=SearchLimits(seconds=PLAY_SECONDS))


register(
    Recipe(
        "neurodraughts",
        "Lynch 1997",
        "a net, TD(lambda), self-play with cloning",
        {"published": PUBLISHED, "tuned": TUNED},
        learn,
        player_of,
    )
)
