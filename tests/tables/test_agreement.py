"""Each position agrees with its successors; a player that follows the tables wins won positions."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from crossboard.tables import EndgameTables

from .endings import expected, play_out, random_endings


def check_agreement(tables: EndgameTables, pieces: int, count: int) -> None:
    seen = {1: 0, 0: 0, -1: 0}
    for position in islice(random_endings(Random(pieces), pieces), count):
        outcome, distance = tables.probe(position), tables.distance(position)
        assert (outcome, distance) == expected(tables, position), position.fen
        assert outcome is not None
        seen[outcome] += 1
    assert min(seen.values()) > count / 50


def check_wins(tables: EndgameTables, pieces: int, count: int) -> None:
    won = (p for p in random_endings(Random(pieces), pieces) if tables.probe(p) == 1)
    assert max(play_out(tables, position) for position in islice(won, count)) > 15


def test_positions_with_3_pieces_agree_with_their_successors(three: Path):
    check_agreement(EndgameTables.open(three), 3, 5_000)


def test_the_player_that_follows_tables_with_3_pieces_wins(three: Path):
    check_wins(EndgameTables.open(three), 3, 200)


@pytest.mark.slow
@pytest.mark.sized
def test_positions_with_5_pieces_agree_with_their_successors(five: EndgameTables):
    check_agreement(five, 5, 100_000)


@pytest.mark.slow
@pytest.mark.sized
def test_the_player_that_follows_tables_with_5_pieces_wins(five: EndgameTables):
    check_wins(five, 5, 1_000)


@pytest.mark.slow
def test_positions_with_6_pieces_agree_with_their_successors(six: EndgameTables):
    check_agreement(six, 6, 100_000)


@pytest.mark.slow
def test_the_player_that_follows_tables_with_6_pieces_wins(six: EndgameTables):
    check_wins(six, 6, 1_000)
