"""Duchess on the command line: search, match, play."""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path

import pytest

from crossboard.duchess import Position, parse_records
from crossboard.evaluators import OneLayer
from crossboard.players import Player, RandomPlayer, SearchLimits, SearchResult
from crossboard.players.games import GAMES
from crossboard.runs import Run as LearningRun
from crossboard.systems import exams

from .conftest import CROSSBOARD, Run

if os.name != "nt":
    from .pseudo_terminal import PseudoTerminal

USUAL = GAMES["duchess"].usual_player(Position(4))
CAPTURES = "4; 1:K1a1 Q1c3; 2:K2e1 R1c4 B1d4; 3:K4a1; 4:K5e1 N1d3; turn 1"
MATE_IN_ONE = "4; 1:K1e1; 2:R1b2 Q1d4 K2a1; 3:K4e1; 4:R4b2 Q4d2 K5a1; turn 2"


def test_search_finds_the_mate(run: Run) -> None:
    done = run("search", "--position", MATE_IN_ONE, "--depth", 3, "--json")
    told = json.loads(done.out)
    assert (told["position"], told["players"], told["win_in"]) == (MATE_IN_ONE, 4, 1)
    position = Position.from_text(MATE_IN_ONE).after(told["move"])
    assert position.winner == "even"


def test_players_that_judge_at_once_can_be_told_to_play_captures_out(run: Run) -> None:
    asked = ["--position", CAPTURES, "--depth", 1, "--json"]
    deepest = {
        switch: json.loads(run("search", *asked, *switch.split()).out)["selective_depth"]
        for switch in ("", "--no-quiescence", "--quiescence")
    }
    assert deepest[""] == deepest["--no-quiescence"] == 1
    assert deepest["--quiescence"] > 1


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_those_who_meet_can_be_told_to_play_captures_out(
    run: Run, tmp_path: Path, command: str
) -> None:
    games = {}
    for switch in ("", "--no-quiescence", "--quiescence"):
        path = tmp_path / f"{command}{switch}.txt"
        words = ["duchess-0", "random", "--games", 2, "--depth", 1, "--max-plies", 60]
        done = run(command, *words, "--pdn", path, *switch.split())
        assert done.code == 0, done.err
        games[switch] = path.read_text()
    assert games[""] == games["--no-quiescence"] != games["--quiescence"]


@pytest.mark.parametrize("players", [4, 6])
def test_search_for_people(run: Run, players: int) -> None:
    done = run("search", "--game", "duchess", "--players", players, "--depth", 2)
    assert done.code == 0
    assert Position(players).text in done.out
    assert "best" in done.out


def test_search_after_moves(run: Run) -> None:
    options = ["--game", "duchess", "--moves", "N1b2-1c4 P2a3-2a4", "--depth", 1, "--json"]
    position = Position.from_text(json.loads(run("search", *options).out)["position"])
    assert position == Position().after("N1b2-1c4").after("P2a3-2a4")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--position", "4; 1:K1a1 K1a2; 2:K2a1; 3:K4a1; 4:K5a1; turn 1"], "1"),
        (["--position", "4; 1:K3a1; 2:K2a1; 3:K4a1; 4:K5a1; turn 1"], "3a1"),
        (["--game", "duchess", "--moves", "P1a3-1a5"], "P1a3-1a5"),
        (["--game", "duchess", "--fen", "B:W21:B1"], "it begins with the number of players"),
        (["--position", MATE_IN_ONE, "--game", "draughts"], "--position is for Duchess"),
        (["--game", "duchess", "--players", 5], "duchess is for 4 or 6 players, not 5"),
        (["--game", "duchess", "--player", "material"], "material plays draughts"),
        (["--game", "chess"], "there is no game 'chess'"),
    ],
)
def test_bad_searches_are_one_sentence(run: Run, options: list[object], complaint: str) -> None:
    done = run("search", *options, "--depth", 1)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(("player", "players"), [("duchess-0", 4), ("duchess-six-0", 6)])
def test_searching_player_says_its_game(run: Run, player: str, players: int) -> None:
    told = json.loads(run("search", "--player", player, "--depth", 1, "--json").out)
    assert told["position"] == Position(players).text


