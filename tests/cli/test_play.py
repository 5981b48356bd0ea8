"""`crossboard play` with a script from a pipe: a whole game, commands, mistakes, the end."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from crossboard.cli.play import opponent_options
from crossboard.draughts import Position, Record, read_pdn
from crossboard.evaluators import Network, feature_mapping
from crossboard.play.thinkers import DEFAULT_LIMITS, find_computer
from crossboard.players import Player, RandomPlayer, SearchLimits, SearchSettings, load_player
from crossboard.players.games import DRAUGHTS

from .conftest import CROSSBOARD, Run

HINT_DEPTH = DRAUGHTS.hint_depth
TITLE = "Black (you) against White (random), seed 1"
RANDOM = ("play", "--terminal", "--opponent", "random")
SEED = (*RANDOM, "--seed", 1)
# Whose replies the scripts below know.
SHALLOW = ("play", "--terminal", "--opponent", "material", "--depth", 3)
TWO = ("play", "--terminal", "--side", "both")


def play_out(people: str, seed: int) -> Record:
    """Play a game as the program would, with a person who moves at random too."""
    record = Record()
    computer, person = RandomPlayer(seed=seed), RandomPlayer(seed=seed + 1000)
    while record.outcome() is None:
        player = person if record.position.turn in people else computer
        record.play(player.choose(record.position))
    return record


def lines_for(record: Record, people: str) -> str:
    """Write what the people of a game type."""
    position, lines = record.start, []
    for move in record.moves:
        if position.turn in people:
            lines.append(f"{move}\n")
        position = position.after(move)
    return "".join(lines)


@pytest.mark.parametrize(("side", "people"), [("B", "B"), ("W", "W"), ("w", "W"), ("both", "BW")])
def test_a_whole_game_and_its_file(run: Run, tmp_path: Path, side: str, people: str) -> None:
    game, path = play_out(people, seed=5), tmp_path / "game.pdn"
    script = lines_for(game, people) + f"save {path}\n"
    done = run(*RANDOM, "--side", side, "--seed", 5, stdin=script)
    assert (done.code, done.err) == (0, "")
    outcome = game.outcome()
    assert outcome is not None
    winner = {"B": "Black", "W": "White", None: "Drawn"}[outcome.winner]
    assert re.search(f"^{winner}.*(wins: |: )", done.out, re.MULTILINE)
    assert "unfinished" not in done.out
    played = re.findall(r"^(?:Black|White) (\S+)$", done.out, re.MULTILINE)
    assert len(played) == len(game.moves)
    (record,) = read_pdn(path)
    assert record.errors == []
    assert record.moves == game.moves
    assert record.winner == outcome.winner
    assert record.result != "*"


def test_a_whole_game_as_a_process(start: Run, tmp_path: Path) -> None:
    game, path = play_out("B", seed=8), tmp_path / "game.pdn"
    done = start(*RANDOM, "--seed", 8, stdin=lines_for(game, "B") + f"save {path}\nquit\n")
    assert (done.code, done.err) == (0, "")
    (record,) = read_pdn(path)
    assert record.moves == game.moves


def test_a_pipe_gets_lines_and_no_prompts(run: Run) -> None:
    done = run(*TWO, stdin="11-15\n22-18\n15x22\n")
    assert done.code == 0
    assert done.out.splitlines() == [
        "Black against White",
        "Black 11-15",
        "White 22-18",
        "Black 15x22",
        "The game is unfinished. To resume it:",
        "crossboard play --terminal --side both --fen "
        "W:W21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,22",
    ]


def test_an_empty_script_ends_cleanly(run: Run) -> None:
    done = run(*SEED)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(TITLE)
    assert "The game is unfinished." in done.out


def test_the_seed_is_told_and_repeats_the_game(run: Run) -> None:
    script = "11-15\n"
    first = run(*RANDOM, stdin=script).out
    found = re.search(r"seed (\d+)", first)
    assert found
    assert run(*RANDOM, "--seed", found[1], stdin=script).out == first


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("11-22", "'11-22': there is a piece on 22 already; legal: "),
        ("22-18", "'22-18': the piece on 22 is White's, and it is Black's turn"),
        ("40-44", "there is no square 40"),
        ("11", "'11' is not a move"),
        ("castle", "'castle' is neither a move nor a command: try help"),
        ("\udcff\x00\x1b[31m", "is neither a move nor a command"),
        ("undo", "there is nothing to take back"),
        ("save", "save where? Try: save game.pdn"),
        ("save /missing/game.pdn", "/missing/game.pdn: No such file or directory"),
    ],
)
def test_bad_lines_are_answered_and_the_game_goes_on(run: Run, typed: str, answer: str) -> None:
    script = f"{typed}\n\n11-15\n".encode("utf-8", "surrogateescape")
    done = run(*TWO, stdin=script)
    assert done.code == 0
    reply, *others = done.out.splitlines()[1:]
    assert answer in reply
    assert Position().fen not in reply
    assert "\x1b" not in reply
    assert others[0] == "Black 11-15"


def test_compulsory_captures_are_explained(run: Run) -> None:
    done = run(*TWO, stdin="11-15\n22-18\n9-13\n")
    assert "'9-13': capture is compulsory: 15x22" in done.out.splitlines()


def test_help_names_every_command(run: Run) -> None:
    told = run(*TWO, stdin="HELP\n").out
    for word in ("moves", "hint", "board", "flip", "undo", "resign", "save FILE", "new", "quit"):
        assert re.search(f"^{word} ", told, re.MULTILINE)


def test_moves_are_listed(run: Run) -> None:
    told = run(*TWO, stdin="moves\n").out.splitlines()[1]
    assert set(told.split(", ")) == {str(move) for move in Position().legal_moves}


def test_board_and_flip(run: Run) -> None:
    told = run(*TWO, stdin="board\nflip\nboard\n").out.splitlines()[1:33]
    assert told[0].startswith(":::::1 ")
    assert told[16].startswith(":::::32 ")


def test_undo_takes_back_the_answer_too(run: Run) -> None:
    told = run(*SEED, stdin="11-15\nundo\n11-16\n").out
    assert "2 moves taken back." in told
    assert re.findall(r"^Black (.*)", told, re.MULTILINE)[1:] == ["11-15", "11-16"]


def test_resigning_ends_the_game(run: Run) -> None:
    told = run(*SEED, stdin="resign\n9-13\n").out.splitlines()
    assert "White (random) wins: Black resigns." in told
    assert told[-1] == "the game is over"


def test_a_new_game_after_the_end(run: Run) -> None:
    told = run(*TWO, "--fen", "B:W18:B14", stdin="14x23\nnew\n14x23\n").out
    assert told.count("Black wins: White has no piece left.") == 2
    assert told.count("save FILE") == 2


def test_a_new_game_tells_the_computers_first_move(run: Run) -> None:
    told = run(*RANDOM, "--side", "W", "--seed", 2, stdin="22-18\nnew\n").out
    before, after = told.split("A new game.\n")
    assert [line.split()[0] for line in before.splitlines()[1:]] == ["Black", "White", "Black"]
    assert re.match(r"Black \d+-\d+\n", after)


def test_a_game_that_is_over_at_once_says_so(run: Run) -> None:
    done = run(*TWO, "--fen", "B:W18:B")
    assert done.code == 0
    assert "White wins: Black has no piece left." in done.out


def test_a_files_owner_is_asked_first(run: Run, tmp_path: Path) -> None:
    theirs, ours = tmp_path / "theirs.pdn", tmp_path / "ours of today.pdn"
    theirs.write_text("a thousand games")
    script = f"save {theirs}\nsave {ours}\n11-15\nsave {ours}\n"
    told = run(*TWO, stdin=script).out
    assert f"{theirs} exists already: choose another name" in told
    assert theirs.read_text() == "a thousand games"
    (record,) = read_pdn(ours)
    assert [str(move) for move in record.moves] == ["11-15"]
    assert told.count(f"Saved in {ours}.") == 2


def test_a_save_that_fails_does_not_end_the_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    path = tmp_path / "game.pdn"
    told = run(*TWO, stdin=f"save {path}\n11-15\n").out.splitlines()
    assert told[1:3] == [f"{path}: No space left on device", "Black 11-15"]
    assert list(tmp_path.iterdir()) == []


def test_the_hint_to_go_on_goes_on(run: Run) -> None:
    hint = run(*TWO, stdin="11-15\n").out.splitlines()[-1]
    assert run(*hint.split()[1:], stdin="22-18\n").out.splitlines()[1] == "White 22-18"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--fen", "nonsense"], "FEN 'nonsense': "),
        (["--opponent", "strongest"], "there is no player 'strongest': there are "),
        (["--opponent", "materiel"], "there is no player 'materiel': did you mean material?"),
        (["--opponent", "hub:/no/engine"], "hub:/no/engine: "),
        (["--game", "draughts", "--opponent", "duchess-0"], "duchess-0 plays duchess"),
        (["--depth", "0"], "depth must be 1 to 200, not 0"),
        (["--seconds", "0"], "seconds must be a finite number above 0"),
        (["--side", "green"], "'--side'"),
        (["--seed", "luck"], "'--seed'"),
    ],
)
def test_bad_options_are_one_line(run: Run, options: list[str], told: str) -> None:
    refused = run("play", *options)
    assert (refused.code, refused.out) == (2, "")
    assert told in refused.err
    assert refused.err.count("\n") == 1


def moves_told(out: str) -> list[str]:
    return re.findall(r"^(?:Black|White) (\d\S*)$", out, re.MULTILINE)


def test_the_opponent_searches_unless_told_otherwise(run: Run) -> None:
    told = run("play", "--terminal", "--side", "W", "--fen", "B:W5:BK6,K2").out.splitlines()
    assert told == [
        "Black (champion) against White (you), 1 s a move",
        "Black 6-1",
        "Black (champion) wins: White cannot move.",
        "Keep the game with save FILE; new begins another, quit leaves.",
    ]


def test_at_a_depth_the_game_is_always_the_same(run: Run) -> None:
    script = "11-15\n8-11\nresign\n"
    first = run(*SHALLOW, stdin=script).out
    assert first.startswith("Black (you) against White (material), 3 plies deep\n")
    assert len(moves_told(first)) == 4
    assert run(*SHALLOW, stdin=script).out == first


def test_a_searcher_wins_what_is_won(run: Run) -> None:
    done = run(*SHALLOW, "--side", "W", "--fen", "B:W9:B1,K10", stdin="9-6\n9-5\n")
    assert "Black (material) wins" in done.out


def test_a_hint_is_a_legal_line_with_an_opinion(run: Run) -> None:
    (hint,) = re.findall("^Hint: .*", run(*SHALLOW, stdin="hint\n").out, re.MULTILINE)
    line, opinion = re.fullmatch(r"Hint: (.*) \((.*)\)", hint).groups()  # type: ignore[union-attr]
    position = Position()
    for move in line.removesuffix(" ...").split():
        position = position.after(move)
    assert opinion == "even"


@pytest.mark.parametrize(
    ("fen", "hint"),
    [
        ("B:W18:B14", "Hint: 14x23 (wins in 1 ply)"),
        ("B:W14,25:B1", "Hint: 1-5 25-22 5-9 14x5 (loses in 4 plies)"),
        ("B:W22-32:B1-12", r"Hint: .* \.\.\. \(\+1\.00 men\)"),
    ],
)
def test_a_hint_says_what_a_move_is_worth(run: Run, fen: str, hint: str) -> None:
    asked = (*TWO, "--opponent", "material", "--depth", 1, "--fen", fen)
    told = run(*asked, stdin="hint\n").out.splitlines()[1]
    assert told == hint or re.fullmatch(hint, told)


def test_hints_do_not_change_what_the_opponent_plays(run: Run) -> None:
    script = "11-15\n8-11\n9-13\n"
    asked = run(*SHALLOW, stdin=script.replace("\n", "\nhint\n"))
    assert asked.out.count("Hint: ") == 3
    assert moves_told(asked.out) == moves_told(run(*SHALLOW, stdin=script).out)


def test_a_hint_after_the_end_is_refused(run: Run) -> None:
    assert run(*TWO, stdin="resign\nhint\n").out.splitlines()[-1] == "the game is over"


def test_a_hint_knows_the_game(run: Run) -> None:
    # White is lost, but for a position that has stood before.
    played = "".join(f"{move}\n" for move in ("16-12", "9-13", "12-16", "13-9"))
    asked = (*TWO, "--depth", 9, "--fen", "W:WK16:BK9,K24", "--no-tables")
    assert "loses in 8 plies" in run(*asked, stdin="hint\n").out
    assert "Hint: 16-12 (even)" in run(*asked, stdin=f"{played}hint\n").out


def test_a_hint_names_what_the_endgame_tables_know(run: Run, small_tables: Path) -> None:
    asked = (*TWO, "--depth", 1, "--tables", small_tables)
    won = run(*asked, "--fen", "B:BK1,K5:WK32", stdin="hint\n").out
    assert re.search(r"Hint: .* \(won by the endgame tables\)", won)
    lost = run(*asked, "--fen", "W:BK14,K18:WK32", stdin="hint\n").out
    assert re.search(r"Hint: .* \(lost by the endgame tables\)", lost)


def test_a_hint_reports_damaged_tables(run: Run, damaged_tables: Path) -> None:
    asked = (*TWO, "--depth", 3, "--tables", damaged_tables, "--fen", "W:WK18,K22:BK1")
    done = run(*asked, stdin="hint\nhint\n")
    assert done.err.count("0-2-0-1.outcomes: a block is damaged") == 1
    assert done.err.count("\n") == 1


def test_resuming_a_game_keeps_its_tables(run: Run, small_tables: Path) -> None:
    for options in (["--no-tables"], ["--tables", str(small_tables)]):
        last = run(*TWO, *options, stdin="11-15\n").out.splitlines()[-1]
        assert shlex.join(["--side", "both", *options, "--fen"]) in last


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        (["--seconds", "0.05"], ["--seconds", "0.05"]),
        (["--depth", "3"], ["--depth", "3"]),
        (["--opponent", "random"], ["--opponent", "random"]),
        (["--opponent", "draft5", "--depth", "2"], ["--opponent", "draft5", "--depth", "2"]),
    ],
)
def test_going_on_meets_the_same_opponent(run: Run, options: list[str], kept: list[str]) -> None:
    last = run("play", "--terminal", *options, stdin="11-15\n").out.splitlines()[-1].split()
    assert last[:5] == ["crossboard", "play", "--terminal", "--side", "B"]
    assert last[5:-2] == kept


def test_the_usual_opponent_needs_no_options() -> None:
    for asked in (SearchLimits(), DEFAULT_LIMITS):
        computer = find_computer("champion", Position(), asked, 0)
        assert opponent_options(computer, "champion") == ()


# ---- any player


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a player with a small network."""
    network = Network.initial(feature_mapping("lynch"), 3, seed=1)
    limits = SearchLimits(depth=2, nodes=5000)
    Player("small-net", network, limits=limits).save(tmp_path / "small net")
    return tmp_path / "small net"


