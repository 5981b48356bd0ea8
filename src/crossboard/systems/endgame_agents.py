"""Endgame agents of MP-Draughts: each learns on the boards of one cluster (2009, IV.B.3).

An agent is a training inside the run. The student it keeps is the one that did best against the
first agent on the boards it learns from; a match from boards it did not learn from then decides
whether it plays at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from crossboard.arena.match import MatchResult, Terms, play_match
from crossboard.arena.openings import Opening, Openings
from crossboard.draughts import Position, StartBoard, random_line
from crossboard.evaluators import EvalNet, Network
from crossboard.farm.executors import Farm
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.best import keep_best, show_best
from crossboard.learn.schooling import Tell, keep_silent
from crossboard.players import Player, SearchLimits, load_player, material_balance
from crossboard.players.settings import DEPTH_WITHOUT_TABLE
from crossboard.systems.cohort import part, train_side_by_side, unfinished
from crossboard.systems.exams import Exams, as_metrics
from crossboard.systems.neurodraughts import NeuroDraughtsSettings, learn, player_of
from crossboard.systems.provenance import digest_of
from crossboard.systems.recipes import Recipe
from crossboard.systems.trained import Trained, latest_snapshot
from crossboard.systems.training import Training

# IIGA, the paper's agent of the initial and intermediate game, which also gives first weights.
FIRST_AGENT = "visiondraughts"
# Raised when the same settings and seed begin to give other weights.
EDITION = 1
# Chosen: Lynch's rewards for a draw on a board of unequal material, and what makes a clone there.
UNEQUAL_DRAW, UNEQUAL_POINTS = 0.5, 3.0
# Chosen: behind so many random plies an agent of a single board is validated.
VALIDATION_PLIES = 2
# A specialist that scores less than that against the first agent does not play.
EVEN = 0.5


class AgentSettings(NeuroDraughtsSettings):
    """How one agent learns, and by how many games its students are compared."""

    judge_pairs: Annotated[int, Field(ge=1)] = 40
    match_depth: Annotated[int, Field(ge=1, le=60)] = 4


class Specialist(NamedTuple):
    """An agent that has been trained: its net and what is known of it."""

    net: EvalNet
    boards: int  # that it learnt from
    block: int  # whose student it is
    training_score: float  # against the first agent, on the boards it learnt from
    validation: float  # the same on boards it did not learn from

    def known(self) -> dict[str, float]:
        """Return what is known beside the net, as plain values."""
        return {key: each for key, each in self._asdict().items() if key != "net"}

    @property
    def plays(self) -> bool:
        """Whether it does not lose to the first agent."""
        return self.validation >= EVEN


@cache
def first_agent() -> Player:
    """Return the agent that plays until the endgame."""
    return load_player(FIRST_AGENT)


def first_network() -> Network:
    """Return the first agent's network."""
    network = first_agent().evaluator
    assert isinstance(network, Network)
    return network


def start_board(position: Position) -> StartBoard:
    """Return a board with what a draw is worth on it: 0 if level, half a game if not."""
    balance = material_balance(position)
    if balance == 0:
        return StartBoard(position, 0.0, 0.0)
    black = -UNEQUAL_DRAW if balance > 0 else UNEQUAL_DRAW  # Black is to move
    return StartBoard(position, black, -black, UNEQUAL_POINTS)


def meet_from(
    one: Player,
    positions: Sequence[Position],
    farm: Farm,
    *,
    pairs: int,
    depth: int,
    seed: int,
    random_plies: int = 0,
) -> MatchResult:
    """Play the first agent from boards, with both colours on each.

    Each board comes once; for more pairs than boards random plies follow. With `random_plies` they
    do from the first pair on.
    """
    listed = [Opening(position.fen, position) for position in positions]
    limits = SearchLimits(depth=depth)
    series = Openings(listed, seed, random_plies)
    terms = Terms(pairs=pairs, openings=series, limits=limits, seed=seed)
    return play_match(one, first_agent(), terms, farm.executor, workers=farm.workers)


def learn_agent(settings: AgentSettings, schooling: Schooling) -> Iterator[Snapshot]:
    """Train an agent by cloning and keep its best student."""
    positions = [board.position for board in settings.start_boards]
    farm = Farm(schooling.executor, schooling.workers)

    def judge(snapshot: Snapshot) -> float:
        student = player_of(settings, snapshot, "student")
        how = {"pairs": settings.judge_pairs, "depth": settings.match_depth}
        return meet_from(student, positions, farm, seed=schooling.seed, **how).score.score

    yield from keep_best(learn(settings, schooling), judge, schooling.start)


def best_player(settings: AgentSettings, snapshot: Snapshot, name: str) -> Player:
    """Make the player of the best student so far."""
    return player_of(settings, show_best(snapshot), name)


RECIPE = Recipe(
    "endgame-agent",
    "MP-Draughts 2009, IV.B.3",
    "a net that learns from the boards of one cluster; a part of mp-draughts",
    {"tuned": AgentSettings()},
    learn_agent,
    best_player,
)


