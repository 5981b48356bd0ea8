"""Our engine's side of the Hub protocol, and a session with pydraughts' client."""

from __future__ import annotations

import io
import os
import queue
import re
import shlex
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from drawn_specialists import drawn_player, turn_with_a_kept_choice

from crossboard.draughts import Move, Position
from crossboard.players import GameTime, Player, SearchLimits, load_player
from crossboard.protocols.hub_engine import MAX_LINE_BYTES, HubEngine
from crossboard.protocols.hub_level import Level, format_level
from crossboard.protocols.hub_text import HubLine, format_move, format_position, moves_between

from .conftest import OURS

START = format_position(Position())
PATIENCE = 300  # seconds: only a fault takes that long
DOCUMENT = Path(__file__).parents[2] / "docs" / "hub.md"


class Session:
    """An engine in this process: says lines to it, hears its answers."""

    def __init__(self, player: str = "material") -> None:
        self.heard: queue.Queue[str] = queue.Queue()
        self.engine = HubEngine(player, lambda text: self.heard.put(text.rstrip("\n")))

    def say(self, *lines: str) -> None:
        for line in lines:
            assert self.engine.answer(line)

    def hear(self, command: str) -> HubLine:
        """Wait for a command and pass over others, as clients do."""
        while True:
            line = HubLine.parse(self.heard.get(timeout=PATIENCE))
            if line.command == command:
                return line

    def hear_nothing(self) -> None:
        assert self.heard.empty(), self.heard.get()


@pytest.fixture
def session() -> Iterator[Session]:
    session = Session()
    yield session
    session.engine.serve(io.BytesIO())  # the end of input ends a search


def answers(text: bytes) -> list[str]:
    """Return what the engine says to some input that ends."""
    said: list[str] = []
    HubEngine("material", said.append).serve(io.BytesIO(text))
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in said)
    return [line.rstrip("\n") for line in said]


def test_introduction(session: Session) -> None:
    session.say("hub")
    assert session.hear("id").arguments["name"] == "Crossboard"
    variant = session.hear("param").arguments
    assert (variant["name"], variant["value"], variant["values"]) == ("variant", *["english"] * 2)
    session.hear("wait")
    session.say("init")
    session.hear("ready")
    session.hear_nothing()


def test_parameters_are_shown_as_they_were_set(session: Session) -> None:
    session.say("set-param name=threads value=2", "set-param name=hash-mb value=3")
    session.say("set-param name=player value=draft5", "set-param name=mirrored value=true", "hub")
    found = {}
    while (line := HubLine.parse(session.heard.get(timeout=PATIENCE))).command != "wait":
        if line.command == "param":
            found[line.arguments["name"]] = line.arguments["value"]
    assert found == {
        "variant": "english",
        "player": "draft5",
        "threads": "2",
        "hash-mb": "3",
        "mirrored": "true",
    }
    session.say("level depth=8", "go think")
    session.hear("done")


@pytest.mark.parametrize(
    "line",
    [
        "set-param name=threads value=0",
        "set-param name=threads value=two",
        "set-param name=hash-mb value=-1",
        "set-param name=hash-mb value=99999999999999999999999",
        "set-param name=player value=nobody",
        "set-param name=player value=duchess-0",
        "set-param name=variant value=frisian",
        "set-param name=mirrored value=perhaps",
        "set-param name=colour value=green",
        "set-param",
        "pos",
        "pos pos=xyz",
        f'pos pos={START} moves="11-15 11-15"',
        f'pos pos={START} moves="eleven"',
        "level",
        "level depth=0",
        "level depth=deep",
        "level move-time=-1",
        "level move-time=nan",
        "level time=inf",
        "level nodes=1.5",
        "ping \x22",
    ],
)
def test_mistakes_are_answered_with_an_error(session: Session, line: str) -> None:
    session.say(line)
    assert session.hear("error").arguments["message"]
    session.hear_nothing()
    session.say("ping")
    session.hear("pong")


@pytest.mark.parametrize("line", ["", "   ", "hello", "hello world=1", "stop", "ponder-hit"])
def test_what_means_nothing_is_passed_over(session: Session, line: str) -> None:
    session.say(line)
    session.hear_nothing()


