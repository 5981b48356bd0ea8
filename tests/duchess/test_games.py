"""Whole games: every legal-move count and every flag that was written down for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossboard.duchess import MAX_QUIET_PLIES, Outcome, Past, Position, Record, read_records

FILE = Path(__file__).parents[1] / "data" / "duchess_games.txt"
NUMBER_OF_GAMES = 7


@pytest.fixture(scope="module", params=range(NUMBER_OF_GAMES))
def game(request: pytest.FixtureRequest) -> Record:
    return list(read_records(FILE))[request.param]


def test_file_holds_games_of_all_kinds():
    games = list(read_records(FILE))
    assert [game.errors for game in games] == [[]] * NUMBER_OF_GAMES
    assert {game.start.players for game in games} == {4, 6}
    assert {game.result for game in games} == {"1-0", "0-1", "1/2-1/2", "*"}
    played = [str(move) for game in games for move in game.moves]
    assert any("=" in move for move in played)
    said = " ".join(comment for game in games for comment in game.comments.values())
    assert {"c", "m", "s"} <= set(said)


def test_counts_and_flags_at_every_ply(game: Record):
    for ply, position in enumerate(game.positions()):
        if ply not in game.comments:
            continue  # the end of the unfinished game
        assert f"{len(position.legal_moves)} {position.flags}" == game.comments[ply], ply


def test_skipped_turns_are_written_and_nothing_else_is_possible_there(game: Record):
    for position, move in zip(game.positions(), game.moves, strict=False):
        assert move.is_pass == position.must_pass


def test_last_position(game: Record):
    assert game.position.text == game.tags["Final"]


def test_outcome_is_the_result(game: Record):
    ends = {
        "1-0": Outcome("odd", "mate", len(game.moves)),
        "0-1": Outcome("even", "mate", len(game.moves)),
        "1/2-1/2": Outcome(None, "quiet", len(game.moves)),
        "*": None,
    }
    assert game.outcome() == ends[game.result]
    assert game.winner == (game.position.winner if game.position.is_over else None)


def test_game_is_drawn_after_200_quiet_plies_and_not_before():
    assert MAX_QUIET_PLIES == 200
    record = Record()
    there = "N1b2-1a4 N2b2-2a4 N4b2-4a4 N5b2-5a4"
    back = "N1a4-1b2 N2a4-2b2 N4a4-4b2 N5a4-5b2"
    for _ in range(25):
        assert record.outcome() is None
        for move in f"{there} {back}".split():
            record.play(move)
    assert record.outcome() == Outcome(None, "quiet", 200)
    assert not record.position.is_over


def quiet_plies(start: str, moves: str) -> list[int]:
    """How many quiet plies there are after each move."""
    position = Position.from_text(start)
    past = Past(position)
    quiet = []
    for move in moves.split():
        past.add(position, position.parse_move(move))
        position = position.after(move)
        quiet.append(past.quiet_plies)
    assert past.plies == len(quiet)
    return quiet


def test_skipped_turns_are_quiet_plies_and_a_capture_is_none():
    start = "4; 1:K1e1; 2:K2a1 Q1c2 P2b2; 3:K4a1 P2c3; 4:K5a1; turn 1"
    moves = "pass K2a1-2a2 K4a1-4a2 K5a1-5a2 pass P2b2x2c3"
    assert quiet_plies(start, moves) == [1, 2, 3, 4, 5, 0]


def test_promotion_is_no_quiet_ply_but_entering_the_vortex_is():
    start = "4; 1:K1a1 P1c6; 2:K2a1; 3:K4a1; 4:K5a1; turn 1; box 1:Q"
    assert quiet_plies(start, "P1c6-V=Q K2a1-2a2") == [0, 1]
    assert quiet_plies(start, "P1c6-V K2a1-2a2") == [1, 2]


def test_board_on_which_nobody_can_move_is_drawn():
    dead = "4; 1:K1e1; 2:K2e1 Q1c2; 3:K4e1 Q2d2 B2b4 R5e3 R5d3; 4:K5e1 Q4d2 R4b2; turn 1"
    assert Record(tags={"Position": dead}).outcome() == Outcome(None, "no move", 0)
