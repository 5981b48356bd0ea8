"""What the shipped players of the papers' systems know: measured, as their documents claim it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import openings
from crossboard.draughts import Position, middlegames
from crossboard.players import SearchLimits, load_player

PAIRS = 200
SEED = 1959


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


@pytest.mark.parametrize("name", ["neurodraughts", "visiondraughts"])
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
