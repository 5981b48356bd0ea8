"""TOML: what is written is what is read."""

from __future__ import annotations

import math
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossboard.toml import UnfitForToml, format_toml

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)
TABLES = st.recursive(
    st.dictionaries(TEXTS, VALUES, max_size=4),
    lambda inner: st.dictionaries(
        TEXTS, VALUES | inner | st.lists(inner, min_size=1, max_size=2), max_size=4
    ),
    max_leaves=5,
)


@given(TABLES)
def test_toml_comes_back(config: dict[str, Any]):
    assert tomllib.loads(format_toml(config)) == config


def test_toml_is_for_people():
    config = {"seed": 1, "net": {"layers": [28, 20]}, "name": "a", "odd key": 0.5}
    assert format_toml(config) == (
        'seed = 1\nname = "a"\n"odd key" = 0.5\n\n[net]\nlayers = [28, 20]\n'
    )


def test_tables_of_tables_are_for_people_too():
    table = {"name": "a", "agents": {"main": {"kind": "x"}}, "phases": [{"least": 1}, {"most": 2}]}
    assert format_toml(table) == (
        'name = "a"\n\n[agents.main]\nkind = "x"\n\n[[phases]]\nleast = 1\n\n[[phases]]\nmost = 2\n'
    )


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"a": None}, "a: None cannot be written"),
        ({"a": {"b": math.nan}}, "a.b: nan cannot be written"),
        ({"a": [1, None]}, "a: None cannot be written"),
        ({1: 2}, "the key 1 is no text"),
        ({"a": {"b": object}}, "a.b: "),
    ],
)
def test_what_toml_cannot_hold(config: dict[Any, Any], told: str):
    with pytest.raises(UnfitForToml, match=told):
        format_toml(config)
