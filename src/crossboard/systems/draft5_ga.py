"""DRAFT5-GA (Chisholm & Bradbeer 1997): twelve weights evolved by all-play-all tournaments."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, model_validator

from crossboard.arena.openings import REPORT, SELECT, Opening
from crossboard.arena.pool import (
    Meeting,
    PoolTable,
    PoolTerms,
    play_knock_out,
    play_meetings,
    play_round_robin,
)
from crossboard.draughts import Position
from crossboard.evaluators import Linear
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.cma_search import CmaSearch
from crossboard.learn.evolution import (
    Genetic,
    HillClimbing,
    Optimiser,
    RandomSearch,
    Strategy,
    evolve,
    find_winners,
)
from crossboard.learn.genes import Box, Gene, Genes
from crossboard.learn.individuals import History, Pool, hall_of_fame
from crossboard.players import Player, SearchLimits, SearchSettings
from crossboard.systems.evolution_settings import EvolutionSettings, draw_openings, fresh_terms
from crossboard.systems.recipes import Exam, Recipe, register

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The paper's figure 1: the weights and their ranges, by our names for the features.
BOX = Box(
    Gene("piece", 1200),
    Gene("king", 2000),
    Gene("mob", 140),
    Gene("kmob", 140),
    Gene("back", 140),
    Gene("cent", 140),
    Gene("kcent", 140),
    Gene("adv1", 140),
    Gene("dblsq", 660),
    Gene("near", 5),
    Gene("exch", 140),
    Gene("move", 240),
)
FEATURES = tuple(f"draft5.{name}" for name in BOX.names)
PIECE, KING = BOX.names.index("piece"), BOX.names.index("king")
# While it evolves all weigh by one measure, in which no weight is rounded.
EVOLVING_MAN = 1000.0
POOL, GENERATIONS = 30, 50
PUBLISHED_GAMES = POOL * (POOL - 1) * GENERATIONS
# Plain alpha-beta with "hot pursuit": captures are played out. The moves are minimax's.
SEARCH = SearchSettings(
    deepening=False, killers=0, history=False, pvs=False, aspiration=False, table_mb=0
)
EXAMINER = "draft5"
FINAL_GAMES = 400
PLAY_SECONDS = 1.0
# The first row of the paper's figure 3: the best individual of its 50th generation.
ROW_OF_1997: Genes = (989, 1590, 74, 53, 65, 22, 127, 83, 385, 1, 79, 203)

Method = Literal["genetic", "cma", "hill-climbing", "random"]


class Draft5GaSettings(EvolutionSettings):
    """Every parameter of the evolution; the defaults are the paper's."""

    games: Annotated[int, Field(ge=1)] = PUBLISHED_GAMES
    look_ahead: Annotated[int, Field(ge=1, le=20)] = 2  # plies, captures played out behind them
    openings: Annotated[int, Field(ge=0, le=1000)] = 0  # new ones a generation; 0: the start alone
    opening_source: str = SELECT
    draw_points: Annotated[float, Field(ge=0, le=1)] = 0.0
    form: Literal["round-robin", "knock-out"] = "round-robin"
    method: Method = "genetic"
    hall: Annotated[int, Field(ge=0, le=1000)] = 0  # past winners that each individual meets too
    inoculated: tuple[tuple[int, ...], ...] = ()  # weights that the first pool begins with

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        Genetic(BOX, self.genetic(self.inoculated))  # raises ValueError, whatever the method
        self.strategy(0)
        draw_openings(self.opening_source, 0)
        if self.form == "knock-out" and self.hall:
            raise ValueError("hall: past winners take part in a round robin alone")
        return self

    @property
    def openings_of_generation(self) -> int:
        return max(1, self.openings)

    def games_after(self, generations: int) -> int:
        """Return the games of so many generations."""
        pairs = self.pool * (self.pool - 1)
        if self.form == "knock-out":
            pairs = 2 * (self.pool - 1)
        # One winner stands in the hall after the first generation, two after the second.
        filling = min(self.hall + 1, generations)
        met = filling * (filling - 1) // 2 + self.hall * (generations - filling)
        return self.openings_of_generation * (pairs * generations + 2 * self.pool * met)

    @property
    def all_generations(self) -> int:
        """How many generations the games fill."""
        most = self.games // self.games_after(1)
        return bisect_right(range(1, most + 1), self.games, key=self.games_after)

    def strategy(self, seed: int) -> Strategy:
        """Return what proposes the pools."""
        if self.method == "cma":
            return CmaSearch(BOX, self.pool, seed)
        if self.method == "hill-climbing":
            return HillClimbing(BOX, self.pool)
        if self.method == "random":
            return RandomSearch(BOX, self.pool)
        return Genetic(BOX, self.genetic(self.inoculated))

    def idle_keys(self) -> dict[str, str]:
        """Return the keys that have no effect, and why."""
        idle = dict(super().idle_keys())
        if self.method != "genetic":
            keys = ("selection", "crossover", "mutations", "elites", "inoculated")
            idle |= dict.fromkeys(keys, "it is for method=genetic")
        if self.form == "knock-out":
            idle["draw_points"] = "a knock-out counts rounds, not points"
        if not self.openings:
            idle["opening_source"] = "it is for openings=1 or more"
        return idle


PUBLISHED = Draft5GaSettings(exam_every=10 * POOL * (POOL - 1))
# The ablations decided: of ten evolutions each CMA-ES gained more than any genetic algorithm.
TUNED = PUBLISHED.model_copy(update={"openings": 1, "draw_points": 0.5, "method": "cma"})


