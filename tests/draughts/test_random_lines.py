"""Random lines: as long as asked, legal, and never the end of the game."""

from random import Random

import pytest

from crossboard.draughts import Position, random_line


def test_a_line_is_legal_and_leaves_a_game():
    for seed in range(50):
        position = Position()
        line = random_line(position, 12, Random(seed))
        for move in line:
            position = position.after(move)
        assert len(line) == 12
        assert not position.is_over


def test_the_same_generator_draws_the_same_line():
    assert random_line(Position(), 8, Random(3)) == random_line(Position(), 8, Random(3))


def test_no_line_is_found_where_every_move_ends_the_game():
    # Black's only move is a capture of White's last man.
    with pytest.raises(ValueError, match="no game is left after 1 random plies"):
        random_line(Position.from_fen("B:W18:B14"), 1, Random(0))
