"""The page's types: those of the messages, and what a type checker says of its modules."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from crossboard.web.files import page_folder
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
