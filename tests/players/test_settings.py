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
from crossboard.players.folder import find_folder, list_players, read_description
from crossboard.players.settings import SETTINGS

DUCHESS = duchess.Position().after("N1b2-1c4").after("P2a3-2a4")
# Written by hand: a change of the core must not change what files and digests are made of.
SELECTIVE_OFF = {
    "reductions": False,
    "verified_cuts": 0,
    "only_replies": False,
    "main_captures": False,
    "threats": False,
    "kept_history": False,
    "internal_deepening": False,
    "tree_repetitions": False,
}
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
    **SELECTIVE_OFF,
    "table_mb": 64,
    "threads": 1,
    "grain": 8,
    "tables": False,
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
    "reductions": True,
    "verified_cuts": 7,
    "only_replies": True,
    "main_captures": True,
    "threats": True,
    "kept_history": True,
    "internal_deepening": True,
    "tree_repetitions": True,
    "table_mb": 3,
    "threads": 2,
    "grain": 5,
    "tables": True,
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
        f"table_mb=64, threads=2, grain=8, tables=False, draws={DrawRules(repetitions=0)!r})"
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


def test_the_selective_settings_are_these_and_off_by_default():
    selective = {name for name, setting in SETTINGS.items() if setting.is_selective}
    assert selective == set(SELECTIVE_OFF)


def test_full_width_changes_the_selective_settings_alone():
    settings = SearchSettings(**OTHER)
    assert settings.full_width() == replace(settings, **SELECTIVE_OFF)
    assert SearchSettings.selective().full_width() == SearchSettings()


def test_a_selective_search_differs_from_the_plain_one():
    position = middlegames()[1]
    nodes = {
        settings: Player("x", search=settings).search(position, depth=9).nodes
        for settings in (SearchSettings(), SearchSettings.selective())
    }
    assert len(set(nodes.values())) == 2


# Of all that is published; whatever plays for a paper searches as its paper says.
SELECTIVE_PLAYERS = {"champion"}


@pytest.mark.parametrize("name", [listed.name for listed in list_players() if listed.is_shipped])
def test_every_published_player_but_the_champion_searches_in_full_width(name: str):
    description = read_description(name)
    written = {key: getattr(description.search, key) for key in SELECTIVE_OFF}
    if name in SELECTIVE_PLAYERS:
        assert any(written.values())
    else:
        assert written == SELECTIVE_OFF
        assert load_player(name).settings.full_width() == load_player(name).settings


def test_treestrap_names_every_switch():
    text = (find_folder("treestrap") / "player.toml").read_text("utf-8")
    written = tomllib.loads(text)["search"]
    # What is left open is None, which TOML cannot write.
    assert written == {k: v for k, v in USUAL.items() if k not in ("killers", "draws")}
