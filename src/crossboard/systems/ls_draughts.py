"""LS-Draughts (Neto & Julia 2007): a genetic algorithm chooses the features of a TD(lambda) net."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import Field, model_validator

from crossboard.arena.openings import SELECT
from crossboard.arena.pool import PoolTerms, play_round_robin
from crossboard.evaluators import Network, features
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.evolution import Genetic, Judge, Optimiser, evolve
from crossboard.learn.genes import Box, Gene, Genes
from crossboard.learn.individuals import History, Pool
from crossboard.learn.variation import draw_a_bit
from crossboard.players import Player, SearchSettings
from crossboard.systems import neurodraughts
from crossboard.systems.evolution_settings import EvolutionSettings, draw_openings, fresh_terms
from crossboard.systems.feature_nets import (
    FeatureNets,
    Features,
    Lineage,
    features_of,
    nets_of_run,
)
from crossboard.systems.neurodraughts import NeuroDraughtsSettings
from crossboard.systems.neurodraughts_files import FEATURE_SUFFIX, format_features
from crossboard.systems.recipes import Kept, Recipe, register

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FAMILY = "ufu"
# Lynch's twelve features are the first of the family's 28.
LYNCH = 12
OFFERED: Features = tuple((one.name, one.bits) for one in features() if one.family == FAMILY)
# Chosen: what the paper says of its genetic algorithm is not to be found.
POOL, GENERATIONS = 20, 15
INDIVIDUAL_GAMES, TRAINING_SEEDS = 1000, 2
# Chosen: individuals that are compared after a part of the games are trained again at length.
WINNER_GAMES = 20_000
KEPT = "kept"  # names the file of the features that are kept
# Meetings are decided by what players do in earnest: captures are played out.
MEETING_SEARCH = SearchSettings(deepening=False, table_mb=0)


class LsDraughtsSettings(EvolutionSettings, NeuroDraughtsSettings):
    """Every parameter of the evolution and of its nets; `games` are the training games in all."""

    games: Annotated[int, Field(ge=1)] = POOL * GENERATIONS * INDIVIDUAL_GAMES * TRAINING_SEEDS
    pool: Annotated[int, Field(ge=2, le=1000)] = POOL
    individual_games: Annotated[int, Field(ge=1)] = INDIVIDUAL_GAMES  # of each of its nets
    training_seeds: Annotated[int, Field(ge=1, le=100)] = TRAINING_SEEDS  # nets of an individual
    winner_games: Annotated[int, Field(ge=1)] = WINNER_GAMES  # of the winner's last net
    features: tuple[tuple[str, int], ...] = OFFERED  # names and bits to choose from
    openings: Annotated[int, Field(ge=1, le=1000)] = 4  # new ones a generation
    opening_source: str = SELECT
    meeting_depth: Annotated[int, Field(ge=1, le=20)] = 2  # plies, captures played out behind them

    @model_validator(mode="after")
    def _offers_features(self) -> Self:
        if not self.features:
            raise ValueError("features: there must be one or more to choose from")
        if self.weights:
            raise ValueError("weights: nets of other features have others, so they are drawn")
        self.make_mapping()  # these raise ValueError for what makes no sense
        self.strategy()
        draw_openings(self.opening_source, 0)
        return self

    @property
    def box(self) -> Box:
        """A bit for each feature on offer."""
        return Box(*(Gene(name) for name, _ in self.features))

    def strategy(self) -> Genetic:
        """Return what proposes the pools; a subset without features is given one."""
        return Genetic(self.box, self.genetic(), draw_a_bit)

    def games_after(self, generations: int) -> int:
        """Return the training games of so many generations, those of known nets included."""
        return generations * self.pool * self.training_seeds * self.individual_games

    def lineages(self, genes: Genes, seed: int) -> list[Lineage]:
        """Return the nets of an individual: those of a run's seed share their seeds."""
        first = seed * self.training_seeds
        return [
            Lineage(genes, self.individual_games, first + n) for n in range(self.training_seeds)
        ]

    def winner(self, genes: Genes, seed: int) -> Lineage:
        """Return the net of the winner that is trained at full length."""
        return Lineage(genes, self.winner_games, seed)

    def bits_of(self, genes: Genes) -> int:
        """Return how many inputs of a net the chosen features have."""
        return sum(bits for _, bits in features_of(genes, self.features))

    def untrained(self, seed: int) -> Network | None:
        """Return no net: an evolution begins with many."""
        return None

    def idle_keys(self) -> dict[str, str]:
        """Return the keys that have no effect, and why."""
        idle = dict(super().idle_keys())
        idle["mapping"] = "features has what there is to choose from"
        idle["blocks"] = "generations says how long it is"
        kept = "the nets on the way are not kept in files of 1997"
        return idle | dict.fromkeys(("keep_files", "network_name"), kept)


