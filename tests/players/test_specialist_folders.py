"""Players with specialists as folders: saved and loaded alike, and refused in one sentence."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
from drawn_specialists import UNITS, drawn_player, pieces, some_boards
from safetensors.numpy import load_file, save_file

from crossboard.cli import commands
from crossboard.draughts import Position
from crossboard.evaluators import BoardAttributes, Material
from crossboard.players import Player, SearchSettings, Specialists, When, list_players, load_player
from crossboard.players.errors import PlayerError

FEATURES = ["ufu.PieceAdvantage", "ufu.PieceDisadvantage"]
MANY_AGENTS = "agents = [" + '"main", ' * 99
AHEAD = Position.from_fen("B:W21:B1,2")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    drawn_player(replaced=(3,)).save(tmp_path / "own")
    return tmp_path / "own"


def refused(path: Path) -> str:
    with pytest.raises(PlayerError) as caught:
        load_player(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def arrays_with(own: Path, **changes: object) -> None:
    arrays = load_file(own / "weights.safetensors")
    for name, array in changes.items():
        arrays[name.replace("__", ".")] = np.asarray(array)
    save_file(arrays, own / "weights.safetensors")


# ---- saved and loaded


def test_what_is_saved_is_loaded(own: Path):
    player, again = drawn_player(replaced=(3,)), load_player(own)
    assert again.specialists == player.specialists
    assert again.specialists.evaluators[3] is again.evaluator
    names = ["main", "unit1", "unit2", "unit3", "unit5"]
    assert list(again.evaluators) == list(player.evaluators) == names
    for position in some_boards(5, 20):
        ours, theirs = (each.search(position, depth=2) for each in (player, again))
        assert (ours.agent, ours.move, ours.value) == (theirs.agent, theirs.move, theirs.value)


def test_saving_again_writes_the_same(own: Path, tmp_path: Path):
    load_player(own).save(tmp_path / "again")
    for name in ("player.toml", "weights.safetensors"):
        assert (tmp_path / "again" / name).read_bytes() == (own / name).read_bytes()


def test_all_settings_of_a_map_are_kept(tmp_path: Path):
    attributes = BoardAttributes(FEATURES, coding="counts", with_material=True)
    specialists = Specialists(
        attributes, [[1, 0, 0], [0, 1, -0.5]], [Material()] * 2, most_pieces=9, keeps=False
    )
    phases = [(When(most_pieces=4), specialists.evaluators[0])]
    Player("x", phases=phases, specialists=specialists).save(tmp_path / "own")
    assert tomllib.loads((tmp_path / "own" / "player.toml").read_text("utf-8"))["specialists"] == {
        "features": FEATURES,
        "coding": "counts",
        "with_material": True,
        "most_pieces": 9,
        "keeps": False,
        "agents": ["agent1", "agent1"],
    }
    assert load_player(tmp_path / "own").specialists == specialists


def test_agents_keep_the_names_of_their_folder(tmp_path: Path):
    text = 'game = "draughts"\nname = "by hand"\n'
    for key in ("main", "behind", "ahead", "unused"):
        text += f'evaluators.{key}.kind = "material"\n'
    text += f"[specialists]\nfeatures = {json.dumps(FEATURES)}\n"
    text += 'agents = ["ahead", "behind", "main"]\n'
    (tmp_path / "player.toml").write_text(text)
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    save_file({"specialists.prototypes": rows}, tmp_path / "weights.safetensors")
    player = load_player(tmp_path)
    player.save(tmp_path / "again")
    for each in (player, load_player(tmp_path / "again"), player.with_settings(SearchSettings())):
        assert each.search(AHEAD, depth=1).agent == "ahead"
        assert each.agent_for(Position.from_fen("W:W21:B1,2")) == "behind"


def test_the_folder_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    drawn_player().save("players/mine")
    (listed,) = (player for player in list_players() if player.name == "mine")
    assert listed.evaluator == f"{UNITS + 1} evaluators"


def test_more_units_than_a_folder_has_evaluators_are_not_saved(tmp_path: Path):
    units = [Material() for _ in range(99)]
    specialists = Specialists(BoardAttributes(FEATURES), np.zeros((99, 2)), units)
    Player("all", specialists=specialists).save(tmp_path / "all")
    assert len(load_player(tmp_path / "all").evaluators) == 100
    phases = [(When(most_pieces=4), Material())]
    with pytest.raises(PlayerError, match="cannot be saved: evaluators: 101 are more than 100"):
        Player("more", phases=phases, specialists=specialists).save(tmp_path / "more")
    assert not (tmp_path / "more").exists()


# ---- refused


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            '"unit2"',
            '"unit7"',
            "specialists: unit 2 asks for evaluator 'unit7': there are main, ",
        ),
        ('"unit2", ', "", "specialists.prototypes has shape (5, 28), it must be (4, 28)"),
        ('"ufu.Gap"', '"ufu.Gasp"', "specialists: there is no feature 'ufu.Gasp'; ufu has "),
        ('"ufu.Gap"', '"ufu.Hole"', "specialists: the feature ufu.Hole is named twice"),
        ('"ufu.Gap", ', "", "specialists.prototypes has shape (5, 28), it must be (5, 27)"),
        ('coding = "counts"', 'coding = "bits"', "specialists.coding: Input should be 'presence'"),
        ('coding = "counts"', 'codign = "counts"', "codign: no such key, did you mean coding?"),
        ("with_material = false", "with_material = true", "shape (5, 28), it must be (5, 29)"),
        ("most_pieces = 12", "most_pieces = 25", "specialists.most_pieces: "),
        ("keeps = true", "keeps = 1", "specialists.keeps: "),
        ("agents = [", "agents = [] # [", "specialists.agents: "),
        ("agents = [", MANY_AGENTS, "specialists.agents: "),
        ("agents = [", "units = 1000000000\nagents = [", "specialists.units: no such key"),
    ],
)
def test_each_wrong_key_is_named(own: Path, old: str, new: str, told: str):
    path = own / "player.toml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    assert told in refused(own)


@pytest.mark.parametrize("shape", [(UNITS, 27), (UNITS - 1, 28), (UNITS * 28,), (1, UNITS, 28)])
def test_prototypes_of_the_wrong_shape(own: Path, shape: tuple[int, ...]):
    arrays_with(own, specialists__prototypes=np.zeros(shape))
    told = f"specialists.prototypes has shape {shape}, it must be (5, 28)"
    assert told in refused(own)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_prototypes_that_are_no_numbers(own: Path, number: float):
    prototypes = load_file(own / "weights.safetensors")["specialists.prototypes"]
    prototypes[2, 7] = number
    arrays_with(own, specialists__prototypes=prototypes)
    assert "specialists.prototypes has a weight that is no finite number" in refused(own)


def test_a_billion_units_take_no_memory(own: Path):
    """A file that promises more numbers than it holds is refused for what it is."""
    size = 10**9 * 28 * 8
    header = {
        "specialists.prototypes": {
            "dtype": "F64",
            "shape": [10**9, 28],
            "data_offsets": [0, size],
        }
    }
    text = json.dumps(header).encode()
    (own / "weights.safetensors").write_bytes(len(text).to_bytes(8, "little") + text)
    assert "is damaged or no safetensors file" in refused(own)


@pytest.mark.parametrize("missing", ["unit2.weights", "specialists.prototypes"])
def test_a_missing_specialist(own: Path, missing: str):
    arrays = load_file(own / "weights.safetensors")
    del arrays[missing]
    save_file(arrays, own / "weights.safetensors")
    assert f"has no '{missing}'" in refused(own)


def test_a_missing_evaluator_of_a_specialist(own: Path):
    path = own / "player.toml"
    text = path.read_text("utf-8")
    start = text.index("[evaluators.unit2]")
    path.write_text(text[:start] + text[text.index("[evaluators.unit3]") :], "utf-8")
    assert "specialists: unit 2 asks for evaluator 'unit2': there are main, unit1" in refused(own)


def test_random_moves_have_no_specialists(tmp_path: Path):
    text = 'game = "draughts"\nname = "any"\n[evaluators.main]\nkind = "random"\n'
    text += '[evaluators.one]\nkind = "material"\n'
    text += f'[specialists]\nfeatures = {json.dumps(FEATURES)}\nagents = ["one"]\n'
    (tmp_path / "player.toml").write_text(text)
    save_file({"specialists.prototypes": np.zeros((1, 2))}, tmp_path / "weights.safetensors")
    assert "specialists: a player whose evaluators.main is random has none" in refused(tmp_path)


# ---- on the command line


def test_a_search_names_the_agent(own: Path, capsys: pytest.CaptureFixture[str]):
    board = next(each for each in some_boards(5, 20) if pieces(each) <= 12)
    agent = load_player(own).agent_for(board)
    assert agent != "main"
    asked = ["search", "--player", str(own), "--fen", board.fen, "--depth", "2"]
    assert commands.run([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agent"] == agent
    assert commands.run(asked) == 0
    assert f"\nagent     {agent}\n" in capsys.readouterr().out


def test_a_broken_folder_is_one_line_and_exit_code_2(own: Path, capsys: pytest.CaptureFixture[str]):
    arrays_with(own, specialists__prototypes=np.zeros((3, 3)))
    assert commands.run(["search", "--player", str(own), "--depth", "1"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert "it must be (5, 28)" in told.err
