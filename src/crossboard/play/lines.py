"""Lines of play and what they are worth, for people."""

from __future__ import annotations

import math
from collections.abc import Sequence

from crossboard.players import Player
from crossboard.players.games import AnyMove, AnyPosition, game_of


def format_line(position: AnyPosition, moves: Sequence[AnyMove], *, most: int | None = None) -> str:
    """Write the moves that follow a position as people do: 22x8, not 22x15x8."""
    game, words = game_of(position), []
    for move in moves[:most]:
        words.append(game.format_move(position, move))
        position = position.after(move)
    return " ".join(words if len(words) == len(moves) else [*words, "..."])


def format_value(value: float, win_in: int | None, known_win: float = math.inf) -> str:
    """Write a value, in whatever it is counted, or how long a forced win or loss takes.

    A value as large as `known_win` is that of endgame tables, which do not know how long it takes.
    """
    if win_in is None and abs(value) >= known_win:
        return f"{'won' if value > 0 else 'lost'} by the endgame tables"
    if win_in is None:
        return f"{value:+.2f}" if round(value, 2) else "0.00"
    plies = "1 ply" if abs(win_in) == 1 else f"{abs(win_in)} plies"
    return f"{'wins' if win_in > 0 else 'loses'} in {plies}"


def known_win_of(player: Player, position: AnyPosition) -> float:
    """Return what a win by endgame tables counts; without tables, more than any value."""
    return math.inf if player.tables is None else player.value_of_win(position)


def format_speed(nodes: int, seconds: float) -> str:
    """Write how many nodes were searched, in how long, and how fast that is."""
    speed = nodes / 1e6 / max(seconds, 1e-9)
    return f"{nodes:,} in {seconds:.2f} s, {speed:,.1f} million/s"
