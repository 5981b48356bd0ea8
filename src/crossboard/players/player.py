"""A player: whoever chooses moves, by search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from crossboard._core import StopFlag
from crossboard._core.draughts import EndgameTables, Position
from crossboard.evaluators import Evaluation, Material, Scale, scale_of
from crossboard.players.agents import MAIN, Agents, name_evaluators
from crossboard.players.endgames import find_tables
from crossboard.players.engines import Engines, Evaluator, check_engine
from crossboard.players.games import DRAUGHTS, GAMES, AnyMove, AnyPosition, Game
from crossboard.players.settings import MAX_COUNT, SearchLimits, SearchSettings, one_limits
from crossboard.players.specialists import Specialists

# Six armies of Duchess: no game has more.
MOST_PIECES = 90


class WrongGame(ValueError):
    """An evaluation or a position is of another game than the player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """A phase of the game: how many pieces are left of both sides, how the side to move stands."""

    least_pieces: int = 0
    most_pieces: int = MOST_PIECES
    balance: str = "any"  # or "ahead", "level", "behind", in material

    def __post_init__(self) -> None:
        self.phase(DRAUGHTS)  # which complains

    def phase(self, game: Game) -> Any:
        """Return the idea of it that a game's core has."""
        return game.core.Phase(
            least_pieces=self.least_pieces, most_pieces=self.most_pieces, balance=self.balance
        )


class Line(NamedTuple):
    """A move, its value for the side to move, and the play expected after it."""

    move: AnyMove
    value: float  # on the scale of the evaluation: men, -1 to 1, log-odds
    win_in: int | None  # plies to a forced win, negative for a forced loss
    pv: list[AnyMove]


class SearchResult(NamedTuple):
    """What a search found: the best move first of all."""

    move: AnyMove
    value: float
    pv: list[AnyMove]
    depth: int
    nodes: int
    seconds: float
    win_in: int | None
    selective_depth: int
    stopped: bool  # before a depth that was asked for
    lines: list[Line]  # the n best moves, if more than one was asked for
    trace: list[tuple[AnyPosition, float, str, int, int]]
    agent: str = MAIN  # the name of the player's evaluator that judged


