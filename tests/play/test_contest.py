"""A game in progress: turns, taking back, and how it ends."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from crossboard.draughts import IllegalMove, Move, Position, parse_pdn
from crossboard.play.contest import Contest, Opponent

START = Position()


def first_move(position: Position, _: Sequence[Position], __: random.Random) -> Move:
    return position.legal_moves[0]


def contest(people: str, fen: str | None = None, seed: int = 0) -> Contest:
    start = Position.from_fen(fen) if fen else START
    return Contest(start, people, Opponent("first", first_move, seed))


def moves(played: Contest) -> list[str]:
    return [str(node.move) for node in played.nodes]


def test_the_computer_answers_a_person() -> None:
    game = contest("B")
    game.answer()
    assert moves(game) == []
    game.play("11-15")
    game.answer()
    assert len(moves(game)) == 2
    assert game.position.turn == "B"


def test_the_computer_begins_if_a_person_has_white() -> None:
    game = contest("W")
    game.answer()
    assert moves(game) == [str(START.legal_moves[0])]


def test_two_people_get_no_answer() -> None:
    game = contest("BW")
    game.play("11-15")
    game.answer()
    assert moves(game) == ["11-15"]


def test_the_computer_draws_from_the_seed_alone() -> None:
    def draw(position: Position, _: Sequence[Position], rng: random.Random) -> Move:
        return rng.choice(position.legal_moves)

    def play(seed: int) -> list[str]:
        game = Contest(START, "", Opponent("random", draw, seed))
        game.answer()
        return moves(game)

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_the_computer_is_told_the_positions_before() -> None:
    told = []

    def listen(position: Position, history: Sequence[Position], _: random.Random) -> Move:
        told.append([*history, position])
        return position.legal_moves[0]

    game = Contest(START, "B", Opponent("listener", listen, 0))
    for _ in range(2):
        game.play(str(game.position.legal_moves[0]))
        game.answer()
    positions = [START, *(node.position for node in game.nodes)]
    assert told == [positions[:2], positions[:4]]
    assert game.history == positions[:4]


def test_an_illegal_move_changes_nothing() -> None:
    game = contest("B")
    with pytest.raises(IllegalMove):
        game.play("11-22")
    assert moves(game) == []


def test_taking_back_goes_to_the_persons_last_turn() -> None:
    game = contest("B")
    for move in ("11-15", "12-16"):
        game.play(move)
        game.answer()
    assert game.take_back() == 2
    assert moves(game)[0] == "11-15"
    assert len(moves(game)) == 2
    game.play("12-16")
    assert game.take_back() == 1


def test_the_computers_first_move_cannot_be_taken_back() -> None:
    game = contest("W")
    game.answer()
    with pytest.raises(ValueError, match="nothing to take back"):
        game.take_back()
    assert len(moves(game)) == 1


def test_two_people_take_back_one_move() -> None:
    game = contest("BW")
    game.play("11-15")
    game.play("22-18")
    assert game.take_back() == 1
    assert moves(game) == ["11-15"]


def test_a_resignation_loses_and_can_be_taken_back() -> None:
    game = contest("B")
    game.play("11-15")
    game.answer()
    game.resign()
    assert game.verdict == "White (first) wins: Black resigns."
    for refused in (game.resign, lambda: game.play("9-13")):
        with pytest.raises(ValueError, match="the game is over"):
            refused()
    assert game.take_back() == 0
    assert game.verdict == ""
    assert len(moves(game)) == 2


@pytest.mark.parametrize(
    ("people", "fen", "played", "verdict", "result"),
    [
        ("B", "B:W18:B14", "14x23", "Black (you) wins: White has no piece left.", "1-0"),
        ("W", "W:W18:B14", "18x9", "White (you) wins: Black has no piece left.", "0-1"),
        ("BW", "B:W29:B18,21", "18-22", "", "*"),
        ("BW", "B:W5:BK6,K2", "6-1", "Black wins: White cannot move.", "1-0"),
    ],
)
def test_how_games_end(people: str, fen: str, played: str, verdict: str, result: str) -> None:
    game = contest(people, fen)
    game.play(played)
    assert game.verdict == verdict
    (record,) = parse_pdn(game.pdn())
    assert record.result == record.tags["Result"] == result


def test_a_position_three_times_is_a_draw() -> None:
    game = contest("BW", "B:WK32:BK1")
    for move in ("1-5", "32-28", "5-1", "28-32") * 2:
        assert game.verdict == ""
        game.play(move)
    assert game.verdict == "Drawn: the position stood 3 times."
    (record,) = parse_pdn(game.pdn())
    assert record.result == "1/2-1/2"


def test_eighty_quiet_plies_are_a_draw() -> None:
    seen: Counter[Position] = Counter()

    def wander(position: Position, _: Sequence[Position], __: random.Random) -> Move:
        """Keep out of reach, and go where one has been least."""
        moves = position.legal_moves
        best = min(moves, key=lambda m: (position.after(m).has_capture, seen[position.after(m)]))
        seen[position.after(best)] += 1
        return best

    game = Contest(Position.from_fen("B:WK31,K32:BK1,K2"), "", Opponent("wanderer", wander, 0))
    game.answer()
    assert game.verdict == "Drawn: 80 plies without a capture or a man's move."
    assert len(game.nodes) == 80


def test_another_game_begins_from_the_same_position() -> None:
    game = contest("B", "B:W18:B14")
    game.play("14x23")
    game.begin()
    assert game.position.fen == "B:W18:B14"
    assert game.verdict == ""


def test_pdn_says_how_strong_the_computer_was() -> None:
    game = Contest(START, "W", Opponent("thinker", first_move, 0, "6 plies deep"))
    (record,) = parse_pdn(game.pdn())
    assert record.tags["Black"] == "thinker (6 plies deep)"


def test_pdn_says_who_played_and_from_where() -> None:
    game = contest("B", "B:W32:B1", seed=7)
    game.play("1-5")
    game.answer()
    (record,) = parse_pdn(game.pdn())
    assert record.tags["Black"] == "Person"
    assert record.tags["White"] == "first (seed 7)"
    assert record.start.fen == "B:W32:B1"
    assert [str(move) for move in record.moves] == moves(game)
    assert record.result == "*"
