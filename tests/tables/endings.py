"""Endings drawn at random, and what their successors say about them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from crossboard.draughts import Move, Position
from crossboard.tables import EndgameTables

CROWNING_ROWS = {"B": range(29, 33), "W": range(1, 5)}


def random_endings(random: Random, pieces: int) -> Iterator[Position]:
    """Yield positions with so many pieces, some on each side, captures and blocked ones too."""
    while True:
        black = random.randrange(1, pieces)
        squares = random.sample(range(1, 33), pieces)
        share = random.random()
        sides = []
        for colour, members in (("B", squares[:black]), ("W", squares[black:])):
            is_king = [s in CROWNING_ROWS[colour] or random.random() < share for s in members]
            words = [f"K{s}" if king else str(s) for s, king in zip(members, is_king, strict=True)]
            sides.append(colour + ",".join(words))
        yield Position.from_fen(":".join([random.choice("BW"), *sides]))


def is_conversion(position: Position, move: Move) -> bool:
    """Whether a move captures or promotes."""
    promotes = position.piece_at(move.start) != position.after(move).piece_at(move.end)
    return move.is_capture or promotes


def plies_by(tables: EndgameTables, position: Position, move: Move) -> int:
    """Return how far the next capture or promotion is by a move of a position that is no draw."""
    if is_conversion(position, move):
        return 1
    distance = tables.distance(position.after(move))
    assert distance is not None
    return 1 + distance


def outcome_by(tables: EndgameTables, position: Position, move: Move) -> int:
    """Return what a move leads to, for the side that makes it."""
    outcome = tables.probe(position.after(move))
    assert outcome is not None
    return -outcome


def expected(tables: EndgameTables, position: Position) -> tuple[int, int | None]:
    """Return outcome and distance of a position, from what its successors have."""
    moves = {move: outcome_by(tables, position, move) for move in position.legal_moves}
    if not moves:
        return -1, 0
    best = max(moves.values())
    if best == 0:
        return 0, None
    plies = [plies_by(tables, position, move) for move, how in moves.items() if how == best]
    return best, (min if best > 0 else max)(plies)


def play_out(tables: EndgameTables, position: Position) -> int:
    """Play a won position against the longest defence; return the plies until no move is left."""
    plies = 0
    while not position.is_over:
        outcome = tables.probe(position)
        assert outcome == (1 if plies % 2 == 0 else -1), position.fen
        kept = [m for m in position.legal_moves if outcome_by(tables, position, m) == outcome]
        choose = min if outcome > 0 else max
        position = position.after(choose(kept, key=lambda m: plies_by(tables, position, m)))
        plies += 1
        assert plies < 1000, position.fen
    assert plies % 2 == 1, "the side that should win cannot move"
    return plies