def test_a_player_of_a_folder_plays_to_its_own_limits(run: Run, folder: Path) -> None:
    told = run("play", "--terminal", "--opponent", folder, stdin="11-15\n").out.splitlines()
    assert told[0] == (
        "Black (you) against White (small-net), 2 plies deep, 5,000 positions a move"
    )
    answer = load_player(folder).choose(Position().after("11-15"))
    assert told[2] == f"White {answer}"
    again = shlex.split(told[-1])
    assert again[3:-2] == ["--side", "B", "--opponent", str(folder)]
    assert "small-net" in run(*again[1:]).out


def test_limits_asked_for_count_for_any_player(run: Run, folder: Path) -> None:
    told = run("play", "--terminal", "--opponent", folder, "--depth", 1, stdin="11-15\n").out
    assert told.startswith("Black (you) against White (small-net), 1 ply deep\n")
    assert shlex.split(told)[-4:-2] == ["--depth", "1"]


def test_hints_are_given_with_the_opponents_evaluation(run: Run, folder: Path) -> None:
    asked = ("play", "--terminal", "--opponent", folder)
    told = run(*asked, stdin="hint\n").out.splitlines()[1]
    assert re.fullmatch(r"Hint: .* \([+-]0\.\d\d, a win being 1\)", told)
    expected = load_player(folder, search=SearchSettings()).search(
        Position(), depth=HINT_DEPTH, nodes=5000
    )
    assert f"({expected.value:+.2f}, " in told
    won = run(*asked, "--fen", "B:W18:B14", stdin="hint\n").out
    assert "Hint: 14x23 (wins in 1 ply)" in won


