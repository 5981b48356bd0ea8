"""Random endgames: quiet, with something left to play, from men to kings."""

from random import Random

from crossboard.draughts import random_endgame


def test_an_endgame_is_quiet_and_goes_on():
    for seed in range(200):
        position = random_endgame(Random(seed))
        black, white = len(position.pieces("B")), len(position.pieces("W"))
        assert 3 <= black + white <= 17
        assert abs(black - white) <= 1
        assert not position.is_over
        assert not position.has_capture


def test_all_kinds_are_drawn():
    drawn = [random_endgame(Random(seed)) for seed in range(200)]
    kinds = [{str(p.piece_at(square)) for square in range(1, 33)} - {"None"} for p in drawn]
    assert {"b", "w"} in kinds
    assert {"B", "W"} in kinds
    assert {"b", "w", "B", "W"} in kinds
    assert {p.turn for p in drawn} == {"B", "W"}


def test_the_same_generator_draws_the_same_endgame():
    assert random_endgame(Random(3)) == random_endgame(Random(3))