def evolve_features(
    settings: LsDraughtsSettings, judge: Judge, schooling: Schooling
) -> Iterator[Snapshot]:
    """Evolve subsets of features under any judge."""
    optimiser = Optimiser(settings.strategy(), schooling.seed)
    yield from evolve(optimiser, judge, settings.all_generations, settings.games_after, schooling)


def learn(settings: LsDraughtsSettings, schooling: Schooling) -> Iterator[Snapshot]:
    """Choose the features, and train the net of the last winner at full length."""
    with nets_of_run(settings, schooling) as nets:

        def judge(pool: Pool, history: History) -> Sequence[float]:
            return judge_nets(settings, nets, pool, len(history))

        for bred in evolve_features(settings, judge, schooling):
            yield with_net(settings, nets, bred)


def judge_nets(
    settings: LsDraughtsSettings, nets: FeatureNets, pool: Pool, generation: int
) -> list[float]:
    """Return the points a game of each individual, in the mean over the training seeds.

    Nets of a seed meet each other, both ways round from every opening of the generation.
    """
    import numpy as np

    schooling = nets.schooling
    lineages = [settings.lineages(one.genes, schooling.seed) for one in pool]
    every = (one for each in lineages for one in each)
    nets.train(every, f"generation {generation + 1}")
    terms = meeting_terms(settings, schooling.seed, generation)
    found = []
    for of_seed in zip(*lineages, strict=True):
        players = [meeting_player(nets, one) for one in of_seed]
        table = play_round_robin(players, terms, schooling.executor, workers=schooling.workers)
        found.append(table.points() / table.played)
    return [float(one) for one in np.mean(found, axis=0)]


def meeting_terms(settings: LsDraughtsSettings, seed: int, generation: int) -> PoolTerms:
    """Return on what the games of a generation are played."""
    source, count = settings.opening_source, settings.openings
    return fresh_terms(source, seed, generation, count=count, depth=settings.meeting_depth)


def meeting_player(nets: FeatureNets, lineage: Lineage) -> Player:
    """Make the player that stands for an individual in its pool."""
    settings, snapshot = nets.settings_of(lineage), nets.snapshot(lineage)
    return neurodraughts.player_of(settings, snapshot, "individual").with_settings(MEETING_SEARCH)


def with_net(settings: LsDraughtsSettings, nets: FeatureNets, bred: Snapshot) -> Snapshot:
    """Return a generation with the net of its winner, and how much of the board that sees.

    After the last generation the winner is trained at full length, from the run's own seed.
    """
    history, seed = History.of(bred.arrays), nets.schooling.seed
    genes = settings.strategy().answer(history)
    if len(history) == settings.all_generations:
        lineage = settings.winner(genes, seed)
        nets.train([lineage], "winner")
    else:
        lineage = settings.lineages(genes, seed)[0]
    size = {"features": float(sum(genes)), "bits": float(settings.bits_of(genes))}
    arrays = {**bred.arrays, **nets.snapshot(lineage).arrays}
    return replace(bred, arrays=arrays, measured={**bred.measured, **size})


