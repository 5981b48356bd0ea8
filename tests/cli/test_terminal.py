"""`crossboard play` before a person: the screen, prompts, Ctrl-C, Ctrl-D."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crossboard.draughts import read_pdn

from .conftest import CROSSBOARD

if os.name == "nt":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from .pseudo_terminal import PseudoTerminal

PLAY = (*CROSSBOARD, "play", "--terminal", "--opponent", "random", "--seed", "1")
THINK = (*CROSSBOARD, "play", "--terminal")
PROMPT = "Black (you) to move: "


def test_a_person_sees_a_coloured_board_and_plays(tmp_path: Path) -> None:
    path = tmp_path / "game.pdn"
    with PseudoTerminal(*PLAY) as screen:
        screen.wait_for(PROMPT)
        assert "●" in screen.text
        assert "\x1b[48;" in screen.raw
        assert "Type a move" in screen.text
        assert "seed 1" in screen.text
        assert screen.text.index("32") < screen.text.index("White (random)")  # Black sits below
        screen.enter("9-14\n")
        screen.wait_for(PROMPT)
        assert "1. 9-14" in screen.text
        screen.enter("9-13\n")
        screen.wait_for("there is no piece on 9")
        screen.enter(f"save {path}\n")
        screen.wait_for("Saved in")
        screen.enter("quit\n")
        assert screen.wait() == 0
        assert "unfinished" in screen.text
    (record,) = read_pdn(path)
    mine, _ = record.moves
    assert str(mine) == "9-14"


def test_the_end_is_told_with_an_offer_to_save() -> None:
    with PseudoTerminal(*PLAY, "--fen", "B:W18:B14") as screen:
        screen.wait_for(PROMPT)
        screen.enter("14x23\n")
        screen.wait_for("Game over: ")
        assert "Black (you) wins: White has no piece left." in screen.text
        assert "save FILE" in screen.text
        screen.enter("quit\n")
        assert screen.wait() == 0
        assert "unfinished" not in screen.text


def test_the_clearing_keeps_one_board_on_the_screen() -> None:
    with PseudoTerminal(*PLAY) as screen:
        screen.wait_for(PROMPT)
        screen.enter("flip\n")
        screen.wait_for(PROMPT)
        assert "\x1b[2J" in screen.raw
        screen.enter("board\n")
        screen.wait_for(PROMPT)
        assert screen.text.index("Black (you)") < screen.text.index("White (random)")


def test_tab_completes_moves_and_commands() -> None:
    with PseudoTerminal(*PLAY) as screen:
        screen.wait_for(PROMPT)
        screen.enter("fl\t\n")
        screen.wait_for("\x1b[2J")
        screen.wait_for(PROMPT)
        assert "neither" not in screen.text
        screen.enter("12\t\n")
        screen.wait_for("1. 12-16")


def test_no_color_gives_letters() -> None:
    with PseudoTerminal(*PLAY, NO_COLOR="1") as screen:
        screen.wait_for(PROMPT)
        assert ":::::  w  :::::" in screen.text
        assert "●" not in screen.text
        assert "\x1b[48;" not in screen.raw


def test_a_narrow_terminal_shows_the_board_alone() -> None:
    with PseudoTerminal(*PLAY, columns=50) as screen:
        screen.wait_for(PROMPT)
        assert "seed" not in screen.text
        assert screen.text.count("●") == 24


def test_control_c_leaves_with_a_sentence() -> None:
    with PseudoTerminal(*PLAY) as screen:
        screen.wait_for(PROMPT)
        screen.interrupt()
        assert screen.wait() == 130
        assert "The game is unfinished." in screen.text
        assert "Traceback" not in screen.text


def test_control_d_leaves_with_a_sentence() -> None:
    with PseudoTerminal(*PLAY) as screen:
        screen.wait_for(PROMPT)
        screen.enter("\x04")
        assert screen.wait() == 0
        assert "The game is unfinished." in screen.text


def test_ones_own_move_is_shown_while_the_computer_thinks() -> None:
    with PseudoTerminal(*THINK, "--seconds", "1000") as screen:
        screen.wait_for(PROMPT)
        assert "1000 s a move" in screen.text
        screen.enter("9-14\n")
        screen.wait_for("1. 9-14")
        screen.wait_for("champion thinks ...")
        screen.interrupt()
        assert screen.wait() == 130
        assert "The game is unfinished." in screen.text
        assert "Traceback" not in screen.text


def test_a_person_can_ask_for_a_hint() -> None:
    with PseudoTerminal(*THINK, "--opponent", "material", "--depth", "4") as screen:
        screen.wait_for(PROMPT)
        screen.enter("hint\n")
        screen.wait_for("Hint: ")
        screen.wait_for("(even)")
        screen.wait_for(PROMPT)
        screen.enter("9-14\n")
        screen.wait_for(PROMPT)
        assert "Hint" not in screen.text