@dataclass(frozen=True, kw_only=True)
class AgentPlan:
    """What all agents of a run have in common."""

    base: NeuroDraughtsSettings  # whose learner they have
    games: int  # of one agent
    block_games: int
    look_ahead: int
    random_plies: int
    rate_scale: float  # times the rates of the base
    begins_trained: bool  # with the first agent's weights
    judge_pairs: int
    match_depth: int
    validation_share: float  # of a cluster's boards
    validation_pairs: int

    def settings(self, positions: Sequence[Position]) -> AgentSettings:
        """Return the settings of an agent that learns from some boards."""
        values = self.base.model_dump() | _as_first_agent(with_weights=self.begins_trained)
        boards = map(start_board, positions)
        own = {
            "games": self.games,
            "block_games": self.block_games,
            "look_ahead": self.look_ahead,
            "table_mb": self.table_mb,
            "random_plies": self.random_plies if all(map(self._has_games, positions)) else 0,
            "first_scale": self.rate_scale * self.base.first_scale,
            "last_scale": self.rate_scale * self.base.last_scale,
            "exam_every": 0,
            "boards": tuple(
                (
                    board.position.fen,
                    board.draw_as_black,
                    board.draw_as_white,
                    board.points_to_clone,
                )
                for board in boards
            ),
            "judge_pairs": self.judge_pairs,
            "match_depth": self.match_depth,
        }
        return AgentSettings.checked(values | own)

    @property
    def table_mb(self) -> int:
        """The table of training games: the learner's, and one that fits for deeper look-ahead."""
        if self.look_ahead <= DEPTH_WITHOUT_TABLE:
            return self.base.table_mb
        return max(self.base.table_mb, SearchLimits(depth=self.look_ahead).table_mb)

    def training(self, folder: Path, positions: Sequence[Position], seed: int) -> Training:
        """Return the training of an agent on a cluster, with a match from boards it has not met."""
        learnt, unseen = self.divide(positions, seed)
        terms: dict[str, Any] = {
            "fens": tuple(position.fen for position in unseen),
            "pairs": self.validation_pairs,
            "depth": self.match_depth,
            "seed": seed,
        }
        if set(unseen) <= set(learnt):
            terms["random_plies"] = VALIDATION_PLIES
        against = digest_of(first_network().weights.tolist())
        exams = Exams((self.games,), partial(_validate, **terms), {**terms, "against": against})
        return part(folder, RECIPE, self.settings(learnt), seed, edition=EDITION, exams=exams)

    def divide(
        self, positions: Sequence[Position], seed: int
    ) -> tuple[list[Position], list[Position]]:
        """Return the boards of a cluster to learn from, and those for its validation.

        A cluster of one board has it in both, and is validated behind random plies. Boards from
        which no game is left after the random plies of training teach nothing.
        """
        drawn = Random(f"{seed} validation").sample(list(positions), len(positions))
        count = max(1, min(round(self.validation_share * len(drawn)), len(drawn) - 1))
        learnt, unseen = drawn[count:] or drawn, drawn[:count]
        return [one for one in learnt if self._has_games(one)] or learnt, unseen

    def _has_games(self, position: Position) -> bool:
        try:
            random_line(position, self.random_plies, Random(0))
        except ValueError:
            return False
        return True


def _as_first_agent(*, with_weights: bool) -> dict[str, Any]:
    """Return the settings of a net that sees what the first agent's sees, and may begin as it."""
    network = first_network()
    values = {
        "features": tuple(network.mapping.features),
        "off": round(network.mapping.off),
        "quirks": network.mapping.quirks,
        "hidden": network.net.hidden,
        "direct_links": network.net.w3 is not None,
    }
    return values | ({"weights": tuple(network.weights.tolist())} if with_weights else {})


def _validate(
    player: Player, farm: Farm, *, fens: Sequence[str], **terms: Any
) -> Mapping[str, float]:
    """Hold the exam at the end of an agent's training."""
    return as_metrics({FIRST_AGENT: validation_score(player, fens, farm, **terms)})


def validation_score(
    player: Player,
    fens: Sequence[str],
    farm: Farm,
    *,
    pairs: int,
    depth: int,
    seed: int,
    random_plies: int = 0,
) -> float:
    """Return a specialist's points a game against the first agent, from boards it has not met."""
    positions = [Position.from_fen(fen) for fen in fens]
    terms = {"pairs": pairs, "depth": depth, "seed": seed, "random_plies": random_plies}
    return meet_from(player, positions, farm, **terms).score.score


def read_specialist(training: Training) -> Specialist:
    """Read an agent from its finished training."""
    trained = Trained.read_part(training.folder)
    best = latest_snapshot(training.folder).plain
    assert isinstance(training.settings, AgentSettings)
    boards = len(training.settings.boards)
    return Specialist(
        trained.network.net, boards, best["best_block"], best["best_score"], trained.score
    )


def train_agents(
    parts: Sequence[Training], executor: Executor, tell: Tell = keep_silent, *, known: int = 0
) -> Iterator[Specialist]:
    """Train agents side by side; yield them in their order, whichever ends first.

    So many are known before, which counts in the lines about those that are trained.
    """
    waiting = unfinished(dict(enumerate(parts)), tell)
    ended = train_side_by_side(dict(waiting), executor, tell)
    for number, training in enumerate(parts):
        while number in waiting:
            last = next(ended)
            del waiting[last]
            tell(f"agent {known + last + 1} of {known + len(parts)}: trained")
        yield read_specialist(training)
