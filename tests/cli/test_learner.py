"""`crossboard play --learn`: what an opponent learns, where it is kept, and who may not learn."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from crossboard.draughts import parse_pdn
from crossboard.evaluators import Network, feature_mapping
from crossboard.learn.people import learn_from_person
from crossboard.players import Player, SearchLimits, SearchSettings, When, load_player
from crossboard.players.folder import shipped_folder

from .conftest import Run

MAPPING = feature_mapping("lynch")
NETWORK = Network.initial(MAPPING, 3, seed=1)
LINE = ("play", "--terminal", "--learn", "--opponent")
GAME = "11-15\nresign\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    player = Player("small-net", NETWORK, limits=SearchLimits(depth=1), about={"made_by": "a test"})
    player.save(tmp_path / "net")
    return tmp_path / "net"


def weights(folder: Path) -> Network:
    network = load_player(folder).evaluator
    assert isinstance(network, Network)
    return network


def test_a_game_that_has_ended_is_learnt_and_kept(run: Run, folder: Path, tmp_path: Path) -> None:
    before, file = load_player(folder), tmp_path / "game.pdn"
    done = run(*LINE, folder, stdin=f"{GAME}save {file}\nboard\nflip\n")
    assert done.code == 0, done.err
    assert done.out.count("has learnt") == 1
    told = re.search(
        rf"small-net has learnt from 2 boards and is saved in {folder}: its predictions were off "
        r"by (0|1)\.\d{3} on average, by (0|1)\.\d{3} at most\.",
        done.out,
    )
    assert told
    (record,) = parse_pdn(file.read_text())
    taught = learn_from_person(before, record, "W")
    assert taught is not None
    after = load_player(folder)
    assert after.evaluator == taught.player.evaluator != before.evaluator
    assert after.about["made_by"] == "a test, then 1 game against people"
    assert (after.name, after.limits, after.settings) == (
        before.name,
        before.limits,
        before.settings,
    )


def test_without_the_option_nothing_is_learnt(run: Run, folder: Path) -> None:
    before = (folder / "weights.safetensors").read_bytes()
    assert "learnt" not in run("play", "--terminal", "--opponent", folder, stdin=GAME).out
    assert (folder / "weights.safetensors").read_bytes() == before


def test_an_unfinished_game_teaches_nothing_and_goes_on_learning(run: Run, folder: Path) -> None:
    done = run(*LINE, folder, stdin="11-15\n")
    assert "learnt" not in done.out
    assert weights(folder) == NETWORK
    assert "--learn" in shlex.split(done.out)


def test_what_was_learnt_is_forgotten_if_the_game_goes_on(run: Run, folder: Path) -> None:
    told = run(*LINE, folder, stdin=f"{GAME}undo\n").out
    assert "The resignation taken back. What was learnt from the game is forgotten." in told
    assert weights(folder) == NETWORK


def test_only_the_line_that_was_played_in_the_end_counts(run: Run, folder: Path) -> None:
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy)
    run(*LINE, folder, stdin="9-13\nresign\nundo\nundo\n11-15\nresign\n")
    run(*LINE, copy, stdin=GAME)
    assert weights(folder) == weights(copy) != NETWORK
    assert load_player(folder).about["made_by"].endswith("then 1 game against people")


def test_the_next_game_is_played_with_what_was_learnt(run: Run, folder: Path) -> None:
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy)
    told = run(*LINE, folder, stdin=f"{GAME}new\n9-13\nresign\n").out
    assert told.count("has learnt") == 2
    for game in (GAME, "9-13\nresign\n"):
        run(*LINE, copy, stdin=game)
    assert weights(folder) == weights(copy)
    assert load_player(folder).about["made_by"] == "a test, then 2 games against people"


def test_who_has_not_moved_learns_nothing(run: Run, folder: Path) -> None:
    assert (
        "small-net has made no move and learnt nothing." in run(*LINE, folder, stdin="resign\n").out
    )
    assert weights(folder) == NETWORK


def test_a_disk_that_is_full_ends_no_game(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device", "weights")

    monkeypatch.setattr("os.fsync", fail)
    done = run(*LINE, folder, stdin=f"{GAME}moves\n")
    assert done.code == 0
    assert "No space left on device" in done.out
    assert "learnt" not in done.out
    assert weights(folder) == NETWORK


def test_what_cannot_be_forgotten_on_disk_is_forgotten_in_the_game(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, saved, calls = folder.with_name("copy"), Player.save, []
    shutil.copytree(folder, copy)

    def fail_once(player: Player, place: Path) -> None:
        calls.append(player)
        if len(calls) == 2:  # learnt, forgotten, learnt again
            raise OSError(28, "No space left on device", "weights")
        saved(player, place)

    monkeypatch.setattr(Player, "save", fail_once)
    done = run(*LINE, folder, stdin="9-13\nresign\nundo\nundo\n11-15\nresign\n")
    assert "No space left on device" in done.out
    assert done.out.count("has learnt") == 2
    run(*LINE, copy, stdin=GAME)
    assert weights(folder) == weights(copy)


def test_shipped_players_stay_as_they_are(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "shipped"
    shutil.copytree(shipped_folder(), shipped)
    shutil.copytree(folder, shipped / "small")
    for module in ("crossboard.players.folder", "crossboard.play.learner"):
        monkeypatch.setattr(f"{module}.shipped_folder", lambda: shipped)
    monkeypatch.chdir(tmp_path)
    done = run(*LINE, "small")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "crossboard: small comes with Crossboard and stays as it is: first copy it by "
        f"mkdir -p players && cp -r {shipped}/small players/my-small, "
        "then play with --opponent my-small\n"
    )
    shutil.copytree(shipped / "small", tmp_path / "players" / "my-small")
    assert "saved in players/my-small" in run(*LINE, "my-small", stdin=GAME).out


@pytest.mark.parametrize("opponent", ["material", "draft5", "random"])
def test_who_has_no_network_cannot_learn(run: Run, opponent: str) -> None:
    done = run(*LINE, opponent)
    assert (done.code, done.out) == (2, "")
    assert f"{opponent} cannot learn from a game: it " in done.err


def test_other_ways_not_to_learn(run: Run, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "opp1.net"
    run("convert", folder, file)
    flat = Player("flat", Network.one_layer(MAPPING), search=SearchSettings(table_mb=0))
    flat.save(tmp_path / "flat")
    Player("two", NETWORK, phases=[(When(balance="ahead"), NETWORK)]).save(tmp_path / "two")
    for options, words in (
        ([file], f"first make a player of it by crossboard convert {file} players/opp1"),
        ([tmp_path / "flat"], "flat cannot learn from a game: it has no network with hidden units"),
        ([tmp_path / "two"], "two cannot learn from a game: it has several evaluations"),
        ([folder, "--side", "both"], "--learn: with --side both nobody is there to learn"),
        (["duchess-0", "--game", "duchess"], "--learn is for draughts"),
    ):
        done = run(*LINE, *options)
        assert (done.code, done.out) == (2, "")
        assert words in done.err
        assert done.err.count("\n") == 1