def test_opponent_says_the_game(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "player"
    Player("own", OneLayer.initial()).save(folder)
    done = run("play", "--terminal", "--opponent", folder, "--depth", 1, stdin="P1a3-1a4\n")
    assert done.code == 0, done.err
    assert "Player 2 (own): " in done.out


@pytest.mark.parametrize("options", [[], ["--game", "duchess"], ["--players", 6]])
def test_opponent_says_how_many_play(run: Run, options: list[object]) -> None:
    options = ["--opponent", "duchess-six-0", *options, "--depth", 1]
    done = run("play", "--terminal", *options, stdin="P1a3-1a4\n")
    assert done.code == 0
    assert "Player 6 (duchess-six-0): " in done.out


def test_training_tells_how_to_play_against_its_player(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exams, "FINAL_GAMES", 2)
    quick = ["--set", "depth=1", "--set", "depths=[]", "--set", "round_size=2", "--workers", 2]
    done = run("train", "duchess", "--games", 2, "--run", tmp_path / "run", *quick)
    (command,) = re.findall("^play +crossboard (play .*)", done.out, re.MULTILINE)
    assert run(*shlex.split(command), stdin="quit\n").code == 0


def test_a_training_shows_its_bar_and_can_be_stopped_before_the_first_game_has_ended(
    tmp_path: Path,
) -> None:
    words = ["train", "duchess", "--stage", "1", "--run", str(tmp_path / "run")]
    with PseudoTerminal(*CROSSBOARD, *words) as terminal:
        terminal.wait_for("0 of 140 games")
        terminal.interrupt()
        terminal.wait_for("continue with:")
        assert terminal.wait() == 130
    kept = LearningRun.open(tmp_path / "run").latest()
    assert kept is not None
    assert len(kept.state["learner"]["under_way"]) == 10


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            ["--game", "draughts", "--opponent", "duchess-0"],
            "duchess-0 plays duchess, not draughts",
        ),
        (["--game", "duchess", "--opponent", "material"], "material plays draughts, not duchess"),
        (["--seats", "1", "--opponent", "hub:engine"], "hub:engine plays draughts, not duchess"),
        (
            ["--opponent", "duchess-six-0", "--players", 4],
            "duchess-six-0 plays with 6 players, not 4",
        ),
        (
            ["--opponent", "duchess-six-0", "--position", MATE_IN_ONE],
            "duchess-six-0 plays with 6 players, not 4",
        ),
        (
            ["--opponent", "duchess-0", "--fen", "B:W21:B1"],
            "it begins with the number of players",
        ),
        (["--game", "draughts", "--position", MATE_IN_ONE], "--position is for Duchess"),
    ],
)
def test_an_opponent_of_another_game_is_refused(
    run: Run, options: list[object], complaint: str
) -> None:
    done = run("play", "--terminal", *options)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(("name", "players"), [("duchess-0", 4), ("duchess-six-0", 6)])
def test_match_begins_with_a_random_ply_for_each_player(
    run: Run, tmp_path: Path, name: str, players: int
) -> None:
    path = tmp_path / "games.txt"
    options = ["--games", 2, "--depth", 1, "--seed", 3, "--workers", 1, "--pdn", path]
    done = run("match", name, name, *options, "--json")
    told = json.loads(done.out)
    assert (told["games"], told["score"], told["openings"]) == (2, 0.5, f"random:{players}")
    assert set(told) >= {"as_odd", "as_even", "elo_low", "elo_high", "loops"}
    one, other = parse_records(path.read_text())
    assert one.moves[:players] == other.moves[:players]
    assert one.outcome() is not None
    assert one.result in ("1-0", "0-1", "1/2-1/2")


def test_match_for_people(run: Run) -> None:
    done = run("match", "duchess-0", "duchess-0", "--games", 2, "--depth", 1, "--workers", 1)
    assert done.code == 0
    assert "as Odd" in done.out
    assert "loop" not in done.out  # of which there are none in Duchess


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["duchess-0", "material"], "material plays draughts, not duchess"),
        (["duchess-0", "duchess-six-0"], "duchess-six-0 plays with 6 players, not 4"),
        (["random", "duchess-0", "--game", "draughts"], "duchess-0 plays duchess, not draughts"),
        (["duchess-0", "random", "--loop-rule", "ufu"], "--loop-rule ufu is a rule of draughts"),
        (["random", "random", "--game", "chess"], "there is no game 'chess'"),
    ],
)
@pytest.mark.parametrize("command", ["match", "tournament"])
def test_all_who_meet_play_one_game(
    run: Run, command: str, words: list[str], complaint: str
) -> None:
    done = run(command, *words)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.err


