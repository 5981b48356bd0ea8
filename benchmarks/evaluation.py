"""Evaluations: how many a second, and how fast the search is with one of them or with many."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import perf_counter
from typing import Protocol, cast

from benchmarks.measure import Contender, Demand, Measure, Row, Settings, compare, repeated, timed
from crossboard._core import draughts as core
from crossboard.draughts import DrawRules, Move, Position, middlegames
from crossboard.evaluators import (
    UFU_ATTRIBUTES,
    BoardAttributes,
    Evaluation,
    Linear,
    Material,
    Network,
    count_mapping,
    feature_mapping,
    features,
    joined_mapping,
    pattern_mapping,
    piece_mapping,
)
from crossboard.players import Player, SearchLimits, Specialists, When

# DRAFT5's weights as chosen by hand: piece, king, mob, kmob, back, cent, kcent, adv1, dblsq, ...
DRAFT5_WEIGHTS = (1000, 1500, 40, 40, 60, 40, 60, 40, 200, 2, 60, 100)
SEED = 1
POSITIONS = 2_000
LONGEST_GAME = 80
# As many as MP-Draughts has: one for each number of pieces, and one for all others.
MANY = 26
GAME_DEPTH = 6
ALL_PIECES = 24
FIRST_MOVES = 20  # of which the shortest counts


class CoreEvaluator(Protocol):
    """What every evaluator of the core offers for measuring."""

    def evaluate_often(self, positions: list[Position], times: int) -> int: ...


def contestants() -> dict[str, Evaluation]:
    """The evaluations we promise something about; weights are random, which costs the same."""
    genes = [f.name for f in features() if f.family == "draft5"]
    return {
        "draft5": Linear(genes, DRAFT5_WEIGHTS, man=DRAFT5_WEIGHTS[0]),
        "38-12 network": Network.initial(feature_mapping("lynch"), 12, seed=SEED),
        "83-20 network": Network.initial(feature_mapping("ufu"), 20, seed=SEED),
        "one layer": Network.one_layer(
            joined_mapping(count_mapping(), piece_mapping(), pattern_mapping())
        ),
    }


def evaluations(settings: Settings) -> list[Row]:
    """Evaluations per second of positions from random games, beside counting material."""
    positions = list(_walked(POSITIONS))
    rows: list[Row] = []
    for name, evaluation in contestants().items():
        demand = Demand(10e6) if name == "draft5" else None
        material = Contender("material", _rate(Material(), positions, settings))
        ours = _rate(evaluation, positions, settings)
        rows += compare(f"evaluate: {name}", "boards/s", ours, [material], settings, demand)
    return rows


def _rate(evaluation: Evaluation, positions: list[Position], settings: Settings) -> Measure:
    evaluator = cast("CoreEvaluator", evaluation.core)
    rounds = repeated(lambda times: evaluator.evaluate_often(positions, times), settings)
    return lambda: rounds() * len(positions)


def _walked(count: int) -> Iterator[Position]:
    random = Random(SEED)
    position = Position()
    for number in range(count):
        if number % LONGEST_GAME == 0 or position.is_over:
            position = Position()
        yield position
        position = position.after(random.choice(list(position.legal_moves)))


def network_search(settings: Settings) -> list[Row]:
    """Nodes per second of the search on one thread with networks, from middlegame positions."""
    demands = {"38-12 network": Demand(3e6), "83-20 network": Demand(1e6), "one layer": None}
    rows: list[Row] = []
    for name, demand in demands.items():
        ours = _nodes_per_second(contestants()[name], settings)
        material = Contender("material", _nodes_per_second(Material(), settings))
        rows += compare(f"search: {name}", "nodes/s", ours, [material], settings, demand)
    return rows


def _nodes_per_second(evaluation: Evaluation, settings: Settings) -> Measure:
    def measure() -> float:
        player = Player("measured", evaluation)
        nodes, seconds = 0, 0.0
        for position in middlegames()[: settings.search_positions]:
            player.clear()
            result = player.search(position, depth=settings.minimax_depth)
            nodes, seconds = nodes + result.nodes, seconds + result.seconds
        return nodes / seconds

    return measure


def many_evaluators(settings: Settings) -> list[Row]:
    """Players of 26 copies of a net, selected by pieces or by a map, beside that net alone.

    Nodes per second by the clock over every second turn of a game, in which nearly every search
    has another evaluator; games per second of one own move, which the start of a game takes; and
    by how many seconds such a game is longer, with all that plays it made for it.
    """
    one = Player("one", _net())
    turns = _turns(one)[::2][: settings.search_positions]
    alone = _nodes_over(one, turns, settings)
    rows: list[Row] = []
    for name, many in (("evaluators", _by_pieces()), ("agents of a map", _by_map(turns))):
        at_least = Demand(0.95, on="ratio")
        peer = Contender("one", alone, demand=at_least)
        ours = _nodes_over(many, turns, settings)
        rows += compare(f"search: {MANY} {name}", "nodes/s", ours, [peer], settings)
        ours, peer = _starts(many, settings), Contender("one", _starts(one, settings))
        rows += compare(f"begin a game: {MANY} {name}", "games/s", ours, [peer], settings)
        more, peer = _seconds_more(many, one), Contender("one", _first_moves(one))
        at_most = Demand(0.001)
        rows += compare(f"begin a game, more: {MANY} {name}", "s", more, [peer], settings, at_most)
    return rows


def _net() -> Network:
    return Network.initial(feature_mapping("ufu"), 20, seed=SEED)


def _by_pieces() -> Player:
    phases = [(When(least_pieces=n, most_pieces=n), _net()) for n in range(1, MANY)]
    return Player("copies", _net(), phases=phases)


def _by_map(turns: list[Position]) -> Player:
    """A player whose map has a specialist for each of some turns, chosen anew at every turn."""
    attributes = BoardAttributes(UFU_ATTRIBUTES, coding="counts")
    boards = [turns[unit % len(turns)] for unit in range(MANY - 1)]
    nets = [_net() for _ in boards]
    specialists = Specialists(
        attributes, attributes.of(boards), nets, most_pieces=ALL_PIECES, keeps=False
    )
    return Player("copies", _net(), specialists=specialists)


def _turns(player: Player) -> list[Position]:
    """Return the first side's turns in a game of a player against chance."""
    sides = player.chooser(SearchLimits(depth=GAME_DEPTH)), core.Chooser.random()
    (game,) = core.play_games(*sides, openings=[(Position(), [])], seeds=[SEED])
    found, position = [], game.start
    for ply, move in enumerate(game.moves):
        if ply % 2 == 0 and len(position.legal_moves) > 1:
            found.append(position)
        position = position.after(move)
    return found


