"""The core against other people's rules: pydraughts and OpenSpiel, where they are installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random

import pytest
from random_positions import placed_positions, walked_positions

from crossboard.draughts import Move, Position


def moves_of_pydraughts(fen: str) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    board = pytest.importorskip("draughts").Board(variant="english", fen=fen)
    # It turns the board inside, but squares come out as they went in, and so do routes.
    return sorted(
        (tuple(move.steps_move), tuple(sorted(move.captures))) for move in board.legal_moves()
    )


@pytest.mark.parametrize("draw_positions", [walked_positions, placed_positions])
def test_pydraughts_has_the_same_moves(draw_positions: Callable[..., Iterator[Position]]):
    pytest.importorskip("draughts")
    compared = 0
    for position in draw_positions(Random(5), 1200):
        ours = sorted((move.path, move.captured) for move in position.legal_moves)
        assert ours == moves_of_pydraughts(position.fen), position.fen
        compared += len(ours)
    assert compared > 2000


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("B:W9,10,17,18,K30:BK6", ["6x13x22x15x6", "6x15x22x13x6"]),
        ("B:W26,27:B22", ["22x31"]),
    ],
)
def test_edge_cases_that_pydraughts_was_asked_too(fen: str, moves: list[str]):
    assert sorted(map(str, Position.from_fen(fen).legal_moves)) == moves
    assert sorted("x".join(map(str, path)) for path, _ in moves_of_pydraughts(fen)) == moves


# OpenSpiel plays a jump as several actions of the same player and has no way to set up a position.
# Its first player sits below and is our Black: square 1 is g1, square 32 is b8.
COLUMNS = ("geca", "hfdb")


def name_of_open_spiel(square: int) -> str:
    row, place = divmod(square - 1, 4)
    return f"{COLUMNS[row % 2][place]}{row + 1}"


def actions_of(move: Move) -> list[str]:
    names = [name_of_open_spiel(square) for square in move.path]
    return [here + there for here, there in pairwise(names)]


def board_of(position: Position) -> list[str]:
    symbols = {None: ".", "b": "o", "B": "8", "w": "+", "W": "*"}
    names = {name_of_open_spiel(square): square for square in range(1, 33)}
    return [
        str(rank)
        + "".join(
            symbols[position.piece_at(names[file + str(rank)])]
            if file + str(rank) in names
            else "."
            for file in "abcdefgh"
        )
        for rank in range(8, 0, -1)
    ]


@pytest.mark.parametrize("seed", range(60))
def test_open_spiel_plays_the_same_games(seed: int):
    pyspiel = pytest.importorskip("pyspiel")
    random = Random(seed)
    state = pyspiel.load_game("checkers").new_initial_state()
    position = Position()
    while not state.is_terminal():
        assert str(state).splitlines()[:8] == board_of(position)
        assert state.current_player() == (0 if position.turn == "B" else 1)
        move = random.choice(list(position.legal_moves))
        routes = [actions_of(legal) for legal in position.legal_moves]
        for done, action in enumerate(actions_of(move)):
            # Every route begun so far must be offered its next jump, and nothing else.
            routes = [route for route in routes if route[:done] == actions_of(move)[:done]]
            offered = {state.action_to_string(legal) for legal in state.legal_actions()}
            assert offered == {route[done] for route in routes}, position.fen
            state.apply_action(state.string_to_action(action))
        position = position.after(move)
    # It also ends games by its own draw rule, which a position knows nothing of.
    assert position.is_over or state.returns() == [0, 0]
    if position.is_over:
        assert state.returns() == ([1, -1] if position.winner == "B" else [-1, 1])