@pytest.mark.parametrize(
    ("words", "players"),
    [
        (["duchess-0", "random"], 4),
        (["random", "duchess-0", "--game", "duchess"], 4),
        (["random", "duchess-six-0"], 6),
        (["random", "random", "--game", "duchess"], 4),
    ],
)
def test_random_plays_what_is_named_or_what_the_other_plays(
    run: Run, tmp_path: Path, words: list[str], players: int
) -> None:
    path = tmp_path / "games.txt"
    options = ["--games", 2, "--depth", 1, "--max-plies", 40, "--workers", 1, "--pdn", path]
    done = run("match", *words, *options, "--json")
    assert json.loads(done.out)["openings"] == f"random:{players}"
    assert [record.start for record in parse_records(path.read_text())] == 2 * [Position(players)]


def test_who_searches_says_how_deep_against_random(run: Run) -> None:
    options = ["--games", 2, "--max-plies", 8, "--workers", 1, "--json"]
    told = json.loads(run("match", "random", "duchess-0", *options).out)
    assert told["limits"]["depth"] == 5


def test_random_takes_part_in_a_tournament(run: Run) -> None:
    options = ["--games", 2, "--depth", 1, "--max-plies", 40, "--json"]
    told = json.loads(run("tournament", "random", "duchess-0", *options).out)
    assert told["model"] == "openskill"


def test_play_with_automatic_players(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    typed = f"moves 1b2\nN1b2-1a4\nundo\nN1b2-1c4\nhint\nsave {path}\nP9\nquit\n"
    done = run("play", "--terminal", "--game", "duchess", "--depth", 1, stdin=typed)
    assert done.code == 0
    assert "N1b2-1a4, N1b2-1c4" in done.out
    assert "Player 1 (you): N1b2-1c4" in done.out
    assert f"Player 4 ({USUAL}): " in done.out
    assert "4 moves taken back." in done.out
    assert "Hint: " in done.out
    assert "'P9'" in done.out
    assert f"--seats 1 --opponent {USUAL} --depth 1 --position" in done.out
    (record,) = parse_records(path.read_text())
    assert [str(move) for move in record.moves[:1]] == ["N1b2-1c4"]
    assert len(record.moves) == 4


@pytest.mark.parametrize(
    ("cell", "answer"),
    [
        ("1a5", "R2e5-1a3, R2e5-1a4, R2e5-1c5"),
        ("1A5", "R2e5-1a3, R2e5-1a4, R2e5-1c5"),
        ("2e5", "R2e5-1a3, R2e5-1a4, R2e5-1c5"),
        ("v", "NV-"),
        ("V", "NV-"),
        ("1c5", "there is no piece on 1c5"),
        ("2a1", "the K on 2a1 is player 2's, and it is player 1's turn"),
        ("1a1", "the K on 1a1 has no legal move"),
        ("9z9", "there is no cell '9z9' with 4 players: cells are V and sector, file, rank"),
    ],
)
def test_moves_of_a_cell_are_listed_or_it_is_said_why_there_are_none(
    run: Run, cell: str, answer: str
) -> None:
    text = "4; 1:K1a1 R2e5 NV B1a2 B1b1 P1b2; 2:K2a1; 3:K4a1; 4:K5a1; turn 1"
    done = run("play", "--terminal", "--position", text, stdin=f"moves {cell}\n")
    assert done.out.splitlines()[1].startswith(answer)


def test_the_names_of_cells_are_drawn_as_the_person_sees_them(run: Run) -> None:
    done = run(
        "play", "--terminal", "--game", "duchess", "--seats", "2", "--depth", 1, stdin="cells\n"
    )
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines()]
    assert ["2a1", "2b1", "2c1", "2d1", "2e1"] in rows  # at the bottom, from left to right


STANDING = "4; 1:K1e1; 2:K2a1 Q1d2 R1b2; 3:K4e1; 4:K5a1 Q4c1; turn 2; box 1:R,Q,P; box 4:B"