def learn(settings: Draft5GaSettings, schooling: Schooling) -> Iterator[Snapshot]:
    """Evolve the weights."""

    def judge(pool: Pool, history: History) -> Sequence[float]:
        return judge_pool(settings, schooling, strategy, pool, history)

    strategy = settings.strategy(schooling.seed)
    optimiser = Optimiser(strategy, schooling.seed)
    yield from evolve(optimiser, judge, settings.all_generations, settings.games_after, schooling)


def judge_pool(
    settings: Draft5GaSettings,
    schooling: Schooling,
    strategy: Strategy,
    pool: Pool,
    history: History,
) -> Sequence[float]:
    """Return the fitness of a pool: points, or rounds of a knock-out."""
    terms = pool_terms(settings, schooling.seed, len(history))
    players = [evolving_player(one.genes) for one in pool]
    if settings.form == "knock-out":
        return play_knock_out(players, terms, schooling.executor, workers=schooling.workers)
    table = play_round_robin(players, terms, schooling.executor, workers=schooling.workers)
    points = table.points(of_draw=settings.draw_points)
    if settings.hall and history:
        past = hall_of_fame(find_winners(strategy, history), settings.hall)
        met = meet_hall(players, past, terms, schooling)
        points += met.points(of_draw=settings.draw_points)[: len(pool)]
    return [float(one) for one in points]


def meet_hall(
    players: Sequence[Player], past: Sequence[Genes], terms: PoolTerms, schooling: Schooling
) -> PoolTable:
    """Let each player of a pool meet past winners, with each colour from every opening."""
    every = [*players, *(evolving_player(genes) for genes in past)]
    meetings = [
        Meeting(*pair, opening)
        for opening in range(len(terms.openings))
        for one in range(len(players))
        for other in range(len(players), len(every))
        for pair in ((one, other), (other, one))
    ]
    return play_meetings(every, meetings, terms, schooling.executor, workers=schooling.workers)


def pool_terms(settings: Draft5GaSettings, seed: int, generation: int) -> PoolTerms:
    """Return on what the games of a generation are played."""
    if settings.openings:
        source, count = settings.opening_source, settings.openings
        return fresh_terms(source, seed, generation, count=count, depth=settings.look_ahead)
    limits = SearchLimits(depth=settings.look_ahead)
    return PoolTerms(openings=(start_opening(),), limits=limits, seed=generation)


def start_opening() -> Opening:
    """Return the start position as an opening."""
    return Opening("start", Position())


def evolving_player(genes: Genes) -> Player:
    """Make the player that stands for an individual in its pool."""
    return Player("individual", Linear(FEATURES, genes, man=EVOLVING_MAN), search=SEARCH)


def evolved_player(genes: Genes, name: str) -> Player:
    """Make a player of weights; what it says of positions is in men of its own."""
    man = float(genes[PIECE] or EVOLVING_MAN)
    evaluator = Linear(FEATURES, genes, man=man)
    return Player(name, evaluator, limits=SearchLimits(seconds=PLAY_SECONDS))


def player_of(settings: Draft5GaSettings, snapshot: Snapshot, name: str) -> Player:
    """Make the player of the best individual."""
    return evolved_player(winner_of(settings, snapshot), name)


def winner_of(settings: Draft5GaSettings, snapshot: Snapshot) -> Genes:
    """Return the weights of the best individual."""
    return settings.strategy(snapshot.plain["seed"]).answer(History.of(snapshot.arrays))


def conclude(settings: Draft5GaSettings, snapshot: Snapshot) -> str:
    """Name the weights of the best individual."""
    genes = winner_of(settings, snapshot)
    named = (f"{name} {gene}" for name, gene in zip(BOX.names, genes, strict=True))
    return f"Weights of the winner: {', '.join(named)}"


def exam(settings: Draft5GaSettings) -> Exam:
    """Examine against hand-tuned weights, both with the search of the evolution."""
    return Exam(EXAMINER, SELECT, settings.look_ahead, FINAL_GAMES, REPORT, quiescence=True)


def draw(settings: Draft5GaSettings, snapshot: Snapshot) -> Mapping[str, Figure]:
    """Draw how the pool has changed."""
    history = History.of(snapshot.arrays)
    return draw_history(history, settings.strategy(snapshot.plain["seed"]))


def describe(settings: Draft5GaSettings, snapshot: Snapshot) -> str:
    """Write the weights of the winner as a table."""
    strategy = settings.strategy(snapshot.plain["seed"])
    genes = strategy.answer(History.of(snapshot.arrays))
    lines = [
        "| weight | value | range |",
        "|---|--:|--:|",
        *(
            f"| {gene.name} | {value} | {gene.most} |"
            for gene, value in zip(BOX.genes, genes, strict=True)
        ),
    ]
    return "\n".join(["The weights of the last winner:", "", *lines])


def draw_history(history: History, strategy: Strategy) -> dict[str, Figure]:
    """Draw fitness, weights and king / man by generation, and the winner's family."""
    from crossboard.systems import evolution_figures

    winners = find_winners(strategy, history)
    figures = {
        "fitness": evolution_figures.draw_fitness(history, BOX),
        "weights": evolution_figures.draw_weights(history, BOX, winners),
        "ratio": evolution_figures.draw_ratio(history, KING, PIECE, "king / man", winners),
    }
    if evolution_figures.has_family(history):
        figures["family"] = evolution_figures.draw_family(history)
    return figures


register(
    Recipe(
        "draft5-ga",
        "Chisholm & Bradbeer 1997",
        "twelve weights evolved by all-play-all tournaments",
        {"published": PUBLISHED, "tuned": TUNED},
        learn,
        player_of,
        exam=exam,
        draw=draw,
        describe=describe,
        conclude=conclude,
        spreads_work=True,
        quick={"published": {}, "tuned": {}},
    )
)