def test_a_network_file_plays(run: Run, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "opp1.net"
    assert run("convert", folder, file).code == 0
    told = run("play", "--terminal", "--opponent", file, stdin="11-15\n").out.splitlines()
    assert told[0] == "Black (you) against White (small-net), 2 plies deep"
    assert told[2].startswith("White ")


def test_an_outside_engine_plays(run: Run) -> None:
    engine = f"hub:{shlex.join([*CROSSBOARD, 'hub', '--player', 'material'])}"
    asked = ("play", "--terminal", "--opponent", engine, "--depth", 2)
    told = run(*asked, stdin="11-15\nhint\nquit\n").out.splitlines()
    ours = load_player("material").choose(Position().after("11-15"), depth=2)
    assert told[2] == f"White {ours}"
    assert told[3].startswith("Hint: ")
    assert engine in shlex.split(told[-1])


def test_an_engine_that_fails_can_be_asked_again(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "engine.py"
    script.write_text(FAILING)
    engine = f"hub:{shlex.join([sys.executable, str(script), str(tmp_path / 'failed')])}"
    typed = "11-15\n22-18\nundo\n9-13\n"
    told = run("play", "--terminal", "--opponent", engine, "--depth", 1, stdin=typed).out
    assert "gave no move" in told
    assert f"it is the turn of White ({engine}): undo takes your last move back" in told
    assert "1 move taken back." in told
    assert moves_told(told)[-2:] == ["9-13", "22-18"]


# Gives no move to the first question of its life, and the same move to all others.
FAILING = """
import os, sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "hub":
        print('param name=variant value=normal type=enum values="normal english"')
        print("wait", flush=True)
    elif word == "init":
        print("ready", flush=True)
    elif word == "go":
        failed = os.path.exists(sys.argv[1])
        open(sys.argv[1], "w").close()
        print("done move=22-18" if failed else "done", flush=True)
"""


def test_both_clocks_are_shown_and_kept(run: Run) -> None:
    done = run(*TWO, "--time", "5+3", stdin="11-15\n")
    assert (done.code, done.err) == (0, "")
    shown = re.findall(r"^Clocks: Black (\S+), White (\S+)$", done.out, re.MULTILINE)
    assert len(shown) == 2
    assert shown[0][1] == "5:03"
    assert "play --terminal --side both --time 5+3 --fen" in done.out


def test_a_computer_plays_by_the_clock(run: Run) -> None:
    done = run("play", "--terminal", "--side", "W", "--time", "1+1", stdin="")
    assert (done.code, done.err) == (0, "")
    assert "Black (champion) against White (you), 1+1 on the clock" in done.out
    assert re.search(r"^Black \d+-\d+$", done.out, re.MULTILINE)
    assert "--side W --time 1+1 --fen" in done.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--time", "0"], "--time '0': give minutes for the game + seconds a move, such as 5+3"),
        (["--time", "5+3", "--seconds", 1], "it cannot be combined with --seconds"),
    ],
)
def test_clocks_that_make_no_sense_are_refused(run: Run, options: list[object], words: str) -> None:
    done = run("play", "--terminal", *options)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
