"""`crossboard convert`: all four ways, dirty files, and nothing half-written."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO

import pytest

from crossboard.cli.convert import (
    ERRORS_SHOWN,
    MAX_LINE_BYTES,
    READERS,
    Format,
    Problem,
    ReadCount,
    Reading,
    read_games,
)
from crossboard.draughts import Position, Record, read_pdn

from .conftest import CROSSBOARD, Run

START = Position().fen
AFTER = [START]
for text in ("11-15", "22-18", "15x22"):
    AFTER.append(Position.from_fen(AFTER[-1]).after(text).fen)

GAMES = f"""[Event "one"]
[Black "Ünal"]

01. 11 - 15 {{best}} 22-18 (1... 23-18 2. 8-11) 2. 15x22 1-0

[Event "two"]
[FEN "{AFTER[1]}"]

1... 22-18 *
"""

# The second game has an illegal move, the third no position to begin from.
DIRTY_GAMES = """[Event "good"]
1. 11-15 22-18 1-0

[Event "bad move"]
1. 11-15 22-18 2. 9-13 25-22 0-1

[Event "bad start"]
[FEN "W:Wfoo:B1"]
1. 11-15 *
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pdn"
    path.write_text(GAMES, encoding="utf-8")
    return path


@pytest.fixture
def dirty(tmp_path: Path) -> Path:
    path = tmp_path / "dirty.pdn"
    path.write_text(DIRTY_GAMES)
    return path


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], [AFTER[3], AFTER[2]]),
        (["--positions", "last"], [AFTER[3], AFTER[2]]),
        (["--positions", "first"], [AFTER[0], AFTER[1]]),
        (["--positions", "all"], [*AFTER, AFTER[1], AFTER[2]]),
    ],
)
def test_games_to_positions(run: Run, games: Path, options: list[str], expected: list[str]) -> None:
    target = games.with_suffix(".fen")
    done = run("convert", games, target, *options)
    assert done == (0, "", "2 games converted, 0 with errors\n")
    assert target.read_text().splitlines() == expected


