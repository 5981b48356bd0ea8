"""NeuroDraughts (Lynch 1997): a net that teaches itself by TD(lambda), self-play and cloning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from crossboard.arena.games import record_of
from crossboard.draughts import DrawRules, Position, StartBoard
from crossboard.draughts.board_files import MAX_POINTS, format_boards
from crossboard.evaluators import Network
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.cloning import FIFTY_MOVES, CloningSettings, learn_by_cloning
from crossboard.learn.phases import ALONE, ANY, BY_MATERIAL, nets_of
from crossboard.players import Player, SearchLimits, SearchSettings, When
from crossboard.systems.net_settings import NetSettings
from crossboard.systems.neurodraughts_files import (
    FEATURE_SUFFIX,
    NETWORK_SUFFIX,
    Creation,
    NetworkText,
    format_creation,
    format_features,
    format_files,
    format_network,
    format_parameters,
)
from crossboard.systems.recipes import Kept, Recipe, register

PLAY_SECONDS = 1.0
# Defaults come from the learner's settings; the board is the paper's first.
CLONING, USUAL_BOARD = CloningSettings(), StartBoard()
Reward = Annotated[float, Field(ge=-1, le=1)]
Points = Annotated[float, Field(ge=0, le=MAX_POINTS)]
# Plies of a game, and how often a board comes, are not counted further by draw rules.
MAX_COUNTED = 1_000_000
# What each board of a board file says for itself.
BOARD_KEYS = ("draw_as_black", "draw_as_white", "points_to_clone")
# Chosen: threads share the plies near the root, however shallow the search is, but no leaves.
SHARED_PLIES, LEAST_GRAIN = 4, 2
# Blocks after which the program of 1997 saved a network that was not cloned.
SAVED_EVERY = 10


class NeuroDraughtsSettings(NetSettings):
    """Every parameter of the system; the defaults are the paper's (its 9.1)."""

    games: Annotated[int, Field(ge=1)] = CLONING.most_games
    # The paper's "gamelimit": so many blocks, whatever the games; 0: as many as the games fill.
    blocks: Annotated[int, Field(ge=0)] = 0
    test_after: Annotated[int, Field(ge=1)] = CLONING.games  # games of a block on each board
    # Games of a block, spread over all boards; 0: test_after on each of them.
    block_games: Annotated[int, Field(ge=0)] = CLONING.block_games
    look_ahead: Annotated[int, Field(ge=1, le=60)] = CLONING.depth  # plies from the root
    algorithm: Literal["minimax", "alphabeta"] = "minimax"
    quiescence: bool = False
    refinements: bool = False  # killers, history, PVS, aspiration: not in the papers
    table_mb: Annotated[int, Field(ge=0)] = 0
    order_only: bool = False  # the table only orders moves, as in the family's later programs
    threads: Annotated[int, Field(ge=1, le=256)] = 1
    regime: Literal["test", "share", "straight", "mirror"] = "test"
    clone_share: Annotated[float, Field(gt=0, le=1)] = CLONING.clone_share
    draw_as_black: Reward = USUAL_BOARD.draw_as_black
    draw_as_white: Reward = USUAL_BOARD.draw_as_white
    points_to_clone: Points = USUAL_BOARD.points_to_clone
    # Boards of a board file, in place of the usual start: FEN, both draw rewards, points to clone.
    boards: tuple[tuple[str, Reward, Reward, Points], ...] = ()
    round_size: Annotated[int, Field(ge=1)] = CLONING.round_size
    first_scale: Annotated[float, Field(gt=0)] = CLONING.first_scale
    last_scale: Annotated[float, Field(gt=0)] = CLONING.last_scale
    random_plies: Annotated[int, Field(ge=0, le=40)] = CLONING.random_plies
    random_ties: bool = CLONING.random_ties
    repetitions: Annotated[int, Field(ge=0, le=MAX_COUNTED)] = FIFTY_MOVES.repetitions
    # Of each side; then a game is drawn.
    max_moves: Annotated[int, Field(ge=1, le=MAX_COUNTED // 2)] = FIFTY_MOVES.max_plies // 2
    modules: bool = False  # a net for each phase, ahead, level and behind (5.3)
    keep_files: bool = False  # set-up, networks and games in the files of 1997
    network_name: str = ""  # the first line of networks that are kept; none: their file's name

    @model_validator(mode="before")
    @classmethod
    def _count_games(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Let blocks, where they are given, say how many games there are."""
        blocks, of_board = values.get("blocks", 0), values.get("test_after", CLONING.games)
        boards, spread = values.get("boards", ()), values.get("block_games", CLONING.block_games)
        if not (isinstance(blocks, int) and isinstance(of_board, int) and blocks > 0):
            return values
        # What is neither is complained of where it is read.
        if not (isinstance(boards, list | tuple) and isinstance(spread, int)):
            return values
        return {**values, "games": blocks * (spread or of_board * max(1, len(boards)))}

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        self.cloning()  # which complains
        if self.network_name:
            format_network(self.network_name, self.initial(0))  # likewise
        if self.keep_files:
            self._check_files()
        return self

    def _check_files(self) -> None:
        """Raise ValueError if the files of 1997 cannot hold what is to be kept."""
        try:
            format_files(self.network_name or "network", self.initial(0))
        except ValueError as error:
            raise ValueError(f"{error}: keep_files=false keeps none") from None

    def check_means(self) -> None:
        """Raise ValueError if there is no such net, or not the memory to train it."""
        super().check_means()
        self.make_search().check_memory()

    def make_search(self) -> SearchSettings:
        """Return how training games are searched."""
        return SearchSettings(
            algorithm=self.algorithm,
            quiescence=self.quiescence,
            deepening=self.table_mb > 0 and self.algorithm == "alphabeta",
            killers=2 if self.refinements else 0,
            history=self.refinements,
            pvs=self.refinements,
            aspiration=self.refinements,
            table_mb=self.table_mb,
            order_only=self.order_only,
            threads=self.threads,
            grain=self._grain(),
            draws=DrawRules(repetitions=self.repetitions, quiet_plies=0),
        )

    def _grain(self) -> int:
        """Return below which depth threads do not share nodes; one thread alone pays for it."""
        usual = CLONING.search.grain
        return (
            usual
            if self.threads == 1
            else max(LEAST_GRAIN, min(usual, self.look_ahead - SHARED_PLIES))
        )

    def idle_keys(self) -> dict[str, str]:
        """Return the keys that have no effect, and why."""
        idle = super().idle_keys()
        if self.algorithm == "minimax":
            off = {"table_mb": 0, "order_only": False, "refinements": False, "threads": 1}
            on = [key for key, value in off.items() if getattr(self, key) != value]
            idle |= dict.fromkeys(on, "it is for algorithm=alphabeta")
        elif self.order_only and self.table_mb == 0:
            idle["order_only"] = "it is for a table: set table_mb"
        if self.block_games:
            idle["test_after"] = "block_games says how many a block has"
        if self.boards:
            idle |= dict.fromkeys(BOARD_KEYS, "each of the boards has its own")
        if self.regime != "share":
            idle["clone_share"] = "it is for regime=share"
        if self.regime != "test":
            idle["points_to_clone"] = "it is for regime=test"
        return idle

    def cloning(self) -> CloningSettings:
        """Return the learner's settings."""
        boards = self.start_boards
        return CloningSettings(
            td=self.make_td(),
            phases=BY_MATERIAL if self.modules else ALONE,
            boards=boards,
            most_games=self.games,
            games=self.test_after,
            block_games=self.block_games,
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

    @property
    def start_boards(self) -> tuple[StartBoard, ...]:
        """From where games begin."""
        usual = StartBoard(
            draw_as_black=self.draw_as_black,
            draw_as_white=self.draw_as_white,
            points_to_clone=self.points_to_clone,
        )
        given = (StartBoard(Position.from_fen(fen), *numbers) for fen, *numbers in self.boards)
        return tuple(given) or (usual,)


PUBLISHED = NeuroDraughtsSettings(exam_every=100)
TUNED = NeuroDraughtsSettings(
    games=40_000,
    test_after=20,
    momentum=0.0,
    gamma=1.0,
    decay=0.7,
    look_ahead=2,
    algorithm="alphabeta",
    refinements=True,
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
    yield from learn_by_cloning(settings.initial(schooling.seed), settings.cloning(), schooling)


def player_of(settings: NeuroDraughtsSettings, snapshot: Snapshot, name: str) -> Player:
    """Make the player of the student's weights; it searches as well as it can."""
    networks = networks_of(settings, snapshot, "student")
    main = networks.pop("level" if settings.modules else ANY)
    phases = [(When(balance=phase), network) for phase, network in networks.items()]
    return Player(name, main, phases=phases, limits=SearchLimits(seconds=PLAY_SECONDS))


def networks_of(settings: NetSettings, snapshot: Snapshot, who: str) -> dict[str, Network]:
    """Return the networks of the student or the opponent by their phases."""
    mapping = settings.make_mapping()
    nets = nets_of(snapshot.arrays, who)
    return {phase: Network.of(mapping, net) for phase, net in nets.items()}


def kept_of(settings: NeuroDraughtsSettings, snapshot: Snapshot) -> Kept:
    """Return what the program of 1997 saved after a block: networks under its names, and games.

    And with the first of them the set-up, as its files have it.
    """
    if not settings.keep_files:
        return Kept()
    block, saved = snapshot.plain["block"], {}
    if snapshot.measured.get("cloned"):
        saved[f"clone{snapshot.plain['clones']}"] = "student"
    elif block % SAVED_EVERY == 0:
        saved[f"save{block}"] = "student"
    if block == settings.cloning().blocks:
        saved |= {"Final1": "student", "Final2": "opponent"}
    files = set_up_of(settings) if block == 1 else {}
    for name, who in saved.items():
        for phase, network in networks_of(settings, snapshot, who).items():
            full = name if phase == ANY else f"{name}-{phase}"
            text = format_files(settings.network_name or full, network)
            files |= _named(f"networks/{full}", text)
    return Kept(files, "\n".join(_records(settings, snapshot)))


def set_up_of(settings: NeuroDraughtsSettings) -> dict[str, str]:
    """Return what a training was told as files of 1997, whatever of it such files can tell."""
    place, mapping, boards = "set-up/training", settings.make_mapping(), settings.start_boards
    files = {f"{place}.prm": format_parameters(settings.make_td())}
    if all(board.position.turn == "B" for board in boards):
        files[f"{place}.brd"] = format_boards(boards)
    if mapping.kind == "features":
        files[place + FEATURE_SUFFIX] = format_features(mapping)
    name = settings.network_name.strip() or "network"
    if settings.weights:
        files[place + NETWORK_SUFFIX] = format_network(name, settings.initial(0))
    elif settings.weights_seed >= 0:
        creation = Creation(
            name="-".join(name.split()),
            mapping=mapping,
            hidden=settings.hidden,
            direct_links=settings.direct_links,
            seed=settings.weights_seed,
            low=settings.low,
            high=settings.high,
        )
        files[f"{place}.crt"] = format_creation(creation)
    return files


def _named(place: str, text: NetworkText) -> dict[str, str]:
    files = {place + NETWORK_SUFFIX: text.network}
    return files if text.features is None else files | {place + FEATURE_SUFFIX: text.features}


def _records(settings: NeuroDraughtsSettings, snapshot: Snapshot) -> Iterator[str]:
    cloning = settings.cloning()
    for place, game in enumerate(snapshot.played):
        is_first = cloning.seat_at(place, game.start) == 0
        names = ("opp1", "opp2") if is_first else ("opp2", "opp1")
        number = snapshot.games - len(snapshot.played) + place + 1
        yield record_of(game, *names, {"Event": "NeuroDraughts", "Round": str(number)}).pdn


register(
    Recipe(
        "neurodraughts",
        "Lynch 1997",
        "a net, TD(lambda), self-play with cloning",
        {"published": PUBLISHED, "tuned": TUNED},
        learn,
        player_of,
        kept_of,
        check=NeuroDraughtsSettings.check_means,
        shares_searches=True,
        quick={"published": {}, "tuned": {"games": 10_000, "exam_every": 2000}},
    )
)
