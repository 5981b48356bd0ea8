"""`crossboard search`: what it finds, what it refuses, and Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from crossboard.cli import commands, search
from crossboard.cli.interruption import Interruption
from crossboard.draughts import Position, middlegames
from crossboard.players import Player, SearchLimits, engines, folder, load_player
from crossboard.players import weights as weights_module
from crossboard.players.engines import make_engine
from crossboard.players.weights import read_file

from .conftest import CROSSBOARD, Run

MIDDLEGAME = middlegames()[1].fen
LOST_BUT_REPEATED = ("--fen", "W:WK16:BK9,K24", "--depth", 9, "--player", "material")
MORE_THAN_ANY_MACHINE_MB = 10**9


def ask(run: Run, *options: object, code: int = 0) -> dict[str, Any]:
    done = run("search", *options, "--json")
    assert (done.code, done.err) == (code, "")
    assert done.out.count("\n") == 1
    found = json.loads(done.out)
    assert isinstance(found, dict)
    return found


def test_json_says_all_that_was_found(run: Run) -> None:
    found = ask(run, "--player", "material", "--fen", MIDDLEGAME, "--depth", 9)
    expected = load_player("material").search(Position.from_fen(MIDDLEGAME), depth=9)
    assert found.pop("seconds") > 0
    assert found == {
        "fen": MIDDLEGAME,
        "move": str(expected.move),
        "value": expected.value,
        "win_in": None,
        "pv": [str(move) for move in expected.pv],
        "depth": 9,
        "selective_depth": expected.selective_depth,
        "nodes": expected.nodes,
        "stopped": False,
        "agent": "main",
        "algorithm": "alphabeta",
        "threads": 1,
        "table_mb": 64,
        "tables": 0,
    }


def test_the_line_is_played_from_the_position(run: Run) -> None:
    found = ask(run, "--fen", MIDDLEGAME, "--depth", 9)
    position = Position.from_fen(MIDDLEGAME)
    assert len(found["pv"]) >= 9
    for move in found["pv"]:
        position = position.after(move)
    assert found["pv"][0] == found["move"]


@pytest.mark.parametrize(
    ("fen", "value", "win_in"),
    [
        ("B:W18:B14", 100.0, 1),
        ("W:W18:B14", 100.0, 1),
        ("B:W14,25:B1", -100.0, -4),
        ("W:WK14,K18:BK1", 1.5, None),
        ("B:WK14,K18:BK1", -1.5, None),
    ],
)
def test_values_are_mens_for_the_side_to_move(
    run: Run, fen: str, value: float, win_in: int | None
) -> None:
    found = ask(run, "--player", "material", "--fen", fen, "--depth", 5)
    assert (found["value"], found["win_in"]) == (value, win_in)


def test_without_a_name_the_strongest_shipped_player_searches(run: Run) -> None:
    found = ask(run, "--fen", MIDDLEGAME, "--depth", 4)
    expected = load_player("champion").search(Position.from_fen(MIDDLEGAME), depth=4)
    assert (found["move"], found["value"]) == (str(expected.move), expected.value)
    assert -1 <= found["value"] <= 1


def test_without_limits_it_takes_a_second(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[SearchLimits] = []
    real = Player.search

    def listen(self: Player, position: Position, **options: Any) -> Any:
        asked.append(options["limits"])
        return real(self, position, **options | {"limits": SearchLimits(depth=1)})

    monkeypatch.setattr(Player, "search", listen)
    ask(run)
    assert asked[0] == SearchLimits(seconds=1.0)
    ask(run, "--depth", 3)
    assert asked[1] == SearchLimits(depth=3)


def test_a_limit_ends_the_search(run: Run) -> None:
    found = ask(run, "--nodes", 5000)
    assert (found["nodes"], found["stopped"]) == (5000, False)
    assert found["depth"] > 1
    # A depth that was asked for and not reached is another matter.
    assert ask(run, "--nodes", 5000, "--depth", 60)["stopped"] is True
    assert ask(run, "--seconds", 0.01)["stopped"] is False


def test_the_algorithms_find_the_same_value(run: Run) -> None:
    for leaves in ([], ["--no-quiescence"]):
        options = ("--player", "treestrap", "--fen", MIDDLEGAME, "--depth", 5, *leaves)
        plain = ask(run, *options, "--algorithm", "minimax")
        pruned = ask(run, *options, "--algorithm", "alphabeta", "--no-table")
        assert plain["value"] == pruned["value"]
        assert plain["nodes"] > pruned["nodes"]
        assert (plain["algorithm"], plain["table_mb"]) == ("minimax", 0)
        assert (pruned["algorithm"], pruned["table_mb"]) == ("alphabeta", 0)


def test_without_quiescence_nothing_is_deeper_than_the_depth(run: Run) -> None:
    # The usual player extends some lines beyond the depth.
    options = ("--fen", MIDDLEGAME, "--depth", 6, "--player", "material")
    assert ask(run, *options, "--no-quiescence")["selective_depth"] == 6
    assert ask(run, *options)["selective_depth"] > 6


def test_table_and_threads_are_taken_and_told(run: Run) -> None:
    options = ("--fen", MIDDLEGAME, "--depth", 9)
    alone = ask(run, *options, "--no-table")
    crew = ask(run, *options, "--no-table", "--threads", 3)
    assert crew["threads"] == 3
    assert crew["value"] == alone["value"]
    with_table = ask(run, *options, "--table-mb", 2)
    assert with_table["table_mb"] == 2
    assert with_table["nodes"] < alone["nodes"]


def test_minimax_tells_the_one_thread_that_it_uses(run: Run) -> None:
    options = ("--fen", MIDDLEGAME, "--depth", 4, "--algorithm", "minimax")
    found = [ask(run, *options, "--threads", threads) for threads in (1, 3)]
    assert [one["threads"] for one in found] == [1, 1]
    assert found[0]["nodes"] == found[1]["nodes"]


def test_several_best_moves(run: Run) -> None:
    found = ask(run, "--fen", MIDDLEGAME, "--depth", 6, "--multipv", 3)
    lines = found["lines"]
    assert len({line["move"] for line in lines}) == 3
    assert [line["value"] for line in lines] == sorted(line["value"] for line in lines)[::-1]
    assert {name: found[name] for name in ("move", "value", "win_in", "pv")} == lines[0]
    assert "lines" not in ask(run, "--fen", MIDDLEGAME, "--depth", 6)


def test_more_best_moves_than_there_are(run: Run) -> None:
    found = ask(run, "--depth", 3, "--multipv", 10**30)
    assert {line["move"] for line in found["lines"]} == {str(m) for m in Position().legal_moves}


def test_a_single_move_is_one_line_if_several_were_asked_for(run: Run) -> None:
    found = ask(run, "--fen", "B:W18:B14", "--depth", 3, "--multipv", 3)
    assert [line["move"] for line in found["lines"]] == [found["move"]] == ["14x23"]


def test_moves_lead_to_the_position_and_are_remembered(run: Run) -> None:
    after = Position().after("11-15").after("22-18")
    found = ask(run, "--moves", "11-15 22-18", "--depth", 3)
    assert (found["fen"], found["move"]) == (after.fen, "15x22")
    # White is lost, but for a position that has stood before.
    assert ask(run, *LOST_BUT_REPEATED)["win_in"] == -8
    known = ask(run, *LOST_BUT_REPEATED, "--moves", "16-12 9-13 12-16 13-9")
    assert (known["value"], known["win_in"], known["move"]) == (0.0, None, "16-12")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--depth", "0"], "depth must be 1 to 200, not 0"),
        (["--depth", "10000"], "depth must be 1 to 200, not 10000"),
        (["--depth", "9" * 40], "depth must be 1 to 200"),
        (["--seconds", "0"], "seconds must be a finite number above 0, not 0.0"),
        (["--seconds", "nan"], "seconds must be a finite number above 0, not nan"),
        (["--nodes", "0"], "nodes must be 1 to "),
        (["--nodes", "9" * 40], "nodes must be 1 to "),
        (["--table-mb", "0"], "--table-mb 0: such a table holds nothing; say --no-table"),
        (["--table-mb", "-1"], "--table-mb -1: "),
        (["--table-mb", str(MORE_THAN_ANY_MACHINE_MB)], "does not fit into a machine with"),
        (["--table-mb", "9" * 40], "no machine has so much memory"),
        (["--table-mb", "8", "--no-table"], "--table-mb and --no-table: it is one or the other"),
        (["--player", "strongest"], "there is no player 'strongest'"),
        (["--algorithm", "negamax"], "'negamax' is not one of 'minimax', 'alphabeta'"),
        (["--threads", "0"], "'--threads'"),
        (["--threads", "9" * 40], "'--threads'"),
        (["--multipv", "0"], "'--multipv'"),
        (["--grain", "0"], "'--grain'"),
        (["--fen", "B:W18:B"], "the game is over: there is no move in B:W18:B"),
        (["--fen", "nonsense"], "FEN 'nonsense': "),
        (["--moves", "11-15 11-15"], "'11-15' is not legal"),
        (["--moves", "\udcff"], "'\ufffd' is not a move"),
        (["--fen", "B:W18:B14", "--moves", "14x23"], "the game is over"),
    ],
)
def test_bad_input_is_one_line(run: Run, options: list[str], told: str) -> None:
    for json_too in ([], ["--json"]):
        refused = run("search", *options, *json_too)
        assert (refused.code, refused.out) == (2, "")
        assert told in refused.err
        assert refused.err.count("\n") == 1


def test_people_get_lines(run: Run) -> None:
    told = run(
        "search", "--player", "material", "--fen", "B:W14,25:B1", "--depth", 6
    ).out.splitlines()
    assert told[:3] == [
        "position  B:W14,25:B1",
        "best      1-5  loses in 4 plies",
        "line      1-5 25-22 5-9 14x5",
    ]
    assert told[3].startswith("depth     4, captures up to ")
    assert told[4].startswith("nodes     ")
    assert "million/s" in told[4]


def test_people_get_several_lines(run: Run) -> None:
    told = run("search", "--depth", 4, "--multipv", 2).out.splitlines()
    assert [line.split()[0] for line in told] == [
        "position",
        "best",
        "line",
        "2.",
        "line",
        "depth",
        "nodes",
        "tables",
    ]


def test_an_interruption_before_the_search_begins_is_not_lost() -> None:
    player, enough = load_player("material"), 30_000_000
    threads = threading.active_count()
    with Interruption() as interruption:
        os.kill(os.getpid(), signal.SIGINT)
        assert interruption.happened
        interruption.stop = player.stop
        assert player.search(Position(), nodes=enough).nodes < enough
    assert threading.active_count() == threads
    with pytest.raises(KeyboardInterrupt):  # and then Ctrl-C is what it was
        os.kill(os.getpid(), signal.SIGINT)


def test_an_interrupted_search_tells_its_result(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Player.search

    def interrupt(self: Player, position: Position, **limits: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return real(self, position, **limits)

    monkeypatch.setattr(Player, "search", interrupt)
    for limit in (["--depth", 100], ["--seconds", 1000], ["--nodes", 10**15]):
        found = ask(run, *limit, code=search.INTERRUPTED)
        assert found["stopped"] is True
        assert found["move"] in Position().legal_moves
    told = run("search", "--depth", 100)
    assert told.code == search.INTERRUPTED
    assert ", stopped\n" in told.out


if os.name != "nt":
    from .pseudo_terminal import PseudoTerminal

    def test_control_c_on_a_terminal() -> None:
        with PseudoTerminal(*CROSSBOARD, "search", "--depth", "100", "--json") as terminal:
            terminal.wait_for("search ")  # the bar
            terminal.interrupt()
            assert terminal.wait() == 130
            (line,) = [line for line in terminal.text.splitlines() if "{" in line]
        found = json.loads(line[line.index("{") :])
        assert found["stopped"] is True
        assert 0 < found["depth"] < 100

    def test_a_terminal_shows_the_board() -> None:
        command = (*CROSSBOARD, "search", "--depth", "3", "--moves", "11-15")
        with PseudoTerminal(*command) as terminal:
            assert terminal.wait() == 0
            assert terminal.text.count("●") == 24
            assert terminal.text.index("●") < terminal.text.index("best ")
            assert "\x1b[48;" in terminal.raw


# ---- how often files are read


@pytest.mark.parametrize(
    ("options", "weights"),
    [
        (("--player", "treestrap"), 1),
        ((), 1),
        (("--player", "draft5", "--no-table", "--algorithm", "minimax"), 1),
        (("--player", "material"), 0),
        (("--player", "duchess-2"), 1),
        (("--game", "duchess"), 1),
    ],
)
def test_everything_is_read_and_made_once(
    options: tuple[str, ...], weights: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    made: list[object] = []

    def reading(path: Path, most_bytes: int) -> bytes:
        read.append(path.name)
        return read_file(path, most_bytes)

    def making(*args: Any, **options: Any) -> Any:
        made.append(args)
        return make_engine(*args, **options)

    for module in (folder, weights_module):
        monkeypatch.setattr(module, "read_file", reading)
    monkeypatch.setattr(engines, "make_engine", making)
    assert commands.run(["search", *options, "--depth", "2", "--json"]) == 0
    assert read.count("player.toml") == 1
    assert read.count("weights.safetensors") == weights
    assert len(made) == 1


PROBER = """
game = "draughts"
name = "prober"