def test_positions_to_games(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "list.txt", tmp_path / "list.pdn"
    source.write_text(f"# two positions\n\n{AFTER[3]}  # a comment\r\n  {START}\n")
    assert run("convert", source, target) == (0, "", "2 positions converted, 0 with errors\n")
    records = list(read_pdn(target))
    assert [record.start.fen for record in records] == [AFTER[3], START]
    assert [record.errors for record in records] == [[], []]


def test_there_and_back(run: Run, tmp_path: Path) -> None:
    first, games, last = (tmp_path / name for name in ("1.fen", "2.pdn", "3.fen"))
    first.write_text("".join(f"{fen}\n" for fen in AFTER))
    assert run("convert", first, games).code == 0
    assert run("convert", games, last, "--positions", "all").code == 0
    assert last.read_bytes() == first.read_bytes()


def test_games_are_tidied_without_loss(run: Run, games: Path, tmp_path: Path) -> None:
    tidy, again = tmp_path / "tidy.pdn", tmp_path / "again.pdn"
    assert run("convert", games, tidy).code == 0
    assert "1. 11-15 {best} 1... 22-18 (1... 23-18 2. 8-11) 2. 15x22 1-0" in tidy.read_text()
    assert list(read_pdn(tidy)) == list(read_pdn(games))
    assert run("convert", tidy, again).code == 0
    assert again.read_bytes() == tidy.read_bytes()


def test_positions_are_tidied(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "a.fen", tmp_path / "b.fen"
    source.write_bytes(b"\xef\xbb\xbfB:B12,1-11:W21-32.\nW:BK3:W32,k5")
    assert run("convert", source, target).code == 0
    assert target.read_text() == f"{START}\nW:WK5,32:BK3\n"


def test_a_file_can_be_tidied_in_place(run: Run, games: Path) -> None:
    before = list(read_pdn(games))
    assert run("convert", games, games).code == 0
    assert list(read_pdn(games)) == before
    assert "01." not in games.read_text()


def test_standard_streams_need_formats(run: Run) -> None:
    done = run("convert", "-", "-", "--from", "pdn", "--to", "fen", stdin=GAMES)
    assert done.code == 0
    assert done.out == f"{AFTER[3]}\n{AFTER[2]}\n"
    for options in ([], ["--from", "pdn"], ["--to", "fen"]):
        refused = run("convert", "-", "-", *options, stdin=GAMES)
        assert refused.code == 2
        assert refused.err.startswith("crossboard: -: the suffix tells no format")


def test_options_beat_suffixes(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "games.txt", tmp_path / "positions.pdn"
    source.write_text(GAMES)
    assert run("convert", source, target, "--from", "pdn", "--to", "fen").code == 0
    assert target.read_text().splitlines() == [AFTER[3], AFTER[2]]


def test_an_unknown_suffix_is_refused(run: Run, games: Path) -> None:
    refused = run("convert", games, games.with_suffix(".doc"))
    assert refused.code == 2
    assert "say --to pdn or --to fen" in refused.err


def test_what_can_be_read_is_written_and_the_rest_reported(run: Run, dirty: Path) -> None:
    target = dirty.with_suffix(".fen")
    done = run("convert", dirty, target)
    assert done.code == 1
    assert target.read_text().splitlines() == [AFTER[2], AFTER[2]]
    bad_move, bad_start, summary = done.err.splitlines()
    assert bad_move == f"{dirty}: game 2, line 5, 9-13: capture is compulsory: 15x22"
    assert bad_start.startswith(f"{dirty}: game 3, line ")
    assert "FEN 'W:Wfoo:B1'" in bad_start
    assert summary == "2 games converted, 2 with errors, 1 left out"


def test_games_with_errors_are_clean_afterwards(run: Run, dirty: Path) -> None:
    target = dirty.with_suffix(".tidy.pdn")
    assert run("convert", dirty, target).code == 1
    records = list(read_pdn(target))
    assert [(record.tags["Event"], len(record.moves)) for record in records] == [
        ("good", 2),
        ("bad move", 2),
    ]
    assert not any(record.errors for record in records)


def test_json_reports_everything(run: Run, dirty: Path) -> None:
    target = dirty.with_suffix(".fen")
    done = run("convert", dirty, target, "--json")
    assert (done.code, done.err) == (1, "")
    report = json.loads(done.out)
    bad_move, bad_start = report.pop("errors")
    assert bad_move == {
        "game": 2,
        "line": 5,
        "move": "9-13",
        "reason": "capture is compulsory: 15x22",
    }
    assert bad_start["game"] == 3
    assert report == {
        "source": str(dirty),
        "target": str(target),
        "games": 2,
        "left_out": 1,
        "with_errors": 2,
    }


def test_json_and_games_do_not_share_standard_output(run: Run, games: Path) -> None:
    refused = run("convert", games, "-", "--to", "fen", "--json")
    assert (refused.code, refused.out) == (2, "")
    assert "--json" in refused.err


def test_bad_lines_of_a_list_are_named(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "list.fen", tmp_path / "tidy.fen"
    long = b"B:W" + b"1," * MAX_LINE_BYTES
    source.write_bytes(b"# list\nB:W33:B1\n\nB:W32:B1\n\xff\xfe\n" + long + b"\nW:W32:B1\n")
    done = run("convert", source, target)
    assert done.code == 1
    assert target.read_text() == "B:W32:B1\nW:W32:B1\n"
    assert done.err.splitlines() == [
        f"{source}: line 2: FEN 'B:W33:B1': there is no square 33: squares are 1 to 32",
        f"{source}: line 5: this is not text",
        f"{source}: line 6: the line is too long for a FEN",
        "2 positions converted, 3 with errors, 3 left out",
    ]


def test_of_many_errors_the_first_are_shown(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "list.fen", tmp_path / "tidy.fen"
    source.write_text("B:W32:B1\n" + "rubbish\n" * (ERRORS_SHOWN + 3))
    lines = run("convert", source, target).err.splitlines()
    assert len(lines) == ERRORS_SHOWN + 2
    assert lines[-2] == "... and 3 more"
    assert lines[-1] == f"1 position converted, {ERRORS_SHOWN + 3} with errors, 23 left out"
    report = json.loads(run("convert", source, target, "--json").out)
    assert len(report["errors"]) == ERRORS_SHOWN + 3


def test_a_tally_keeps_only_the_first_problems() -> None:
    tally = ReadCount(room=2)
    for line in range(1, 6):
        tally.add(Reading(None, [Problem("bad", line=line)]))
    assert tally.errors == tally.left_out == 5
    assert [problem.line for problem in tally.problems] == [1, 2]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.pdn", b"", "expected a game, not the end of the file"),
        ("a.fen", b"# only this\n\n", "expected a position, not the end of the file"),
        ("a.pdn", bytes(range(256)) * 100, "game 1, line 1: this is not a text file"),
        ("a.pdn", b"(" * 1_000_000, "game 1, line 1: "),
        ("a.pdn", b"hello world", "game 1, line 1, hello: "),
        ("a.fen", b"hello\nworld\n", "line 1: FEN 'hello': "),
        ("a.fen", bytes(range(256)) * 1000, "line 1: "),
    ],
)
def test_where_nothing_can_be_read_nothing_is_written(
    run: Run, tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    source, target = tmp_path / name, tmp_path / "target.fen"
    source.write_bytes(content)
    target.write_text("old")
    for options in ([], ["--json"]):
        refused = run("convert", source, target, *options)
        assert (refused.code, refused.out) == (2, "")
        assert refused.err.startswith(f"crossboard: {source}: {told}")
        assert refused.err.count("\n") == 1
        assert target.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == sorted([name, "target.fen"])


def test_games_before_the_rubbish_are_kept(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "cut.pdn", tmp_path / "cut.fen"
    source.write_bytes(b"1. 11-15 22-18 1-0\n\n" + b"\x00\x01\x02" * 1000)
    done = run("convert", source, target)
    assert done.code == 1
    assert target.read_text() == f"{AFTER[2]}\n"
    assert "game 2, line 3: this is not a text file" in done.err


@pytest.mark.parametrize("source", ["missing.pdn", "."])
def test_unreadable_sources_are_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = run("convert", source, "target.fen", "--from", "pdn")
    assert refused.code == 2
    assert refused.err.startswith(f"crossboard: {source}: ")
    assert refused.err.count("\n") == 1
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_source_without_permission_is_named(run: Run, games: Path) -> None:
    games.chmod(0)
    refused = run("convert", games, games.with_suffix(".fen"))
    assert (refused.code, refused.err) == (2, f"crossboard: {games}: Permission denied\n")


def test_targets_that_cannot_be_written_are_named(run: Run, games: Path, tmp_path: Path) -> None:
    for target in (tmp_path, tmp_path / "missing" / "a.fen"):
        refused = run("convert", games, target, "--to", "fen")
        assert refused.code == 2
        assert refused.err.startswith(f"crossboard: {target}: ")


def test_a_read_that_fails_names_the_source_and_keeps_the_target(
    run: Run, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(file: IO[bytes]) -> Iterator[Reading]:
        yield from islice(read_games(file), 1)
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setitem(READERS, Format.PDN, fail)
    target = games.with_suffix(".fen")
    target.write_text("old")
    refused = run("convert", games, target)
    assert (refused.code, refused.err) == (2, f"crossboard: {games}: Input/output error\n")
    assert target.read_text() == "old"
    assert sorted(os.listdir(games.parent)) == ["games.fen", "games.pdn"]


def test_a_game_that_cannot_be_written_does_not_stop_the_others(
    run: Run, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_the_first(record: Record) -> str:
        if record.tags["Event"] == "one":
            raise ValueError("PDN cannot hold it")
        return "written\n"

    monkeypatch.setattr(Record, "pdn", property(refuse_the_first))
    target = games.with_suffix(".tidy.pdn")
    done = run("convert", games, target)
    assert done.code == 1
    assert done.err.splitlines() == [
        f"{games}: game 1, line 1: PDN cannot hold it",
        "1 game converted, 1 with errors, 1 left out",
    ]
    assert target.read_text() == "written\n\n"


@pytest.mark.skipif(os.name == "nt", reason="needs ulimit")
def test_a_disk_that_fills_up_leaves_the_old_target(games: Path, tmp_path: Path) -> None:
    games.write_text(GAMES * 2000)
    target = tmp_path / "target.fen"
    target.write_text("old")
    limited = ["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", *CROSSBOARD]
    refused = subprocess.run(
        [*limited, "convert", games, target], capture_output=True, text=True, timeout=300
    )
    assert refused.returncode == 2
    assert refused.stderr == f"crossboard: {target}: File too large\n"
    assert target.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["games.pdn", "target.fen"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_device_is_named(run: Run, games: Path) -> None:
    refused = run("convert", games, "/dev/full", "--to", "fen")
    assert (refused.code, refused.err) == (2, "crossboard: /dev/full: No space left on device\n")
    assert os.path.exists("/dev/full")


def test_a_reader_that_goes_away_is_one_line(games: Path) -> None:
    games.write_text(GAMES * 2000)
    reading, writing = os.pipe()
    os.close(reading)
    refused = subprocess.run(
        [*CROSSBOARD, "convert", games, "-", "--to", "fen"],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        timeout=300,
    )
    os.close(writing)
    assert refused.returncode == 2
    assert refused.stderr == "crossboard: standard output: Broken pipe\n"


def test_names_that_are_no_text(start: Run, games: Path, tmp_path: Path) -> None:
    strange = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\n.pdn")
    os.rename(games, strange)
    target = tmp_path / "a.fen"
    report = json.loads(start("convert", strange, target, "--json").out)
    assert report["source"] == strange
    os.unlink(strange)
    assert start("convert", strange, target).err.count("\n") == 1