class Player:
    """Chooses moves by search with an evaluation.

    Without an evaluator it counts material. An evaluator may be any function from a position to
    a number of men for the side to move: slow, but good for trying things out. A player of
    several evaluators has `phases`: that of the first phase that holds judges a position. Below a
    number of pieces `specialists` may take over, usually one of them for the rest of a game. They
    all use the table of the settings, one at a time: it is cleared when another one searches. An
    evaluator says which `game` it is for; for a function it must be named unless it is draughts.
    If its settings ask for endgame tables, it probes those of the folder `tables`, or of the usual
    one, and searches without where there are none. `names` are those that evaluators have in a
    folder, instead of main, agent1, unit1 and so on.
    """

    # Among how many best moves it chooses, and its errors about their values in hundredths of a
    # man: none, but in levels.
    noise: tuple[int, int] = (1, 0)

    def __init__(
        self,
        name: str,
        evaluator: Evaluator | None = None,
        *,
        phases: Sequence[tuple[When, Evaluator]] = (),
        specialists: Specialists | None = None,
        names: Mapping[str, Evaluator] | None = None,
        search: SearchSettings | None = None,
        limits: SearchLimits | None = None,
        about: Mapping[str, str] | None = None,
        game: str | None = None,
        tables: Path | None = None,
    ) -> None:
        self.name = name
        self.game = _game_for(evaluator, game)
        self.evaluator = self.game.usual_evaluator() if evaluator is None else evaluator
        self.phases = tuple(phases)
        self.specialists = specialists
        # Each once, the main one first.
        self.evaluators = name_evaluators(
            self.evaluator, [one for _, one in self.phases], specialists, names or {}
        )
        self.settings = search or SearchSettings()
        self.limits = limits or SearchLimits(seconds=1.0)
        self.about = dict(about or {})  # what made it
        self.tables_folder = tables
        self._check()
        self._engines = self._make_engines(self.settings)

    def _check(self) -> None:
        """Raise ValueError for what cannot search; engines are made when they are needed."""
        self.settings.check_memory()
        if self.settings.tables and not self.game.has_tables:
            raise WrongGame(f"endgame tables are for draughts, not for {self.game.title}")
        if self.limits.time is not None:
            raise ValueError(
                f"{self.name}: a player's own limits are for each move, not the time of a game"
            )
        if self.specialists is not None and not self.game.has_specialists:
            raise WrongGame(f"specialists are for draughts, not for {self.game.title}")
        for evaluator in self.evaluators.values():
            _game_for(evaluator, self.game.name)
            check_engine(evaluator, self.settings, self.game)

    @cached_property
    def _agents(self) -> Agents:
        own = (self.game.core.Phase(), self.evaluator)
        roles = [*((when.phase(self.game), one) for when, one in self.phases), own]
        return Agents(self.evaluators, roles, self.specialists, self.game)

    def _make_engines(self, settings: SearchSettings) -> Engines:
        return Engines(list(self.evaluators.values()), settings, self.game, self.tables)

    @property
    def tables(self) -> EndgameTables | None:
        """The endgame tables that it probes, None if it probes none."""
        if not self.settings.tables:
            return None
        return find_tables(self.tables_folder)

    @property
    def engine(self) -> Any:
        """The engine that plays when no phase holds."""
        return self._engines[0]

    def engine_for(self, position: AnyPosition, history: Sequence[AnyPosition] = ()) -> Any:
        """Return the engine that searches a position, given the game's earlier ones.

        Raises ValueError for another game's position.
        """
        return self._engines[self._select(position, history)]

    def scale_for(self, position: AnyPosition, history: Sequence[AnyPosition] = ()) -> Scale:
        """Return the scale of a position's values: that of the evaluator that judges it."""
        return scale_of(self._agents.evaluators[self._select(position, history)])

    def agent_for(self, position: AnyPosition, history: Sequence[AnyPosition] = ()) -> str:
        """Return the name of the evaluator that judges a position."""
        return self._agents.name(self._select(position, history))

    def _select(self, position: AnyPosition, history: Sequence[AnyPosition]) -> int:
        if not isinstance(position, self.game.core.Position):
            raise WrongGame(f"{self.name} plays {self.game.name}, not the game of {position!r}")
        return self._agents.select(position, history)

    @property
    def players(self) -> int:
        """How many play at one board."""
        return self.seats or self.game.players[0]

    @property
    def seats(self) -> int | None:
        """For how many players its evaluation is; None if it plays with any number."""
        if not self.is_searcher or not isinstance(self.evaluator, Evaluation):
            return None
        return self.evaluator.seats

    @property
    def is_searcher(self) -> bool:
        """Whether moves come from our own search (not random, not an external engine)."""
        return type(self).search is Player.search

    def __repr__(self) -> str:
        return f"<Player {self.name}>"

    def __getstate__(self) -> dict[str, Any]:
        # Engines are made where they are needed: a chooser has its own.
        left = ("_agents", "_engines")
        kept = {name: value for name, value in self.__dict__.items() if name not in left}
        return kept | {"game": self.game.name}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {"game": GAMES[state["game"]]})
        self._engines = self._make_engines(self.settings)

    def limits_for(self, asked: SearchLimits | None) -> SearchLimits:
        """Return the limits asked for, or the player's own if none is."""
        return self.limits if asked is None or asked.is_none else asked

    def search(
        self,
        position: AnyPosition,
        *,
        depth: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        limits: SearchLimits | None = None,
        history: Sequence[AnyPosition] = (),
        multipv: int = 1,
        trace: bool = False,
        on_depth: Callable[[SearchResult], None] | None = None,
        stop: StopFlag | None = None,
    ) -> SearchResult:
        """Search a position to the given limits, or to the player's own if none is given.

        Limits are `depth`, `seconds` and `nodes`, or all in one as `limits`. `history` are earlier
        positions of the game, oldest first: repeating one is a draw. A specialist that would have
        been chosen at an earlier turn of the side to move is kept, so give the whole game; for a
        position by itself the specialist is chosen anew. `on_depth` sees what has been found after
        every depth; its nodes are one thread's. Setting the flag `stop` ends the search with what
        it has found, also if it was set before; `Player.stop` does the same.
        Raises ValueError if the game is over or a limit makes no sense.
        """
        with self._engines.watching(stop) as flag:
            limits = self.limits_for(one_limits(limits, depth=depth, seconds=seconds, nodes=nodes))
            place = self._select(position, history)
            engine, agent = self._engines[place], self._agents.name(place)
            scale = scale_of(self._agents.evaluators[place])
            answer = engine.search(
                position,
                multipv=min(multipv, MAX_COUNT),
                history=list(history),
                trace=trace,
                noise=self.noise,
                noise_seed=self._draw_noise_seed(),
                on_depth=on_depth
                and (lambda answer: on_depth(result_of(answer, engine, scale, agent=agent))),
                stop=flag,
                **limits.for_engine(),
            )
        is_depth_asked = limits.depth is not None
        return result_of(answer, engine, scale, agent=agent, is_depth_asked=is_depth_asked)

    def choose(
        self,
        position: AnyPosition,
        *,
        depth: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        limits: SearchLimits | None = None,
        history: Sequence[AnyPosition] = (),
    ) -> AnyMove:
        """Return the best move; arguments as for `search`."""
        asked = one_limits(limits, depth=depth, seconds=seconds, nodes=nodes)
        return self.search(position, limits=asked, history=history).move

    def _draw_noise_seed(self) -> int:
        return 0

    def chooser(self, limits: SearchLimits | None = None) -> Any:
        """Make what plays for this player in games of the core, with engines of its own.

        Without a limit it plays to the player's own. Its table is no larger than the limits can
        fill, so that clearing it before each game costs next to nothing, and no larger than the
        player's own: several choosers at a time have so many tables.
        """
        limits = self.limits_for(limits)
        engines = self._make_engines(self.settings.fitting(limits))
        asked: dict[str, Any] = limits.for_engine() | {"noise": self.noise}
        kinds, agents = self.game.core.Chooser, self._agents
        choosers = [kinds.engine(engines[n], **asked) for n in range(len(agents.evaluators))]
        if len(choosers) == 1:
            return choosers[0]
        return kinds.selecting(agents.selector, [choosers[place] for place in agents.of_agents])

    def with_settings(self, settings: SearchSettings, limits: SearchLimits | None = None) -> Player:
        """Return the same player with another way to search, and with other limits if given."""
        return Player(
            self.name,
            self.evaluator,
            phases=self.phases,
            specialists=self.specialists,
            names=self.evaluators,
            search=settings,
            limits=limits or self.limits,
            about=self.about,
            game=self.game.name,
            tables=self.tables_folder,
        )

    def with_tables(self, folder: Path) -> Player:
        """Return the same player with the endgame tables of a folder, if it probes any."""
        found = copy(self)
        found.tables_folder = folder
        found._engines = found._make_engines(found.settings)
        return found

    def value_of_win(self, position: AnyPosition) -> float:
        """Return what a forced win counts on the scale of a position's values."""
        return self.scale_for(position).win

    def save(self, folder: str | Path) -> None:
        """Write the player to a folder, from which `load_player` reads it."""
        from crossboard.players.saving import save_player  # it knows players: not the other way

        save_player(self, folder)

    def stop(self) -> None:
        """End the searches of other threads, also those that are about to begin.

        A signal handler may call this too.
        """
        self._engines.stop()

    def clear(self) -> None:
        """Forget what earlier searches found."""
        self._engines.clear()


