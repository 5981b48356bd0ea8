"""What differs between the games, asked of each in the same way."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from crossboard import draughts, duchess
from crossboard.players import load_player
from crossboard.players.games import DRAUGHTS, GAMES, Game, find_game, game_of

EVERY = [(game, players) for game in GAMES.values() for players in game.players]
every_game = pytest.mark.parametrize(("game", "players"), EVERY, ids=lambda one: str(one))


@every_game
def test_positions_and_records_are_read_back(game: Game, players: int):
    start = game.start(players)
    moves = game.random_line(start, 6, Random(1))
    position: Any = start
    for move in moves:
        assert move in game.moves(position)
        position = position.after(move)
    assert game.parse(game.format(position)) == position
    assert game_of(position) is game
    record = game.record(start, moves, comment="six plies")
    assert (record.start, tuple(record.moves), record.position) == (start, moves, position)
    assert "{six plies}" in game.format_record(record)


@every_game
def test_seats_take_turns_and_play_for_two_sides(game: Game, players: int):
    start = game.start(players)
    seats = game.seats(start)
    assert len(seats) == players
    assert {game.side_of_seat(seat) for seat in seats} == set(game.sides)
    assert len({game.seat_tag(seat) for seat in seats}) == players
    assert game.side_of(start) == game.sides[0]
    assert [game.other(side) for side in game.sides] == list(reversed(game.sides))
    assert game.has_teams == (players > 2)


@every_game
def test_the_usual_player_plays_the_game(game: Game, players: int):
    start = game.start(players)
    player = load_player(game.usual_player(start))
    assert (player.game, player.players) == (game, players)
    assert player.choose(start, depth=1) in game.moves(start)
    assert game.usual_evaluator().game == game.name


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_results_name_the_side_that_won(game: Game):
    assert [game.result_for(side) for side in (*game.sides, None)] == ["1-0", "0-1", "1/2-1/2"]


def test_a_seat_that_cannot_move_passes():
    stuck = duchess.Position.from_text("4; 1:K1a1; 2:K2a1 Q1d2 R1b2; 3:K4e1 P4a3; 4:K5a1; turn 1")
    assert [str(move) for move in GAMES["duchess"].moves(stuck)] == ["pass"]


def test_a_game_that_is_over_has_no_move():
    assert list(DRAUGHTS.moves(draughts.Position.from_fen("B:W18:B"))) == []


def test_games_are_found_by_name():
    assert find_game("duchess") is GAMES["duchess"]
    with pytest.raises(ValueError, match="there is no game 'chess': there is draughts, duchess"):
        find_game("chess")
