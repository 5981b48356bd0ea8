"""Games that are put together from what a client sends: no turn is lost, and none comes twice."""

from __future__ import annotations

from random import Random

import pytest

from crossboard.draughts import Position
from crossboard.protocols.hub_game import continue_game

KINGS = Position.from_fen("B:WK29,K30,K32:BK1,K3,K4")
REPEATED = 4  # plies to and fro, after which the first position stands again


def game_with_a_repetition() -> list[Position]:
    """A game of kings whose first position stands twice, then 40 plies of new positions."""
    line, random = [KINGS], Random(1)
    for move in ("1-6", "29-25", "6-1", "25-29"):
        position = line[-1]
        line.append(position.after(next(m for m in position.legal_moves if str(m) == move)))
    while len(line) <= REPEATED + 40:
        position = line[-1]
        after = [position.after(move) for move in position.legal_moves if not move.is_capture]
        new = [each for each in after if each not in line and not threatened(each)]
        line.append(random.choice(new))
    assert line[0] == line[REPEATED]
    assert len(set(line)) == len(line) - 1
    return line


def threatened(position: Position) -> bool:
    return any(move.is_capture for move in position.legal_moves)


@pytest.mark.parametrize("before", [0, 3])
def test_a_position_that_recurs_leaves_each_turn_once(before: int) -> None:
    whole = game_with_a_repetition()
    known = list[Position]()
    for end in range(1, len(whole) + 1, 2):
        # A client may leave out the plies that cannot be repeated any more.
        line = whole[min(before, end - 1) : end]
        known = continue_game(known, line)
        assert len(known) == end
        assert known == whole[:end]


def test_a_line_from_the_second_time_goes_on_from_there() -> None:
    whole = game_with_a_repetition()
    end = REPEATED + 6
    assert continue_game(whole[:end], whole[REPEATED : end + 2]) == whole[: end + 2]


def test_moves_that_are_taken_back_are_forgotten() -> None:
    whole = game_with_a_repetition()
    assert continue_game(whole, whole[:7]) == whole[:7]