def test_rubbish_does_not_end_it() -> None:
    rubbish = bytes(range(256)) * 3 + b"\n" + b"x" * (3 * MAX_LINE_BYTES) + b"\n"
    said = answers(rubbish + b"ping\r\n" + b"x" * MAX_LINE_BYTES)
    assert said.count("pong") == 1
    assert {line.split()[0] for line in said} <= {"pong", "error"}


@pytest.mark.parametrize("end", [b"", b"quit\nping\n"])
def test_every_go_has_one_done_even_at_the_end(end: bytes) -> None:
    said = answers(b"level infinite\ngo analyze\n" + end)
    assert [line.split()[0] for line in said].count("done") == 1
    assert "pong" not in said


@pytest.mark.parametrize("go", ["go", "go away"])
def test_a_go_that_cannot_be_is_an_error_and_done(session: Session, go: str) -> None:
    session.say(go)
    assert session.heard.get(timeout=PATIENCE).startswith("error ")
    assert session.heard.get(timeout=PATIENCE) == "done"


def test_a_player_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="duchess-0 plays duchess: Hub is for draughts"):
        HubEngine("duchess-0", print)


def test_a_search_that_fails_is_an_error_and_done(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = iter([ValueError("out of ideas"), MemoryError()])

    def fail(*_: object, **__: object) -> None:
        raise next(failures)

    with monkeypatch.context() as patch:
        patch.setattr(Player, "search", fail)
        for told in ("out of ideas", "there is not enough memory"):
            session.say("level depth=2", "go think")
            assert session.hear("error").arguments["message"] == told
            assert session.hear("done").arguments == {}
            session.say("stop")
            session.hear_nothing()
    session.say("go think")
    assert "move" in session.hear("done").arguments


@pytest.mark.parametrize("position", ["nonsense", "B" + "e" * 31 + "w"])
def test_no_move_is_given_for_another_position(session: Session, position: str) -> None:
    session.say("level depth=2", f"pos pos={position}", "go think")
    session.hear("error")
    assert session.hear("done").arguments == {}
    session.say(f"pos pos={START}", "go think")
    assert "move" in session.hear("done").arguments


def test_move_is_that_of_the_player(session: Session) -> None:
    position = Position().after("11-15").after("23-19")
    session.say("new-game", f'pos pos={START} moves="11-15 23-19"', "level depth=7", "go think")
    info = session.hear("info").arguments
    assert info["depth"] == "1"
    done = session.hear("done").arguments
    result = load_player("material").search(position, depth=7)
    assert done["move"] == format_move(result.move)
    assert done["ponder"] == format_move(result.pv[1])


def test_a_forced_move_needs_no_thought(session: Session) -> None:
    session.say(f'pos pos={START} moves="11-15 22-18"', "level depth=20", "go think")
    assert session.heard.get(timeout=PATIENCE) == "done move=15x22x18"


def test_a_network_tells_its_own_measure(session: Session) -> None:
    position = Position.from_fen("B:W21-25:B1-12")  # seven men ahead
    session.say("set-param name=player value=treestrap", f"pos pos={format_position(position)}")
    session.say("level depth=1", "go think")
    score = float(session.hear("info").arguments["score"] or 0)
    assert 0.5 < score <= 1.0
    session.hear("done")


def test_wins_are_told_by_their_distance(session: Session) -> None:
    position = Position.from_fen("W:WK22,K23:BK18")
    session.say(f"pos pos={format_position(position)}", "level depth=5", "go analyze")
    info = session.hear("info").arguments
    session.hear("done")
    assert float(info["score"] or 0) == pytest.approx(99.99)


@pytest.fixture
def specialists(tmp_path: Path) -> tuple[Session, list[Position], Move, Move]:
    """A session, a game up to a turn, the move of the specialist that is kept, and that anew."""
    drawn_player().save(tmp_path)
    player = load_player(tmp_path)
    line, kept = turn_with_a_kept_choice(player)
    assert kept != player.choose(line[-1])
    return Session(str(tmp_path)), line, kept, player.choose(line[-1])


def sent(line: Sequence[Position], last: int | None = None) -> str:
    """Write a position with the moves of a line to it, or with those of the last plies alone."""
    start, moves = moves_between(line if last is None else line[-last - 1 :])
    return f'pos pos={format_position(start)} moves="{" ".join(map(format_move, moves))}"'


def asked(session: Session, *lines: str) -> str | None:
    session.say(*lines, "level depth=2", "go think")
    return session.hear("done").arguments["move"]


def test_a_specialist_is_kept_for_the_game_that_is_sent(specialists: Any) -> None:
    session, line, kept, anew = specialists
    alone = f"pos pos={format_position(line[-1])}"
    # Neither another game before it nor another question changes it.
    for pos, wanted in ((sent(line), kept), (alone, anew), (sent(line), kept)):
        assert asked(session, "new-game", pos) == format_move(wanted)


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_a_specialist_is_kept_where_a_client_sends_the_last_plies_alone(
    specialists: Any, plies: int
) -> None:
    session, line, kept, anew = specialists
    turns = range(1 - len(line) % 2, len(line), 2)
    session.say("new-game")
    moves = [asked(session, sent(line[: turn + 1], min(plies, turn))) for turn in turns]
    assert moves[-1] == format_move(kept)
    # Another game begins with new-game, or with a position that does not follow.
    alone = f"pos pos={format_position(line[-1])}"
    assert asked(session, "new-game", alone) == format_move(anew)
    assert asked(session, sent(line)) == format_move(kept)
    assert asked(session, "pos pos=" + START, alone) == format_move(anew)


def test_a_specialist_is_kept_where_another_reply_was_expected(specialists: Any) -> None:
    session, line, kept, _ = specialists
    after = line[-2]
    for expected in [after.after(move) for move in after.legal_moves]:
        session.say("new-game", sent(line[:-2]), f"pos pos={format_position(expected)}")
        assert asked(session, f"pos pos={format_position(line[-1])}") == format_move(kept)


@pytest.mark.parametrize(
    "level", ["level nodes=5000", "level move-time=0.05", "level time=1 inc=0.1 moves=3"]
)
def test_levels_end_the_search(session: Session, level: str) -> None:
    session.say(level, "go think")
    assert "move" in session.hear("done").arguments


@pytest.mark.parametrize("mode", ["think", "ponder", "analyze"])
def test_stop_ends_a_search_without_end(session: Session, mode: str) -> None:
    session.say("level infinite", f"go {mode}", "ping")
    session.hear("pong")
    session.hear("info")
    session.say("stop")
    assert "move" in session.hear("done").arguments
    session.hear_nothing()


def test_stop_that_comes_at_once_is_heard(session: Session) -> None:
    session.say("level infinite")
    for _ in range(20):
        session.say("go think", "stop")
        session.hear("done")


def test_other_commands_wait_for_the_end_of_a_search(session: Session) -> None:
    session.say("level infinite", "go think", f"pos pos={START}", "go think", "level depth=1")
    for _ in range(3):
        assert "a search goes on" in str(session.hear("error"))
    session.say("stop")
    session.hear("done")
    session.hear_nothing()


def test_time_counts_from_ponder_hit(session: Session) -> None:
    session.say("level move-time=0.05", "go ponder")
    time.sleep(0.3)
    session.say("ping")
    session.hear("pong")
    assert session.engine._is_searching
    session.say("ponder-hit")
    session.hear("done")


@pytest.mark.parametrize("level", ["level time=1", "level time=0.2 inc=0.1 moves=5"])
def test_a_clock_begins_to_count_with_ponder_hit(session: Session, level: str) -> None:
    session.say(level, "go ponder")
    time.sleep(1.2)  # longer than the clock has
    session.say("ping")
    session.hear("pong")
    assert session.engine._is_searching
    session.say("ponder-hit")
    assert "move" in session.hear("done").arguments
    session.say("ponder-hit", "ping")
    session.hear("pong")
    session.hear_nothing()  # the search before the hit has no answer of its own


def test_an_only_move_is_answered_at_once_after_ponder_hit(session: Session) -> None:
    position = Position.from_fen("W:W18:B14")
    session.say(f"pos pos={format_position(position)}", "level time=100000 moves=1", "go ponder")
    session.say("ponder-hit")
    assert session.hear("done").arguments["move"] == format_move(position.legal_moves[0])


def test_stop_ends_a_search_after_ponder_hit(session: Session) -> None:
    session.say("level time=100000 moves=1", "go ponder", "ping")
    session.hear("pong")
    session.say("ponder-hit", "stop")
    assert "move" in session.hear("done").arguments
    session.hear_nothing()


def test_a_depth_holds_before_and_after_ponder_hit(session: Session) -> None:
    session.say("level depth=4", "go ponder")
    session.hear("done")
    session.say("ponder-hit")
    session.hear_nothing()


def test_ponder_hit_without_a_level_ends_at_the_players_own_limits(session: Session) -> None:
    session.say("go ponder", "ping")
    session.hear("pong")
    assert session.engine._is_searching
    session.say("ponder-hit")
    assert "move" in session.hear("done").arguments


def test_mirrored_positions_are_turned_but_moves_are_not(session: Session) -> None:
    mirrored = format_position(Position().mirrored)
    session.say("set-param name=mirrored value=true", "level depth=1")
    session.say(f'pos pos={mirrored} moves="11-15 22-18"', "go think")
    assert session.hear("done").arguments["move"] == "15x22x18"


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("level time=50", SearchLimits(time=GameTime(50.0))),
        ("level time=50 moves=10", SearchLimits(time=GameTime(50.0, moves=10))),
        ("level time=50 inc=3", SearchLimits(time=GameTime(50.0, 3.0))),
        ("level time=-1 inc=-1 moves=-1", SearchLimits(time=GameTime(-1.0))),
        ("level move-time=3", SearchLimits(seconds=3.0)),
        ("level time=50 move-time=1", SearchLimits(seconds=1.0, time=GameTime(50.0))),
        ("level infinite", SearchLimits()),
    ],
)
def test_a_move_has_the_clock_among_its_limits(text: str, limits: SearchLimits) -> None:
    assert Level.parse(HubLine.parse(text)).for_move() == limits


