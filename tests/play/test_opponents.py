"""Players found by what people call them, and what they say of themselves before."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossboard.evaluators import Network
from crossboard.play.opponents import ANYTHING, Plays, find_entrants, find_player, what_plays
from crossboard.players import Player, RandomPlayer

# As NeuroDraughts' paper prints it (9.1), which has one input less than its features have bits.
CREATION = """NumInputs: 37
NumHidden: 12
DirectLinks: 1
NetworkSeed: 210476
LowRange: -0.2
HighRange: +0.2
NetworkName: FeatureNetwork
"""


@pytest.mark.parametrize(
    ("name", "plays"),
    [
        (None, ANYTHING),
        ("random", ANYTHING),
        ("material", Plays("material", "draughts")),
        ("duchess-six-0", Plays("duchess-six-0", "duchess", 6)),
        ("hub:engine", Plays("hub:engine", "draughts")),
    ],
)
def test_a_name_says_what_it_plays(name: str | None, plays: Plays):
    assert what_plays(name) == plays


def test_a_network_file_is_a_player_and_what_is_odd_about_it_is_passed_on(tmp_path: Path):
    file, said = tmp_path / "opponent.CRT", list[str]()
    file.write_text(CREATION)
    assert what_plays(str(file)).game == "draughts"
    assert isinstance(find_player(str(file), said.append).evaluator, Network)
    (remark,) = said
    assert "37 inputs" in remark


def test_random_plays_what_the_others_play():
    found = find_entrants(["random", "duchess-six-0"], None)
    assert (found.game, found.seats) == ("duchess", 6)
    one, other = found.players
    assert isinstance(one, RandomPlayer)
    assert one.game is other.game
    assert found.searcher is other


def test_entrants_of_one_name_are_told_apart_by_how_they_were_called(tmp_path: Path):
    Player("twin").save(tmp_path / "a")
    Player("twin").save(tmp_path / "b")
    names = [str(tmp_path / "a"), str(tmp_path / "b")]
    assert [player.name for player in find_entrants(names, None).players] == names


@pytest.mark.parametrize(
    ("names", "game", "complaint"),
    [
        (["material", "duchess-0"], None, "duchess-0 plays duchess, not draughts"),
        (["duchess-0", "duchess-six-0"], None, "duchess-six-0 plays with 6 players, not 4"),
        (["random", "random"], "chess", "there is no game 'chess'"),
    ],
)
def test_entrants_play_one_game(names: list[str], game: str | None, complaint: str):
    with pytest.raises(ValueError, match=complaint):
        find_entrants(names, game)
