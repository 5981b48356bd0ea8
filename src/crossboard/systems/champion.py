"""The champion: a small net in a selective search, taught from zero by rounds of its own games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import Field, model_validator

from crossboard.evaluators import SmallNet
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.fitting import FitSettings, initial_weights, weights_of
from crossboard.learn.labels import LabelSettings
from crossboard.players import Player, SearchLimits, SearchSettings, load_player
from crossboard.systems.champion_rounds import (
    RIVAL,
    Point,
    Rounds,
    RoundState,
    describe_elo,
    learn_in_rounds,
    net_of,
)
from crossboard.systems.recipes import Recipe, RecipeSettings, register
from crossboard.tables import MOST_TABLE_PIECES

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

NAME = "champion"
PLAY_SECONDS = 1.0
ELO_MARGIN = 30  # of the figure
LABELS, FIT = LabelSettings(), FitSettings()
# Chosen: a round takes a fifth to a third of the time of all before it. So early rounds follow
# each other quickly, later ones learn from more positions, and little is lost when time is up.
FIRST_ROUNDS = (600, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 5000, 6000, 7000, 8000)
ROUND_GAMES = (*FIRST_ROUNDS, 10_000, 12_000, 14_000, 17_000, 20_000, 36_000)
# Of a search: few, since a net learns more from many positions than from deep searches.
NODES = (*(400 for _ in FIRST_ROUNDS), 500)
# A net that plays well learns more from its searches alone, in small steps (docs/champion.md).
TAUGHT = 15  # rounds
SHARES = (*(0.7 for _ in range(TAUGHT)), 1.0)
RATES = (*(FIT.rate for _ in range(TAUGHT)), 3e-3)

Rate = Annotated[float, Field(gt=0)]
Share = Annotated[float, Field(ge=0, le=1)]


class ChampionRecipe(RecipeSettings):
    """Every parameter of the system.

    Of a list by rounds the last number stays; with `begin_with` it is that of all rounds.
    """

    games: int = Field(default=400_000, ge=1)
    round_games: tuple[int, ...] = Field(default=ROUND_GAMES, min_length=1)
    nodes: tuple[int, ...] = Field(default=NODES, min_length=1)
    # Positions with which a round ends early. Each takes 19 bytes in the run's folder, in which
    # the kept rounds are and one more.
    round_labels: int = Field(default=10_000_000, ge=1)
    kept_rounds: int = Field(default=2, ge=1)  # whose labels are learnt
    block_games: int = Field(default=256, ge=1)  # between two checkpoints
    samples: int = Field(default=LABELS.samples, ge=0, le=8)
    random_every: int = Field(default=LABELS.random_every, ge=0)
    worst_opening: int = Field(default=LABELS.worst_opening, ge=1)
    # Of the endgame tables that the run builds; they end games and are probed by their searches.
    # Chosen: none. A net that was taught with tables plays worse without them.
    table_pieces: int = Field(default=0, ge=0, le=MOST_TABLE_PIECES)
    hidden: int = Field(default=128, ge=8, le=256)
    second: int = Field(default=32, ge=8, le=64)
    passes: int = Field(default=FIT.passes, ge=1)
    batch: int = Field(default=FIT.batch, ge=1)
    rates: tuple[Rate, ...] = Field(default=RATES, min_length=1)  # of the fits
    shares: tuple[Share, ...] = Field(default=SHARES, min_length=1)  # of the search in a target
    softness: float = Field(default=FIT.softness, gt=0)
    match_pairs: int = Field(default=100, ge=1)  # against the last net, and against treestrap
    match_nodes: int = Field(default=2000, ge=1)
    begin_with: str = ""  # a player's folder, whose net the first round plays with

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        for name in ("round_games", "nodes"):
            if min(getattr(self, name)) < 1:
                raise ValueError(f"{name} are numbers above 0, not {min(getattr(self, name))}")
        if self.table_pieces == 1:
            raise ValueError("table_pieces are 0 for no endgame tables, or 2 and more, not 1")
        for name in ("hidden", "second"):
            if getattr(self, name) % 8:
                raise ValueError(f"{name} must be a multiple of 8, not {getattr(self, name)}")
        return self

    def rounds(self) -> Rounds:
        """Return the plan of the rounds."""
        # A net that has been taught learns little from short rounds, and forgets.
        begun = slice(-1, None) if self.begin_with else slice(None)
        return Rounds(
            games=self.games,
            round_games=self.round_games[begun],
            round_labels=self.round_labels,
            nodes=self.nodes[begun],
            kept_rounds=self.kept_rounds,
            block_games=self.block_games,
            labels=LabelSettings(
                samples=self.samples,
                random_every=self.random_every,
                worst_opening=self.worst_opening,
            ),
            fit=FitSettings(
                passes=self.passes,
                batch=self.batch,
                softness=self.softness,
            ),
            rates=self.rates[begun],
            shares=self.shares[begun],
            knows_nothing=not self.begin_with,
            search=champion_search(),
            table_pieces=self.table_pieces,
            match_pairs=self.match_pairs,
            match_nodes=self.match_nodes,
        )

    def form(self) -> SmallNet:
        """Return a net of the sizes and phases that are trained."""
        return SmallNet.zero(hidden=self.hidden, second=self.second)

    def begin(self, seed: int) -> RoundState:
        """Return where the first round begins: with the net of `begin_with`, or with none."""
        if not self.begin_with:
            return RoundState(initial_weights(self.form(), seed))
        player, form = load_player(self.begin_with), self.form()
        net = player.evaluator
        if not isinstance(net, SmallNet):
            raise ValueError(
                f"begin_with: {self.begin_with} has no small net: name a player of train champion"
            )
        if (net.shapes, net.phases) != (form.shapes, form.phases):
            raise ValueError(f"begin_with: {self.begin_with} has {net!r}, not {form!r}")
        return RoundState(weights_of(net), begun_by=player.about.get("made_by", self.begin_with))


def champion_search() -> SearchSettings:
    """Return how the champion searches."""
    return SearchSettings.selective()


TUNED = ChampionRecipe()


def learn(settings: ChampionRecipe, schooling: Schooling) -> Iterator[Snapshot]:
    """Train from zero, or from the net of `begin_with`."""
    start = schooling.start
    now = settings.begin(schooling.seed) if start is None else RoundState.of(start)
    yield from learn_in_rounds(settings.form(), now, settings.rounds(), schooling)


def player_of(settings: ChampionRecipe, snapshot: Snapshot, name: str) -> Player:
    """Make the player of a moment: the last net that was kept, after the games that taught it."""
    now = RoundState.of(snapshot)
    games = max((one.games for one in now.curve if one.is_kept), default=0)
    return Player(
        name,
        net_of(settings.form(), now.net),
        search=replace(champion_search(), tables=True),
        limits=SearchLimits(seconds=PLAY_SECONDS),
        about={"made_by": now.begun_by, "games": str(games)},
    )


def check(settings: ChampionRecipe) -> None:
    """Raise ValueError if there is nothing to begin with."""
    settings.begin(0)


def draw(settings: ChampionRecipe, snapshot: Snapshot) -> Mapping[str, Figure]:
    """Draw the curve: Elo against treestrap's weights after each round."""
    curve = RoundState.of(snapshot).curve
    return {"curve": draw_curve(curve)} if curve else {}


