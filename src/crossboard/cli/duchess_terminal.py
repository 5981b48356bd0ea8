"""A game of Duchess in the terminal: the board, what is typed, and the answers to it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from crossboard.cli.files import OwnFiles
from crossboard.cli.keyboard import read_line
from crossboard.duchess import Position, draw
from crossboard.play.duchess_contest import DuchessContest
from crossboard.play.lines import format_line, format_value
from crossboard.play.wording import command_line, counted, one_line, whole_text
from crossboard.players import SearchResult

# Whoever is asked for a hint, given the position and the game's positions before it.
Advise: TypeAlias = Callable[[Position, Sequence[Position]], SearchResult]

WELCOME = "Type a move, such as N1b2-1a4 or P1d6xV=Q, or help."
HINT_MOVES = 6
# How a player stands, by the flags of a position.
STANDINGS = {".": "", "c": "in check", "m": "mated", "s": "stalemated"}
MARGIN = 3  # columns between the board and what stands beside it


class Leave(Exception):
    """The person wants to go."""


class DuchessTerminal:
    """Plays a contest with a person at the keyboard, or with lines from a pipe.

    A person sees the board drawn after every turn; a pipe gets a line for each move.
    """

    def __init__(self, contest: DuchessContest, advise: Advise) -> None:
        self.contest = contest
        self._advise = advise
        self._has_person = sys.stdin.isatty()
        self._told = 0  # plies
        self._files = OwnFiles()

    def play(self) -> None:
        """Play until the person leaves; Ctrl-C goes on to the caller after a last word."""
        try:
            print(WELCOME)
            self._go_on()
            while (line := read_line(self._prompt())) is not None:
                self.obey(line)
        except Leave:
            pass
        finally:
            self._take_leave()

    def obey(self, line: str) -> None:
        """Do what a line says, or say why not."""
        text = whole_text(line).strip()
        word, _, argument = text.partition(" ")
        try:
            if command := COMMANDS.get(word.lower()):
                command.obey(self, argument.strip())
            elif text:
                self.contest.play(text)
                self._go_on()
        except ValueError as error:
            print(one_line(str(error)))

    def show_help(self, _: str) -> None:
        """Say what can be typed."""
        print("N1b2-1a4   a move; 1b2-1a4 will do, P1d6xV=Q promotes")
        for command in COMMANDS.values():
            print(f"{command.usage:<10} {command.help}")

    def show_moves(self, cell: str) -> None:
        """List what may be played, from one cell if it is named."""
        if self.contest.outcome:
            raise ValueError("the game is over")
        position = self.contest.position
        moves = list(position.legal_moves)
        if cell:
            name = position.cell("V" if cell in ("v", "V") else cell.lower())
            moves = [move for move in moves if move.start == name]
            if not moves:
                raise ValueError(_why_no_move(position, name))
        print(", ".join(map(str, moves)))

    def show_hint(self, _: str) -> None:
        """Say what the computer would play, and what it thinks of that."""
        if self.contest.outcome:
            raise ValueError("the game is over")
        position = self.contest.position
        found = self._advise(position, list(self.contest.record.positions())[:-1])
        line = format_line(position, found.pv, most=HINT_MOVES)
        print(f"Hint: {line} ({format_value(found.value, found.win_in)})")

    def show_board(self, _: str) -> None:
        """Draw the board and say how all players stand."""
        board = draw(self.contest.position, self.contest.seat)
        print(beside(board, standings(self.contest), shutil.get_terminal_size().columns))

    def show_cells(self, _: str) -> None:
        """Draw what the cells are called."""
        print(draw(self.contest.position, self.contest.seat, names=True))

    def take_back(self, _: str) -> None:
        """Take back the person's last move and the answers to it."""
        print(f"{counted(self.contest.take_back(), 'move')} taken back.")
        self._told = len(self.contest.record.moves)
        self._go_on()

    def save(self, path: str) -> None:
        """Save the game, never over a file of somebody else."""
        if not path:
            raise ValueError("save where? Try: save game.txt")
        print(f"Saved in {one_line(self._files.save(path, self.contest.text()))}.")

    def leave(self, _: str) -> None:
        """Go."""
        raise Leave

    def _go_on(self) -> None:
        """Let the computer move, then show how things stand."""
        self.contest.go_on()
        positions = list(self.contest.record.positions())
        for ply, move in enumerate(self.contest.record.moves[self._told :], self._told):
            print(f"{self.contest.describe(positions[ply].turn)}: {move}")
        self._told = len(self.contest.record.moves)
        if self._has_person:
            print()
            self.show_board("")
        if verdict := self.contest.verdict:
            print(verdict)

    def _prompt(self) -> str:
        if self.contest.outcome:
            return "Game over: "
        return f"{self.contest.describe(self.contest.position.turn)} to move: "

    def _take_leave(self) -> None:
        if self.contest.outcome:
            return
        seats = ",".join(map(str, sorted(self.contest.people)))
        words = ["--game", "duchess", "--seats", seats, *self.contest.computer.options]
        words += ["--position", self.contest.position.text]
        print("The game is unfinished. To go on with it:")
        print(command_line("play", "--terminal", *words))


def standings(contest: DuchessContest) -> list[str]:
    """Give a line for each player, the one on turn marked: who it is, how it stands, its box."""
    position = contest.position
    players = range(1, position.players + 1)
    names = [contest.describe(player) for player in players]
    lines = []
    for player, name, flag in zip(players, names, position.flags, strict=True):
        mark = ">" if player == position.turn and not contest.outcome else " "
        box = f"box {', '.join(position.box(player))}" if position.box(player) else ""
        facts = [f"{mark} {name:<{max(map(len, names))}}", STANDINGS[flag], box]
        lines.append("  ".join(fact for fact in facts if fact).rstrip())
    return lines


def beside(board: str, lines: Sequence[str], columns: int) -> str:
    """Put lines to the right of a board, or below it where there is no room."""
    rows = board.splitlines()
    width = max(map(len, rows)) + MARGIN
    if width + max(map(len, lines)) > columns:
        return "\n".join([board, "", *lines])
    pairs = zip_longest(rows, lines, fillvalue="")
    return "\n".join(f"{row:<{width}}{line}".rstrip() for row, line in pairs)


def _why_no_move(position: Position, cell: str) -> str:
    piece = position.piece_at(cell)
    if piece is None:
        return f"there is no piece on {cell}"
    owner, letter = piece[0], piece[1]
    if int(owner) != position.turn:
        return (
            f"the {letter} on {cell} is player {owner}'s, and it is player {position.turn}'s turn"
        )
    return f"the {letter} on {cell} has no legal move"


class Command(NamedTuple):
    """Something to type that is not a move."""

    usage: str
    help: str
    obey: Callable[[DuchessTerminal, str], None]


COMMANDS = {
    "help": Command("help", "this list", DuchessTerminal.show_help),
    "moves": Command("moves 1c3", "what may be played, from a cell", DuchessTerminal.show_moves),
    "hint": Command("hint", "what the computer would play", DuchessTerminal.show_hint),
    "board": Command("board", "the board once more", DuchessTerminal.show_board),
    "cells": Command("cells", "what the cells are called", DuchessTerminal.show_cells),
    "undo": Command("undo", "take your last move back", DuchessTerminal.take_back),
    "save": Command("save FILE", "keep the game as a record", DuchessTerminal.save),
    "quit": Command("quit", "leave", DuchessTerminal.leave),
}
