"""The commands that can be typed in every game."""

from __future__ import annotations

import re

import pytest

from crossboard.cli.duchess_terminal import DuchessTerminal
from crossboard.cli.terminal import Terminal
from crossboard.cli.typed_game import COMMANDS, Command, TypedGame, commands_with

from .conftest import Run


@pytest.mark.parametrize("terminal", [Terminal, DuchessTerminal])
def test_every_game_has_the_commands_of_all(terminal: type[TypedGame]) -> None:
    assert COMMANDS.keys() <= terminal.commands.keys()
    obeyed = {name: terminal.commands[name].obey for name in COMMANDS}
    assert obeyed == {name: command.obey for name, command in COMMANDS.items()}
    assert list(terminal.commands)[-1] == "quit"


@pytest.mark.parametrize(
    ("options", "commands"),
    [(["--side", "both"], Terminal.commands), (["--game", "duchess"], DuchessTerminal.commands)],
)
def test_help_lists_every_command(run: Run, options: list[str], commands: dict[str, Command]):
    told = run("play", "--terminal", *options, stdin="help\n").out
    for command in commands.values():
        assert re.search(f"^{re.escape(command.usage)} +{command.help}$", told, re.MULTILINE)


def test_a_game_may_say_a_command_in_its_own_words() -> None:
    own = {"save": Command("save IT", "elsewhere", TypedGame.save)}
    table = commands_with(own)
    assert table["save"].usage == "save IT"
    assert list(table) == list(COMMANDS)
