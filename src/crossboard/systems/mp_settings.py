"""What can be set of MP-Draughts, and its presets (Duarte, Julia, Barcelos and Otsuka 2009)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from crossboard.arena.openings import REPORT, SELECT, openings
from crossboard.evaluators import UFU_ATTRIBUTES
from crossboard.learn.som import MapSettings
from crossboard.players.specialists import MAX_UNITS
from crossboard.systems import visiondraughts
from crossboard.systems.board_collection import Collecting
from crossboard.systems.board_maps import Coding, MapOptions, Program
from crossboard.systems.endgame_agents import FIRST_AGENT, AgentPlan
from crossboard.systems.endgame_boards import EndgameBoard, read_endgame_boards
from crossboard.systems.recipes import RecipeSettings

MAP = MapSettings()
# MP-Draughts 2009, V: all players were trained by 10 tournaments of 250 games each.
BLOCK_GAMES = visiondraughts.TOURNAMENT_GAMES
AGENT_GAMES = visiondraughts.PUBLISHED_GAMES
LEARNERS = {"published": visiondraughts.VERSION_2, "tuned": visiondraughts.TUNED}


class MpDraughtsSettings(RecipeSettings):
    """Every parameter of the system: the paper's where it names one, chosen otherwise."""

    # Of all agents, in equal parts: what these leave over is not played.
    games: Annotated[int, Field(ge=1)] = MAP.units * AGENT_GAMES
    boards: Annotated[int, Field(ge=1, le=1_000_000)] = 1000
    held_out: Annotated[int, Field(ge=0, le=1_000_000)] = 1000
    boards_file: str = ""  # of FEN lines, in place of boards that are collected
    board_depth: Annotated[int, Field(ge=1, le=60)] = 4
    board_openings: str = SELECT
    held_out_openings: str = REPORT
    units: Annotated[int, Field(ge=1, le=MAX_UNITS)] = MAP.units
    features: tuple[str, ...] = tuple(UFU_ATTRIBUTES)
    coding: Coding = "presence"
    with_material: bool = False
    map_rate: float = MAP.rate
    map_decay: float = MAP.decay
    map_last_rate: float = MAP.last_rate
    map_by: Program = "own"
    clusters: Literal["map", "random"] = "map"  # random: boards are dealt out, as a control
    learner: Literal["published", "tuned"] = "tuned"  # whose of visiondraughts agents have
    block_games: Annotated[int, Field(ge=1)] = BLOCK_GAMES
    look_ahead: Annotated[int, Field(ge=1, le=60)] = 4
    random_plies: Annotated[int, Field(ge=0, le=40)] = 2
    first_weights: Literal["visiondraughts", "random"] = "visiondraughts"
    rate_scale: Annotated[float, Field(gt=0)] = 0.02  # times the learner's rates
    judge_pairs: Annotated[int, Field(ge=1)] = 40
    match_depth: Annotated[int, Field(ge=1, le=60)] = 4
    validation_share: Annotated[float, Field(gt=0, lt=1)] = 0.25
    validation_pairs: Annotated[int, Field(ge=1)] = 50
    replaces: bool = True  # specialists that lose by the first agent
    keeps: bool = True  # the choice of a specialist for the rest of a game

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.games < self.units:
            raise ValueError(f"games: {self.units} agents need as many, not {self.games}")
        # No other code changes settings, which are frozen.
        object.__setattr__(self, "games", self.games // self.units * self.units)
        self.map_options().attributes()  # raises ValueError
        return self

    def check_means(self) -> None:
        """Raise ValueError where a training cannot begin."""
        self.map_options().check()
        if self.boards_file:
            self.read_boards()
        elif self.boards < self.units:
            raise ValueError(f"boards: {self.units} units need as many, not {self.boards}")
        for source in (self.board_openings, self.held_out_openings):
            openings(source)
        self.agent_plan().settings([EndgameBoard.parse("B:W32:B1").position])

    def idle_keys(self) -> dict[str, str]:
        """Return the keys that have no effect, and why."""
        if not self.boards_file:
            return {}
        return dict.fromkeys(("boards", "board_openings"), "boards_file has the boards")

    def read_boards(self) -> list[EndgameBoard]:
        """Read the boards that are given; raise ValueError if they are not fit."""
        return read_endgame_boards(self.boards_file, least=self.units)

    def map_options(self) -> MapOptions:
        """Return what the map sees, and how it is trained."""
        return MapOptions(
            features=self.features,
            coding=self.coding,
            with_material=self.with_material,
            training=MapSettings(
                units=self.units,
                rate=self.map_rate,
                decay=self.map_decay,
                last_rate=self.map_last_rate,
            ),
            program=self.map_by,
        )

    def agent_plan(self) -> AgentPlan:
        """Return what all agents have in common."""
        return AgentPlan(
            base=LEARNERS[self.learner],
            games=self.games // self.units,
            block_games=self.block_games,
            look_ahead=self.look_ahead,
            random_plies=self.random_plies,
            rate_scale=self.rate_scale,
            begins_trained=self.first_weights == FIRST_AGENT,
            judge_pairs=self.judge_pairs,
            match_depth=self.match_depth,
            validation_share=self.validation_share,
            validation_pairs=self.validation_pairs,
        )

    def collecting(self, *, held_out: bool, seed: int) -> Collecting:
        """Return how boards are collected."""
        return Collecting(
            count=self.held_out if held_out else self.boards,
            player=FIRST_AGENT,
            depth=self.board_depth,
            openings=self.held_out_openings if held_out else self.board_openings,
            seed=seed,
        )


# The paper's parameters; those it does not name are as in `tuned`. Depth 8 is that of published
# VisionDraughts, whose self-play gave the boards. Its agents do not begin as VisionDraughts.
PUBLISHED = MpDraughtsSettings(
    learner="published",
    board_depth=visiondraughts.PUBLISHED_LOOK_AHEAD,
    look_ahead=visiondraughts.PUBLISHED_LOOK_AHEAD,
    random_plies=visiondraughts.VERSION_2.random_plies,
    first_weights="random",
    rate_scale=1.0,
)
TUNED = MpDraughtsSettings()
# Chosen: what makes all stages take two minutes on two idle processors.
QUICK: dict[str, Any] = {
    "games": 6000,
    "boards": 300,
    "held_out": 100,
    "units": 10,
    "block_games": 100,
    "judge_pairs": 10,
    "validation_pairs": 15,
}
QUICK_PUBLISHED: dict[str, Any] = {
    "games": 1000,
    "boards": 100,
    "held_out": 40,
    "board_depth": 6,
    "look_ahead": 6,
}
