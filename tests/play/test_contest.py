"""A game in progress: turns, taking back, and how it ends."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from drawn_specialists import drawn_player, turn_with_a_kept_choice

from crossboard import duchess
from crossboard.draughts import IllegalMove, Move, Position, parse_pdn
from crossboard.play.contest import Contest
from crossboard.play.thinkers import Dice, Thinker
from crossboard.players import GameTime, SearchLimits, load_player
from crossboard.protocols.hub_text import moves_between

START = Position()
MATE_IN_ONE = "4; 1:K1e1; 2:R1b2 Q1d4 K2a1; 3:K4e1; 4:R4b2 Q4d2 K5a1; turn 2"


def first_move(position: Any, _: Sequence[Any]) -> Any:
    return position.legal_moves[0]


@dataclass
class Fake:
    """A computer that chooses by a function."""

    choose: Callable[[Any, Sequence[Any]], Any] = first_move
    name: str = "first"
    manner: str = "seed 0"
    takes_time: bool = False
    stopped: int = 0

    def stop(self) -> None:
        self.stopped += 1


def against(computer: Any, people: str, start: Position = START) -> Contest:
    return Contest(start, {colour: computer for colour in "BW" if colour not in people})


def contest(people: str, fen: str | None = None, manner: str = "seed 0") -> Contest:
    start = Position.from_fen(fen) if fen else START
    return against(Fake(manner=manner), people, start)


def of_duchess(*people: int, start: duchess.Position | None = None) -> Contest:
    position = start or duchess.Position(4)
    seats = range(1, position.players + 1)
    return Contest(position, {seat: Fake() for seat in seats if seat not in people})


def moves(played: Contest) -> list[str]:
    return [str(move) for move in played.moves]


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
    def play(seed: int) -> list[str]:
        game = against(Dice("random", "draughts", seed), "")
        game.answer()
        return moves(game)

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_the_computer_is_told_the_positions_before() -> None:
    told = []

    def listen(position: Position, history: Sequence[Position]) -> Move:
        told.append((*history, position))
        return position.legal_moves[0]

    game, positions = against(Fake(listen), "B"), [START]
    for _ in range(2):
        game.play(str(game.position.legal_moves[0]))
        positions.append(game.position)
        game.answer()
        positions.append(game.position)
    assert told == [tuple(positions[:2]), tuple(positions[:4])]
    assert game.history == tuple(positions[:4])


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
    (record,) = parse_pdn(game.text())
    assert record.result == record.tags["Result"] == result


def test_a_position_three_times_is_a_draw() -> None:
    game = contest("BW", "B:WK32:BK1")
    for move in ("1-5", "32-28", "5-1", "28-32") * 2:
        assert game.verdict == ""
        game.play(move)
    assert game.verdict == "Drawn: the position stood 3 times."
    (record,) = parse_pdn(game.text())
    assert record.result == "1/2-1/2"


def test_eighty_quiet_plies_are_a_draw() -> None:
    seen: Counter[Position] = Counter()

    def wander(position: Position, _: Sequence[Position]) -> Move:
        """Keep out of reach, and go where one has been least."""
        moves = position.legal_moves
        best = min(moves, key=lambda m: (position.after(m).has_capture, seen[position.after(m)]))
        seen[position.after(best)] += 1
        return best

    game = against(Fake(wander), "", Position.from_fen("B:WK31,K32:BK1,K2"))
    game.answer()
    assert game.verdict == "Drawn: 80 plies without a capture or a man's move."
    assert len(game.moves) == 80


def test_another_game_begins_from_the_same_position() -> None:
    game = contest("B", "B:W18:B14")
    game.play("14x23")
    game.begin()
    assert game.position.fen == "B:W18:B14"
    assert game.verdict == ""


def test_pdn_says_how_strong_the_computer_was() -> None:
    game = against(Fake(name="thinker", manner="6 plies deep"), "W")
    (record,) = parse_pdn(game.text())
    assert record.tags["Black"] == "thinker (6 plies deep)"


def test_pdn_says_who_played_and_from_where() -> None:
    game = contest("B", "B:W32:B1", manner="seed 7")
    game.play("1-5")
    game.answer()
    (record,) = parse_pdn(game.text())
    assert record.tags["Black"] == "Person"
    assert record.tags["White"] == "first (seed 7)"
    assert record.start.fen == "B:W32:B1"
    assert [str(move) for move in record.moves] == moves(game)
    assert record.result == "*"


def test_a_game_tells_whose_turn_it_is_and_who_moved() -> None:
    game = contest("B")
    game.play("11-15")
    assert game.turn == "W"
    assert game.computer_on_turn is game.computers["W"]
    game.answer()
    assert (game.turn, game.computer_on_turn) == ("B", None)
    assert [(one.seat, one.text) for one in game.played] == [
        ("B", "11-15"),
        ("W", moves(game)[1]),
    ]
    game.resign()
    assert game.turn is None


def test_a_computer_that_fails_leaves_the_game_as_it_is() -> None:
    def fail(*_: object) -> Move:
        raise ValueError("no answer")

    game = against(Fake(fail), "B")
    game.play("11-15")
    with pytest.raises(ValueError, match="no answer"):
        game.answer()
    with pytest.raises(ValueError, match=r"it is the turn of White \(first\)"):
        game.play("22-18")
    assert moves(game) == ["11-15"]
    assert game.take_back() == 1


# ---- any number of seats


def test_all_seats_without_people_are_answered() -> None:
    game = of_duchess(1, 3)
    game.play("P1a3-1a4")
    assert game.answer() == 1
    assert game.turn == 3
    assert game.people == (1, 3)
    assert [one.seat for one in game.played] == [1, 2]


def test_taking_back_goes_over_all_answers() -> None:
    game = of_duchess(1)
    game.play("P1a3-1a4")
    assert game.answer() == 3
    assert game.take_back() == 4
    assert (moves(game), game.turn) == ([], 1)
    with pytest.raises(ValueError, match="nothing to take back"):
        game.take_back()


def test_a_seat_that_cannot_move_is_skipped_even_if_it_is_a_persons() -> None:
    text = "4; 1:K1a1; 2:K2a1 Q1d2 R1b2; 3:K4e1 P4a3; 4:K5a1; turn 1"
    stuck = duchess.Position.from_text(text)
    assert stuck.must_pass
    game = of_duchess(1, 2, 3, 4, start=stuck)
    assert game.must_pass
    assert game.answer() == 1
    assert moves(game) == ["pass"]
    with pytest.raises(ValueError, match="nothing to take back"):
        game.take_back()


def test_a_team_wins() -> None:
    start = duchess.Position.from_text(MATE_IN_ONE)
    game = Contest(start, dict.fromkeys((2, 4), Thinker("duchess-0", SearchLimits(depth=3))))
    game.answer()
    while game.ending is None:
        game.play(str(game.position.legal_moves[0]))
        game.answer()
    assert game.verdict == "The even team wins: all its enemies are mated."
    (record,) = duchess.parse_records(game.text())
    assert record.result == record.tags["Result"] == "0-1"
    assert record.start == start
    assert (record.tags["Player1"], record.tags["Player2"]) == (
        "Person",
        "duchess-0 (3 plies deep)",
    )


def test_the_board_is_seen_from_the_seat_on_turn_and_at_the_end_by_a_person() -> None:
    game = of_duchess(1)
    assert game.viewpoint == 1
    game.play("P1a3-1a4")
    assert game.viewpoint == 2
    game.answer()
    game.play(str(game.position.legal_moves[0]))
    game.resign()  # by player 2, whose turn it is
    assert game.viewpoint == 1


def test_a_player_of_a_team_resigns_for_all_of_it() -> None:
    game = of_duchess(1)
    game.resign()
    assert game.verdict == "The even team wins: Player 1 resigns."
    assert game.take_back() == 0
    assert game.verdict == ""


def test_a_computer_takes_over_when_a_person_leaves() -> None:
    game = of_duchess(1, 2)
    game.play("P1a3-1a4")
    assert game.answer() == 0
    game.give_seat(2, Fake(name="deputy"))
    assert game.describe(2) == "Player 2 (deputy)"
    assert game.answer() == 3
    game.give_seat(2, None)
    assert game.people == (1, 2)
    with pytest.raises(ValueError, match="there is no seat 5"):
        game.give_seat(5, None)


# ---- threads


def answering(game: Contest) -> threading.Thread:
    thread = threading.Thread(target=game.answer)
    thread.start()
    return thread


def test_thinking_can_be_stopped_and_the_move_is_not_made() -> None:
    game = against(Thinker("material", SearchLimits(depth=200)), "B")
    game.play("11-15")
    thread = answering(game)
    while not game.is_thinking:
        time.sleep(0.001)
    game.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert not game.is_thinking
    assert moves(game) == ["11-15"]


@pytest.mark.parametrize("change", [Contest.take_back, Contest.begin, Contest.resign])
def test_a_change_ends_the_thinking_first(change: Callable[[Contest], object]) -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Slow(Fake):
        def stop(self) -> None:
            go_on.set()

    def ponder(position: Position, _: Sequence[Position]) -> Move:
        begun.set()
        assert go_on.wait(60)
        return position.legal_moves[0]

    game = against(Slow(ponder), "B")
    game.play("11-15")
    thread = answering(game)
    assert begun.wait(60)
    with pytest.raises(ValueError, match="thinks already"):
        game.answer()
    change(game)
    thread.join(60)
    assert not thread.is_alive()
    assert moves(game) in ([], ["11-15"])


def test_a_change_waits_for_a_thread_that_thinks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, threads, stop = threading.Event(), list[threading.Thread](), Contest.stop

    class Slow(Fake):
        def stop(self) -> None:
            go_on.set()

    def ponder(position: Position, _: Sequence[Position]) -> Move:
        assert go_on.wait(60)
        return position.legal_moves[0]

    def stop_and_answer(game: Contest) -> None:
        """Stop, and let another thread begin again before the change has the lock."""
        stop(game)
        if not threads:
            go_on.clear()
            threads.append(answering(game))
            while not game.is_thinking:
                time.sleep(0.001)

    game = against(Slow(ponder), "B")
    game.play("11-15")
    monkeypatch.setattr(Contest, "stop", stop_and_answer)
    assert game.take_back() == 1
    threads[0].join(60)
    assert not game.is_thinking
    assert moves(game) == []


def test_an_engine_that_dies_of_being_stopped_is_no_error() -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Killed(Fake):
        def stop(self) -> None:
            go_on.set()

    def die(*_: object) -> Move:
        begun.set()
        assert go_on.wait(60)
        raise ValueError("the engine has died")

    game = against(Killed(die), "W")
    failures: list[ValueError] = []

    def answer() -> None:
        try:
            game.answer()
        except ValueError as error:
            failures.append(error)

    thread = threading.Thread(target=answer)
    thread.start()
    assert begun.wait(60)
    game.stop()
    thread.join(60)
    assert failures == []
    assert moves(game) == []


def test_different_games_are_played_at_the_same_time() -> None:
    def new() -> Contest:
        return against(Thinker("material", SearchLimits(depth=4)), "", START)

    def finish(game: Contest) -> None:
        game.answer()

    alone, *others = (new() for _ in range(3))
    finish(alone)
    threads = [threading.Thread(target=finish, args=(game,)) for game in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert alone.ending is not None
    assert [game.moves for game in others] == [alone.moves, alone.moves]


# ---- specialists


def test_a_specialist_stays_in_a_game_with_a_person_and_after_taking_back(
    tmp_path: Path,
) -> None:
    drawn_player().save(tmp_path)
    player = load_player(tmp_path)
    line, kept = turn_with_a_kept_choice(player)
    position = line[-1]
    assert kept != player.choose(position)
    _, known = moves_between(line)
    thinker = Thinker(str(tmp_path))
    game = Contest(Position(), {})
    for move in known[:-1]:
        game.play(str(move))
    game.give_seat(position.turn, thinker)
    for _ in range(2):
        game.play(str(known[-1]))
        assert game.position == position
        game.answer()
        assert game.moves[len(known)] == kept
        # What another game chooses meanwhile is its own affair.
        thinker.choose(position, ())
        assert game.take_back() == 2
    assert list(game.moves) == known[:-1]


# ---- clocks


class Watch:
    """Shows what it was set to."""

    seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class Ponderer:
    """Takes its time by a watch; remembers what it had."""

    name = manner = "ponderer"
    takes_time = True

    def __init__(self, watch: Watch, pause: float) -> None:
        self.watch, self.pause = watch, pause
        self.told: list[GameTime | None] = []

    def choose(self, position: Any, history: Sequence[Any], time: GameTime | None = None) -> Any:
        self.told.append(time)
        self.watch.seconds += self.pause
        return position.legal_moves[0]

    def stop(self) -> None:
        pass


def clocked(watch: Watch, computer: Ponderer | None = None, start: Any = START) -> Contest:
    computers = {} if computer is None else {"W": computer}
    return Contest(start, computers, time=GameTime(60.0, 5.0), watch=watch)


def test_clocks_run_in_turn() -> None:
    watch = Watch()
    game = clocked(watch)
    assert [game.seconds_left(seat) for seat in "BW"] == [65.0, 65.0]
    watch.seconds += 20
    assert [game.seconds_left(seat) for seat in "BW"] == [45.0, 65.0]
    game.play("11-15")
    watch.seconds += 1
    assert [game.seconds_left(seat) for seat in "BW"] == [50.0, 64.0]


def test_a_computer_is_told_its_clock_and_may_lose_by_it() -> None:
    watch = Watch()
    computer = Ponderer(watch, 40.0)
    game = clocked(watch, computer)
    game.play("11-15")
    game.answer()
    game.play(str(game.position.legal_moves[0]))
    game.answer()
    assert computer.told == [GameTime(60.0, 5.0), GameTime(25.0, 5.0)]
    assert len(game.moves) == 3  # its second move came too late
    assert game.ending == ("B", "out of time", 3)
    assert game.verdict == "Black (you) wins: White is out of time."


def test_a_person_that_is_late_has_lost() -> None:
    watch = Watch()
    game = clocked(watch)
    assert not game.check_time()
    watch.seconds += 66
    game.play("11-15")
    assert moves(game) == []
    assert game.verdict == "White wins: Black is out of time."
    (record,) = parse_pdn(game.text())
    assert record.result == "0-1"
    assert "out of time" in game.text()
    assert not game.check_time()  # it is over already


def test_a_flag_falls_without_a_move() -> None:
    watch = Watch()
    game = clocked(watch)
    watch.seconds += 66
    assert game.check_time()
    assert game.turn is None
    assert game.take_back() == 0  # the loss
    assert game.ending is None
    assert game.seconds_left("B") == 65.0


def test_taking_back_sets_clocks_back() -> None:
    watch = Watch()
    game = clocked(watch, Ponderer(watch, 3.0))
    watch.seconds += 10
    game.play("11-15")
    game.answer()
    assert game.seconds_left("B") == 60.0
    game.take_back()
    assert [game.seconds_left(seat) for seat in "BW"] == [65.0, 65.0]
    watch.seconds += 1
    game.begin()
    assert game.seconds_left("B") == 65.0


def test_a_skipped_turn_takes_no_time_and_adds_none() -> None:
    watch = Watch()
    start = duchess.Position.from_text(MATE_IN_ONE)
    game = Contest(start, time=GameTime(60.0, 5.0), watch=watch)
    mate = next(move for move in start.legal_moves if start.after(move).flags != start.flags)
    game.play(str(mate))
    game.answer()
    skipped = [at.turn for at in game.history if not at.legal_moves]
    for seat in skipped:
        assert game.seconds_left(seat) == 65.0


def test_without_clocks_there_is_nothing_to_show() -> None:
    game = contest("BW")
    assert not game.check_time()
    with pytest.raises(ValueError, match="no clocks"):
        game.seconds_left("B")
