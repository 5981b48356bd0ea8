"""`crossboard analyse`: what moves lose, whole files of games, errors, Ctrl-C."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from crossboard.cli import analyse
from crossboard.draughts import Position, Record
from crossboard.evaluators import Network, feature_mapping
from crossboard.play.judgement import (
    SETTINGS,
    Judgement,
    Turn,
    judge,
)
from crossboard.play.reading import ReadCount, Reading
from crossboard.players import Player, SearchLimits, SearchSettings, load_player

from .conftest import CROSSBOARD, Run

# White's third move gives a man away.
BLUNDER = """[Event "blunder"]
[Black "Ann"]
[White "Bob"]
1. 11-15 22-18 2. 15x22 25x18 3. 12-16 18-14 4. 9x18 1-0
"""
SHORT = """[Event "short"]
1. 9-13 22-18 *
"""
# White is lost and repeats; Black lets it.
REPEATED = """[Event "repeated"]
[FEN "W:WK16:BK9,K24"]
1... 16-12 2. 9-13 12-16 3. 13-9 16-12 4. 9-13 12-16 5. 13-9 1/2-1/2
"""
BAD_MOVE = """[Event "bad move"]
1. 11-15 22-18 2. 9-13 25-22 0-1
"""
BAD_START = """[Event "bad start"]
[FEN "W:Wfoo:B1"]
1. 11-15 *
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pdn"
    path.write_text("\n".join([BLUNDER, SHORT, REPEATED]))
    return path


def analysed(run: Run, *arguments: object, code: int = 0) -> dict[str, Any]:
    done = run("analyse", *arguments, "--json")
    assert (done.code, done.err) == (code, "")
    report = json.loads(done.out)
    assert isinstance(report, dict)
    return report


def test_json_names_the_blunder_and_what_was_better(run: Run, games: Path) -> None:
    report = analysed(run, games, "--player", "material", "--depth", 7)
    game = report["games"][0]
    assert game["tags"] == {"Event": "blunder", "Black": "Ann", "White": "Bob"}
    assert (game["game"], game["result"], game["plies"]) == (1, "1-0", 7)
    assert [move["move"] for move in game["moves"]] == [
        "11-15",
        "22-18",
        "15x22",
        "25x18",
        "12-16",
        "18-14",
        "9x18",
    ]
    assert [move["side"] for move in game["moves"]] == list("BWBWBWB")
    assert [move["ply"] for move in game["moves"]] == list(range(1, 8))
    assert [move["loss"] for move in game["moves"]] == [0, 0, 0, 0, 0, 1.0, 0]
    bad = game["moves"][5]
    assert (bad["value"], bad["played_value"], bad["win_in"], bad["depth"]) == (0.0, -1.0, None, 7)
    assert bad["best"] == bad["pv"][0] != "18-14"
    position = Position.from_fen(bad["fen"])
    for move in bad["pv"]:
        position = position.after(move)
    assert "-0.0" not in json.dumps(game)
    assert game["summary"] == {
        "B": {"moves": 4, "average_loss": 0.0, "mistakes": 0, "blunders": 0},
        "W": {"moves": 3, "average_loss": 1 / 3, "mistakes": 0, "blunders": 1},
        "worst": [6],
    }
    assert report["stopped"] is False
    assert report["errors"] == []


def test_moves_are_judged_in_full_width() -> None:
    assert load_player("champion").settings.reductions
    judge = analyse.find_judge("champion")
    assert judge.settings == SETTINGS == SETTINGS.full_width()


def test_people_see_moves_summaries_and_the_worst(run: Run, games: Path) -> None:
    done = run("analyse", games, "--player", "material", "--depth", 7, "--game", 1)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "Game 1: Ann against Bob, 1-0"
    assert lines[1].split() == ["1.", "11-15", "0.00"]
    assert lines[6].split()[:5] == ["3...", "18-14??", "-1.00", "best", "0.00:"]
    assert lines[8:] == [
        "Black  4 moves, 0.00 men lost a move, 0 mistakes, 0 blunders",
        "White  3 moves, 0.33 men lost a move, 0 mistakes, 1 blunder",
        "Worst  3... 18-14?? (1.00)",
    ]


def test_strange_names_stay_on_their_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "strange.pdn"
    path.write_text('[Black "\x7f [bold]A"]\n[White "B\tC"]\n1. 11-15 *\n')
    first = run("analyse", path, "--depth", 3).out.splitlines()[0]
    assert first == "Game 1: \\x7f [bold]A against B C, *"


def test_all_games_or_one_of_them(run: Run, games: Path) -> None:
    every = analysed(run, games, "--depth", 4)["games"]
    assert [game["tags"]["Event"] for game in every] == ["blunder", "short", "repeated"]
    for number in (1, 2, 3):
        (one,) = analysed(run, games, "--depth", 4, "--game", number)["games"]
        assert one == every[number - 1]
    for number in (0, 4, -1):
        refused = run("analyse", games, "--game", number)
        assert (refused.code, refused.out) == (2, "")
        assert refused.err == f"crossboard: {games}: there is no game {number}, only 3 games\n"


