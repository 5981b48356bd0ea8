"""A game in progress: who sits where, whose turn it is, how it ended."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple, TypeAlias

from crossboard.draughts import DrawRules, Move, Node, Outcome, Position, Record, result_for

# Whoever chooses moves for the computer, given the position, the game's positions before it, and
# a generator as the only source of chance.
Choose: TypeAlias = Callable[[Position, Sequence[Position], random.Random], Move]

COLOURS = {"B": "Black", "W": "White"}
OTHER = {"B": "W", "W": "B"}
RULES = DrawRules()


class Opponent(NamedTuple):
    """The computer's player, and the seed that its chances come from."""

    name: str
    choose: Choose
    seed: int
    strength: str = ""  # how long one that takes its time thinks; told instead of the seed
    options: tuple[str, ...] = ()  # of the command line, to meet it again

    @property
    def manner(self) -> str:
        """What makes it play as it does."""
        return self.strength or f"seed {self.seed}"


class Contest:
    """One game between people and the computer; `people` are the colours people play."""

    def __init__(self, start: Position, people: str, opponent: Opponent) -> None:
        self.start = start
        self.people = people
        self.opponent = opponent
        self._rng = random.Random(opponent.seed)
        self.begin()

    def begin(self) -> None:
        """Begin another game from the same position; the chances go on."""
        self.record = Record(self.start)
        self.resigned: str | None = None

    @property
    def position(self) -> Position:
        """The position now."""
        return self.record.position

    @property
    def nodes(self) -> list[Node]:
        """The moves so far, each with the position it led to."""
        return list(self.record.tree.main_line())

    @property
    def history(self) -> list[Position]:
        """The positions before the one now, oldest first."""
        return [self.start, *(node.position for node in self.nodes)][:-1]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        if self.resigned:
            return Outcome(OTHER[self.resigned], "resigned", len(self.nodes))
        return self.record.outcome(RULES)

    @property
    def verdict(self) -> str:
        """Who won and why, as a sentence; empty while the game goes on."""
        outcome = self.outcome
        if outcome is None:
            return ""
        if outcome.winner is None:
            return f"Drawn: {_why_drawn(outcome.reason)}."
        loser = OTHER[outcome.winner]
        if outcome.reason == "resigned":
            why = f"{COLOURS[loser]} resigns"
        elif self.position.pieces(loser):
            why = f"{COLOURS[loser]} cannot move"
        else:
            why = f"{COLOURS[loser]} has no piece left"
        return f"{self.describe(outcome.winner)} wins: {why}."

    def describe(self, colour: str) -> str:
        """Name a side and, if it is not people alone, who plays it."""
        if self.people == "BW":
            return COLOURS[colour]
        return f"{COLOURS[colour]} ({'you' if colour in self.people else self.opponent.name})"

    def play(self, text: str) -> None:
        """Make a person's move; raise IllegalMove if there is none written so."""
        if self.outcome:
            raise ValueError("the game is over")
        if self.is_computers_turn:  # it failed to answer
            turn = self.describe(self.position.turn)
            raise ValueError(f"it is the turn of {turn}: undo takes your last move back")
        self.record.play(text)

    @property
    def is_computers_turn(self) -> bool:
        """Whether the computer is to move."""
        return self.position.turn not in self.people and not self.outcome

    def answer(self) -> None:
        """Let the computer move, if it is its turn."""
        while self.is_computers_turn:
            self.record.play(self.opponent.choose(self.position, self.history, self._rng))

    def take_back(self) -> int:
        """Go back to a person's last turn, or before a resignation; return the plies undone."""
        if self.resigned:
            self.resigned = None
            return 0
        nodes = self.nodes
        turns = [self.start.turn, *(node.position.turn for node in nodes)]
        kept = next((i for i in range(len(nodes) - 1, -1, -1) if turns[i] in self.people), None)
        if kept is None:
            raise ValueError("there is nothing to take back")
        parent = nodes[kept].parent
        assert parent is not None  # every move has a place it was made from
        parent.variations.clear()
        return len(nodes) - kept

    def resign(self) -> None:
        """Give the game up for the side to move."""
        if self.outcome:
            raise ValueError("the game is over")
        self.resigned = self.position.turn

    def finished(self) -> Record:
        """Return the game with its result, '*' if it goes on."""
        outcome = self.outcome
        self.record.result = result_for(outcome.winner) if outcome else "*"
        return self.record

    def pdn(self) -> str:
        """Write the game as PDN, finished or not."""
        record = self.finished()
        computer = f"{self.opponent.name} ({self.opponent.manner})"
        players = {
            name: "Person" if colour in self.people else computer
            for colour, name in COLOURS.items()
        }
        record.tags = {
            "Event": "Crossboard game",
            "Date": date.today().strftime("%Y.%m.%d"),
            **players,
            "Result": record.result,
            "GameType": "21",
        }
        return record.pdn


def _why_drawn(reason: str) -> str:
    if reason == "repetition":
        return f"the position stood {RULES.repetitions} times"
    return f"{RULES.quiet_plies} plies without a capture or a man's move"
