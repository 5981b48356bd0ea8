"""A game of Duchess between people and the computer: seats, moves, what can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple, TypeAlias

from crossboard.duchess import MAX_QUIET_PLIES, Move, Outcome, Position, Record, result_for

# Whoever chooses moves for the computer, given the position and the game's positions before it.
Choose: TypeAlias = Callable[[Position, Sequence[Position]], Move]

TEAMS = {"odd": "The odd team", "even": "The even team"}
PASS = Move("pass")


class DuchessComputer(NamedTuple):
    """Who plays in the seats without people."""

    name: str
    choose: Choose
    options: tuple[str, ...] = ()  # of the command line, to meet it again


class DuchessContest:
    """One game; `people` are the players, from 1, that people play."""

    def __init__(self, start: Position, people: frozenset[int], computer: DuchessComputer) -> None:
        self.start = start
        self.people = people
        self.computer = computer
        self.begin()

    def begin(self) -> None:
        """Begin another game from the same position."""
        self.record = Record(self.start)

    @property
    def position(self) -> Position:
        """The position now."""
        return self.record.position

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self.record.outcome()

    @property
    def verdict(self) -> str:
        """Who won and why, as a sentence; empty while the game goes on."""
        outcome = self.outcome
        if outcome is None:
            return ""
        if outcome.winner is not None:
            return f"{TEAMS[outcome.winner]} wins: all its enemies are mated."
        if outcome.reason == "quiet":
            return f"Drawn: {MAX_QUIET_PLIES} plies without a capture or a promotion."
        return "Drawn: nobody can move."

    @property
    def seat(self) -> int:
        """Where the board is seen from: by who is on turn, at the end by whoever moved last of all.

        If people play it is one of them.
        """
        if self.outcome is None:
            return self.position.turn
        turns = [position.turn for position in self.record.positions()][:-1]
        seen = [turn for turn in turns if not self.people or turn in self.people]
        return seen[-1] if seen else self.position.turn

    def describe(self, player: int) -> str:
        """Name a player and who plays it."""
        who = "you" if player in self.people else self.computer.name
        return f"Player {player} ({who})"

    def play(self, text: str) -> None:
        """Make a person's move; raise IllegalMove if there is none written so."""
        if self.outcome:
            raise ValueError("the game is over")
        self.record.play(text)

    def go_on(self) -> int:
        """Let the computer move, and skip who cannot, up to a person's turn; return the plies."""
        before = len(self.record.moves)
        while self.outcome is None:
            position = self.position
            if position.must_pass:
                self.record.play(PASS)
            elif position.turn in self.people:
                break
            else:
                self.record.play(self.computer.choose(position, list(self.record.positions())[:-1]))
        return len(self.record.moves) - before

    def take_back(self) -> int:
        """Go back to a person's last move; return the plies undone."""
        positions = list(self.record.positions())
        turns = [
            at
            for at, position in enumerate(positions[:-1])
            if position.turn in self.people and not position.must_pass
        ]
        if not turns:
            raise ValueError("there is nothing to take back")
        moves = self.record.moves
        self.begin()
        for move in moves[: turns[-1]]:
            self.record.play(move)
        return len(moves) - turns[-1]

    def text(self) -> str:
        """Write the game as a record, finished or not."""
        outcome = self.outcome
        players = {
            f"Player{n}": "Person" if n in self.people else self.computer.name
            for n in range(1, self.start.players + 1)
        }
        today = date.today().strftime("%Y.%m.%d")
        self.record.tags |= {"Event": "Crossboard game", "Date": today, **players}
        self.record.result = result_for(outcome.winner) if outcome else "*"
        return self.record.text