@pytest.mark.parametrize(("columns", "is_beside"), [(150, True), (80, False)])
def test_board_comes_with_boxes_and_who_is_in_check_or_mated(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: int, is_beside: bool
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    done = run("play", "--terminal", "--position", STANDING, "--seats", "2", stdin="board\n")
    lines = done.out.splitlines()
    first = next(number for number, line in enumerate(lines) if "Player 1" in line)
    told = [line[line.index("Player") - 2 :] for line in lines[first : first + 4]]
    assert told == [
        f"  Player 1 ({USUAL})  mated  box Q, R, P",
        "> Player 2 (you)",
        f"  Player 3 ({USUAL})  in check",
        f"  Player 4 ({USUAL})  box B",
    ]
    assert any("2K" in line for line in lines[first:]) == is_beside
    assert max(map(len, lines[: first + 4])) <= columns


def test_play_random_players_in_all_other_seats_of_six(run: Run) -> None:
    options = ["--game", "duchess", "--players", 6, "--seats", "1,3", "--opponent", "random"]
    done = run("play", "--terminal", *options, "--seed", 1, stdin="P1a3-1a4\n")
    assert done.code == 0
    assert "Player 2 (random): " in done.out
    assert "Player 3 (you)" not in done.out


def test_play_goes_on_to_the_end(run: Run) -> None:
    options = ["--position", MATE_IN_ONE, "--seats", "1", "--depth", 3]
    done = run("play", "--terminal", *options)
    assert "The even team wins: all its enemies are mated." in done.out


def test_a_game_can_be_resigned_and_begun_anew(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    typed = f"P1a3-1a4\nresign\nP1a4-1a5\nhint\nsave {path}\nnew\nN1b2-1a4\n"
    done = run("play", "--terminal", "--opponent", "duchess-0", "--depth", 1, stdin=typed)
    assert done.code == 0, done.err
    before, after = done.out.split("A new game.\n")
    assert "The even team wins: Player 1 resigns." in before
    assert before.count("the game is over") == 2
    assert "Player 1 (you): N1b2-1a4" in after
    assert "The game is unfinished." in after
    (record,) = parse_records(path.read_text())
    assert (record.result, record.winner) == ("0-1", "even")
    assert record.tags["Player2"] == "duchess-0 (1 ply deep)"


def test_play_tells_how_to_go_on_as_before(run: Run) -> None:
    options = ["--opponent", "duchess-0", "--depth", 2, "--seconds", 0.5, "--seats", "1,2"]
    done = run("play", "--terminal", *options, stdin="P1a3-1a4\n")
    (command,) = re.findall("^crossboard (play .*)", done.out, re.MULTILINE)
    assert "--seats 1,2 --opponent duchess-0 --depth 2 --seconds 0.5 --position" in command
    again = run(*shlex.split(command), stdin="quit\n")
    assert (again.code, again.out.splitlines()[-1]) == (0, f"crossboard {command}")


def test_opponent_has_its_own_limits_unless_others_are_asked_for(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen = []
    search = Player.search

    def watched(self: Player, position: Position, **options: object) -> SearchResult:
        seen.append(search(self, position, **options))  # type: ignore[arg-type]
        return seen[-1]

    monkeypatch.setattr(Player, "search", watched)
    limits = SearchLimits(depth=1, floors=((99, 2),))
    Player("own", OneLayer.initial(), limits=limits).save(tmp_path / "own")
    for options in ([], ["--depth", 1]):
        run("play", "--terminal", "--opponent", tmp_path / "own", *options, stdin="P1a3-1a4\n")
    assert [found.depth for found in seen] == [2, 2, 2, 1, 1, 1]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--game", "duchess", "--side", "W"], "--side W is for draughts: --seats says which"),
        (["--game", "draughts", "--seats", "1"], "--seats 1 is for Duchess: --side B, W or both"),
    ],
)
def test_seats_and_sides_belong_to_their_games(
    run: Run, options: list[object], complaint: str
) -> None:
    done = run("play", "--terminal", *options)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.err


@pytest.mark.parametrize("seats", ["0", "5", "1,x", ""])
def test_seats_that_are_not_there(run: Run, seats: str) -> None:
    done = run("play", "--terminal", "--game", "duchess", "--seats", seats or ",")
    assert done.code == 2
    assert "name players from 1 to 4" in done.err


def test_tournaments_rate_teams_by_openskill(run: Run, tmp_path: Path) -> None:
    RandomPlayer("any", game="duchess").save(tmp_path / "any")
    asked = ("tournament", "duchess-0", tmp_path / "any", "--games", 2, "--depth", 1)
    figure = tmp_path / "skills.svg"
    told = json.loads(run(*asked, "--max-plies", 400, "--json", "--figure", figure).out)
    assert told["model"] == "openskill"
    assert {one["name"] for one in told["players"]} == {"duchess-0", "any"}
    for one in told["players"]:
        assert one["skill_low"] < one["skill"] < one["skill_high"]
        assert one["games"] == 2
        assert "elo" not in one
    assert "OpenSkill" in figure.read_text()
    done = run(*asked, "--max-plies", 400)
    assert "OpenSkill (a beginner has 25), with 95 % intervals\n  " in done.out
