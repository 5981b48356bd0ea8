"""A player with a map of five units, and which of its agents plays, found slowly."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from crossboard._core.draughts import Chooser, play_games
from crossboard.draughts import Move, Position
from crossboard.evaluators import UFU_ATTRIBUTES, BoardAttributes, Linear
from crossboard.players import Player, SearchLimits, SearchSettings, Specialists

FEATURES = ("draft5.piece", "draft5.king", "draft5.mob", "draft5.adv1", "draft5.cent")
ATTRIBUTES = BoardAttributes(UFU_ATTRIBUTES, coding="counts")
UNITS = 5
BORDER = 12
DEPTH = 2
OPENING_PLIES = 6
SEARCH = SearchSettings(table_mb=0)


def drawn_evaluator(random: Random) -> Linear:
    weights = [1000.0, 1300.0, *(random.uniform(-300, 300) for _ in FEATURES[2:])]
    return Linear(FEATURES, weights, man=1000.0)


def some_boards(seed: int, count: int) -> list[Position]:
    """Return boards of random games with as many pieces as specialists play with."""
    random, found = Random(seed), list[Position]()
    position = Position()
    while len(found) < count:
        if position.is_over:
            position = Position()
        elif pieces(position) <= BORDER and random.random() < 0.1:
            found.append(position)
            position = Position()
        else:
            position = position.after(random.choice(list(position.legal_moves)))
    return found


def drawn_player(
    *, keeps: bool = True, replaced: Sequence[int] = (), search: SearchSettings = SEARCH
) -> Player:
    """A player whose prototypes are boards; its own evaluator stands for replaced specialists."""
    random = Random(4)
    main = drawn_evaluator(random)
    others = [drawn_evaluator(random) for _ in range(UNITS)]
    evaluators = [main if unit in replaced else one for unit, one in enumerate(others)]
    specialists = Specialists(
        ATTRIBUTES, ATTRIBUTES.of(some_boards(1, UNITS)), evaluators, keeps=keeps
    )
    limits = SearchLimits(depth=DEPTH)
    return Player("drawn", main, specialists=specialists, search=search, limits=limits)


def pieces(position: Position) -> int:
    return len(position.pieces("B")) + len(position.pieces("W"))


def nearest(player: Player, position: Position) -> int:
    """The number of the nearest prototype."""
    assert player.specialists is not None
    (attributes,) = player.specialists.attributes.of([position])
    distances = ((player.specialists.prototypes - attributes) ** 2).sum(axis=1)
    return int(np.argmin(distances))


def expected_units(player: Player, turns: Sequence[Position]) -> list[int | None]:
    """The unit that plays at each of one side's turns in a game; None: the main evaluator."""
    assert player.specialists is not None
    units: list[int | None] = []
    for position in turns:
        if units and units[-1] is not None and player.specialists.keeps:
            units.append(units[-1])
        else:
            units.append(nearest(player, position) if pieces(position) <= BORDER else None)
    return units


def expected_move(
    player: Player, unit: int | None, position: Position, history: Sequence[Position]
) -> Move:
    """The move of the evaluator in charge, searching alone."""
    assert player.specialists is not None
    own = player.evaluator if unit is None else player.specialists.evaluators[unit]
    return Player("alone", own, search=player.settings).choose(
        position, depth=DEPTH, history=history
    )


def name_of(player: Player, unit: int | None) -> str:
    assert player.specialists is not None
    if unit is None or player.specialists.evaluators[unit] is player.evaluator:
        return "main"
    return f"unit{unit + 1}"


def positions_of(start: Position, moves: Sequence[Move]) -> list[Position]:
    line = [start]
    for move in moves:
        line.append(line[-1].after(move))
    return line


def drawn_openings(seed: int, count: int) -> list[tuple[Position, list[Move]]]:
    """Openings of six random plies."""
    random, openings = Random(seed), []
    for _ in range(count):
        moves, position = list[Move](), Position()
        for _ in range(OPENING_PLIES):
            moves.append(random.choice(list(position.legal_moves)))
            position = position.after(moves[-1])
        openings.append((Position(), moves))
    return openings


def turn_with_a_kept_choice(player: Player) -> tuple[list[Position], Move]:
    """Return a game's positions up to a turn at which the specialist that is kept has another move
    than the one that the map would choose now; and the move.
    """
    games = play_games(
        player.chooser(), Chooser.random(), openings=drawn_openings(6, 20), seeds=list(range(20))
    )
    for game in games:
        line = positions_of(game.start, list(game.moves))
        plies = range(OPENING_PLIES, len(line) - 1, 2)
        units = expected_units(player, [line[ply] for ply in plies])
        for ply, unit in zip(plies, units, strict=True):
            *history, position = line[: ply + 1]
            if unit is None or len(position.legal_moves) == 1:
                continue
            kept = expected_move(player, unit, position, history)
            if kept != expected_move(player, nearest(player, position), position, history):
                return [*history, position], kept
    raise AssertionError("no game shows which specialist plays")
