"""`crossboard match` and `tournament`: one document, readable games, Ctrl-C without loss."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import openings
from crossboard.draughts import read_pdn
from crossboard.farm.executors import farm
from crossboard.players import Player, SearchLimits, SearchSettings, load_player

from .conftest import CROSSBOARD, Run

KEYS = {
    *("wins", "draws", "losses", "loops", "loops_unequal", "score", "elo", "elo_low", "elo_high"),
    *("games", "superiority", "pentanomial", "average_plies", "distinct_games", "seed"),
}
SHORT = ("--depth", 2, "--workers", 1)


def test_json_is_one_document(run: Run):
    done = run("match", "draft5", "random", "--games", 6, *SHORT, "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert told.keys() >= KEYS
    assert told["games"] == 6
    assert told["stopped"] is False
    assert -10_000 < told["elo_low"] < told["elo"] < told["elo_high"] < 10_000


def test_odd_games_are_rounded_up_and_it_is_said(run: Run):
    done = run("match", "draft5", "random", "--games", 5, *SHORT)
    assert "5 games were rounded up to 6: openings are played in pairs." in done.out
    assert "draft5 against random: 6 games" in done.out
    told = json.loads(run("match", "draft5", "random", "--games", 5, *SHORT, "--json").out)
    assert told["games"] == 6


def test_games_are_written_in_their_order(run: Run, tmp_path: Path):
    file = tmp_path / "games.pdn"
    assert run("match", "draft5", "random", "--games", 8, *SHORT, "--pdn", file).code == 0
    games = list(read_pdn(file))
    assert [game.tags["Round"] for game in games] == [str(n) for n in range(1, 9)]
    assert [game.tags["Black"] for game in games] == ["draft5", "random"] * 4
    assert not any(game.errors for game in games)


@pytest.mark.parametrize("command", [("match",), ("tournament",)])
def test_a_full_disk_ends_the_games_and_loses_none(
    run: Run, tmp_path: Path, command: tuple[str, ...]
):
    file = tmp_path / "games.pdn"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        done = run(*command, "draft5", "random", "--games", 500, *SHORT, "--pdn", file, "--json")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (done.code, done.err) == (2, f"crossboard: {file}: File too large\n")
    told = json.loads(done.out)
    assert told["stopped"] is True
    games = list(read_pdn(file))
    assert not any(game.errors for game in games)
    # The pair that had no room was played all the same, and perhaps some after it.
    assert 0 < len(games) < told["games"] < 500
    assert len(games) % 2 == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_device_that_takes_no_games_is_named(run: Run):
    done = run("match", "draft5", "random", "--games", 40, *SHORT, "--pdn", "/dev/full")
    assert (done.code, done.err) == (2, "crossboard: /dev/full: No space left on device\n")
    assert "Stopped after" in done.out


def test_workers_write_the_same_file(run: Run, tmp_path: Path):
    files = [tmp_path / "one.pdn", tmp_path / "two.pdn"]
    for workers, file in enumerate(files, start=1):
        options = ("--games", 40, "--depth", 2, "--workers", workers, "--pdn", file)
        assert run("match", "random", "draft5", *options).code == 0
    assert files[0].read_bytes() == files[1].read_bytes()


def test_limits_are_those_asked_for(run: Run):
    for option, value in (("depth", 1), ("nodes", 200), ("seconds", 0.001)):
        asked = ("--games", 2, f"--{option}", value, "--max-plies", 20, "--json")
        assert json.loads(run("match", "draft5", "material", *asked).out)["limits"] == {
            option: value
        }
    told = json.loads(run("match", "random", "random", "--games", 2, "--json").out)
    assert told["limits"] == {"depth": 6}
    short = ("--games", 2, "--seconds", 0.001, "--clock", "cpu", "--max-plies", 20, "--json")
    told = json.loads(run("match", "draft5", "material", *short).out)
    assert told["limits"] == {"seconds": 0.001, "clock": "cpu"}


def save_at_depth(folder: Path, depth: int) -> Path:
    evaluator = load_player("draft5").evaluator
    Player(folder.name, evaluator, limits=SearchLimits(depth=depth)).save(folder)
    return folder


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_players_keep_their_own_limits_if_asked_to(run: Run, tmp_path: Path, command: str):
    deep, shallow = (save_at_depth(tmp_path / f"deep{depth}", depth) for depth in (3, 1))
    written = {}
    asked = {"own": ["--own-limits"], "1": ["--depth", 1], "3": ["--depth", 3]}
    for name, options in asked.items():
        file = tmp_path / f"{name}.pdn"
        done = run(command, deep, shallow, "--games", 4, *options, "--pdn", file, "--json")
        assert done.code == 0
        written[name] = file.read_text("utf-8")
        if command == "match" and name == "own":
            assert json.loads(done.out)["limits"] is None
    assert len(set(written.values())) == 3


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_own_limits_and_others_are_refused_together(run: Run, command: str):
    done = run(command, "random", "draft5", "--own-limits", "--depth", 2, "--nodes", 9)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "crossboard: --own-limits keeps each player's own limits: "
        "it cannot be combined with --depth, --nodes\n"
    )


def test_max_plies_and_loop_rule(run: Run):
    told = json.loads(
        run("match", "random", "random", "--games", 4, "--max-plies", 5, "--json").out
    )
    assert told["endings"] == {"length": 4}
    assert told["average_plies"] == 5


def test_the_ufu_rule_stands_in_place_of_repetition(run: Run):
    asked = ("match", "material", "draft5", "--games", 20, "--depth", 2, "--json")
    usual, ufu = (json.loads(run(*asked, "--loop-rule", rule).out) for rule in ("none", "ufu"))
    assert usual["endings"].get("repetition")
    assert "loop" not in usual["endings"]
    assert ufu["endings"].get("loop")
    assert "repetition" not in ufu["endings"]
    assert ufu["loops"] == ufu["endings"]["loop"]
    assert (usual["loop_rule"], ufu["loop_rule"]) == ("none", "ufu")


def test_json_tells_how_many_games_were_asked_for(run: Run):
    for kind in ("match", "tournament"):
        told = json.loads(run(kind, "random", "material", "--games", 3, *SHORT, "--json").out)
        assert (told["games_asked"], told["games"]) == (3, 4)


def test_quiescence_can_be_switched_off_for_both(run: Run, tmp_path: Path):
    same, other = tmp_path / "same.pdn", tmp_path / "other.pdn"
    asked = ("match", "material", "draft5", "--games", 6, *SHORT)
    told = json.loads(run(*asked, "--no-quiescence", "--pdn", other, "--json").out)
    assert told["quiescence"] is False
    assert json.loads(run(*asked, "--pdn", same, "--json").out)["quiescence"] is None
    assert other.read_text() != same.read_text()
    # As if each had been loaded with those settings.
    without = SearchSettings(quiescence=False)
    players = [load_player(name, search=without) for name in ("material", "draft5")]
    terms = Terms(pairs=3, openings=openings("ballots", 0), limits=SearchLimits(depth=2))
    with farm(1) as found:
        assert found is not None
        expected = play_match(*players, terms, found.executor).as_json()
    assert told["pentanomial"] == expected["pentanomial"]
    assert told["average_plies"] == expected["average_plies"]


def test_random_moves_need_no_quiescence(run: Run):
    assert run("match", "random", "random", "--games", 2, "--no-quiescence").code == 0


def test_sprt_tells_its_verdict(run: Run):
    done = run("match", "draft5", "random", "--games", 400, *SHORT, "--sprt", "0,100")
    assert "SPRT: the lead is 100 Elo rather than 0" in done.out
    assert "400 games" not in done.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["random", "strongest"], "there is no player 'strongest'"),
        (["random", "random", "--openings", "nowhere.pdn"], "there is no 'nowhere.pdn'"),
        (["random", "random", "--sprt", "5"], "give two Elo differences, as in 0,10"),
        (["random", "random", "--sprt", "10,0"], "elo0 must be less than elo1"),
        (["random", "random", "--depth", "0"], "depth must be 1 to 200, not 0"),
        (["random", "random", "--seconds", "nan"], "seconds must be a finite number above 0"),
        (["random", "random", "--loop-rule", "usf"], "--loop-rule is none or ufu, not 'usf'"),
        (["random", "random", "--games", "0"], "--games"),
        (["random", "random", "--max-plies", "99999999999"], "max-plies"),
        (["random", "random", "--pdn", "no/such/folder/x.pdn"], "no/such/folder/x.pdn: No such"),
        (["random", "random", "--mpi"], "mpiexec -n 3 crossboard"),
        (["random", "random", "--mpi", "--dask", "x"], "say either MPI or Dask, not both"),
    ],
)
def test_bad_input_is_one_line(run: Run, arguments: list[str], told: str):
    done = run("match", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("crossboard: ")
    assert told in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("command", ["match", "tournament"])
def test_control_c_leaves_games_and_a_result(command: str, workers: int, tmp_path: Path):
    file = tmp_path / "games.pdn"
    options = ("--games", 100_000, "--depth", 6, "--workers", workers, "--pdn", file, "--json")
    process = subprocess.Popen(
        [*CROSSBOARD, command, "draft5", "material", *map(str, options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline and not (file.exists() and os.path.getsize(file)):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert (process.returncode, err) == (130, "")
    told = json.loads(out)
    assert told["stopped"] is True
    games = list(read_pdn(file))
    assert 2 <= told["games"] == len(games) < 100_000
    assert not any(game.errors for game in games)


# ---- tournaments


def test_tournament_tells_ratings(run: Run):
    done = run("tournament", "random", "material", "draft5", "--games", 4, *SHORT)
    assert done.code == 0
    assert done.out.startswith("12 games\n")
    told = json.loads(
        run("tournament", "random", "material", "draft5", "--games", 4, *SHORT, "--json").out
    )
    assert told["games"] == 12
    assert len(told["matches"]) == 3
    told = json.loads(
        run(
            "tournament",
            "random",
            "material",
            "draft5",
            "--games",
            4,
            *SHORT,
            "--gauntlet",
            "--json",
        ).out
    )
    assert [match["one"] for match in told["matches"]] == ["random", "random"]


def test_tournaments_say_that_odd_games_are_rounded_up(run: Run):
    done = run("tournament", "random", "material", "--games", 3, *SHORT)
    assert done.out.startswith("3 games were rounded up to 4: openings are played in pairs.\n4 g")


@pytest.mark.parametrize(("kind", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_tournament_draws_a_figure(run: Run, tmp_path: Path, kind: str, magic: bytes):
    file = tmp_path / f"ratings.{kind}"
    assert run("tournament", "random", "draft5", "--games", 4, *SHORT, "--figure", file).code == 0
    assert file.read_bytes().startswith(magic)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["random"], "a tournament needs two players or more"),
        (["random", "draft5", "random"], "two players are called random"),
        (["random", "draft5", "--figure", "x.doc"], "x.doc"),
        (["random", "draft5", "--figure", "no/x.svg"], "there is no folder for the figure no/x"),
    ],
)
def test_bad_tournaments_are_one_line(run: Run, arguments: list[str], told: str):
    done = run("tournament", *arguments)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert done.err.count("\n") == 1


def test_wins_that_were_missed_are_counted_by_tables(run: Run, small_tables: Path, tmp_path: Path):
    begin = tmp_path / "won.fen"
    begin.write_text("B:BK1,K5:WK32\nB:BK9,K13:WK32\n")
    asked = ("match", "random", "material", "--openings", begin, "--depth", 1, "--games", 4)
    done = run(*asked, "--max-plies", 40, "--tables", small_tables, "--json")
    found = json.loads(done.out)
    assert found["tables"] == 3
    # Each player has the two kings once from each opening.
    assert found["missed_wins"]["one"] == 2
    assert "missed_wins" not in json.loads(run(*asked, "--no-tables", "--json").out)
    assert "won by the tables of 3 pieces" in run(*asked, "--tables", small_tables).out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["0"], "--time '0': give minutes for the game + seconds a move, such as 5+3"),
        (["x"], "--time 'x': give minutes"),
        (["5+"], "--time '5+': give minutes"),
        (["-5+3"], "--time '-5+3': give minutes"),
        (["0+0"], "--time 0+0: give more than no time"),
        (["5+3", "--nodes", 4], "--time is shared out over the moves of a game"),
        (["5+3", "--own-limits"], "--own-limits keeps each player's own limits"),
    ],
)
@pytest.mark.parametrize("command", ["match", "tournament"])
def test_times_that_make_no_sense_are_refused(
    run: Run, tmp_path: Path, command: str, options: list[object], words: str
):
    file = tmp_path / "games.pdn"
    done = run(command, "material", "draft5", "--pdn", file, "--time", *options)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_terms_are_refused_before_missing_tables_are_remarked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
):
    monkeypatch.setenv("CROSSBOARD_TABLES", str(tmp_path / "none"))
    done = run(command, "champion", "material", "--clock", "cpu", "--depth", 2)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("crossboard: --clock cpu counts seconds")
    assert done.err.count("\n") == 1


def test_a_match_with_a_clock_and_its_resumption(run: Run, tmp_path: Path):
    file = tmp_path / "games.pdn"
    timed = ("match", "draft5", "material", "--games", 2, "--max-plies", 30, "--pdn", file)
    done = run(*timed, "--time", "0.02+0", "--clock", "cpu", "--json")
    assert done.code == 0
    told = json.loads(done.out)
    assert told["limits"] == {"time": "0.02+0", "clock": "cpu"}
    again = json.loads(run(*timed, "--time", "0.02+0", "--clock", "cpu", "--json", "--resume").out)
    assert again["endings"] == told["endings"]
    other = run(*timed, "--time", "0.03+0", "--clock", "cpu", "--resume")
    assert other.code == 2
    assert 'limits time ("0.02+0", now "0.03+0")' in other.err
