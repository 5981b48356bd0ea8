"""`crossboard train` with the files of 1997: ND and XTRAIN run as they were set up."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from crossboard import load_player
from crossboard.draughts import read_pdn
from crossboard.evaluators import Network
from crossboard.systems import exams, visiondraughts
from crossboard.systems.neurodraughts import PUBLISHED, NeuroDraughtsSettings
from crossboard.systems.neurodraughts_files import format_network, read_network
from crossboard.systems.neurodraughts_setup import SetUp, apply_set_up

from .conftest import Run

CREATION = """NumInputs: 5
NumHidden: 2
DirectLinks: 1
NetworkSeed: 210476
LowRange: -0.2
HighRange: +0.2
NetworkName: FeatureNetwork
"""
PARAMETERS = "LRate1: 0.0\nLRate2: 0.1\nMomentum: 0.5\nGamma(Decay): 0.98\nLambda(TD?): 0.3\n"
FEATURES = "PieceAdvantage 4\nPieceDisadvatange 0\nBackRowBridge 1\n"
BOARDS = """2
1 1 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 2 2 2 2 2 2 2 2 2 2 2 2   -0.1 +0.1 4
0 0 0 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 3 0 3 0 0   -0.5 +0.5 3
"""
GAMES = "1. 11-15 22-18 2. 15x22 1-0\n\n1. 11-15 23-18 1/2-1/2\n"
PLAIN = ("--preset", "published")  # by minimax
ONE_BOARD = "[['B:W21-32:B1-12', 0, 0, 4]]"
WEIGHTS = [0.0] * (39 * 2 + 2)  # of one hidden unit
SMALL = ("--set", "test_after=2", "--set", "look_ahead=1", "--set", "max_moves=8")


@pytest.fixture(autouse=True)
def short_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exams, "FINAL_GAMES", 2)
    monkeypatch.setattr(exams, "EXAM_DEPTH", 1)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    texts = {"create": CREATION, "params": PARAMETERS, "features": FEATURES, "boards": BOARDS}
    options = []
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        options += [f"--{name}", str(tmp_path / name)]
    return options


def test_a_set_up_of_1997_runs_unchanged(run: Run, files: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = run("train", "neurodraughts", *files, *SMALL, "--games", 8, "--run", folder, "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["player"] == str(folder / "player")
    settings = tomllib.loads((folder / "config.toml").read_text())["settings"]
    assert settings["features"] == [["lynch.PieceAdvantage", 4], ["lynch.BackRowBridge", 1]]
    assert [settings[name] for name in ("rate2", "momentum", "decay")] == [0.1, 0.5, 0.3]
    assert settings["boards"][1] == ["B:WK4:BK28,K30", -0.5, 0.5, 3.0]
    assert settings["weights_seed"] == 210476
    # Two blocks of two games on either board, all of them kept.
    assert len(list(read_pdn(folder / "games.pdn"))) == 8
    (tmp_path / "own.ftr").write_text(FEATURES)
    trained = load_player(folder / "player").evaluator
    assert isinstance(trained, Network)
    final = read_network(folder / "networks" / "Final1.net", trained.mapping)
    assert final.network == trained
    kept = {file.name for file in (folder / "networks").iterdir()}
    assert kept >= {"Final1.net", "Final1.ftr", "Final2.net", "Final2.ftr"}
    for file in (folder / "networks").glob("*.net"):
        assert file.read_text().startswith("FeatureNetwork\n5 2 1\n")


@pytest.mark.parametrize("is_network", [False, True])
def test_a_set_up_is_kept_and_trains_the_same_again(
    run: Run, files: list[str], tmp_path: Path, is_network: bool
) -> None:
    first, again = tmp_path / "first", tmp_path / "again"
    options = [*SMALL, "--set", "lambda=0.9", "--games", "4"]
    if is_network:
        run("train", "neurodraughts", *files, *SMALL, "--games", 4, "--run", tmp_path / "before")
        final = tmp_path / "before" / "networks" / "Final1.net"
        final.write_text(final.read_text().replace("FeatureNetwork", "My net"))
        files[files.index("--create") + 1] = str(final)
    run("train", "neurodraughts", *files, *options, "--run", first)
    kept = first / "set-up" / "training"
    create = kept.with_suffix(".net" if is_network else ".crt")
    assert {file.suffix for file in kept.parent.iterdir()} == {
        create.suffix,
        ".prm",
        ".brd",
        ".ftr",
    }
    # The features of the same name are found beside it.
    given = ["--create", create, "--params", f"{kept}.prm", "--boards", f"{kept}.brd"]
    done = run("train", "neurodraughts", *given, *SMALL, "--games", 4, "--run", again)
    assert done.code == 0, done.err
    told, told_again = (
        tomllib.loads((folder / "config.toml").read_text()) for folder in (first, again)
    )
    assert told["settings"] == told_again["settings"]
    assert told["settings"]["decay"] == 0.9
    assert told["settings"]["network_name"] == ("My net" if is_network else "FeatureNetwork")
    nets = [load_player(folder / "player").evaluator for folder in (first, again)]
    assert nets[0] == nets[1]


def test_a_set_up_without_a_net_of_its_own_is_kept_without_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "params").write_text(PARAMETERS)
    options = ("--params", tmp_path / "params", *SMALL, "--games", 2, "--run", tmp_path / "run")
    assert run("train", "neurodraughts", *options).code == 0
    kept = {file.name for file in (tmp_path / "run" / "set-up").iterdir()}
    assert kept == {"training.prm", "training.brd", "training.ftr"}


def test_networks_that_are_kept_can_play(run: Run, files: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run("train", "neurodraughts", *files, *SMALL, "--games", 4, "--run", folder)
    final = folder / "networks" / "Final1.net"
    assert final.with_suffix(".ftr").read_text() == "PieceAdvantage 4\nBackRowBridge 1\n"
    done = run("match", final, "material", "--games", 2, "--depth", 1, "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["one"] == "FeatureNetwork"
    # Where the number of inputs tells the features, no file of them is needed.
    lynch = tmp_path / "lynch"
    options = ("--params", tmp_path / "params", "--games", 2, "--run", lynch)
    run("train", "neurodraughts", *options, *SMALL)
    assert {file.suffix for file in (lynch / "networks").iterdir()} == {".net"}


def test_files_of_1997_are_kept_by_vision_draughts_too(run: Run, tmp_path: Path) -> None:
    create, folder = tmp_path / "some.crt", tmp_path / "run"
    create.write_text(CREATION.replace("NumInputs: 5", "NumInputs: 38"))
    options = ("--create", create, *SMALL, "--games", 2, "--run", folder)
    done = run("train", "visiondraughts", *options)
    assert done.code == 0, done.err
    assert len(list(read_pdn(folder / "games.pdn"))) == 2
    assert read_network(folder / "networks" / "Final1.net").name == "FeatureNetwork"


def settings_of(*changes: str, boards: Path | None = None) -> NeuroDraughtsSettings:
    given = [change.partition("=")[0] for change in changes]
    settings = PUBLISHED.with_changes(changes)
    applied: NeuroDraughtsSettings = apply_set_up(SetUp(boards=boards), settings, given).settings
    return applied


def test_more_boards_make_longer_blocks_not_fewer(files: list[str], tmp_path: Path) -> None:
    two = tmp_path / "boards"
    for options, blocks, games in (
        ((), 100, 2000),
        (("test_after=5",), 200, 2000),
        (("blocks=7",), 7, 140),
        (("test_after=3", "blocks=7"), 7, 42),
        (("games=30",), 2, 30),
    ):
        settings = settings_of(*options, boards=two)
        assert (settings.cloning().blocks, settings.games) == (blocks, games)
        assert settings.checked(settings.model_dump()) == settings
    assert (settings_of().cloning().blocks, settings_of("blocks=7").games) == (100, 70)


def applied(folder: Path, *changes: str) -> NeuroDraughtsSettings:
    """Settings that somebody has changed, with all the files of a folder."""
    names = ("create", "params", "features", "boards")
    setup = SetUp(**{name: folder / name for name in names})
    given = [change.partition("=")[0] for change in changes]
    settings: NeuroDraughtsSettings = apply_set_up(
        setup, PUBLISHED.with_changes(changes), given
    ).settings
    return settings


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (("lambda=0.9",), {"decay": 0.9, "gamma": 0.98, "momentum": 0.5}),
        (("decay=0.9", "gamma=0.5"), {"decay": 0.9, "gamma": 0.5, "rate2": 0.1}),
        (("hidden=7", "low=-0.1"), {"hidden": 7, "low": -0.1, "high": 0.2, "direct_links": True}),
        (("mapping=binary",), {"mapping": "binary", "features": (), "hidden": 2}),
        (("weights_seed=3", "keep_files=false"), {"weights_seed": 3, "keep_files": False}),
        (("boards=[['B:W32:B1', 0, 0, 4]]",), {"boards": (("B:W32:B1", 0, 0, 4),), "games": 1000}),
    ],
)
def test_files_do_not_override_what_is_set(
    files: list[str], tmp_path: Path, changes: tuple[str, ...], expected: dict[str, object]
) -> None:
    settings = applied(tmp_path, *changes)
    assert {key: getattr(settings, key) for key in expected} == expected


def test_draws_that_are_set_count_on_every_board_of_a_file(
    files: list[str], tmp_path: Path
) -> None:
    numbers = [numbers for _, *numbers in applied(tmp_path, "draw_as_black=0.3").boards]
    assert numbers == [[0.3, 0.1, 4], [0.3, 0.5, 3]]


def test_set_on_the_command_line_wins_over_files(
    run: Run, files: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    changes = ("--set", "lambda=0.9", "--set", "gamma=0.5", "--set", "hidden=7")
    options = (*changes, "--games", 4, "--run", folder)
    done = run("train", "neurodraughts", *files, *SMALL, *options)
    assert done.code == 0, done.err
    settings = tomllib.loads((folder / "config.toml").read_text())["settings"]
    told = ("decay", "gamma", "hidden", "momentum")
    assert [settings[name] for name in told] == [0.9, 0.5, 7, 0.5]


def test_blocks_are_played_to_their_end(run: Run, files: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    options = ("--set", "blocks=2", "--set", "test_after=3", *SMALL[2:], "--run", folder)
    done = run("train", "neurodraughts", *files, *options)
    assert done.code == 0, done.err
    records = list(read_pdn(folder / "games.pdn"))
    # Three games on each board, in the first of which the student is Black.
    assert [one.tags["Black"] for one in records] == ["opp1", "opp2", "opp1"] * 4


def test_a_network_file_is_trained_on(run: Run, files: list[str], tmp_path: Path) -> None:
    first = read_network(tmp_path / "create", _mapping(tmp_path)).network
    again = tmp_path / "again.net"
    again.write_text(format_network("My net", first))
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder, start in zip(folders, (tmp_path / "create", again), strict=True):
        files[files.index("--create") + 1] = str(start)
        run("train", "neurodraughts", *files, *SMALL, "--games", 4, "--run", folder)
    nets = [load_player(folder / "player").evaluator for folder in folders]
    assert nets[0] == nets[1]
    assert nets[0] != first
    final = (folders[1] / "networks" / "Final1.net").read_text()
    assert final.startswith("My net\n")
    done = run("train", "neurodraughts", *files, "--set", "hidden=7")
    assert done.code == 2
    assert done.err == f"crossboard: {again} is a network with weights: hidden cannot be set\n"


def _mapping(folder: Path):
    from crossboard.systems.neurodraughts_files import read_features

    return read_features(folder / "features")


def test_experts_teach(run: Run, files: list[str], tmp_path: Path) -> None:
    pdn, trn = tmp_path / "games.pdn", tmp_path / "games.trn"
    pdn.write_text(GAMES)
    run("convert", pdn, trn)
    net = files[:6]
    players = []
    for source in (pdn, trn):
        folder = tmp_path / f"run-{source.suffix[1:]}"
        options = ("--training", source, "--epochs", 3, "--run", folder)
        done = run("train", "experts", *net, *options, "--json")
        assert done.code == 0, done.err
        players.append(load_player(folder / "player"))
        lines = (folder / "metrics.jsonl").read_text().splitlines()
        assert [json.loads(line)["step"] for line in lines] == [0, 2, 4, 6]
        assert all("max_error" in json.loads(line) for line in lines[1:])
        last = done.err.splitlines()[-1]
        assert last.startswith("6 of 6 games  ")
        largest = json.loads(lines[-1])["max_error"]
        assert f" left  largest error {largest:.3f}  exam " in last
    weights = [player.evaluator.arrays()["w1"] for player in players]  # type: ignore[union-attr]
    np.testing.assert_array_equal(*weights)


def test_somebody_may_say_whose_win_a_result_is(run: Run, tmp_path: Path) -> None:
    pdn, folder = tmp_path / "games.pdn", tmp_path / "run"
    pdn.write_text(GAMES)
    options = ("--training", pdn, "--epochs", 1, "--run", folder)
    done = run("train", "experts", *options, "--result-convention", "white-first")
    assert done.code == 0, done.err
    settings = tomllib.loads((folder / "config.toml").read_text())["settings"]
    assert settings["result_convention"] == "white-first"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{GAMES}\n1. 11-15 22-18 2. 9-13 0-1\n", "1 game was left out: game 3, line 5, 9-13: "),
        (f"1. 9-13 *\n\n{GAMES}\n1. 9-13 *\n", "2 games were left out, the first: game 1, line 1"),
    ],
)
def test_games_that_nobody_can_learn_from_are_told(
    run: Run, tmp_path: Path, text: str, told: str
) -> None:
    pdn = tmp_path / "games.pdn"
    pdn.write_text(text)
    options = ("--training", pdn, "--epochs", 1, "--run", tmp_path / "run", "--json")
    done = run("train", "experts", *options)
    assert done.code == 0
    assert f"{pdn}: {told}" in done.err.splitlines()[0]
    assert "left out" not in done.out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("experts",), "--training names a PDN or training file"),
        (("experts", "--boards", "x"), "--boards is for the system neurodraughts"),
        (("neurodraughts", "--training", "x"), "--training is for the system experts"),
        (("neurodraughts", "--epochs", "3"), "--epochs is for the system experts"),
        (("neurodraughts", "--create", "nowhere.crt"), "nowhere.crt: No such file"),
        (("neurodraughts", "--params", "bad"), "bad, line 1: expected 'LRate1:', not 'nonsense'"),
        (("neurodraughts", "--boards", "none"), "line 1: expected a board to train on, not 0"),
        (("neurodraughts", "--boards", "over"), "over, line 2: expected a move for Black on board"),
        (("neurodraughts", "--set", "boards=[['B:W32:B', 0, 0, 4]]"), "where it is over: B:W32:B"),
        (("experts", "--training", "bad.pdn"), "no game to learn from: game 1, line 1: the game"),
        (("experts", "--training", "good.pdn", "--games", "7"), "say --epochs instead of games"),
        (("neurodraughts", "--games", "9", "--set", "blocks=2"), "say games or blocks"),
        (
            ("neurodraughts", "--set", "clone_share=0.9"),
            "clone_share has no effect here: it is for",
        ),
        (("neurodraughts", *PLAIN, "--set", "threads=4"), "threads has no effect here: it is for"),
        (("neurodraughts", *PLAIN, "--set", "table_mb=4"), "table_mb has no effect here: it is"),
        (("neurodraughts", "--set", "order_only=true"), "order_only has no effect here: it is for"),
        (("neurodraughts", "--set", "direction_check=false"), "has no effect here: it is for mom"),
        (("neurodraughts", "--set", "trace_decay=gamma_lambda"), "with gamma=1 both are the same"),
        (
            ("neurodraughts", "--set", f"boards={ONE_BOARD}", "--set", "draw_as_black=0.5"),
            "draw_as_black has no effect here: each of the boards has its own",
        ),
        (
            ("neurodraughts", "--create", "old.net", "--set", "weights_seed=7"),
            "old.net is a network with weights: weights_seed cannot be set",
        ),
        (
            (
                "neurodraughts",
                "--set",
                f"weights={WEIGHTS}",
                "--set",
                "hidden=1",
                "--set",
                "low=-1",
            ),
            "low has no effect here: weights are given, not drawn",
        ),
        (("neurodraughts", "--set", "max_moves=600000"), "max_moves: Input should be less than"),
        (("neurodraughts", "--set", "repetitions=3000000000"), "repetitions: Input should be less"),
        (("treestrap", "--set", "depths=[[99999999999, 5]]"), "depths are for 0 to 1000 pieces"),
        (("experts", "--training", "good.pdn", "--set", "rate1=5000"), "rate1 must be 0 to 1000"),
        (
            ("visiondraughts", "--preset", "published", "--set", "table_mb=100000000"),
            "a table of 100000000 MB does not fit",
        ),
        (("neurodraughts", "--set", "blocks=-2"), "blocks: Input should be greater"),
        (("neurodraughts", "--params", "par", "--set", "off=0"), "a bit that is off is -1"),
        (("neurodraughts", "--set", "weights=[1, 2]"), "weights: 38 inputs, 12 hidden units and"),
        (("neurodraughts", "--set", "network_name=NumInputs: 3"), "a name is one line of text"),
    ],
)
def test_what_cannot_be_trained_is_one_line(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad").write_text("nonsense")
    (tmp_path / "none").write_text("0")
    (tmp_path / "par").write_text(PARAMETERS)
    (tmp_path / "over").write_text(f"1\n{'0 ' * 31}2 0 0 4")
    (tmp_path / "bad.pdn").write_text("1. 9-13 *")
    (tmp_path / "good.pdn").write_text(GAMES)
    (tmp_path / "old.net").write_text(format_network("old", PUBLISHED.initial(1)))
    done = run("train", *options)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert told in done.err
    assert not (tmp_path / "runs").exists()


def test_what_files_say_decides_what_has_an_effect(run: Run, tmp_path: Path) -> None:
    (tmp_path / "par").write_text(PARAMETERS)  # with momentum, which the preset has not
    (tmp_path / "boards").write_text(BOARDS)
    options = ["--preset", "tuned", "--params", tmp_path / "par", "--boards", tmp_path / "boards"]
    options += ["--set", "round_size=1", "--set", "direction_check=false"]
    options += ["--set", "trace_decay=gamma_lambda", "--set", "draw_as_black=0.25"]
    done = run("train", "neurodraughts", *options, *SMALL, "--games", 4, "--run", tmp_path / "run")
    assert done.code == 0, done.err
    settings = tomllib.loads((tmp_path / "run" / "config.toml").read_text())["settings"]
    assert settings["direction_check"] is False
    assert [board[1] for board in settings["boards"]] == [0.25, 0.25]


@pytest.mark.parametrize("change", ["table_mb=0", "threads=1", "refinements=false"])
def test_what_is_off_may_be_said_to_be_off(change: str) -> None:
    minimax = visiondraughts.VERSION_2.with_changes(["algorithm=minimax", "table_mb=0", change])
    apply_set_up(SetUp(), minimax, ["algorithm", "table_mb", change.partition("=")[0]])


def test_features_that_a_map_of_squares_does_not_look_at_are_remarked_upon(
    run: Run, tmp_path: Path
) -> None:
    create, features = tmp_path / "binary.crt", tmp_path / "all.ftr"
    create.write_text(CREATION.replace("NumInputs: 5", "NumInputs: -1"))
    features.write_text(FEATURES)
    options = ("--create", create, "--features", features, *SMALL, "--games", 2)
    done = run("train", "neurodraughts", *options, "--run", tmp_path / "run")
    assert done.code == 0, done.err
    told = f"{create}: -1 inputs ask for a binary map, so that features are not looked at\n"
    assert done.err.startswith(told)


def test_a_player_whose_command_holds_a_whole_net_can_be_loaded(run: Run, tmp_path: Path) -> None:
    weights = np.random.default_rng(1).normal(size=39 * 13 + 13).tolist()
    options = ("--set", f"weights={weights}", *SMALL, "--games", 20, "--run", tmp_path / "run")
    done = run("train", "neurodraughts", *options)
    assert done.code == 0, done.err
    assert load_player(tmp_path / "run" / "player").about["made_by"].endswith(" …")