def _nodes_over(player: Player, turns: list[Position], settings: Settings) -> Measure:
    def search() -> float:
        player.clear()
        return sum(player.search(turn, nodes=settings.turn_nodes).nodes for turn in turns)

    return timed(search)


def _starts(player: Player, settings: Settings) -> Measure:
    chooser = player.chooser(SearchLimits(depth=GAME_DEPTH))
    return repeated(lambda times: _play_first_moves(chooser, times), settings)


def _play_first_moves(chooser: core.Chooser, times: int) -> None:
    games: list[tuple[Position, list[Move]]] = [(Position(), [])] * times
    rules = DrawRules(max_plies=1)
    core.play_games(
        chooser, core.Chooser.random(), openings=games, seeds=[SEED] * times, rules=rules
    )


def _first_moves(player: Player) -> Measure:
    """Measure the seconds of one game of one move, for which the chooser is made."""

    def measure() -> float:
        start = perf_counter()
        _play_first_moves(player.chooser(SearchLimits(depth=GAME_DEPTH)), 1)
        return perf_counter() - start

    return measure


def _seconds_more(many: Player, one: Player) -> Measure:
    """Measure by how much the shortest game of one move of a player exceeds another's."""
    contenders = _first_moves(many), _first_moves(one)

    def measure() -> float:
        shortest = [min(each() for _ in range(FIRST_MOVES)) for each in contenders]
        return shortest[0] - shortest[1]

    return measure
