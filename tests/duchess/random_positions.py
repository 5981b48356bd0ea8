"""Positions drawn at random: some that games lead to, some that no game would."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from crossboard.duchess import Position

from .slow_rules import FULL, all_cells


def random_move(position: Position, random: Random) -> str:
    """Choose a move; captures and the Vortex more often, so that games get somewhere."""
    moves = [str(move) for move in position.legal_moves]
    if not moves:
        return "pass"
    lively = [move for move in moves if "x" in move or "V" in move]
    return random.choice(lively if lively and random.random() < 0.6 else moves)


def walked_positions(random: Random, count: int, players: int) -> Iterator[Position]:
    """Yield positions of random games, ends of games included."""
    position = Position(players)
    for number in range(count):
        yield position
        if position.is_over or number % 500 == 499:
            position = Position(players)
        else:
            position = position.after(random_move(position, random))


def placed_positions(random: Random, count: int, players: int) -> Iterator[Position]:
    """Yield set-ups with few pieces or many, any box that fits."""
    for _ in range(count):
        cells = all_cells(players)
        random.shuffle(cells)
        parts, boxes = [], []
        for seat in range(1, players + 1):
            share = random.random() ** 3  # lone kings beside whole armies
            pieces, box = ["K" + cells.pop()], []
            for kind in FULL.elements():
                if kind == "K":
                    continue
                if random.random() < share and len(cells) > 20:
                    pieces.append(kind + cells.pop())
                elif random.random() < 0.5:
                    box.append(kind)
            parts.append(f"{seat}:{' '.join(pieces)}")
            if box:
                boxes.append(f"box {seat}:{','.join(box)}")
        turn = f"turn {random.randint(1, players)}"
        yield Position.from_text("; ".join([str(players), *parts, turn, *boxes]))
