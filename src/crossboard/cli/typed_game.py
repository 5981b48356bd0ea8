"""A game at the keyboard: what can be typed in every game, and the answers to it."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from crossboard.cli.files import OwnFiles
from crossboard.cli.keyboard import read_line
from crossboard.play.contest import Contest
from crossboard.play.lines import format_line, format_value
from crossboard.play.standing import Played
from crossboard.play.thinkers import Thinker
from crossboard.play.wording import command_line, counted, format_clock, one_line, whole_text
from crossboard.players import SearchResult
from crossboard.players.games import AnyMove

if TYPE_CHECKING:
    from crossboard.play.learner import GameLesson, Learner

OFFER = "Keep the game with save FILE; new begins another, quit leaves."
HINT_MOVES = 6


class Leave(Exception):
    """The person wants to go."""


class TypedGame(ABC):
    """Plays a contest with a person at the keyboard, or with lines from a pipe.

    A person sees the board after every turn; a pipe gets a line for each move and no prompts.
    """

    move_help: ClassVar[tuple[str, str]]  # a move as it is typed, and what it means
    commands: ClassVar[Mapping[str, Command]]

    def __init__(
        self,
        contest: Contest,
        adviser: Thinker,
        again: tuple[str, ...],
        learner: Learner | None = None,
    ) -> None:
        self.contest = contest
        self._adviser = adviser  # asked for hints
        self._again = again  # options that meet the same opponents
        self._learner = learner  # the opponent, if it learns from its games
        self._has_person = sys.stdin.isatty()
        self._plies_told = 0
        self._files = OwnFiles()

    def play(self) -> None:
        """Play until the person leaves; Ctrl-C goes on to the caller after a last word."""
        try:
            self.introduce()
            while (line := read_line(self._prompt())) is not None:
                self.obey(line)
        except Leave:
            pass
        except KeyboardInterrupt:
            print()  # the line of the prompt stands unfinished
            self._take_leave()
            raise
        self._take_leave()

    def obey(self, line: str) -> None:
        """Do what a line says, or say why not."""
        text = whole_text(line).strip()
        word, _, argument = text.partition(" ")
        if self.contest.check_time():
            self.go_on()
        try:
            if command := self.commands.get(word.lower()):
                command.obey(self, argument.strip())
            elif text:
                self.move(text)
        except ValueError as error:
            # Why it is illegal, without the position that stands above it anyway.
            position = self.contest.game.format(self.contest.position)
            self.say(one_line(str(error).replace(f" is not legal in {position}", "")))

    # ---- what a game has of its own

    @abstractmethod
    def introduce(self) -> None:
        """Print what comes first, and let the computers move."""

    @abstractmethod
    def say(self, text: str, style: str | None = None) -> None:
        """Print a text, if there is any."""

    @abstractmethod
    def draw_board(self) -> None:
        """Draw the board once more."""

    @abstractmethod
    def show_turn(self, message: str) -> None:
        """Show what has happened, with a message, and how things stand."""

    @abstractmethod
    def format_played(self, played: Played) -> str:
        """Write a move that was played, and the seat that played it."""

    def waiting_for(self, name: str) -> AbstractContextManager[Any]:
        """Show a person that a computer thinks."""
        return nullcontext()

    def opinion(self, found: SearchResult) -> str:
        """Write what a hint is worth."""
        return format_value(found.value, found.win_in)

    def list_moves(self, argument: str) -> Sequence[AnyMove]:
        """Return the legal moves that an argument asks for; raise ValueError if there is none."""
        return self.contest.game.moves(self.contest.position)

    # ---- what can be typed

    def move(self, text: str) -> None:
        """Make a person's move."""
        self.contest.play(text)
        self.go_on()

    def show_help(self, _: str) -> None:
        """Say what can be typed."""
        lines = [self.move_help, *((one.usage, one.help) for one in self.commands.values())]
        room = max(len(usage) for usage, _ in lines)
        for usage, text in lines:
            self.say(f"{usage:<{room}} {text}")

    def show_moves(self, argument: str) -> None:
        """List what may be played."""
        self._check_goes_on()
        position, moves = self.contest.position, self.list_moves(argument)
        self.say(", ".join(self.contest.game.format_move(position, move) for move in moves))

    def show_hint(self, _: str) -> None:
        """Say what the computer would play, and what it thinks of that."""
        self._check_goes_on()
        position = self.contest.position
        with self.waiting_for("The computer"):
            found = self._adviser.think(position, self.contest.history)
        line = format_line(position, found.pv, most=HINT_MOVES)
        self.say(f"Hint: {line} ({self.opinion(found)})")

    def show_board(self, _: str) -> None:
        """Draw the board once more."""
        self.draw_board()

    def take_back(self, _: str) -> None:
        """Take back the person's last move and the answers to it."""
        plies = self.contest.take_back()
        back = counted(plies, "move") if plies else "The resignation"
        forgets = self._learner is not None and self._learner.forget()
        forgotten = " What was learnt from the game is forgotten." if forgets else ""
        self._plies_told = min(self._plies_told, len(self.contest.moves))
        self.go_on(f"{back} taken back.{forgotten}")

    def resign(self, _: str) -> None:
        """Give up."""
        self.contest.resign()
        self.go_on()

    def save(self, path: str) -> None:
        """Save the game, never over a file that was there before."""
        if not path:
            raise ValueError(f"save where? Try: save game{self.contest.game.record_suffix}")
        self.say(f"Saved in {one_line(self._files.save(path, self.contest.text()))}.")

    def begin_again(self, _: str) -> None:
        """Begin another game."""
        self.contest.begin()
        if self._learner:
            self._learner.begin()
        self._plies_told = 0
        self.go_on("A new game.")

    def leave(self, _: str) -> None:
        """Go."""
        raise Leave

    # ---- how it goes on

    def go_on(self, message: str = "") -> None:
        """Let the computers move, then show how things stand."""
        computer = self.contest.computer_on_turn
        waits = computer is not None and computer.takes_time
        with self.waiting_for(computer.name) if computer and waits else nullcontext():
            self.contest.answer()
        self.show_turn(message)
        self.say(self._clocks())
        if verdict := self.contest.verdict:
            self.say(verdict, style="bold")
            if self._learner:
                self.say(_format_lesson(self._learner.learn(self.contest.record())))
            self.say(OFFER)

    def tell_moves(self) -> None:
        """Print the moves that were not told yet."""
        for played in self.contest.played[self._plies_told :]:
            self.say(self.format_played(played))
        self._plies_told = len(self.contest.moves)

    def _clocks(self) -> str:
        """Write what every clock shows, if there are any."""
        contest = self.contest
        if contest.time is None:
            return ""
        clocks = [
            f"{contest.describe(seat)} {format_clock(contest.seconds_left(seat))}"
            for seat in contest.seats
        ]
        return f"Clocks: {', '.join(clocks)}"

    def _check_goes_on(self) -> None:
        if self.contest.ending:
            raise ValueError("the game is over")

    def _prompt(self) -> str:
        if self.contest.turn is None:
            return "Game over: "
        return f"{self.contest.describe(self.contest.turn)} to move: "

    def _take_leave(self) -> None:
        if self.contest.ending:
            return
        position = self.contest.game.format(self.contest.position)
        self.say("The game is unfinished. To resume it:")
        print(command_line("play", "--terminal", *self._again, position))  # never broken


