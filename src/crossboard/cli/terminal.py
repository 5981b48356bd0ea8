"""A game of draughts in the terminal: the board beside the moves, drawn anew after each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from crossboard.cli.board import choose_look, draw
from crossboard.cli.typed_game import Command, TypedGame, commands_with
from crossboard.draughts import Position
from crossboard.play.contest import Contest
from crossboard.play.lines import format_value, known_win_of
from crossboard.play.standing import Played
from crossboard.play.thinkers import Thinker
from crossboard.play.wording import counted
from crossboard.players import SearchResult

if TYPE_CHECKING:
    from crossboard.play.learner import Learner

WELCOME = "Type a move, such as 11-15 or 22x15, or help."
PANEL_COLUMNS = 80  # a narrower terminal shows the board alone
PANEL_LINES = 10  # of moves
NAME_COLUMNS = 16
MOVE_COLUMNS = 9


class Terminal(TypedGame):
    """Draughts at the keyboard."""

    move_help = ("11-15", "a move; 22x15 or 22x8 a jump, 22x15x8 where the way matters")

    def __init__(
        self,
        contest: Contest,
        adviser: Thinker,
        again: tuple[str, ...],
        learner: Learner | None = None,
    ) -> None:
        super().__init__(contest, adviser, again, learner)
        self.flipped = contest.people == ("B",)  # one's own side is below
        self._console = Console(highlight=False, markup=False, emoji=False)
        self._look = choose_look(self._console)
        if self._has_person:
            _enable_line_editing(self._complete)

    def introduce(self) -> None:
        """Print how to begin; for a pipe, the names of the players."""
        if not self._has_person:
            self.say(_title(self.contest))
        self.go_on(WELCOME if self._has_person else "")

    def say(self, text: str, style: str | None = None) -> None:
        """Print a text, if there is any."""
        # Rich breaks lines between words for people, and leaves those for a pipe whole.
        if text:
            self._console.print(text, style=style, soft_wrap=not self._console.is_terminal)

    def move(self, text: str) -> None:
        """Make a person's move; raise ValueError if it does not look like one."""
        if not text[:1].isdigit():
            raise ValueError(f"{text!r} is neither a move nor a command: try help")
        super().move(text)

    def draw_board(self) -> None:
        """Draw the board once more."""
        if self._has_person:
            self.go_on()
        else:
            self._console.print(self._board(), soft_wrap=True)

    def flip(self, _: str) -> None:
        """Look at the board from the other side."""
        self.flipped = not self.flipped
        self.go_on()

    def show_turn(self, message: str) -> None:
        """Draw the board and the moves for a person, or give a pipe a line for each move."""
        self._show_table()
        self.say(message)
        if not self._has_person:
            self.tell_moves()

    def format_played(self, played: Played) -> str:
        """Write a colour and its move."""
        return f"{self.contest.game.seat_title(played.seat)} {played.text}"

    @contextmanager
    def waiting_for(self, name: str) -> Iterator[None]:
        """Show a person the board as it stands, and that a computer thinks."""
        if not self._has_person:
            yield
            return
        self._show_table()  # the person's own move, before the wait
        with self._console.status(f"{name} thinks ..."):
            yield

    def opinion(self, found: SearchResult) -> str:
        """Write what a hint is worth, in what its player counts."""
        if found.win_in is None and not round(found.value, 2):
            return "even"
        player, position = self._adviser.player, self.contest.position
        known_win = known_win_of(player, position)
        value = format_value(found.value, found.win_in, known_win)
        if found.win_in is not None or abs(found.value) >= known_win:
            return value
        scale = player.scale_for(position, self.contest.history)
        return f"{value}, a win being {scale.win:g}" if scale.is_range else f"{value} {scale.unit}"

    def _show_table(self) -> None:
        if self._has_person:
            self._console.clear()
            self._console.print(self._table())

    def _complete(self, text: str, state: int) -> str | None:
        moves = [str(move) for move in self.contest.position.legal_moves]
        fitting = [word for word in [*moves, *self.commands] if word.startswith(text)]
        return fitting[state] if state < len(fitting) else None

    def _board(self) -> Text:
        moves = self.contest.moves
        last_move = moves[-1] if moves else None
        return draw(self.contest.position, self._look, last_move=last_move, flipped=self.flipped)

    def _table(self) -> RenderableType:
        if self._console.width < PANEL_COLUMNS:
            return self._board()
        table = Table.grid(padding=(0, 3))
        table.add_row(self._board(), self._panel())
        return table

    def _panel(self) -> Text:
        """Say who plays with how many pieces, and the last moves."""
        contest, panel = self.contest, Text()
        for colour in "WB" if self.flipped else "BW":
            who = f"{contest.describe(colour):<{NAME_COLUMNS}} {_force(contest.position, colour)}"
            is_next = colour == contest.turn
            panel.append(*((f"> {who}\n", "bold") if is_next else (f"  {who}\n", "")))
        for computer in contest.computers.values():
            panel.append(f"  {computer.manner}\n", "dim")
        return panel.append("\n" + "\n".join(_score(contest)[-PANEL_LINES:]))

    commands = commands_with(
        {
            "flip": Command("flip", "see it from the other side", flip),
            "save": Command("save FILE", "keep the game, as PDN", TypedGame.save),
        }
    )


def _title(contest: Contest) -> str:
    players = " against ".join(map(contest.describe, contest.seats))
    return ", ".join([players, *(computer.manner for computer in contest.computers.values())])


def _force(position: Position, colour: str) -> str:
    pieces = counted(len(position.pieces(colour)), "piece")
    kings = len(position.kings(colour))
    return f"{pieces}, {counted(kings, 'king')}" if kings else pieces


def _score(contest: Contest) -> list[str]:
    """List the moves in numbered lines, Black's and White's beside each other."""
    moves = [played.text for played in contest.played]
    if contest.start.turn == "W":
        moves.insert(0, "...")
    pairs = zip_longest(moves[::2], moves[1::2], fillvalue="")
    return [f"{number:>4}. {b:<{MOVE_COLUMNS}} {w}" for number, (b, w) in enumerate(pairs, 1)]


def _enable_line_editing(complete: Callable[[str, int], str | None]) -> None:
    try:
        import readline
    except ImportError:  # Windows, whose terminal edits lines itself
        return
    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    readline.parse_and_bind("tab: complete")
