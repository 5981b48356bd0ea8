"""What is taught, in which copy."""

from __future__ import annotations

import pytest

from crossboard.draughts import Position
from crossboard.play.lessons import copy_of, pupil_of
from crossboard.play.saved_game import Occupant, SavedGame, Setup


@pytest.mark.parametrize(
    ("origin", "copy"),
    [
        ("neurodraughts", "my-neurodraughts"),
        ("my-neurodraughts", "my-neurodraughts"),
        ("runs/first/player", "my-first"),
        ("runs/my-run/player", "my-my-run"),
    ],
)
def test_a_copy_learns_in_place_of_its_origin(origin: str, copy: str) -> None:
    assert copy_of(origin) == copy


@pytest.mark.parametrize(
    ("computers", "seat"),
    [
        ({"W": "neurodraughts"}, "W"),
        ({"B": "neurodraughts", "W": "neurodraughts"}, None),
        ({}, None),
        ({"W": "random"}, None),
        ({"W": "material"}, None),
        ({"W": "mp-draughts"}, None),
        ({"W": "none"}, None),
        ({"W": "neurodraughts@8"}, None),
    ],
)
def test_one_computer_with_a_network_can_learn(computers: dict[str, str], seat: str | None) -> None:
    occupants = {at: Occupant(name) for at, name in computers.items()}
    assert pupil_of(SavedGame(Setup("draughts", Position().fen, occupants))) == seat
