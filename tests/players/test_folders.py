"""Players as folders: what is saved is what is loaded, and no folder can break anything."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import crossboard
from crossboard.cli import commands
from crossboard.draughts import Position
from crossboard.evaluators import (
    Linear,
    Material,
    Network,
    count_mapping,
    direct_mapping,
    feature_mapping,
    joined_mapping,
    material_mapping,
    pattern_mapping,
    piece_mapping,
)
from crossboard.players import (
    Player,
    RandomPlayer,
    SearchLimits,
    SearchSettings,
    When,
    folder,
    list_players,
    load_player,
)
from crossboard.players.errors import PlayerError

FEATURES = ("draft5.piece", "draft5.king", "draft5.back")
LINEAR = Linear(FEATURES, (1000.0, 1500.0, 30.5), man=1000.0)
OTHER = Linear(FEATURES[:2], (1.0, 1.25), man=1.0)


def cast_player() -> Player:
    return Player(
        "cast",
        LINEAR,
        phases=[(When(most_pieces=8, balance="ahead"), OTHER), (When(most_pieces=8), Material())],
        search=SearchSettings(table_mb=2, pvs=False, grain=3),
        limits=SearchLimits(depth=5, nodes=10_000, clock="cpu"),
        about={"made_by": 'a test: "quoted", \\ and é\n\x7f'},
    )


def positions(count: int) -> list[Position]:
    random, found = Random(3), [Position()]
    while len(found) < count:
        position = Position()
        for _ in range(random.randrange(90)):
            if not position.is_over:
                position = position.after(random.choice(position.legal_moves))
        if not position.is_over:
            found.append(position)
    return found


def assert_same(one: Player, other: Player) -> None:
    assert other.name == one.name
    assert other.evaluator == one.evaluator
    assert other.phases == one.phases
    assert other.settings == one.settings
    assert other.limits == one.limits
    assert other.about.get("made_by", "") == one.about.get("made_by", "")
    agents = set()
    for position in positions(60):
        assert other.engine_for(position).evaluate(position) == one.engine_for(position).evaluate(
            position
        )
        agents.add(id(one.engine_for(position)))
        ours, theirs = (player.search(position, depth=3) for player in (one, other))
        assert (ours.move, ours.value, ours.nodes) == (theirs.move, theirs.value, theirs.nodes)
    assert len(agents) == 1 + len(one.phases)  # or the positions have shown nothing


# ---- save, load, pickle


def test_what_is_saved_is_loaded(tmp_path: Path):
    player = cast_player()
    player.save(tmp_path / "own")
    assert_same(player, load_player(tmp_path / "own"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["own"]


def test_a_network_of_one_layer_is_loaded_as_it_was(tmp_path: Path):
    mapping = joined_mapping(
        count_mapping(),
        material_mapping(),
        feature_mapping("ufu", off=0.0),
        piece_mapping(),
        direct_mapping(),
        direct_mapping(quirks="lynch"),
        pattern_mapping([[1, 2, 5], [30, 31]], states=5),
    )
    network = Network.one_layer(mapping)
    weights = np.random.default_rng(1).normal(size=len(network.weights)) / 10
    player = Player("flat", network.with_weights(weights), search=SearchSettings(table_mb=0))
    player.save(tmp_path / "own")
    assert_same(player, load_player(tmp_path / "own"))
    assert_same(player, pickle.loads(pickle.dumps(player)))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ('mapping = "patterns"\nsquares = [[1, 40]]', "squares are 1 to 32, not 40"),
        ('mapping = "patterns"\nsquares = [["a"]]', "valid integer"),
        ('mapping = "joined"\nparts = []', "at least one part"),
        ('mapping = "joined"\nparts = [{mapping = "joined"}]', "Input should be 'binary'"),
        ('mapping = "joined"\nparts = [{mapping = "counts", size = 3}]', "no such key"),
        ('mapping = "pieces"\ndirect_links = false', "hidden units or direct links"),
    ],
)
def test_a_network_that_makes_no_sense_is_refused(wrong: str, says: str, tmp_path: Path):
    Player("flat", Network.one_layer(piece_mapping())).save(tmp_path / "own")
    head = 'game = "draughts"\nname = "flat"\n[evaluators.main]\nkind = "network"\nhidden = 0'
    text = f"{head}\n{wrong}\n"
    (tmp_path / "own" / "player.toml").write_text(text)
    with pytest.raises(ValueError, match=says):
        load_player(tmp_path / "own")


def test_saving_again_writes_the_same(tmp_path: Path):
    cast_player().save(tmp_path / "one")
    load_player(tmp_path / "one").save(tmp_path / "two")
    one, two = ((tmp_path / name / "player.toml").read_bytes() for name in ("one", "two"))
    assert one == two


def test_pickled_players_play_alike():
    player = cast_player()
    assert_same(player, pickle.loads(pickle.dumps(player)))


SHIPPED = [
    "champion",
    "draft5",
    "draft5-1997",
    "draft5-ga",
    "duchess-0",
    "duchess-1",
    "duchess-2",
    "duchess-3",
    "duchess-six",
    "duchess-six-0",
    "ls-draughts",
    "material",
    "mp-draughts",
    "neurodraughts",
    "random",
    "treestrap",
    "visiondraughts",
]


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_players_can_be_saved_under_their_name(name: str, tmp_path: Path):
    shipped = crossboard.load_player(name)
    shipped.save(tmp_path / "copy")
    copy = load_player(tmp_path / "copy")
    assert type(copy) is type(shipped)
    assert (copy.name, copy.evaluator, copy.limits) == (name, shipped.evaluator, shipped.limits)
    assert copy.about["made_by"] == shipped.about["made_by"]


# Written by hand: one lays its lists out otherwise, two leave their weights to the paper, and one
# names every switch of the search.
BY_HAND = {"draft5", "duchess-0", "duchess-six-0", "treestrap"}


def bytes_in(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in place.iterdir()}


@pytest.mark.parametrize("name", sorted(set(SHIPPED) - BY_HAND))
def test_shipped_players_are_saved_byte_for_byte_as_they_are(name: str, tmp_path: Path):
    load_player(name).save(tmp_path / "copy")
    assert bytes_in(tmp_path / "copy") == bytes_in(folder.shipped_folder() / name)


@pytest.mark.parametrize("name", sorted(BY_HAND))
def test_players_written_by_hand_are_saved_with_the_same_meaning(name: str, tmp_path: Path):
    load_player(name).save(tmp_path / "one")
    load_player(tmp_path / "one").save(tmp_path / "two")
    assert bytes_in(tmp_path / "one") == bytes_in(tmp_path / "two")
    saved, shipped = (
        tomllib.loads((place / "player.toml").read_text("utf-8"))
        for place in (tmp_path / "one", folder.shipped_folder() / name)
    )
    if shipped["evaluators"]["main"]["kind"] == "initial":
        players = shipped["evaluators"]["main"]["players"]
        groups = {"attack": "none", "piece_square": False, "king_reach": False}
        shipped["evaluators"]["main"] = {"kind": "one-layer", "players": players} | groups
    searches = [SearchSettings(**one.pop("search", {})) for one in (saved, shipped)]
    assert searches[0] == searches[1]
    assert saved == shipped


def test_settings_given_take_the_place_of_its_own(tmp_path: Path):
    cast_player().save(tmp_path / "own")
    settings = SearchSettings(table_mb=0)
    assert load_player(tmp_path / "own", search=settings).settings == settings


def test_a_python_function_is_not_saved(tmp_path: Path):
    player = Player("mine", lambda position: 0.0, search=SearchSettings(table_mb=0))
    with pytest.raises(ValueError, match="'mine' cannot be saved: no folder holds a Python"):
        player.save(tmp_path / "mine")
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_could_not_be_loaded_is_not_saved(tmp_path: Path):
    for name in ("a/b", "", "..", "x" * 200, "line\nbreak"):
        with pytest.raises(ValueError, match="name"):
            Player(name, search=SearchSettings(table_mb=0)).save(tmp_path / "own")
    assert list(tmp_path.iterdir()) == []


# ---- broken folders


@pytest.fixture
def own(tmp_path: Path) -> Path:
    cast_player().save(tmp_path / "own")
    return tmp_path / "own"


def refused(path: Path) -> str:
    with pytest.raises(ValueError, match=r".") as caught:
        load_player(path)
    text = str(caught.value)
    assert "\n" not in text
    return text


def change(path: Path, old: str, new: str) -> str:
    file = path / "player.toml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    return refused(path)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("grain = 3", "grian = 3", "search.grian: no such key, did you mean grain?"),
        ("game = ", "gmae = ", "gmae: no such key, did you mean game?"),
        ("man = 1000.0", "man = 1000.0\nwieghts = 1", "wieghts: no such key"),
        ("grain = 3", "grain = 0", "search.grain: "),
        ("grain = 3", 'grain = "3"', "search.grain: "),
        ("table_mb = 2", "table_mb = 99999999999", "search.table_mb: "),
        ("depth = 5", "depth = 0", "limits: depth must be 1 to 200, not 0"),
        ("depth = 5", "seconds = nan", "limits: seconds must be a finite number above 0"),
        ('name = "cast"', 'name = "../../etc/passwd"', "name: "),
        ('name = "cast"', 'name = ""', "name: "),
        ('game = "draughts"', 'game = "chess"', "game: "),
        ('kind = "linear"', 'kind = "pickle"', "evaluators.main: "),
        ("man = 1000.0", "man = 0.0", "man: "),
        ("man = 1000.0", "man = inf", "man"),
        ('"draft5.king"', '"draft5.queen"', "draft5.queen"),
        (
            'evaluator = "agent1"',
            'evaluator = "agent7"',
            "player.toml: phases: phase 1 asks for evaluator 'agent7': there are main, ",
        ),
        ("least_pieces = 0", "least_pieces = 91", "least_pieces: "),
        ('balance = "ahead"', 'balance = "winning"', "balance: "),
        ("evaluators.main", "evaluators.chief", "evaluators has no 'main'"),
        ("[search]", "[search", "is no TOML: "),
    ],
)
def test_each_wrong_key_is_named(own: Path, old: str, new: str, told: str):
    text = change(own, old, new)
    assert told in text
    assert "player.toml" in text


def test_descriptions_that_are_no_text(own: Path):
    (own / "player.toml").write_bytes(b'game = "\xff\xfe"')
    assert "is no TOML: " in refused(own)


def test_descriptions_that_are_huge(own: Path):
    (own / "player.toml").write_text("#" * 2_000_000)
    assert "is too large: more than 1 MB" in refused(own)


def test_no_description(own: Path):
    (own / "player.toml").unlink()
    assert "has no player.toml" in refused(own)


def test_weights_that_are_missing(own: Path):
    (own / "weights.safetensors").unlink()
    assert "weights.safetensors: No such file" in refused(own)


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_weights_that_are_no_file(own: Path, make: Callable[[Path], None]):
    (own / "weights.safetensors").unlink()
    make(own / "weights.safetensors")
    assert "weights.safetensors is no file" in refused(own)


@pytest.mark.parametrize("name", ["../w.safetensors", "/etc/passwd", "weights.x.safetensors", ""])
def test_weights_are_only_in_the_folder(own: Path, name: str):
    assert "weights: String should match" in change(own, "game =", f'weights = "{name}"\ngame =')


@pytest.mark.parametrize("data", [b"", b"\x80\x04N.", b"x" * 1000, b"\xff" * 8 + b"{}"])
def test_weights_that_are_none(own: Path, data: bytes):
    (own / "weights.safetensors").write_bytes(data)
    assert "weights.safetensors is damaged or no safetensors file" in refused(own)


def test_weights_cut_off_anywhere(own: Path):
    whole = (own / "weights.safetensors").read_bytes()
    for size in range(len(whole)):
        (own / "weights.safetensors").write_bytes(whole[:size])
        assert "is damaged or no safetensors file" in refused(own)


def test_weights_that_are_huge(own: Path):
    with (own / "weights.safetensors").open("r+b") as file:
        file.truncate(65_000_000)
    assert "is too large: more than 64 MB" in refused(own)


def test_weights_of_another_player(own: Path):
    save_file({"other": np.zeros(3)}, own / "weights.safetensors")
    assert "has no 'main.weights'" in refused(own)


@pytest.mark.parametrize("shape", [(2,), (4,), (3, 1), (), (0,)])
def test_weights_of_the_wrong_shape(own: Path, shape: tuple[int, ...]):
    save_file({"main.weights": np.zeros(shape)}, own / "weights.safetensors")
    assert f"has shape {shape}, it must be (3,)" in refused(own)


def test_weights_nobody_asks_for(own: Path):
    arrays = load_file(own / "weights.safetensors") | {"evil": np.zeros(3)}
    save_file(arrays, own / "weights.safetensors")
    assert "nothing asks for 'evil': there should be agent1.weights, main.weights" in refused(own)


def test_weights_of_another_type(own: Path):
    arrays = load_file(own / "weights.safetensors")
    arrays["main.weights"] = arrays["main.weights"].astype(np.int32)
    save_file(arrays, own / "weights.safetensors")
    assert "main.weights is of type int32, it must be float64" in refused(own)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_numbers(own: Path, value: float):
    arrays = {"main.weights": np.array([1.0, value, 3.0]), "agent1.weights": np.ones(2)}
    save_file(arrays, own / "weights.safetensors")
    assert "main.weights has a weight that is no finite number" in refused(own)


def test_weights_in_other_precisions_are_read(own: Path):
    arrays = {"main.weights": np.array([1, 2, 3], np.float32), "agent1.weights": np.ones(2)}
    save_file(arrays, own / "weights.safetensors")
    assert load_player(own).evaluator == Linear(FEATURES, (1, 2, 3), man=1000.0)


# ---- names


def test_own_players_are_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    cast_player().save("players/mine")
    assert load_player("mine").name == "cast"
    assert load_player("players/mine").name == "cast"
    with pytest.raises(ValueError, match="there is no player 'mien': did you mean mine"):
        load_player("mien")


@pytest.mark.parametrize("name", ["", ".", "..", "/", "draft5/../draft5", "no\0such", "x" * 5000])
def test_odd_names_are_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="player"):
        load_player(name)


def test_listing_goes_on_past_a_broken_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    cast_player().save("players/good")
    cast_player().save("players/wrong")
    cast_player().save("runs/first/player")
    Path("players/wrong/player.toml").write_text("game = 1")
    Path("players/empty").mkdir()
    listed = {player.name: player for player in list_players()}
    assert list(listed) == [*SHIPPED, "good", "wrong", "runs/first/player"]
    assert listed["good"].evaluator == "3 evaluators"
    assert not listed["good"].is_shipped
    assert listed["draft5"].is_shipped
    assert listed["wrong"].made_by.startswith("does not load: ")
    assert load_player("runs/first/player").name == "cast"


def test_players_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    cast_player().save("players/good")
    assert commands.run(["players"]) == 0
    *lines, empty, levels = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [*SHIPPED, "good"]
    assert (empty, "NAME@1" in levels, "NAME@8" in levels) == ("", True, True)
    assert commands.run(["players", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["players"]
    assert [player["name"] for player in told] == [*SHIPPED, "good"]
    assert told[-1] == {
        "name": "good",
        "folder": "players/good",
        "shipped": False,
        "game": "draughts",
        "evaluator": "3 evaluators",
        "made_by": cast_player().about["made_by"],
        "levels": 8,
    }
    assert {one["name"]: one["levels"] for one in told}["random"] == 0


def test_the_list_of_players_gives_a_terminal_no_orders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    for place in ("players/\x1b[31mred", "runs/two\nlines/player"):
        cast_player().save(place)
    assert commands.run(["players"]) == 0
    text = capsys.readouterr().out
    assert "\x1b" not in text
    names = [line.split("  ")[0] for line in text.splitlines()[len(SHIPPED) : -2]]
    assert names == [r"\x1b[31mred", "runs/two lines/player"]


def test_shipped_players_win_over_own_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(folder.shipped_folder() / "random", tmp_path / "players" / "material")
    assert load_player("material").name == "material"


# ---- the player that plays anything


def test_random_moves_follow_the_seed():
    def game(seed: int) -> list[str]:
        player, position, moves = RandomPlayer(seed=seed), Position(), []
        while not position.is_over and len(moves) < 60:
            moves.append(str(player.choose(position, depth=3)))
            position = position.after(moves[-1])
        return moves

    assert game(1) == game(1)
    assert game(1) != game(2)


def test_random_moves_are_all_played():
    player = RandomPlayer(seed=0)
    assert {player.choose(Position()) for _ in range(200)} == set(Position().legal_moves)


def test_random_player_refuses_a_game_that_is_over():
    with pytest.raises(ValueError, match="the game is over"):
        RandomPlayer().choose(Position.from_fen("W:W:B1"))


def test_random_player_can_be_pickled():
    player = pickle.loads(pickle.dumps(RandomPlayer("chance", about={"made_by": "dice"})))
    assert (type(player), player.name, player.about) == (
        RandomPlayer,
        "chance",
        {"made_by": "dice"},
    )


def test_a_table_that_no_machine_holds_is_refused_with_its_key(tmp_path: Path):
    text = 'game = "draughts"\nname = "bad"\n[evaluators.main]\nkind = "material"\n'
    (tmp_path / "player.toml").write_text(f"{text}[search]\ntable_mb = 900000\n")
    with pytest.raises(PlayerError, match=r"player\.toml: search: table_mb: a table of 900000 MB"):
        load_player(tmp_path)
    assert load_player(tmp_path, search=SearchSettings(table_mb=1)).settings.table_mb == 1


def test_settings_that_make_no_sense_are_the_callers_fault(tmp_path: Path):
    cast_player().save(tmp_path / "own")
    with pytest.raises(ValueError, match=r"^table_mb: a table of 900000 MB"):
        load_player(tmp_path / "own", search=SearchSettings(table_mb=900_000))


@pytest.mark.parametrize(
    ("agents", "threads", "told"),
    [
        (1, 256, ""),
        (4, 64, ""),
        (100, 2, ""),
        (4, 65, ""),
        (100, 256, ""),
        (1, 257, "search.threads: "),
        (101, 1, "evaluators: 101 are more than 100"),
        (20_000, 1, "evaluators: 20000 are more than 100"),
    ],
)
def test_a_short_description_takes_little_memory(
    agents: int, threads: int, told: str, tmp_path: Path
):
    text = 'game = "draughts"\nname = "many"\n'
    text += f"search.threads = {threads}\nsearch.table_mb = 0\n"
    for number in range(agents):
        key = f"a{number}" if number else "main"
        text += f'evaluators.{key}.kind = "material"\n'
    text += "".join(f'[[phases]]\nevaluator = "a{number}"\n' for number in range(1, min(agents, 9)))
    (tmp_path / "player.toml").write_text(text)
    if told:
        assert f"player.toml: {told}" in refused(tmp_path)
    else:
        assert load_player(tmp_path).settings.threads == threads


def test_a_size_that_could_not_be_loaded_is_not_saved(tmp_path: Path):
    phases = [(When(most_pieces=number % 24), Material()) for number in range(100)]
    player = Player("many", phases=phases, search=SearchSettings(table_mb=0))
    with pytest.raises(PlayerError, match="'many' cannot be saved: evaluators: 101 are more than"):
        player.save(tmp_path / "own")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("key", "table"),
    [
        ("phases", '[[phases]]\nevaluator = "other"\nmost_pieces = 10'),
        ("search", "[search]\nthreads = 3"),
        ("limits", "[limits]\ndepth = 3"),
    ],
)
def test_what_random_moves_have_no_use_for_is_refused(key: str, table: str, tmp_path: Path):
    head = 'game = "draughts"\nname = "any"\n[evaluators.main]\nkind = "random"\n'
    other = '[evaluators.other]\nkind = "material"\n'
    (tmp_path / "player.toml").write_text(head + other + table)
    with pytest.raises(PlayerError, match=f"{key}: a player whose evaluators.main is random"):
        load_player(tmp_path)
    (tmp_path / "player.toml").write_text(head + other)
    assert isinstance(load_player(tmp_path), RandomPlayer)


def test_the_folder_of_a_run_is_not_that_of_its_player(tmp_path: Path):
    Player("mine", None).save(tmp_path / "run" / "player")
    with pytest.raises(PlayerError, match=r"has no player.toml: did you mean .*run/player\?"):
        load_player(str(tmp_path / "run"))
