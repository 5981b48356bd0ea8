"""A game in the terminal: the board, what is typed, and the answers to it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from crossboard.cli.board import choose_look, draw
from crossboard.cli.files import OwnFiles
from crossboard.cli.keyboard import read_line
from crossboard.draughts import Node, Position
from crossboard.play.contest import COLOURS, Contest
from crossboard.play.lines import format_line, format_value
from crossboard.play.wording import command_line, counted, one_line, whole_text
from crossboard.players import SearchResult
from crossboard.players.player import WIN_IN_MEN

if TYPE_CHECKING:
    from crossboard.play.learner import Learner
    from crossboard.play.thinkers import Thinker

WELCOME = "Type a move, such as 11-15 or 22x15, or help."
OFFER = "Keep the game with save FILE; new begins another, quit leaves."
PANEL_COLUMNS = 80  # a narrower terminal shows the board alone
PANEL_LINES = 10  # of moves
NAME_COLUMNS = 16
MOVE_COLUMNS = 9
HINT_MOVES = 6


class Leave(Exception):
    """The person wants to go."""


class Terminal:
    """Plays a contest with a person at the keyboard, or with lines from a pipe.

    A person sees the board drawn anew after every move; a pipe gets a line for each move and no
    prompts.
    """

    def __init__(self, contest: Contest, adviser: Thinker, learner: Learner | None = None) -> None:
        self.contest = contest
        self._adviser = adviser  # asked for hints
        self._learner = learner  # the opponent, if it learns from its games
        self.flipped = contest.people == "B"  # one's own side is below
        self._console = Console(highlight=False, markup=False, emoji=False)
        self._look = choose_look(self._console)
        self._has_person = sys.stdin.isatty()
        self._plies_told = 0
        self._files = OwnFiles()
        if self._has_person:
            _enable_line_editing(self._complete)

    def play(self, note: str) -> None:
        """Play until the person leaves; Ctrl-C goes on to the caller after a last word."""
        try:
            self._introduce(note)
            while (line := read_line(self._prompt())) is not None:
                self.obey(line)
        except Leave:
            pass
        except KeyboardInterrupt:
            self._console.print()  # the line of the prompt stands unfinished
            self._take_leave()
            raise
        self._take_leave()

    def obey(self, line: str) -> None:
        """Do what a line says, or say why not."""
        text = whole_text(line).strip()
        word, _, argument = text.partition(" ")
        try:
            if text[:1].isdigit():
                self.contest.play(text)
                self._go_on()
            elif command := COMMANDS.get(word.lower()):
                command.obey(self, argument.strip())
            elif text:
                raise ValueError(f"{text!r} is neither a move nor a command: try help")
        except ValueError as error:
            # Why it is illegal, without the position that stands above it anyway.
            reason = str(error).replace(f" is not legal in {self.contest.position.fen}", "")
            self._say(one_line(reason))

    def show_help(self, _: str) -> None:
        """Say what can be typed."""
        self._say("11-15     a move; 22x15 or 22x8 a jump, 22x15x8 where the way matters")
        for command in COMMANDS.values():
            self._say(f"{command.usage:<9} {command.help}")

    def show_moves(self, _: str) -> None:
        """List what may be played."""
        position = self.contest.position
        moves = ", ".join(position.format_move(move) for move in position.legal_moves)
        self._say(moves or "There is no move.")

    def show_hint(self, _: str) -> None:
        """Say what the computer would play, and what it thinks of that."""
        if self.contest.outcome:
            raise ValueError("the game is over")
        position = self.contest.position
        with self._thinking("The computer"):
            found = self._adviser.think(position, self.contest.history)
        line = format_line(position, found.pv, most=HINT_MOVES)
        opinion = _opinion(found, self._adviser.player.value_of_win(position))
        self._say(f"Hint: {line} ({opinion})")

    def show_board(self, _: str) -> None:
        """Draw the board once more."""
        if self._has_person:
            self._go_on()
        else:
            self._console.print(self._board(), soft_wrap=True)

    def flip(self, _: str) -> None:
        """Look at the board from the other side."""
        self.flipped = not self.flipped
        self._go_on()

    def take_back(self, _: str) -> None:
        """Take back the person's last move and the answer to it."""
        plies = self.contest.take_back()
        back = counted(plies, "move") if plies else "The resignation"
        forgotten = self._learner.forget() if self._learner else ""
        self._go_on(f"{back} taken back. {forgotten}".rstrip())

    def resign(self, _: str) -> None:
        """Give up."""
        self.contest.resign()
        self._go_on()

    def save(self, path: str) -> None:
        """Save the game, never over a file of somebody else."""
        if not path:
            raise ValueError("save where? Try: save game.pdn")
        self._say(f"Saved in {one_line(self._files.save(path, self.contest.pdn()))}.")

    def begin_again(self, _: str) -> None:
        """Begin another game."""
        self.contest.begin()
        if self._learner:
            self._learner.begin()
        self._plies_told = 0
        self._go_on("A new game.")

    def leave(self, _: str) -> None:
        """Go."""
        raise Leave

    def _introduce(self, note: str) -> None:
        if not self._has_person:
            self._say(note)
            self._say(_title(self.contest))
        self._go_on(f"{note}\n{WELCOME}".strip() if self._has_person else "")

    def _go_on(self, message: str = "") -> None:
        """Let the computer move, then show how things stand."""
        self._answer()
        self._show_table()
        self._say(message)
        if not self._has_person:
            for node in self.contest.nodes[self._plies_told :]:
                self._say(f"{COLOURS[_mover(node)]} {_format(node)}")
            self._plies_told = len(self.contest.nodes)
        if verdict := self.contest.verdict:
            self._say(verdict, style="bold")
            if self._learner:
                self._say(self._learner.learn(self.contest.finished()))
            self._say(OFFER)

    def _answer(self) -> None:
        opponent = self.contest.opponent
        if self.contest.is_computers_turn and opponent.strength:
            self._show_table()  # the person's own move, before the wait
            with self._thinking(opponent.name):
                self.contest.answer()
        else:
            self.contest.answer()

    def _thinking(self, who: str) -> AbstractContextManager[Any]:
        return self._console.status(f"{who} thinks ...") if self._has_person else nullcontext()

    def _show_table(self) -> None:
        if self._has_person:
            self._console.clear()
            self._console.print(self._table())

    def _prompt(self) -> str:
        if self.contest.outcome:
            return "Game over: "
        return f"{self.contest.describe(self.contest.position.turn)} to move: "

    def _say(self, text: str, style: str | None = None) -> None:
        # Rich breaks lines between words for people, and leaves those for a pipe whole.
        if text:
            self._console.print(text, style=style, soft_wrap=not self._console.is_terminal)

    def _take_leave(self) -> None:
        if self.contest.outcome:
            return
        alone = len(self.contest.people) == 1
        options = ["--side", self.contest.people, *self.contest.opponent.options]
        words = [*(options if alone else ["--side", "both"]), "--fen", self.contest.position.fen]
        self._say("The game is unfinished. To go on with it:")
        self._console.print(command_line("play", "--terminal", *words), soft_wrap=True)

    def _complete(self, text: str, state: int) -> str | None:
        moves = [str(move) for move in self.contest.position.legal_moves]
        fitting = [word for word in [*moves, *COMMANDS] if word.startswith(text)]
        return fitting[state] if state < len(fitting) else None

    def _board(self) -> Text:
        last_move = self.contest.nodes[-1].move if self.contest.nodes else None
        return draw(self.contest.position, self._look, last_move=last_move, flipped=self.flipped)

    def _table(self) -> RenderableType:
        if self._console.width < PANEL_COLUMNS:
            return self._board()
        table = Table.grid(padding=(0, 3))
        table.add_row(self._board(), self._panel())
        return table

    def _panel(self) -> Text:
        """Say who plays with how many pieces, and the last moves."""
        contest = self.contest
        turn = None if contest.outcome else contest.position.turn
        panel = Text()
        for colour in "WB" if self.flipped else "BW":
            who = f"{contest.describe(colour):<{NAME_COLUMNS}} {_force(contest.position, colour)}"
            panel.append(*((f"> {who}\n", "bold") if colour == turn else (f"  {who}\n", "")))
        if contest.people != "BW":
            panel.append(f"  {contest.opponent.manner}\n", "dim")
        return panel.append("\n" + "\n".join(_score(contest)[-PANEL_LINES:]))