[evaluators.main]
kind = "material"

[search]
tables = true
"""


@pytest.fixture
def prober(tmp_path: Path) -> Path:
    """A player's folder that asks for endgame tables."""
    place = tmp_path / "prober"
    place.mkdir()
    (place / "player.toml").write_text(PROBER)
    return place


def test_tables_of_a_folder_are_probed_and_named(run: Run, prober: Path, small_tables: Path):
    asked = ("--player", prober, "--fen", "B:BK1,K5:WK32", "--depth", 3)
    found = ask(run, *asked, "--tables", small_tables)
    assert found["tables"] == 3
    assert found["value"] > 2
    assert (
        "best      1-6  won by the endgame tables"
        in run("search", *asked, "--tables", small_tables).out
    )
    without = ask(run, *asked, "--no-tables")
    assert (without["tables"], without["value"]) == (0, 1.5)


def test_missing_tables_are_remarked_once(
    run: Run, prober: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("CROSSBOARD_TABLES", str(tmp_path / "none"))
    done = run("search", "--player", prober, "--depth", 3)
    assert done.code == 0
    assert done.err.count("\n") == 1
    assert "crossboard tables build --pieces 5" in done.err


def test_tables_for_a_player_without_any_are_remarked(run: Run, small_tables: Path):
    done = run("search", "--player", "material", "--depth", 3, "--tables", small_tables)
    assert (done.code, done.err) == (0, "material does not use endgame tables\n")


@pytest.mark.parametrize("command", ["search", "match", "play", "hub"])
def test_tables_that_were_asked_for_must_be_there(command: str, run: Run, tmp_path: Path):
    players = ("material", "material") if command == "match" else ()
    done = run(command, *players, "--tables", tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"crossboard: there are no endgame tables in {tmp_path}")
    both = run(command, *players, "--tables", tmp_path, "--no-tables")
    assert (both.code, both.err.count("\n")) == (2, 1)
    assert "--tables and --no-tables" in both.err
