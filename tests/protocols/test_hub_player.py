"""Outside engines as players: as strong as they are, and never a reason to stop a match."""

from __future__ import annotations

import gc
import os
import pickle
import shlex
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from drawn_specialists import (
    drawn_openings,
    drawn_player,
    positions_of,
    turn_with_a_kept_choice,
)

from crossboard._core import DrawRules
from crossboard._core.draughts import Chooser, PlayedGame, play_games, play_pairs
from crossboard.draughts import Position
from crossboard.players import (
    GameTime,
    RandomPlayer,
    SearchLimits,
    SearchSettings,
    load_player,
)
from crossboard.protocols import HubFault, HubPlayer, hub_player, hub_process
from crossboard.protocols.hub_text import HubLine

from .conftest import OURS, Fake

SHORT = SearchLimits(depth=2)
FAULTS = {
    "hang": "did not answer in time",
    "deaf": "did not answer in time",
    "death": "ended with exit code 1: 'out of luck (so)'",
    "illegal": "played 1-32, which is illegal in ",
    "no move": "gave no move",
    "rubbish": "gave a move that is none: 'banana)' is no move",
    "complaint": "complained: 'I cannot'",
    "flood": "printed nothing but rubbish; its last words were 'la la la'",
    "endless line": "printed a line without end",
}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait as long as good engines need here, and not much longer for bad ones."""
    monkeypatch.setattr(hub_player, "GRACE_SECONDS", 2.0)
    monkeypatch.setattr(hub_process, "QUIT_SECONDS", 0.2)


def play(first: Chooser, second: Chooser, games: int = 1) -> list[PlayedGame]:
    openings = [(Position(), list[object]())] * games
    return play_games(first, second, openings=openings, seeds=list(range(games)))


def children() -> set[str]:
    """Return the processes that we have started and that are there, dead ones too."""
    found = set()
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/children") as file:
            found |= set(file.read().split())
    return found


@pytest.fixture
def no_children_left() -> None:
    pytest.importorskip("resource", reason="needs /proc")
    if not os.path.exists("/proc/self/task"):
        pytest.skip("needs /proc")
    before = children()
    yield
    gc.collect()
    assert children() <= before


@pytest.mark.parametrize("limits", [{"depth": 3}, {"depth": 7}, {"nodes": 3000}])
def test_our_engine_in_hub_is_our_player_game_for_game(limits: dict[str, int]) -> None:
    asked = SearchLimits(**limits)  # type: ignore[arg-type]
    material = load_player("material")
    openings = [(Position(), [Position().legal_moves[i]]) for i in range(2)]
    games = [
        play_games(material.chooser(asked), other.chooser(asked), openings=openings, seeds=[1, 2])
        for other in (HubPlayer(OURS), material)
    ]
    assert games[0] == games[1]


def test_search_tells_what_the_engine_told() -> None:
    result = HubPlayer(OURS).search(Position(), depth=6)
    ours = load_player("material").search(Position(), depth=6)
    assert (result.move, result.pv, result.depth) == (ours.move, ours.pv, 6)
    assert result.nodes == ours.nodes
    won = HubPlayer(OURS).search(Position.from_fen("W:WK22,K23,K32:BK18,2"), depth=9)
    assert (won.win_in, won.value) == (7, pytest.approx(99.93))
    with pytest.raises(ValueError, match="keeps no trace"):
        HubPlayer(OURS).search(Position(), depth=2, trace=True)
    with pytest.raises(ValueError, match="cannot be saved"):
        HubPlayer(OURS).save("somewhere")


def test_history_is_told() -> None:
    # Ahead, but only as long as nothing is repeated: the engine must know what has been.
    start = Position.from_fen("B:WK32:BK1,K2")
    line = [start]
    for move in ("1-5", "32-28", "5-1", "28-32"):
        line.append(line[-1].after(move))
    *history, position = line
    ours = load_player("material").search(position, depth=5, history=history)
    theirs = HubPlayer(OURS).search(position, depth=5, history=history)
    assert (theirs.move, theirs.value) == (ours.move, ours.value)


@pytest.mark.usefixtures("no_children_left")
def test_our_engine_keeps_a_specialist_in_games_of_the_core(tmp_path: Path) -> None:
    player = drawn_player()
    player.save(tmp_path)
    outside = HubPlayer(f"{OURS} --player {shlex.quote(str(tmp_path))}")
    openings, seeds = drawn_openings(6, 4), list(range(4))
    games = [
        play_games(each.chooser(SHORT), Chooser.random(), openings=openings, seeds=seeds)
        for each in (player, outside)
    ]
    assert games[0] == games[1]
    # Or they would show nothing.
    line, _ = turn_with_a_kept_choice(player)
    assert any(line[-1] in positions_of(game.start, game.moves) for game in games[0])


@pytest.mark.usefixtures("impatient", "no_children_left")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_loses_the_game_and_the_next_one_is_played(fake: Fake, fault: str) -> None:
    chooser = HubPlayer(fake(fault)).chooser(SHORT)
    games = play(Chooser.random(), chooser, 2)
    assert [game.ending for game in games] == ["forfeit"] * 2
    assert [game.winner for game in games] == [0, 0]
    assert [game.plies for game in games] == [5, 5]
    for game in games:
        assert game.reason.startswith(FAULTS[fault])
        assert not set("{}") & set(game.reason)


@pytest.mark.usefixtures("no_children_left")
@pytest.mark.parametrize("fault", ["none", "slow start"])
def test_small_faults_are_none(fake: Fake, fault: str) -> None:
    (game,) = play(HubPlayer(fake(fault)).chooser(SHORT), Chooser.random())
    assert game.ending != "forfeit"


@pytest.mark.usefixtures("no_children_left")
@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("", "no command was given"),
        ('"', "makes no sense"),
        ("no-such-program --at all", "cannot start 'no-such-program': No such file"),
        ("/", "cannot start '/': Permission denied"),
        ("true", "ended with exit code 0"),
        ("sh -c 'echo lost >&2; exit 3'", "ended with exit code 3: 'lost'"),
        ("sh -c 'kill -9 $$'", "was killed by signal 9"),
        ("yes", "printed nothing but rubbish; its last words were 'y'"),
        ("cat", "did not answer in time; its last words were 'hub'"),
    ],
)
def test_what_is_no_engine_is_refused(
    command: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The one that says nothing is waited for in full, the others are found out.
    monkeypatch.setattr(hub_process, "START_SECONDS", 2.0 if command == "cat" else 300.0)
    with pytest.raises(HubFault) as refused:
        HubPlayer(command).check()
    assert str(refused.value).startswith(f"hub:{command}: ")
    assert told in str(refused.value)


def test_an_engine_for_other_draughts_is_refused(fake: Fake) -> None:
    with pytest.raises(HubFault, match="does not play english draughts, only 'normal killer'"):
        HubPlayer(fake("wrong variant")).check()


@pytest.mark.usefixtures("no_children_left")
def test_nothing_runs_before_it_is_asked_for_nor_after() -> None:
    before = children()
    player = HubPlayer(OURS)
    chooser = player.chooser(SHORT)
    assert children() == before
    play(chooser, Chooser.random())
    assert len(children() - before) == 1
    player.choose(Position(), depth=2)
    assert len(children() - before) == 2
    del chooser, player
    assert children() == before


@pytest.mark.usefixtures("no_children_left")
def test_one_process_plays_one_game_after_the_other() -> None:
    player, before, seen = HubPlayer(OURS), children(), set()
    games = []
    for _ in range(3):
        games += play(player.chooser(SHORT), Chooser.random())
        seen |= children() - before
    assert len(seen) == 1
    with ThreadPoolExecutor(2) as executor:
        choosers = [player.chooser(SHORT) for _ in range(2)]
        list(executor.map(play, choosers, [Chooser.random() for _ in range(2)]))
    assert len(children() - before) == 2  # one each, while they are needed at once
    assert games[0] == games[1] == games[2]  # nothing is carried over


@pytest.mark.usefixtures("no_children_left", "impatient")
def test_a_process_that_died_waiting_is_not_used_again() -> None:
    player, before = HubPlayer(OURS), children()
    play(player.chooser(SHORT), Chooser.random())
    (process,) = children() - before
    os.kill(int(process), signal.SIGKILL)
    os.waitid(os.P_PID, int(process), os.WEXITED | os.WNOWAIT)
    (game,) = play(player.chooser(SHORT), Chooser.random())
    assert game.ending != "forfeit"


def test_players_go_to_other_processes_by_their_command(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_player, "KEPT_SECONDS", 3.0)
    player, before = HubPlayer(fake("none")), children()
    copy = pickle.loads(pickle.dumps(player))
    assert (copy.name, copy.command) == (player.name, player.command)
    assert copy.choose(Position(), depth=1) == Position().legal_moves[0]
    (process,) = children() - before
    del copy
    copy = pickle.loads(pickle.dumps(player))  # a batch that comes soon finds its engine running
    copy.choose(Position(), depth=1)
    assert children() - before == {process}
    del copy
    deadline = time.monotonic() + 300
    while children() - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert children() <= before  # and nobody waits for ever


@pytest.mark.usefixtures("no_children_left")
def test_stop_ends_a_game_that_waits(fake: Fake) -> None:
    player = HubPlayer(fake("hang"))  # with all the patience there is
    with ThreadPoolExecutor(1) as executor:
        game = executor.submit(play, player.chooser(SHORT), Chooser.random())
        deadline = time.monotonic() + 300
        while not game.done() and time.monotonic() < deadline:
            threading.Event().wait(1.0)
            player.stop()
        assert game.result()[0].ending == "forfeit"


def test_patience_grows_with_the_limits() -> None:
    limits = [SearchLimits(depth=d) for d in (1, 14, 20)]
    limits += [SearchLimits(seconds=3600.0), SearchLimits(depth=200), SearchLimits()]
    waits = [hub_player.patience(each) for each in limits]
    assert waits == sorted(waits)
    assert waits[0] >= hub_player.GRACE_SECONDS
    assert hub_player.patience(SearchLimits(depth=200, seconds=1.0)) < 60


def test_patience_ends_some_time_after_the_clock() -> None:
    limits = SearchLimits(time=GameTime(5.0, 3.0))
    assert hub_player.GRACE_SECONDS + 8 <= hub_player.patience(limits) < 60


def test_an_engine_is_told_its_clock_before_every_move(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    send = hub_process.HubProcess.send

    def note(process: hub_process.HubProcess, line: HubLine) -> None:
        sent.append(str(line))
        send(process, line)

    monkeypatch.setattr(hub_process.HubProcess, "send", note)
    time_of_game = GameTime(3600.0, 2.0)
    players = HubPlayer(OURS), RandomPlayer()
    one, other = (each.chooser(SearchLimits(depth=2, time=time_of_game)) for each in players)
    openings = [(Position(), list[object]())]
    rules = DrawRules(max_plies=20)
    ((game, _),) = play_pairs(
        one, other, openings=openings, seeds=[1], rules=rules, time=time_of_game
    )
    assert game.plies == 20
    levels = [line for line in sent if line.startswith("level")]
    assert levels[0] == "level depth=2 time=3600 inc=2"
    left = [float(HubLine.parse(line).arguments["time"] or 0) for line in levels[:10]]
    # Before each of its moves two seconds were added, which it did not use.
    assert all(3600 + 2 * n - 60 < seconds <= 3600 + 2 * n for n, seconds in enumerate(left))
    assert left == sorted(left)


@pytest.mark.parametrize("asked", [None, SearchLimits()])
def test_without_a_limit_the_players_own_is_asked_for(asked: SearchLimits | None) -> None:
    player = HubPlayer(OURS)
    player.limits = SHORT
    choosers = [player.chooser(each) for each in (asked, SHORT)]
    own, same = (play(each, Chooser.random())[0] for each in choosers)
    assert own == same  # and it ends: an engine without a level thinks for ever


@pytest.mark.parametrize(
    "limits", [{"depth": 31}, {"depth": 200}, {"nodes": 2**62}, {"seconds": 1e15}]
)
def test_no_limit_is_too_large_to_wait_for(fake: Fake, limits: dict[str, float]) -> None:
    asked = SearchLimits(**limits)  # type: ignore[arg-type]
    assert hub_player.patience(asked) > 2**31 / 1000  # what the system cannot wait for
    (game,) = play(HubPlayer(fake("none")).chooser(asked), Chooser.random())
    assert game.ending != "forfeit"


def test_nobody_tells_an_engine_how_to_search():
    player = HubPlayer(OURS)
    with pytest.raises(ValueError, match="is somebody else's program and searches in its own way"):
        player.with_settings(SearchSettings(quiescence=False))