def _title(contest: Contest) -> str:
    players = f"{contest.describe('B')} against {contest.describe('W')}"
    return players if contest.people == "BW" else f"{players}, {contest.opponent.manner}"


def _opinion(found: SearchResult, win: float) -> str:
    if found.win_in is None and not round(found.value, 2):
        return "even"
    value = format_value(found.value, found.win_in)
    unit = " men" if win == WIN_IN_MEN else f", a win being {win:g}"
    return value if found.win_in else f"{value}{unit}"


def _force(position: Position, colour: str) -> str:
    pieces = counted(len(position.pieces(colour)), "piece")
    kings = len(position.kings(colour))
    return f"{pieces}, {counted(kings, 'king')}" if kings else pieces


def _score(contest: Contest) -> list[str]:
    """List the moves in numbered lines, Black's and White's beside each other."""
    moves = [_format(node) for node in contest.nodes]
    if contest.start.turn == "W":
        moves.insert(0, "...")
    pairs = zip_longest(moves[::2], moves[1::2], fillvalue="")
    return [f"{number:>4}. {b:<{MOVE_COLUMNS}} {w}" for number, (b, w) in enumerate(pairs, 1)]


def _format(node: Node) -> str:
    assert node.parent is not None  # in a contest every node but the first is a move
    assert node.move is not None
    return node.parent.position.format_move(node.move)


def _mover(node: Node) -> str:
    assert node.parent is not None
    return node.parent.position.turn


def _enable_line_editing(complete: Callable[[str, int], str | None]) -> None:
    try:
        import readline
    except ImportError:  # Windows, whose terminal edits lines itself
        return
    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    readline.parse_and_bind("tab: complete")


class Command(NamedTuple):
    """Something to type that is not a move."""

    usage: str
    help: str
    obey: Callable[[Terminal, str], None]


COMMANDS = {
    "help": Command("help", "this list", Terminal.show_help),
    "moves": Command("moves", "what may be played", Terminal.show_moves),
    "hint": Command("hint", "what the computer would play", Terminal.show_hint),
    "board": Command("board", "the board once more", Terminal.show_board),
    "flip": Command("flip", "see it from the other side", Terminal.flip),
    "undo": Command("undo", "take your last move back", Terminal.take_back),
    "resign": Command("resign", "give up", Terminal.resign),
    "save": Command("save FILE", "keep the game, as PDN", Terminal.save),
    "new": Command("new", "begin another game", Terminal.begin_again),
    "quit": Command("quit", "leave", Terminal.leave),
}
