"""`crossboard convert` and the files of NeuroDraughts; network files in matches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crossboard import load_player
from crossboard.evaluators import Network, binary_mapping, feature_mapping, piece_mapping
from crossboard.players import Player
from crossboard.systems.expert_games import read_expert_games
from crossboard.systems.neurodraughts_files import format_features, format_network, read_network

from .conftest import Run

GAMES = """[Black "Ann"]
[White "Bob"]
1. 11-15 22-18 2. 15x22 1-0

1. 11-15 23-18 1/2-1/2

1. 9-13 *
"""
LYNCH = Network.initial(feature_mapping("lynch"), 3, seed=1)
OWN = Network.initial(feature_mapping([("lynch.PieceThreat", 2), "samuel.adv"]), 2, seed=2)


@pytest.fixture
def pdn(tmp_path: Path) -> Path:
    path = tmp_path / "games.pdn"
    path.write_text(GAMES)
    return path


def save(folder: Path, network: Network, name: str = "old one") -> Path:
    path = folder / "opp1.net"
    path.write_text(format_network(name, network))
    return path


def test_games_become_a_training_file(run: Run, pdn: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.trn"
    done = run("convert", pdn, target)
    assert done.code == 1
    assert "game 3, line 7: the game has no result" in done.err
    assert "2 games converted, 1 with errors, 1 left out" in done.err
    assert read_expert_games(target) == read_expert_games(pdn)


def test_draws_can_be_ignored(run: Run, pdn: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.trn"
    done = run("convert", pdn, target, "--ignore-draws")
    # Drawn games are left out, but counted.
    assert "game 3, line 7: the game has no result" in done.err
    assert [game.winner for game in read_expert_games(target)] == ["B"]


def test_conventions_of_results(run: Run, pdn: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.trn"
    run("convert", pdn, target, "--result-convention", "white-first", "--ignore-draws")
    assert [game.winner for game in read_expert_games(target)] == ["W"]
    assert "white-first" in run("convert", pdn, target, "--result-convention", "x").err


def test_without_a_usable_game_nothing_is_written(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "games.pdn", tmp_path / "games.trn"
    source.write_text("1. 9-13 *\n")
    done = run("convert", source, target)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "the game has no result" in done.err
    assert not target.exists()


def test_where_there_is_no_game_that_was_expected_is_said(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "games.pdn", tmp_path / "games.trn"
    source.write_text("")
    expected = f"crossboard: {source}: expected a game, not the end of the file\n"
    assert run("convert", source, target) == (2, "", expected)
    source.write_text("1. 11-15 23-18 1/2-1/2\n")
    done = run("convert", source, target, "--ignore-draws")
    assert done.err.endswith("expected a game that is not drawn, not the end of the file\n")
    assert not target.exists()


def test_training_files_are_not_read_back(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "games.trn"
    source.write_text("")
    assert "made of games, and not read back" in run("convert", source, "out.pdn").err


def test_a_network_becomes_a_player_and_a_player_a_network(run: Run, tmp_path: Path) -> None:
    folder, again = tmp_path / "player", tmp_path / "again.net"
    assert run("convert", save(tmp_path, LYNCH), folder).code == 0
    player = load_player(folder)
    assert player.name == "old one"
    assert player.evaluator == LYNCH
    assert player.limits.depth == 2
    done = run("convert", folder, again, "--json")
    assert json.loads(done.out)["files"] == [str(again)]
    assert read_network(again) == ("old one", LYNCH, "")


def test_features_of_its_own_go_into_a_file_beside_the_network(run: Run, tmp_path: Path) -> None:
    Player("own", OWN).save(tmp_path / "player")
    target = tmp_path / "own.net"
    assert run("convert", tmp_path / "player", target).code == 0
    assert (tmp_path / "own.ftr").read_text() == "PieceThreat 2\nsamuel.adv 5\n"
    # Where it is found again, or named.
    assert run("convert", target, tmp_path / "again").code == 0
    assert load_player(tmp_path / "again").evaluator == OWN
    whole = (tmp_path / "own.ftr").read_text()
    (tmp_path / "own.ftr").write_text("PieceThreat 2\n")
    done = run("convert", target, tmp_path / "third")
    assert f"(its features are those of {tmp_path / 'own.ftr'})" in done.err
    (tmp_path / "own.ftr").write_text(whole)
    (tmp_path / "own.ftr").rename(tmp_path / "named.ftr")
    assert "line 2: expected 96 inputs" in run("convert", target, tmp_path / "third").err
    run("convert", target, tmp_path / "third", "--features", tmp_path / "named.ftr")
    assert load_player(tmp_path / "third").evaluator == OWN


def test_quirks_are_kept(run: Run, tmp_path: Path) -> None:
    run("convert", save(tmp_path, LYNCH), tmp_path / "player", "--quirks", "lynch")
    evaluator = load_player(tmp_path / "player").evaluator
    assert isinstance(evaluator, Network)
    assert evaluator.mapping.quirks
    assert (
        "quirks is None or 'lynch'"
        in run("convert", tmp_path / "opp1.net", "x", "--quirks", "y").err
    )


def test_quirks_that_a_file_does_not_tell_are_remarked_upon(run: Run, tmp_path: Path) -> None:
    quirky = Network.initial(feature_mapping("lynch", quirks="lynch"), 2, seed=1)
    Player("quirky", quirky).save(tmp_path / "player")
    target = tmp_path / "x.net"
    done = run("convert", tmp_path / "player", target)
    assert done.code == 0
    assert done.err.startswith("it sees boards with the quirks of 1997, which network files do not")
    remarks = json.loads(run("convert", tmp_path / "player", target, "--json").out)["remarks"]
    assert remarks == [done.err.splitlines()[0]]
    assert read_network(target, quirks="lynch").network == quirky
    assert not target.with_suffix(".ftr").exists()


def test_what_is_more_or_less_than_a_network_is_refused(run: Run, tmp_path: Path) -> None:
    done = run("convert", "material", tmp_path / "x.net")
    assert done.code == 2
    assert "player 'material' is not one network" in done.err


@pytest.mark.parametrize(
    ("network", "told"),
    [
        (Network.initial(feature_mapping("lynch", off=0), 2, seed=1), "off is -1, and here it is"),
        (Network.initial(binary_mapping(off=0), 2, seed=1), "off is -1, and here it is 0"),
        (Network.initial(piece_mapping(), 2, seed=1), "over squares or features, not a pieces map"),
        (Network.one_layer(feature_mapping("lynch")), "a features map without hidden units"),
    ],
)
def test_what_a_network_file_would_change_is_refused(
    run: Run, tmp_path: Path, network: Network, told: str
) -> None:
    Player("other", network).save(tmp_path / "player")
    done = run("convert", tmp_path / "player", tmp_path / "x.net")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "player 'other': " in done.err
    assert told in done.err
    assert not (tmp_path / "x.net").exists()


def test_names_that_no_player_may_have_are_changed(run: Run, tmp_path: Path) -> None:
    run("convert", save(tmp_path, LYNCH, "«Näme»/1"), tmp_path / "player")
    assert load_player(tmp_path / "player").name == "N-me--1"


def test_damage_is_one_line(run: Run, tmp_path: Path) -> None:
    file = save(tmp_path, LYNCH)
    file.write_text(file.read_text()[:100])
    for arguments in (("convert", file, tmp_path / "player"), ("match", file, "material")):
        done = run(*arguments)
        assert done.code == 2
        assert done.err.count("\n") == 1
        assert f"{file}, line " in done.err
        assert "expected the weight of input" in done.err
    assert not (tmp_path / "player").exists()


def test_network_files_fight(run: Run, tmp_path: Path) -> None:
    creation = tmp_path / "new.crt"
    creation.write_text(
        "NumInputs: 37\nNumHidden: 2\nDirectLinks: 1\nNetworkSeed: 1\n"
        "LowRange: -0.2\nHighRange: 0.2\nNetworkName: New\n"
    )
    boards = tmp_path / "two.brd"
    boards.write_text(f"1\n{'1 ' * 12}{'0 ' * 8}{'2 ' * 12} -0.1 +0.1 4\n")
    (tmp_path / "opp1.ftr").write_text(format_features(LYNCH.mapping))
    files = (save(tmp_path, LYNCH), creation)
    done = run("match", *files, "--games", 2, "--openings", boards, "--depth", 2, "--json")
    assert done.code == 0
    told = json.loads(done.out)
    assert (told["one"], told["other"], told["games"]) == ("old one", "New", 2)
    assert "37 inputs as the paper prints" in done.err


def test_a_creation_becomes_a_network(run: Run, tmp_path: Path) -> None:
    creation, target = tmp_path / "new.crt", tmp_path / "new.net"
    creation.write_text(
        "NumInputs: 38\nNumHidden: 2\nDirectLinks: 1\nNetworkSeed: 1\n"
        "LowRange: -0.2\nHighRange: 0.2\nNetworkName: Café(1)\n"
    )
    assert run("convert", creation, target).code == 0
    assert read_network(target) == read_network(creation)
    # In place too, with a name that no player may have.
    assert run("convert", target, target).code == 0
    assert read_network(target).name == "Café(1)"


def test_features_that_another_network_left_are_replaced(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "x.net"
    for name, network in (("own", OWN), ("lynch", LYNCH)):
        Player(name, network).save(tmp_path / name)
        assert run("convert", tmp_path / name, target).code == 0
        again = tmp_path / f"{name}-again"
        assert run("convert", target, again).code == 0
        assert load_player(again).evaluator == network
    Player("binary", Network.initial(binary_mapping(), 2, seed=1)).save(tmp_path / "binary")
    before = target.read_text()
    refused = run("convert", tmp_path / "binary", target)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "x.ftr would be taken for the features of" in refused.err
    assert target.read_text() == before


def test_features_that_somebody_wrote_stay(run: Run, tmp_path: Path) -> None:
    Player("own", OWN).save(tmp_path / "own")
    features, target = tmp_path / "x.ftr", tmp_path / "x.net"
    text = "PieceThreat 2 as I like it\nPieceTake 0\nsamuel.adv 5\n"
    features.write_text(text)
    assert run("convert", tmp_path / "own", target).code == 0
    assert features.read_text() == text
    target.unlink()
    # They may be another file's, such as x.crt's.
    refused = run("convert", "neurodraughts", target)
    assert "x.ftr would be taken for the features of" in refused.err
    assert features.read_text() == text
    assert not target.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("opp1.net", "games.pdn"), "games.pdn: networks become players and players networks, not"),
        (("games.pdn", "x.net"), "games.pdn: networks become players and players networks, not"),
        (("opp1.net", "player", "--ignore-draws"), "--ignore-draws is for games"),
        (("opp1.net", "player", "--positions", "all"), "--positions is for games"),
        (("material", "x.net", "--quirks", "lynch"), "--quirks is for a network file that is read"),
        (("games.pdn", "x.fen", "--features", "y"), "--features is for a network file that is"),
    ],
)
def test_what_does_not_fit_what_is_converted_is_refused(
    run: Run, pdn: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(pdn.parent)
    save(pdn.parent, LYNCH)
    refused = run("convert", *words)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert told in refused.err
    assert {path.name for path in pdn.parent.iterdir()} == {"games.pdn", "opp1.net"}


def test_players_of_one_name_are_told_apart(run: Run, tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("one", "two")]
    for name in names:
        Player("same", LYNCH).save(name)
    terms = ("--games", 2, "--depth", 1, "--json")
    told = json.loads(run("match", *names, *terms).out)
    assert [told["one"], told["other"]] == names
    told = json.loads(run("match", names[0], "material", *terms).out)
    assert [told["one"], told["other"]] == ["same", "material"]
