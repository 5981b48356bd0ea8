"""The page's types: those of the messages, and what a type checker says of its modules."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from crossboard.web.files import GAME_MODULES, HOME_MODULES, page_folder
from crossboard.web.types import types_file, write_types

from .conftest import REQUIRED

OPTIONS = [
    *("--noEmit", "--allowJs", "--checkJs", "--strict", "--target", "es2022"),
    *("--module", "es2022", "--moduleResolution", "node", "--lib", "es2022,dom,dom.iterable"),
]


def test_the_pages_types_are_those_of_the_messages() -> None:
    assert types_file().read_text("utf-8") == write_types()


def test_the_pages_modules_have_no_type_errors() -> None:
    checker = shutil.which("tsc")
    if checker is None:
        assert not os.environ.get(REQUIRED), "no tsc"
        pytest.skip("no tsc: on Debian or Ubuntu, apt install node-typescript")
    modules = sorted(map(str, page_folder().glob("*.js")))
    done = subprocess.run([checker, *OPTIONS, *modules], capture_output=True, text=True)
    assert done.stdout == ""
    assert done.returncode == 0


def test_modules_of_a_view_are_fetched_with_the_page() -> None:
    shell = {"main.js", "api.js", "render.js"}
    for modules in (HOME_MODULES, GAME_MODULES):
        imported = {modules[0]}
        for name in modules:
            text = (page_folder() / name).read_text("utf-8")
            imported |= set(re.findall(r'^(?:import|\} from).*"\./([a-z_]+\.js)"', text, re.M))
        assert imported - shell == set(modules)