def draw_curve(curve: Sequence[Point]) -> Figure:
    """Draw what each round's net scores against treestrap's weights in the same search."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    games = [one.games for one in curve]
    elo, low, high = zip(*(one.rival for one in curve), strict=True)
    axes.axhline(0, color="0.6", linewidth=0.8)
    axes.fill_between(games, low, high, color="tab:blue", alpha=0.2, linewidth=0)
    axes.plot(games, elo, color="tab:blue", marker=".")
    dropped = [one for one in curve if not one.is_kept]
    axes.plot(
        [one.games for one in dropped], [one.rival.elo for one in dropped], "x", color="tab:red"
    )
    # The intervals of the first rounds, which lose every game, would hide all others.
    axes.set_ylim(min(elo) - ELO_MARGIN, max(high) + ELO_MARGIN)
    if games[0] > 0:
        axes.set_xscale("log")
    axes.set_xlabel("training games")
    axes.set_ylabel(f"Elo against {RIVAL}'s weights")
    return figure


def describe(settings: ChampionRecipe, snapshot: Snapshot) -> str:
    """Write the curve as a table."""
    lines = [
        f"| round | games | positions learnt | loss | against the last net | against `{RIVAL}`'s "
        "weights | |",
        "|--:|--:|--:|--:|---|---|---|",
    ]
    for one in RoundState.of(snapshot).curve:
        told = "" if one.is_kept else "dropped"
        lines.append(
            f"| {one.number} | {one.games:,} | {one.labels:,} | {one.loss:.4f} | "
            f"{describe_elo(one.before)} | {describe_elo(one.rival)} | {told} |"
        )
    return "\n".join(lines)


def conclude(settings: ChampionRecipe, snapshot: Snapshot) -> str:
    """Give the last round's result against treestrap's weights."""
    curve = RoundState.of(snapshot).curve
    if not curve:
        return "no round was finished: the net knows nothing yet"
    last = curve[-1]
    return (
        f"Against {RIVAL}'s weights in the same search, {settings.match_nodes:,} nodes a move, "
        f"after round {last.number}: {describe_elo(last.rival)}"
    )


register(
    Recipe(
        NAME,
        "ours",
        "a small net in a selective search, taught from zero by rounds of its own games",
        {"tuned": TUNED},
        learn,
        player_of,
        check=check,
        draw=draw,
        describe=describe,
        conclude=conclude,
        spreads_work=True,
        # The first six rounds, with shorter matches.
        quick={"tuned": {"games": sum(FIRST_ROUNDS[:6]), "match_pairs": 50}},
    )
)
