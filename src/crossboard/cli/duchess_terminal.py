"""A game of Duchess in the terminal: the board and how its players stand, after every turn."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from itertools import zip_longest

from crossboard.cli.typed_game import Command, TypedGame, commands_with
from crossboard.duchess import Position, draw
from crossboard.play.contest import Contest
from crossboard.play.standing import Played
from crossboard.players.games import AnyMove

WELCOME = "Type a move, such as N1b2-1a4 or P1d6xV=Q, or help."
# How a player stands, by the flags of a position.
STANDINGS = {".": "", "c": "in check", "m": "mated", "s": "stalemated"}
MARGIN = 3  # columns between the board and what stands beside it


class DuchessTerminal(TypedGame):
    """Duchess at the keyboard."""

    move_help = ("N1b2-1a4", "a move; 1b2-1a4 will do, P1d6xV=Q promotes")

    def introduce(self) -> None:
        """Print how moves are typed."""
        print(WELCOME)
        self.go_on()

    def say(self, text: str, style: str | None = None) -> None:
        """Print a text, if there is any."""
        if text:
            print(text)

    def list_moves(self, argument: str) -> Sequence[AnyMove]:
        """Return the legal moves, from one cell if it is named."""
        moves, position = super().list_moves(argument), self.contest.position
        if not argument:
            return moves
        name = position.cell("V" if argument in ("v", "V") else argument.lower())
        moves = [move for move in moves if move.start == name]
        if not moves:
            raise ValueError(_why_no_move(position, name))
        return moves

    def draw_board(self) -> None:
        """Draw the board and say how all players stand."""
        board = draw(self.contest.position, int(self.contest.viewpoint))
        print(beside(board, standings(self.contest), shutil.get_terminal_size().columns))

    def show_cells(self, _: str) -> None:
        """Draw what the cells are called."""
        print(draw(self.contest.position, int(self.contest.viewpoint), names=True))

    def show_turn(self, message: str) -> None:
        """Print the moves, and for a person the board."""
        self.say(message)
        self.tell_moves()
        if self._has_person:
            print()
            self.draw_board()

    def format_played(self, played: Played) -> str:
        """Write a player and its move."""
        return f"{self.contest.describe(played.seat)}: {played.text}"

    commands = commands_with(
        {
            "moves": Command("moves 1c3", "what may be played, from a cell", TypedGame.show_moves),
            "cells": Command("cells", "what the cells are called", show_cells),
        }
    )


def standings(contest: Contest) -> list[str]:
    """Give a line for each player, the one on turn marked: who it is, how it stands, its box."""
    position = contest.position
    players = range(1, position.players + 1)
    names = [contest.describe(player) for player in players]
    lines = []
    for player, name, flag in zip(players, names, position.flags, strict=True):
        mark = ">" if player == contest.turn else " "
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
