"""Search settings are said once, in the core: Python's face of them, and the selective group."""

from __future__ import annotations

import pickle
import tomllib
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import pytest

from crossboard import duchess
from crossboard._core import search_settings
from crossboard.draughts import DrawRules, Position, middlegames
from crossboard.players import Player, SearchSettings, load_player
from crossboard.players import settings as settings_module
from crossboard.players.settings import SETTINGS

DUCHESS = duchess.Position().after("N1b2-1c4").after("P2a3-2a4")
# Written by hand: a change of the core must not change what files and digests are made of.
USUAL = {
    "algorithm": "alphabeta",
    "quiescence": True,
    "deepening": True,
    "killers": None,
    "history": True,
    "pvs": True,
    "aspiration": True,
    "exact_depth_hits": False,
    "order_only": False,
    "table_mb": 64,
    "threads": 1,
    "grain": 8,
    "draws": None,
}
# As far from the defaults as a file allows.
OTHER: dict[str, Any] = {
    "algorithm": "minimax",
    "quiescence": False,
    "deepening": False,
    "killers": 1,
    "history": False,
    "pvs": False,
    "aspiration": False,
    "exact_depth_hits": True,
    "order_only": True,
    "table_mb": 3,
    "threads": 2,
    "grain": 5,
}


def test_the_settings_their_order_and_their_defaults():
    assert asdict(SearchSettings()) == USUAL
    assert list(asdict(SearchSettings())) == list(USUAL)
    assert [field.name for field in fields(SearchSettings())] == list(USUAL)
    assert [setting.name for setting in search_settings()] == list(USUAL)
    assert all(setting.meaning for setting in search_settings())


def test_what_settings_look_like_is_what_digests_are_made_of():
    assert repr(SearchSettings(threads=2, draws=DrawRules(repetitions=0))) == (
        "SearchSettings(algorithm='alphabeta', quiescence=True, deepening=True, killers=None, "
        "history=True, pvs=True, aspiration=True, exact_depth_hits=False, order_only=False, "
        f"table_mb=64, threads=2, grain=8, draws={DrawRules(repetitions=0)!r})"
    )


def test_settings_are_values():
    one, same, other = SearchSettings(**OTHER), SearchSettings(**OTHER), SearchSettings()
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != asdict(one)
    assert pickle.loads(pickle.dumps(one)) == one
    assert replace(other, **OTHER) == one
    for name, value in OTHER.items():
        assert getattr(one, name) == value
        with pytest.raises(AttributeError):
            setattr(other, name, value)


def test_settings_are_keywords():
    with pytest.raises(TypeError):
        SearchSettings("minimax")  # type: ignore[misc]
    with pytest.raises(TypeError, match="there is no setting 'thraeds'"):
        SearchSettings(thraeds=2)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("threads", 1.5, TypeError),
        ("threads", "two", TypeError),
        ("quiescence", 1, TypeError),
        ("algorithm", 1, TypeError),
        ("draws", 3, TypeError),
        ("threads", 2**40, ValueError),
        ("table_mb", 2**70, ValueError),
    ],
)
def test_a_value_of_another_type_or_size_is_refused(
    name: str, value: object, error: type[Exception]
):
    with pytest.raises(error, match=f"{name} cannot be {value!r}"):
        SearchSettings(**{name: value})  # type: ignore[arg-type]


def test_every_setting_reaches_the_engine():
    for name in OTHER:
        with pytest.raises(TypeError, match=f"{name} cannot be"):
            Player("x").game.core.Engine.check(None, **{name: object()})


@pytest.mark.parametrize(
    ("name", "table_mb", "killers"),
    [("material", 1, 0), ("material", 0, 2), ("duchess-2", 1, 2), ("duchess-2", 0, 2)],
)
def test_killers_left_open_are_as_many_as_pay(name: str, table_mb: int, killers: int):
    settings = SearchSettings(table_mb=table_mb, quiescence=False)
    position, depth = (middlegames()[1], 8) if name == "material" else (DUCHESS, 4)
    nodes = {
        count: load_player(name, search=replace(settings, killers=count))
        .search(position, depth=depth)
        .nodes
        for count in (None, 0, 2)
    }
    assert nodes[0] != nodes[2]
    assert nodes[None] == nodes[killers]


def test_draws_left_open_are_the_games_own():
    # Nothing can be taken any more; Black and White have moved to and fro.
    position = Position.from_fen("W:WK1:BK32")
    quick = SearchSettings(table_mb=0, draws=DrawRules(repetitions=0, quiet_plies=2))
    usual = SearchSettings(table_mb=0)
    same = replace(usual, draws=DrawRules())
    found = {
        settings: Player("x", search=settings).search(position, depth=6).nodes
        for settings in (quick, usual, same)
    }
    assert found[usual] == found[same] != found[quick]


# ---- the player's file


def test_every_setting_but_draws_is_a_key_of_the_file(tmp_path: Path):
    settings = SearchSettings(**OTHER, draws=DrawRules(repetitions=0))
    Player("own", search=settings).save(tmp_path / "own")
    text = (tmp_path / "own" / "player.toml").read_text("utf-8")
    assert list(tomllib.loads(text)["search"].items()) == list(OTHER.items())
    assert load_player(tmp_path / "own").settings == replace(settings, draws=None)


@pytest.mark.parametrize("name", list(OTHER))
def test_a_setting_left_at_its_default_is_not_written(name: str, tmp_path: Path):
    Player("own", search=SearchSettings(**{name: OTHER[name]})).save(tmp_path / "own")
    text = (tmp_path / "own" / "player.toml").read_text("utf-8")
    assert tomllib.loads(text)["search"] == {name: OTHER[name]}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("draws = 3", "search.draws: no such key"),
        ("quiesence = true", "search.quiesence: no such key, did you mean quiescence?"),
        ("killers = 3", "search.killers: Input should be less than or equal to 2"),
        ("threads = 257", "search.threads: Input should be less than or equal to 256"),
        ("grain = 201", "search.grain: Input should be less than or equal to 200"),
        ("table_mb = -1", "search.table_mb: Input should be greater than or equal to 0"),
        ("pvs = 1", "search.pvs: Input should be a valid boolean"),
        (
            'algorithm = "guess"',
            "search.algorithm: Input should be 'alphabeta' or 'minimax'",
        ),
    ],
)
def test_a_wrong_key_of_the_file_is_named(line: str, told: str, tmp_path: Path):
    head = 'game = "draughts"\nname = "own"\n[evaluators.main]\nkind = "material"\n[search]\n'
    (tmp_path / "player.toml").write_text(f"{head}{line}\n")
    with pytest.raises(ValueError, match=told.replace("?", r"\?")):
        load_player(tmp_path)


# ---- the selective group


def test_full_width_switches_off_what_is_selective():
    off = SearchSettings().full_width()
    for name, setting in SETTINGS.items():
        usual = getattr(SearchSettings(), name)
        assert getattr(off, name) == (type(usual)() if setting.is_selective else usual)


def test_no_setting_whose_value_is_minimaxs_is_called_selective():
    assert not [name for name in USUAL if SETTINGS[name].is_selective]


def test_full_width_changes_the_selective_settings_alone(monkeypatch: pytest.MonkeyPatch):
    # There is none yet, so that two others stand in for them.
    monkeypatch.setattr(settings_module, "SELECTIVE_OFF", {"history": False, "killers": 0})
    settings = SearchSettings(threads=3, table_mb=1)
    assert settings.full_width() == replace(settings, history=False, killers=0)