@pytest.mark.parametrize(
    "limits",
    [
        SearchLimits(),
        SearchLimits(depth=5),
        SearchLimits(nodes=10**15, seconds=0.1),
        SearchLimits(seconds=1e-7),
        SearchLimits(time=GameTime(299.123456, 3.0)),
        SearchLimits(depth=9, time=GameTime(0.0, 1.0, 40)),
    ],
)
def test_limits_are_written_as_levels(limits: SearchLimits) -> None:
    assert Level.parse(HubLine.parse(str(format_level(limits)))).for_move() == limits


def test_pydraughts_plays_a_game_with_it(tmp_path: Path) -> None:
    draughts = pytest.importorskip("draughts")
    from draughts.engine import Limit
    from draughts.engines.hub import HubEngine as Client

    program = tmp_path / "crossboard-hub"
    program.write_text(f'#!/bin/sh\nexec {OURS} "$@"\n')
    program.chmod(0o755)
    client = Client(str(program))
    try:
        assert client.variants == {"english"}
        client.configure({"variant": "english", "mirrored": True})
        client.init()
        client.ping()
        board, ours = draughts.Board(variant="english"), Position()
        for _ in range(30):
            played = client.play(board, Limit(depth=4), False).move
            ours = ours.after(
                next(m for m in ours.legal_moves if format_move(m) == played.hub_move)
            )
            board.push(played)
        client.quit()
        assert client.p.wait(PATIENCE) == 0
    finally:
        client.kill_process() if client.p.poll() is None else client.p.communicate()


def masked(line: str) -> str:
    """Leave out what depends on the machine and the version."""
    return re.sub(r"(time|nps|version)=\S+", r"\1=.", line)


def test_session_in_the_document_is_what_happens() -> None:
    text = DOCUMENT.read_text("utf-8")
    block = next(part for part in text.split("```")[1::2] if part.lstrip().startswith("> hub"))
    lines = block.strip().splitlines()
    process = subprocess.Popen(
        shlex.split(OURS), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    killer = threading.Timer(60, process.kill)
    killer.start()
    with process:
        assert process.stdin
        assert process.stdout
        for line in lines:
            if line.startswith("> "):
                process.stdin.write(line[2:] + os.linesep)
                process.stdin.flush()
            else:
                assert masked(process.stdout.readline().rstrip()) == masked(line[2:])
        assert process.wait(PATIENCE) == 0
    killer.cancel()
