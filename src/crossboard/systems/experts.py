"""Training on games of experts: XTRAIN as a system to train (Lynch 1997, 6.1, 6.5, 9.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from crossboard.evaluators import Network
from crossboard.learn import Schooling, Snapshot, TdLearner
from crossboard.learn.experts import ExpertSettings, learn_from_experts
from crossboard.players import Player, SearchLimits
from crossboard.systems.expert_games import read_expert_games
from crossboard.systems.net_settings import NetSettings
from crossboard.systems.neurodraughts import PLAY_SECONDS
from crossboard.systems.neurodraughts import TUNED as ALONE
from crossboard.systems.recipes import Recipe, register


class ExpertsSettings(NetSettings):
    """Which games to learn from, and how often."""

    games: Annotated[int, Field(ge=0)] = 0  # of all epochs; 0: as many as the file has
    source: str = ""  # a PDN or training file
    epochs: Annotated[int, Field(ge=1)] = 10
    ignore_draws: bool = False
    result_convention: Literal["black-first", "white-first"] = "black-first"
    shuffled: bool = False  # otherwise in the order of the file


# Chosen: an exam after as many games as the paper had.
PUBLISHED = ExpertsSettings(exam_every=200)
# Chosen: as in the tuned preset of neurodraughts at its beginning.
TUNED = ExpertsSettings(
    rate1=ALONE.first_scale / ALONE.make_mapping().size,
    rate2=ALONE.first_scale / ALONE.hidden,
    momentum=ALONE.momentum,
    gamma=ALONE.gamma,
    decay=ALONE.decay,
    shuffled=True,
    exam_every=PUBLISHED.exam_every,
)


def learn(settings: ExpertsSettings, schooling: Schooling) -> Iterator[Snapshot]:
    """Go through the games of the file, epoch by epoch."""
    network = settings.initial(schooling.seed)
    games = read_expert_games(
        settings.source,
        ignore_draws=settings.ignore_draws,
        result_convention=settings.result_convention,
    )
    how = ExpertSettings(
        epochs=settings.epochs, td=settings.make_td(), is_shuffled=settings.shuffled
    )
    try:
        yield from learn_from_experts(
            network.mapping, network.net, games, how, seed=schooling.seed, start=schooling.start
        )
    except ValueError as error:
        raise ValueError(f"{settings.source}: {error}") from None


def player_of(settings: ExpertsSettings, snapshot: Snapshot, name: str) -> Player:
    """Make the player of a moment."""
    learner = TdLearner.from_state(snapshot.arrays, snapshot.plain, settings.make_td())
    network = Network.of(settings.make_mapping(), learner.net)
    return Player(name, network, limits=SearchLimits(seconds=PLAY_SECONDS))


RECIPE = register(
    Recipe(
        "experts",
        "Lynch 1997, 6.1",
        "a net that learns from given games (--training FILE)",
        {"published": PUBLISHED, "tuned": TUNED},
        learn,
        player_of,
        check=ExpertsSettings.check_means,
        # How long it takes depends on the file: some thousands of games are well within it.
        quick={name: {"epochs": 2, "exam_every": 0} for name in ("published", "tuned")},
    )
)