def test_games_may_come_from_a_pipe(run: Run) -> None:
    done = run("analyse", "-", "--depth", 3, "--json", stdin=SHORT)
    assert [len(game["moves"]) for game in json.loads(done.out)["games"]] == [2]


def test_games_are_read_one_at_a_time(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(_: IO[bytes]) -> Iterator[Reading]:
        yield Reading(Record())
        raise AssertionError("nobody has asked for the second game yet")

    monkeypatch.setattr(analyse, "read_games", read)
    assert next(analyse.read(str(games), None, ReadCount(room=1))).number == 1
    # The one that is wanted is the last to be read.
    assert len(list(analyse.read(str(games), 1, ReadCount(room=1)))) == 1


def test_what_can_be_read_is_judged_and_the_rest_reported(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "dirty.pdn"
    path.write_text("\n".join([BAD_MOVE, BAD_START, SHORT]))
    report = analysed(run, path, "--depth", 3, code=1)
    assert [(game["game"], len(game["moves"])) for game in report["games"]] == [(1, 2), (3, 2)]
    assert [error["game"] for error in report["errors"]] == [1, 2]
    told = run("analyse", path, "--depth", 3)
    assert told.code == 1
    assert told.out.count("Game ") == 2
    first, second = told.err.splitlines()
    assert first == f"{path}: game 1, line 2, 9-13: capture is compulsory: 15x22"
    assert second.startswith(f"{path}: game 2, line ")
    # Errors of the other games are not this one's.
    assert run("analyse", path, "--depth", 3, "--game", 3).code == 0


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "there is no game in it"),
        ("hello world", "game 1, line 1, hello: "),
        (BAD_START, "game 1, line "),
        ('[Odd "one"]\n[Even "other"]\n\n1. P1e3-1e4 *', "game 1: a game of Duchess, and not "),
        ('[Player1 "one"]\n\n1. P1e3-1e4 *', "game 1: a game of Duchess, and not "),
    ],
)
def test_a_file_without_a_game_is_refused(
    run: Run, tmp_path: Path, content: str, told: str
) -> None:
    path = tmp_path / "none.pdn"
    path.write_text(content)
    refused = run("analyse", path)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith(f"crossboard: {path}: {told}")
    assert refused.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--depth", "0"], "depth must be 1 to 200, not 0"),
        (["--depth", "1"], "--depth 1: to judge a move takes 2 plies or more"),
        (["--seconds", "0"], "seconds must be a finite number above 0"),
        (["--nodes", "0"], "nodes must be 1 to "),
        (["--player", "strongest"], "there is no player 'strongest'"),
        (["--player", "random"], "random does not search: it cannot say what a move was worth"),
    ],
)
def test_bad_options_are_one_line(run: Run, games: Path, options: list[str], told: str) -> None:
    refused = run("analyse", games, *options)
    assert (refused.code, refused.out) == (2, "")
    assert told in refused.err
    assert refused.err.count("\n") == 1


def test_a_missing_file_is_one_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "missing.pdn"
    expected = f"crossboard: {path}: No such file or directory\n"
    assert run("analyse", path) == (2, "", expected)


def test_control_c_tells_what_is_finished(
    run: Run, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judge_two_games(player: Player, limits: SearchLimits, turn: Turn) -> Judgement:
        if turn.position.fen == "W:WK16:BK9,K24":  # the third game's first
            raise KeyboardInterrupt
        return judge(player, limits, turn)

    monkeypatch.setattr(analyse, "judge", judge_two_games)
    report = analysed(run, games, "--depth", 3, code=130)
    assert report["stopped"] is True
    assert [(len(game["moves"]), game["plies"]) for game in report["games"]] == [
        (7, 7),
        (2, 2),
        (0, 8),
    ]
    told = run("analyse", games, "--depth", 3)
    assert told.code == 130
    assert told.out.endswith("  stopped after 0 of 8 moves\n")


if os.name != "nt":
    from .pseudo_terminal import PseudoTerminal

    def test_control_c_in_the_middle_of_a_search(tmp_path: Path) -> None:
        path = tmp_path / "game.pdn"
        path.write_text(SHORT)
        with PseudoTerminal(*CROSSBOARD, "analyse", str(path), "--depth", "100") as terminal:
            terminal.wait_for("game 1 ")
            terminal.wait_for("1. 9-13")
            terminal.interrupt()
            assert terminal.wait() == 130
            assert "stopped after 0 of 2 moves" in terminal.text
            assert "Traceback" not in terminal.text


def test_a_network_judges_in_its_own_measure(run: Run, tmp_path: Path) -> None:
    network = Network.initial(feature_mapping("lynch"), 3, seed=1)
    Player("net", network, search=SearchSettings(table_mb=0)).save(tmp_path / "net")
    (tmp_path / "won.pdn").write_text('[FEN "B:W18:B14"] 1. 14x23 1-0\n')
    asked = ("analyse", tmp_path / "won.pdn", "--player", tmp_path / "net", "--depth", 2)
    assert "Black  1 move, 0.00 lost a move, 0 mistakes" in run(*asked).out
    (game,) = json.loads(run(*asked, "--json").out)["games"]
    assert game["moves"][0]["played_value"] == game["moves"][0]["value"] == 1