class RandomPlayer(Player):
    """Plays any legal move, each with the same probability."""

    def __init__(
        self,
        name: str = "random",
        *,
        seed: int | None = None,
        about: Mapping[str, str] | None = None,
        game: str | None = None,
    ) -> None:
        super().__init__(name, search=SearchSettings(table_mb=0), about=about, game=game)
        self.random = Random(seed)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_random, (self.name, self.about, self.game.name)

    def search(self, position: AnyPosition, **_: Any) -> SearchResult:
        """Return a legal move without looking for the best; limits are not needed."""
        if position.is_over:
            raise ValueError("the game is over: there is no move")
        move = self.random.choice(self.game.moves(position))
        line = Line(move, 0.0, None, [move])
        return SearchResult(move, 0.0, [move], 0, 0, 0.0, None, 0, False, [line], [])

    def chooser(self, limits: SearchLimits | None = None) -> Any:
        """Make what plays for this player in games of the core, by the game's seed."""
        return self.game.core.Chooser.random()

    def with_settings(self, settings: SearchSettings, limits: SearchLimits | None = None) -> Player:
        """Return the player as it is: it does not search."""
        return self


def _game_for(evaluator: Evaluator | None, named: str | None) -> Game:
    own = evaluator.game if isinstance(evaluator, Evaluation) else None
    name = named or own or "draughts"
    if name not in GAMES or own not in (None, name):
        raise WrongGame(f"the game is {own or ' or '.join(GAMES)}, not {name!r}")
    return GAMES[name]


def _restore_random(name: str, about: Mapping[str, str], game: str) -> RandomPlayer:
    return RandomPlayer(name, about=about, game=game)


def result_of(
    answer: Any, engine: Any, scale: Scale, *, agent: str = MAIN, is_depth_asked: bool = True
) -> SearchResult:
    """Return an engine's answer with its values on the scale of its evaluation."""
    units: int = engine.units

    def scaled(value: int) -> float:
        return min(scale.win, max(-scale.win, value / units))

    lines = [
        Line(ranked.move, scaled(ranked.value), ranked.win_in, ranked.pv) for ranked in answer.best
    ]
    best = lines[0]
    return SearchResult(
        move=best.move,
        value=best.value,
        pv=best.pv,
        depth=answer.depth,
        nodes=answer.nodes,
        seconds=answer.seconds,
        win_in=best.win_in,
        selective_depth=answer.selective_depth,
        stopped=answer.stopped and is_depth_asked,
        lines=lines,
        trace=[
            (position, scaled(value), bound, depth, ply)
            for position, value, bound, depth, ply in answer.trace
        ],
        agent=agent,
    )


def material_balance(position: Position) -> float:
    """Return by how many men the side to move is ahead, a king being one and a half."""
    return Material().evaluate(position)
