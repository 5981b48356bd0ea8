"""A game in progress for any number of seats: moves, turns, taking back, and how it ends."""

from __future__ import annotations

import threading
import time as timing
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from typing import cast

from crossboard.play.standing import (
    AGREED,
    OUTSIDE_THE_BOARD,
    RESIGNED,
    Computer,
    Ending,
    Played,
    State,
)
from crossboard.players.game_time import OUT_OF_TIME, GameTime
from crossboard.players.games import AnyMove, AnyPosition, AnyRecord, Seat, game_of

# A computer that is stopped before it is asked does not notice, so it is stopped again.
STOP_AGAIN_SECONDS = 0.005


class Contest:
    """One game; the seats that `computers` names are theirs, all others are people's.

    Nothing here prints or waits for a person. Contests share nothing, so threads may play
    different ones at the same time. While one thread waits in `answer`, others may look at the
    game, and `stop` it; whatever changes the game stops the thinking first. With a `time` every
    seat has a clock, which runs from the move before its own; `watch` tells the seconds.
    """

    def __init__(
        self,
        start: AnyPosition,
        computers: Mapping[Seat, Computer] | None = None,
        *,
        time: GameTime | None = None,
        watch: Callable[[], float] = timing.monotonic,
    ) -> None:
        self.game = game_of(start)
        self.start = start
        self.seats = self.game.seats(start)
        self.computers = dict(computers or {})
        self._changing = threading.Lock()
        self._idle = threading.Event()
        self._idle.set()
        self._is_stopped = False
        self.time = time
        self._watch = watch
        self._state = self._state_after(())
        self._turn_began = watch()

    # ---- how it stands

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people have."""
        return tuple(seat for seat in self.seats if seat not in self.computers)

    @property
    def moves(self) -> tuple[AnyMove, ...]:
        """The moves so far, skipped turns too."""
        return self._state.moves

    @property
    def position(self) -> AnyPosition:
        """The position now."""
        return self._state.positions[-1]

    @property
    def history(self) -> tuple[AnyPosition, ...]:
        """The positions before the one now, oldest first."""
        return self._state.positions[:-1]

    @property
    def played(self) -> list[Played]:
        """The moves so far with the seats that made them."""
        state = self._state
        pairs = zip(state.positions[:-1], state.moves, strict=True)
        return [Played(at.turn, move, self.game.format_move(at, move)) for at, move in pairs]

    @property
    def turn(self) -> Seat | None:
        """The seat that is to move; None after the end."""
        state = self._state
        return None if state.ending else state.positions[-1].turn

    @property
    def must_pass(self) -> bool:
        """Whether the seat that is to move can only be skipped."""
        state = self._state
        return state.ending is None and not state.positions[-1].legal_moves

    @property
    def computer_on_turn(self) -> Computer | None:
        """The computer that is to move, if one is."""
        turn = self.turn
        return None if turn is None else self.computers.get(turn)

    @property
    def is_thinking(self) -> bool:
        """Whether a thread waits in `answer`."""
        return not self._idle.is_set()

    @property
    def viewpoint(self) -> Seat:
        """The seat from which to see the board: on turn, or at the end the last that moved.

        At the end it is one of the people's seats, if there are any.
        """
        state, people = self._state, self.people
        if state.ending is None:
            return cast("Seat", state.positions[-1].turn)
        seats = [position.turn for position in state.positions[:-1]]
        seen = [seat for seat in seats if not people or seat in people]
        return cast("Seat", seen[-1] if seen else state.positions[-1].turn)

    @property
    def ending(self) -> Ending | None:
        """How the game ended, None while it goes on."""
        return self._state.ending

    def seconds_left(self, seat: Seat) -> float:
        """Return what a seat's clock shows, its next increment included; below 0 it has lost.

        Raises ValueError if there are no clocks.
        """
        left = self._time_of(seat).for_next_move
        return left - self._seconds_used() if seat == self.turn else left

    @property
    def time_left(self) -> GameTime:
        """What the seat on turn has left; time may have passed since its turn began.

        Raises ValueError if there are no clocks.
        """
        left = self._time_of(self.position.turn)
        return left._replace(seconds=left.seconds - self._seconds_used())

    # ---- words for people

    @property
    def verdict(self) -> str:
        """Which side won and why, as a sentence; empty while the game goes on."""
        state = self._state
        ending, resigned = state.ending, state.resigned
        if ending is None:
            return ""
        if ending.winner is None:
            agreed = ending.reason == AGREED
            why = "by agreement" if agreed else self.game.why_drawn(ending.reason)
            return f"Drawn: {why}."
        if ending.reason == OUT_OF_TIME:
            why = f"{self.game.seat_title(cast('Seat', resigned))} is {OUT_OF_TIME}"
        elif resigned is not None:
            why = f"{self.game.seat_title(resigned)} resigns"
        else:
            why = self.game.why_lost(self.game.other(ending.winner), state.positions[-1])
        return f"{self.describe_side(ending.winner)} wins: {why}."

    def describe(self, seat: Seat) -> str:
        """Name a seat and, unless people have all of them, who plays there."""
        title = self.game.seat_title(seat)
        if not self.computers:
            return title
        return f"{title} ({self.computers[seat].name if seat in self.computers else 'you'})"

    def describe_side(self, side: str) -> str:
        """Name a side, as its seat if it has but one."""
        seats = [seat for seat in self.seats if self.game.side_of_seat(seat) == side]
        return self.describe(seats[0]) if len(seats) == 1 else self.game.side_title(side)

    # ---- what happens to it

    def play(self, text: str) -> None:
        """Make a person's move; raise IllegalMove if there is none written so.

        One that comes after its time is not made: the game is lost.
        """
        with self._changing:
            self._check_goes_on()
            if self.computer_on_turn is not None:  # it failed to answer, or is about to
                turn = self.describe(self.position.turn)
                raise ValueError(f"it is the turn of {turn}: undo takes your last move back")
            self._add(self.position.parse_move(text))

    def follow(self, text: str, seconds: float | None = None) -> None:
        """Make a recorded move of a person or a computer; raise IllegalMove if there is none.

        `seconds` are those that it took, if they are known.
        """
        with self._changing:
            self._check_goes_on()
            if self.must_pass:
                (move,) = self.game.moves(self.position)
            else:
                move = self.position.parse_move(text)
            used = self._seconds_used() if seconds is None else seconds
            self._go_to((*self.moves, move), (*self._state.used, used))

    def answer(self) -> int:
        """Let the computers move, and skip seats that cannot, up to a person's turn.

        Return the plies. Raises ValueError if a computer has no answer; the game stays as it is.
        """
        self._begin_thinking()
        before = len(self.moves)
        try:
            while self._answer_once():
                pass
        finally:
            self._idle.set()
        return len(self.moves) - before

    def stop(self) -> None:
        """End the thinking that another thread waits for; the move is not made."""
        with self._changing:
            self._is_stopped = True
        while not self._idle.wait(STOP_AGAIN_SECONDS):
            for computer in self.computers.values():
                computer.stop()

    def check_time(self) -> bool:
        """End the game if the seat on turn has used up its time; return whether it has."""
        with self._changing:
            is_late = self.time is not None and self.turn is not None and self._is_late()
            if is_late and not self.is_thinking:  # a computer's move is judged when it comes
                self._lose(self.position.turn, OUT_OF_TIME)
                return True
            return False

    def take_back(self) -> int:
        """Go back to a person's last move, or before a resignation; return the plies undone.

        Clocks go back too, and so does a loss on time.
        """
        with self._interrupting():
            plies = self.plies_to_take_back()
            self._go_back(plies)
            return plies

    def plies_to_take_back(self) -> int:
        """Return the plies since a person's last move, 0 after the end without a move.

        Raises ValueError if no person has moved yet.
        """
        if self.ending is not None and self.ending.reason in OUTSIDE_THE_BOARD:
            return 0
        return len(self.moves) - self._last_choice()

    def go_back(self, plies: int) -> None:
        """Take back so many plies of all players; with 0, an agreement or a resignation."""
        with self._interrupting():
            self._go_back(plies)

    def resign(self, seat: Seat | None = None) -> None:
        """Give the game up for a seat, or else for the side to move."""
        with self._interrupting():
            self._check_goes_on()
            self._lose(self.position.turn if seat is None else seat, RESIGNED)

    def run_out(self, seat: Seat) -> None:
        """End the game for a seat that has used up its time."""
        with self._interrupting():
            self._check_goes_on()
            self._lose(seat, OUT_OF_TIME)

    def agree_draw(self) -> None:
        """End the game as drawn because both sides want it."""
        with self._interrupting():
            self._check_goes_on()
            self._state = self._state._replace(ending=Ending(None, AGREED, len(self.moves)))

    def begin(self) -> None:
        """Begin another game from the same position with the same players."""
        with self._interrupting():
            self._go_to((), ())

    def begin_as(self, other: Contest) -> None:
        """Stand as another contest does now."""
        with self._interrupting():
            self._state = other._state

    def give_seat(self, seat: Seat, computer: Computer | None) -> None:
        """Let a computer, or a person (None), play in a seat from now on."""
        if seat not in self.seats:
            raise ValueError(f"there is no seat {seat}: there are {self.seats}")
        with self._interrupting():
            given = {} if computer is None else {seat: computer}
            # A new mapping: other threads may be reading the old one.
            others = {at: one for at, one in self.computers.items() if at != seat}
            self.computers = others | given

    # ---- what is kept of it

    def record(self) -> AnyRecord:
        """Return the game so far with its players and its result, '*' if it goes on."""
        state = self._state
        result = self.game.result_for(state.ending.winner) if state.ending else "*"
        tags = {
            "Event": "Crossboard game",
            "Date": date.today().strftime("%Y.%m.%d"),
            **{self.game.seat_tag(seat): self._name_in_record(seat) for seat in self.seats},
            "Result": result,
            **self.game.record_tags,
        }
        is_late = state.ending is not None and state.ending.reason == OUT_OF_TIME
        comment = OUT_OF_TIME if is_late else ""
        record = self.game.record(self.start, state.moves, tags=tags, comment=comment)
        record.result = result
        return record

    def text(self) -> str:
        """Write the game down, finished or not: PDN, or a record of Duchess."""
        return self.game.format_record(self.record())

    def _name_in_record(self, seat: Seat) -> str:
        computer = self.computers.get(seat)
        return "Person" if computer is None else f"{computer.name} ({computer.manner})"

    # ---- inside; what changes the game holds the lock

    @contextmanager
    def _interrupting(self) -> Iterator[None]:
        """Stop the thinking and hold the lock while no thread thinks."""
        while True:
            self.stop()
            with self._changing:
                if not self.is_thinking:  # another thread may have begun again meanwhile
                    yield
                    return

    def _begin_thinking(self) -> None:
        with self._changing:
            if self.is_thinking:
                raise ValueError("the computer thinks already")
            self._is_stopped = False
            self._idle.clear()

    def _answer_once(self) -> bool:
        """Make one move that no person makes; return whether there was one to make."""
        if self.must_pass:
            (move,) = self.game.moves(self.position)
        elif (computer := self.computer_on_turn) is None:
            return False
        else:
            try:
                move = self._ask(computer)
            except ValueError:
                if self._is_stopped:
                    return False
                raise
        with self._changing:
            if self._is_stopped:
                return False
            self._add(move)
        return True

    def _check_goes_on(self) -> None:
        if self.ending:
            raise ValueError("the game is over")

    def _go_back(self, plies: int) -> None:
        kept = len(self.moves) - plies
        if kept < 0:
            raise ValueError(f"{plies} plies cannot be taken back: {len(self.moves)} were made")
        self._go_to(self.moves[:kept], self._state.used[:kept])

    def _last_choice(self) -> int:
        """Return the ply of the last move that a person chose; raise ValueError if none did."""
        history = self.history
        for ply in reversed(range(len(history))):
            if history[ply].turn not in self.computers and history[ply].legal_moves:
                return ply
        raise ValueError("there is nothing to take back")

    def _ask(self, computer: Computer) -> AnyMove:
        position, history = self.position, self.history
        if self.time is None:
            return computer.choose(position, history)
        return computer.choose(position, history, self.time_left)

    def _add(self, move: AnyMove) -> None:
        """Make a move, or lose the game if it comes too late."""
        state = self._state
        if self.time is not None and not self.must_pass and self._is_late():
            self._lose(self.position.turn, OUT_OF_TIME)
        else:
            self._go_to((*state.moves, move), (*state.used, self._seconds_used()))

    def _go_to(self, moves: tuple[AnyMove, ...], used: tuple[float, ...]) -> None:
        self._state = self._state_after(moves)._replace(used=used)
        self._turn_began = self._watch()

    def _lose(self, seat: Seat, reason: str) -> None:
        winner = self.game.other(self.game.side_of_seat(seat))
        ending = Ending(winner, reason, len(self.moves))
        self._state = self._state._replace(ending=ending, resigned=seat)

    def _seconds_used(self) -> float:
        """Return the seconds since the turn began."""
        return self._watch() - self._turn_began

    def _is_late(self) -> bool:
        return self.seconds_left(self.position.turn) < 0

    def _time_of(self, seat: Seat) -> GameTime:
        """Return what a seat had left when it last moved."""
        if self.time is None:
            raise ValueError("this game has no clocks")
        left, state = self.time, self._state
        for position, used in zip(state.positions, state.used, strict=False):
            if position.turn == seat and position.legal_moves:  # a skipped turn adds nothing
                left = left.after(used)
        return left

    def _state_after(self, moves: tuple[AnyMove, ...]) -> State:
        positions = [self.start]
        for move in moves:
            positions.append(positions[-1].after(move))
        outcome = self.game.record(self.start, moves).outcome()
        return State(moves, tuple(positions), None if outcome is None else Ending(*outcome))