def player_of(settings: LsDraughtsSettings, snapshot: Snapshot, name: str) -> Player:
    """Make the player of the best individual."""
    return neurodraughts.player_of(settings_of_winner(settings, snapshot), snapshot, name)


def settings_of_winner(settings: LsDraughtsSettings, snapshot: Snapshot) -> NeuroDraughtsSettings:
    """Return the settings with the features that the best individual has kept."""
    genes = settings.strategy().answer(History.of(snapshot.arrays))
    return settings.model_copy(update={"features": features_of(genes, settings.features)})


def kept_of(settings: LsDraughtsSettings, snapshot: Snapshot) -> Kept:
    """Return the best individual's features as a feature file, which `--features` takes."""
    mapping = settings_of_winner(settings, snapshot).make_mapping()
    return Kept({f"{KEPT}{FEATURE_SUFFIX}": format_features(mapping)})


def describe(settings: LsDraughtsSettings, snapshot: Snapshot) -> str:
    """Write which features the winner has kept."""
    kept = settings_of_winner(settings, snapshot).features
    bits = sum(count for _, count in kept)
    named = ", ".join(f"{name} ({count})" for name, count in kept)
    return (
        f"The last winner keeps {len(kept)} of {len(settings.features)} features, {bits} bits: "
        f"{named}. `{KEPT}{FEATURE_SUFFIX}` has them as a feature file."
    )


def conclude(settings: LsDraughtsSettings, snapshot: Snapshot) -> str:
    """Name the features that the best individual has kept."""
    kept = [name for name, _ in settings_of_winner(settings, snapshot).features]
    return f"Features kept, {len(kept)} of {len(settings.features)}: {', '.join(kept)}"


def draw(settings: LsDraughtsSettings, snapshot: Snapshot) -> Mapping[str, Figure]:
    """Draw which features were kept, what they are worth by their number, and the pools."""
    from crossboard.systems import evolution_figures, feature_figures

    history, box = History.of(snapshot.arrays), settings.box
    return {
        "features": feature_figures.draw_features(history, settings.features),
        "pareto": feature_figures.draw_sizes(history, settings.features),
        "fitness": evolution_figures.draw_fitness(history, box),
        "family": evolution_figures.draw_family(history),
    }


# The papers leave the net, its learning and its games to NeuroDraughts.
PUBLISHED = LsDraughtsSettings(exam_every=POOL * INDIVIDUAL_GAMES * TRAINING_SEEDS)
# Ours of NeuroDraughts, with one net on both sides, which learns from each game twice, and with
# captures played out.
OURS = {
    key: getattr(neurodraughts.TUNED, key)
    for key in (
        "test_after",
        "momentum",
        "gamma",
        "decay",
        "look_ahead",
        "algorithm",
        "refinements",
        "round_size",
        "first_scale",
        "last_scale",
        "random_plies",
        "draw_as_black",
        "draw_as_white",
        "repetitions",
    )
}
TUNED = PUBLISHED.model_copy(
    update={
        **OURS,
        "quiescence": True,
        "regime": "mirror",
        "crossover": "uniform",
        "mutations": POOL,
    }
)

# Chosen: what makes a training take two minutes on two idle processors.
QUICK: dict[str, Any] = {
    "pool": 10,
    "games": 10 * 4 * 200 * TRAINING_SEEDS,
    "individual_games": 200,
    "winner_games": 4000,
}

register(
    Recipe(
        "ls-draughts",
        "Neto & Julia 2007",
        "the features of a TD(lambda) net, chosen by a genetic algorithm",
        {"published": PUBLISHED, "tuned": TUNED},
        learn,
        player_of,
        kept_of,
        check=LsDraughtsSettings.check_means,
        draw=draw,
        describe=describe,
        conclude=conclude,
        spreads_work=True,
        quick={"published": QUICK, "tuned": QUICK},
    )
)