def _format_lesson(lesson: GameLesson | None) -> str:
    if lesson is None:
        return ""
    if not lesson.boards:
        return f"{lesson.name} has made no move and learnt nothing."
    return (
        f"{lesson.name} has learnt from {counted(lesson.boards, 'board')} and is saved in "
        f"{one_line(str(lesson.folder))}: its predictions were off by {lesson.mean_error:.3f} on "
        f"average, by {lesson.max_error:.3f} at most."
    )


class Command(NamedTuple):
    """Something to type that is not a move."""

    usage: str
    help: str
    obey: Callable[[Any, str], None]


COMMANDS: Mapping[str, Command] = {
    "help": Command("help", "this list", TypedGame.show_help),
    "moves": Command("moves", "what may be played", TypedGame.show_moves),
    "hint": Command("hint", "what the computer would play", TypedGame.show_hint),
    "board": Command("board", "the board once more", TypedGame.show_board),
    "undo": Command("undo", "take your last move back", TypedGame.take_back),
    "resign": Command("resign", "give up", TypedGame.resign),
    "save": Command("save FILE", "keep the game as a record", TypedGame.save),
    "new": Command("new", "begin another game", TypedGame.begin_again),
    "quit": Command("quit", "leave", TypedGame.leave),
}


def commands_with(own: Mapping[str, Command]) -> dict[str, Command]:
    """Return the table of all commands with those of one game, leaving last."""
    *others, leaving = COMMANDS.items()
    return dict([*others, *own.items(), leaving])
