"""Games of experts: from PDN to a training file and back, and files that hold none."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossboard.draughts import Position, parse_pdn
from crossboard.draughts.words import WordError
from crossboard.learn.experts import ExpertGame
from crossboard.systems.expert_games import format_training, read_expert_games, read_training

GAMES = """[Black "Ann Other"]
[White "Bob"]
1. 11-15 22-18 2. 15x22 1-0

1. 11-15 23-18 1/2-1/2

1. 9-13 *

1. 11-15 22-18 2. 9-13 0-1
"""


@pytest.fixture
def pdn(tmp_path: Path) -> Path:
    path = tmp_path / "games.pdn"
    path.write_text(GAMES)
    return path


def test_a_game_becomes_the_boards_each_side_left_behind(pdn: Path):
    game = read_expert_games(pdn)[0]
    first = Position().after("11-15")
    second = first.after("22-18")
    assert game.winner == "B"
    assert game.players == ("Ann Other", "Bob")
    assert game.black == (first, second.after("15x22"))
    # Red's boards are turned, so that Black has just moved there too.
    assert game.red == (second.mirrored,)
    assert {board.turn for board in (*game.black, *game.red)} == {"W"}


def test_games_that_say_nothing_are_left_out(pdn: Path):
    assert [game.winner for game in read_expert_games(pdn)] == ["B", None]
    assert [game.winner for game in read_expert_games(pdn, ignore_draws=True)] == ["B"]


def test_of_games_left_out_it_is_told_which_and_why(pdn: Path):
    unused: list[str] = []
    read_expert_games(pdn, unused=unused)
    lines = GAMES.splitlines()
    star, illegal = (1 + lines.index(text) for text in ("1. 9-13 *", "1. 11-15 22-18 2. 9-13 0-1"))
    assert unused[0] == f"game 3, line {star}: the game has no result"
    assert unused[1].startswith(f"game 4, line {illegal}, 9-13: capture is compulsory")
    assert len(unused) == 2


def test_conventions_of_results(pdn: Path):
    games = read_expert_games(pdn, result_convention="white-first")
    assert [game.winner for game in games] == ["W", None]
    with pytest.raises(ValueError, match="convention of results is black-first or white-first"):
        read_expert_games(pdn, result_convention="red-first")


def test_a_training_file_says_who_won_itself(tmp_path: Path):
    file = tmp_path / "games.trn"
    file.write_text(TRAINING)
    assert read_expert_games(file)[0].winner == "B"
    with pytest.raises(ValueError, match="a training file says who won: white-first is for PDN"):
        read_expert_games(file, result_convention="white-first")


def test_training_files_come_back(pdn: Path, tmp_path: Path):
    games = read_expert_games(pdn)
    file = tmp_path / "games.trn"
    file.write_text("".join(map(format_training, games)))
    assert file.read_text().startswith(
        "Ann_Other vs Bob\nWho_Won? 1\nNumber_of_Black_Boards: 2\nNumber_of_Red_Boards: 1\n"
        "1 1 1 1 1 1 1 1 1 1 0 1 0 0 1 0"
    )
    found = read_expert_games(file)
    assert [game._replace(players=("?", "?")) for game in found] == [
        game._replace(players=("?", "?")) for game in games
    ]
    assert found[0].players == ("Ann_Other", "Bob")


def test_the_heading_may_be_missing(tmp_path: Path):
    record = next(parse_pdn(GAMES))
    game = ExpertGame.of_record(record)
    text = format_training(game).partition("\n")[2]
    file = tmp_path / "games.trn"
    file.write_text(text * 2)
    assert list(read_training(file)) == [game._replace(players=("?", "?"))] * 2


TRAINING = format_training(ExpertGame.of_record(next(parse_pdn(GAMES))))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: expected a heading of three words for game 1, not the end of the file"),
        ("one two", "line 1: expected a heading of three words for game 1"),
        ("one two three four", "line 1: expected 'Who_Won?', not 'four'"),
        (TRAINING.replace("Won? 1", "Won? 4"), "line 2: expected 1 (black), 2 (red) or 3 (draw)"),
        (TRAINING.replace("Won? 1", "Won? nan"), "not 'nan'"),
        (TRAINING.replace("Black_Boards: 2", "Black_Boards: x"), "line 3: expected the black boa"),
        (TRAINING.replace("Red_Boards: 1", "Red_Boards: 2"), "expected square 1 of red board 2 of"),
        (TRAINING.replace("Red_Boards: 1", "Red_Boards: 0"), "expected 'Who_Won?', not '1'"),
        (TRAINING.replace("1 1 0 1", "1 9 0 1"), "line 5: expected square 10 of black board 1 of"),
        (
            "a vs b Who_Won? 1\nNumber_of_Black_Boards: 0\nNumber_of_Red_Boards: 0\n",
            "line 3: expected a board of game 1, black or red, not none of either",
        ),
        (TRAINING[:-5], "line 7: expected square 31 of red board 1 of 1 of game 1, 0 to 4, not"),
        (TRAINING + TRAINING[:20], "line 9: expected 'Who_Won?', not 'Who'"),
    ],
)
def test_damage_is_named_in_one_sentence(tmp_path: Path, text: str, told: str):
    file = tmp_path / "games.trn"
    file.write_text(text)
    with pytest.raises(WordError) as caught:
        read_expert_games(file)
    assert str(caught.value).startswith(f"{file}, line ")
    assert told in str(caught.value)


def test_pdn_under_another_name_is_told_how_it_is_named(tmp_path: Path):
    file = tmp_path / "games.txt"
    file.write_text(GAMES)
    with pytest.raises(WordError, match=r"line 2: expected .* \(PDN files end in .pdn\)"):
        read_expert_games(file)
    file.write_text(TRAINING)
    assert len(read_expert_games(file)) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "expected a game with moves and a result, but"),
        ("", "there is no game to learn from: line 1: the file ends before one"),
        ("\n\n{only a comment}\n", "there is no game to learn from: "),
        (
            "1. 9-13 *\n\n1. 9-13 *\n",
            "no game to learn from: game 1, line 1: the game has",
        ),
        ("1. 9-13 *\n\n1. 9-13 *\n", "no result (1 more)"),
        ("1. 9-14 9-14 1-0", "there is no game to learn from: game 1, line 1, 9-14: "),
        ('[Result "1-0"]\n\n1-0', "the game has no moves"),
        ("\x00\x01 no PDN", "there is no game to learn from: "),
    ],
)
def test_pdn_without_a_game_to_learn_from(tmp_path: Path, text: str, told: str):
    file = tmp_path / "games.pdn"
    file.write_text(text)
    with pytest.raises(ValueError, match="no game to learn from") as caught:
        read_expert_games(file)
    assert str(caught.value).startswith(str(file))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_draws_alone_are_nothing_to_learn_from_without_draws(tmp_path: Path):
    file = tmp_path / "games.pdn"
    file.write_text("1. 9-13 1/2-1/2\n")
    with pytest.raises(ValueError, match="all are draws"):
        read_expert_games(file, ignore_draws=True)
