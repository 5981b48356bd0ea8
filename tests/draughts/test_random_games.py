"""Batches of random games, played in the core."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from crossboard.draughts import DrawRules, Position, RandomGames, play_random_games


def totals(games: RandomGames) -> tuple[int, int, int, int]:
    return games.first_side_wins, games.second_side_wins, games.draws, games.plies


def test_every_game_ends_one_way():
    games = play_random_games(1000, seed=1)
    assert games.first_side_wins + games.second_side_wins + games.draws == 1000
    assert min(games.first_side_wins, games.second_side_wins) > 100
    assert 20_000 < games.plies < 200_000


def test_same_seed_same_games():
    assert totals(play_random_games(200, seed=5)) == totals(play_random_games(200, seed=5))
    assert totals(play_random_games(200, seed=5)) != totals(play_random_games(200, seed=6))


@pytest.mark.parametrize("cut", [0, 1, 77, 200])
def test_batch_may_be_cut_anywhere(cut: int):
    parts = [
        totals(play_random_games(cut, seed=5)),
        totals(play_random_games(200 - cut, seed=5, first=cut)),
    ]
    assert tuple(map(sum, zip(*parts, strict=True))) == totals(play_random_games(200, seed=5))


def test_threads_play_the_same_games():
    with ThreadPoolExecutor(4) as pool:
        parts = pool.map(
            lambda first: totals(play_random_games(50, seed=9, first=first)), range(0, 400, 50)
        )
        assert tuple(map(sum, zip(*parts, strict=True))) == totals(play_random_games(400, seed=9))


def test_no_games():
    assert totals(play_random_games(0, seed=1)) == (0, 0, 0, 0)


def test_game_that_is_over_before_it_begins_is_lost_for_the_side_to_move():
    start = Position.from_fen("B:W32:B")
    assert totals(play_random_games(7, seed=1, start=start)) == (0, 7, 0, 0)


def test_forced_win_is_won_by_the_side_to_move():
    start = Position.from_fen("W:W14:B10")
    assert totals(play_random_games(7, seed=1, start=start)) == (7, 0, 0, 7)


def test_rules_end_games():
    games = play_random_games(100, seed=1, rules=DrawRules(max_plies=10))
    assert totals(games) == (0, 0, 100, 1000)
    kings = Position.from_fen("B:WK32:BK1")
    quiet = play_random_games(50, seed=1, start=kings, rules=DrawRules(repetitions=0))
    repeated = play_random_games(50, seed=1, start=kings)
    assert quiet.draws > 0
    assert repeated.plies < quiet.plies


@pytest.mark.parametrize("options", [{"games": -1}, {"games": 1, "first": -1}])
def test_negative_numbers_are_refused(options: dict[str, int]):
    with pytest.raises(ValueError, match="must not be negative"):
        play_random_games(**options, seed=1)
