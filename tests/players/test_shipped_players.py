"""What the shipped players of the papers' systems know: measured, as their documents claim it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from statistics import mean

import numpy as np
import pytest

from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import openings
from crossboard.draughts import Position, middlegames, random_line
from crossboard.evaluators import Evaluation, Network, OneLayer, count_mapping
from crossboard.evaluators.one_layer import KINDS
from crossboard.players import SearchLimits, load_player

PAIRS = 200
SEED = 1959
# How many times as much as a man a king must be worth to be called clearly worth more.
CLEARLY = 1.1


def test_neurodraughts_beats_material_at_depth_4_without_quiescence():
    one, other = (
        player.with_settings(replace(player.settings, quiescence=False))
        for player in map(load_player, ("neurodraughts", "material"))
    )
    terms = Terms(
        pairs=PAIRS, openings=openings("random:8", SEED), limits=SearchLimits(depth=4), seed=SEED
    )
    with ThreadPoolExecutor(2) as executor:
        result = play_match(one, other, terms, executor, workers=2)
    assert result.score.tally.games == 2 * PAIRS
    assert result.score.elo.low > 0  # of a 95 % interval: above one half of the points


def own_men(position: Position) -> list[int]:
    """Squares of the men of the side to move."""
    man = position.turn.lower()
    return [square for square in range(1, 33) if position.piece_at(square) == man]


def with_piece(position: Position, square: int, piece: str) -> Position:
    """The same with another piece of the side to move, or none, on a square."""
    turn = position.turn
    sides: dict[str, list[str]] = {"W": [], "B": []}
    for each in range(1, 33):
        found = position.piece_at(each)
        if each == square:
            found = {"man": turn.lower(), "king": turn, "nothing": None}[piece]
        if found:
            sides[found.upper()].append(f"{'K' if found.isupper() else ''}{each}")
    return Position.from_fen(f"{turn}:W{','.join(sides['W'])}:B{','.join(sides['B'])}")


@pytest.mark.parametrize("name", ["neurodraughts", "visiondraughts", "ls-draughts"])
def test_a_king_is_worth_more_than_a_man_and_a_man_more_than_nothing(name: str):
    evaluate = load_player(name).evaluator
    assert len(middlegames()) == 20
    for position in middlegames():
        values: dict[str, list[float]] = {
            piece: [evaluate(with_piece(position, man, piece)) for man in own_men(position)]
            for piece in ("nothing", "man", "king")
        }
        nothing, man, king = map(sum, values.values())
        assert nothing < man < king, position.fen


def quiet_positions(name: str, games: int) -> list[Position]:
    """Positions of games that a player plays with itself, every fifth of those without captures."""
    player, found = load_player(name), []
    for seed in range(games):
        position = Position()
        for move in random_line(position, 6, Random(seed)):
            position = position.after(move)
        for _ in range(100):
            if position.is_over:
                break
            found.append(position)
            position = position.after(player.choose(position, depth=3))
    return [position for position in found if not position.has_capture][::5]


def worths(evaluator: Evaluation, positions: list[Position]) -> tuple[float, float]:
    """What a man and a king of the side to move are worth: what is lost without it, on average.

    Each man is taken away, and made a king; what leaves no quiet position does not count.
    """
    men, kings = [], []
    for position in positions:
        for square in own_men(position):
            nothing, king = (with_piece(position, square, piece) for piece in ("nothing", "king"))
            if nothing.is_over or nothing.has_capture or king.has_capture:
                continue
            least = evaluator.evaluate(nothing)
            men.append(evaluator.evaluate(position) - least)
            kings.append(evaluator.evaluate(king) - least)
    return mean(men), mean(kings)


def test_treestrap_values_a_king_clearly_above_a_man():
    positions = quiet_positions("treestrap", games=30)
    assert len(positions) > 200
    man, king = worths(load_player("treestrap").evaluator, positions)
    assert king > CLEARLY * man > 0


@pytest.mark.parametrize(("man", "king"), [(0.2, 0.3), (0.2, 0.17)])
def test_worths_are_those_that_an_evaluation_has(man: float, king: float):
    # The net judges for the side that has just moved: its own pieces count for it.
    network = Network.one_layer(count_mapping())
    counting = network.with_weights(np.array([0.0, man, king, 0.0]))
    found = worths(counting, middlegames())
    assert (found[0] < found[1]) == (man < king)


def test_duchess_1_knows_what_the_papers_table_says_of_pieces():
    evaluator = load_player("duchess-1").evaluator
    assert isinstance(evaluator, OneLayer)
    for team in evaluator.arrays()["material"]:
        worth = dict(zip(KINDS, team.tolist(), strict=True))
        assert min(worth[kind] for kind in "QFD") > max(worth[kind] for kind in "RBN") > 0
        assert worth["P"] > 0.9 * worth["N"]
